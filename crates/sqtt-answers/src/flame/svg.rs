//! Flame graphs as SVG, drawn by `inferno`: searchable and zoomable in a browser.

use std::io::Write;

use inferno::flamegraph::{self, Direction, Options};

use super::folded::{escaped_names, line};
use super::{FlameError, Flames};

/// How a flame graph is drawn.
#[derive(Clone, Debug, Default)]
pub struct SvgOptions {
    /// What is written above.
    pub title: String,
    /// Pixels; as wide as the window where nothing is said.
    pub width: Option<usize>,
    /// The first frame at the top.
    pub icicle: bool,
}

/// Writes a flame graph. Of a difference, widths are those of the newer trace, frames that have become
/// longer are red, and those that have become shorter blue. Where nothing was measured, the picture says so.
///
/// # Errors
///
/// Those of the writer; [`FlameError::TooLarge`].
pub fn write_svg(out: &mut dyn Write, flames: &Flames, options: &SvgOptions) -> Result<(), FlameError> {
    let stacks = flames.stacks()?;
    let total: u64 = stacks.iter().map(|stack| stack.weight).sum();
    if total == 0 {
        return Ok(out.write_all(EMPTY.as_bytes())?);
    }
    let names = escaped_names(flames);
    let lines: Vec<String> = stacks.iter().map(|stack| line(flames, &names, stack)).collect();
    let mut drawn = Options::default();
    drawn.title.clone_from(&options.title);
    drawn.subtitle = Some(subtitle(flames, total));
    drawn.count_name = flames.unit().to_owned();
    drawn.name_type = "Scope:".to_owned();
    drawn.image_width = options.width;
    drawn.direction = if options.icicle { Direction::Inverted } else { Direction::Straight };
    // Equal names have equal colours, in every picture.
    drawn.hash = true;
    // The order of the lines is that of the tree. Sorted as text, lines of one frame may fall apart: `a b`
    // sorts between `a` and `a;c`. This is inferno's way to be told so; it takes the lines from the last.
    drawn.flame_chart = true;
    flamegraph::from_lines(&mut drawn, lines.iter().rev().map(String::as_str), out)?;
    Ok(())
}

fn subtitle(flames: &Flames, total: u64) -> String {
    let plural = |count: u64, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let mut text = format!(
        "{} of {}: {total} {}",
        plural(flames.waves, "wave"),
        plural(flames.folders.len() as u64, "trace"),
        flames.unit()
    );
    if flames.is_difference {
        text.push_str("; red is longer than before, blue is shorter");
    }
    if flames.lumped() > 0 {
        text.push_str("; some stacks were put together");
    }
    text
}

/// What is drawn of nothing.
const EMPTY: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="1200" height="60" viewBox="0 0 1200 60">
<rect width="100%" height="100%" fill="#f8f8f8"/>
<text x="600" y="35" text-anchor="middle" font-family="monospace" font-size="14">no wave with a known duration, and no scope</text>
</svg>
"##;
