//! Flame graphs as SVG, drawn by `inferno`: searchable and zoomable in a browser.

use std::io::Write;

use inferno::flamegraph::{self, Direction, Options};

use super::folded::{escaped_names, line};
use super::{FlameError, Flames};

/// Choices for drawing a flame graph.
#[derive(Clone, Debug, Default)]
pub struct SvgOptions {
    /// Title above the graph.
    pub title: String,
    /// Pixels; as wide as the window where nothing is said.
    pub width: Option<usize>,
    /// The first frame at the top.
    pub icicle: bool,
}

/// Writes a flame graph. Of a difference, widths are those of the newer trace, frames that have become
/// longer are red, and those that have become shorter blue. Where nothing was measured, the picture says so. What the
/// trace lost is written above it, in red, and is its metadata.
///
/// # Errors
///
/// Errors of the writer; [`FlameError::TooLarge`].
pub fn write_svg(out: &mut dyn Write, flames: &Flames, options: &SvgOptions) -> Result<(), FlameError> {
    let stacks = flames.stacks()?;
    let total: u64 = stacks.iter().map(|stack| stack.weight).sum();
    if total == 0 {
        return Ok(out.write_all(empty(flames).as_bytes())?);
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
    let lines = lines.iter().rev().map(String::as_str);
    let Some(lost) = flames.losses.lost() else {
        return Ok(flamegraph::from_lines(&mut drawn, lines, out)?);
    };
    let mut picture = Vec::new();
    flamegraph::from_lines(&mut drawn, lines, &mut picture)?;
    // Everything of the trace comes behind both places, and is escaped.
    let picture = String::from_utf8_lossy(&picture);
    let picture = picture.replacen("<defs>", &format!("<metadata>{lost}</metadata><defs>"), 1);
    let picture = picture.replacen("id=\"subtitle\"", "id=\"subtitle\" fill=\"#c00000\"", 1);
    Ok(out.write_all(picture.as_bytes())?)
}

/// Kinds of losses that are named above the picture.
const KINDS_SHOWN: usize = 2;

/// Losses, for the line above the picture, which has an end.
fn lost(flames: &Flames) -> Option<String> {
    let losses: Vec<String> = flames
        .losses
        .tallies()
        .filter(|(kind, _)| kind.is_loss())
        .map(|(kind, tally)| format!("{} {kind}", tally.count))
        .collect();
    let shown = losses.iter().take(KINDS_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match losses.len() {
        0 => None,
        count if count > KINDS_SHOWN => Some(format!("lost: {shown}, and more")),
        _ => Some(format!("lost: {shown}")),
    }
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
    match lost(flames) {
        Some(lost) => format!("{lost}; {text}"),
        None => text,
    }
}

/// The picture of nothing.
fn empty(flames: &Flames) -> String {
    match (lost(flames), flames.losses.lost()) {
        (Some(shown), Some(lost)) => {
            let text = format!("scope; <tspan fill=\"#c00000\">{shown}</tspan></text>");
            EMPTY.replacen("scope</text>", &text, 1).replacen(
                "<rect",
                &format!("<metadata>{lost}</metadata>\n<rect"),
                1,
            )
        }
        _ => EMPTY.to_owned(),
    }
}

/// Picture of nothing.
const EMPTY: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="1200" height="60" viewBox="0 0 1200 60">
<rect width="100%" height="100%" fill="#f8f8f8"/>
<text x="600" y="35" text-anchor="middle" font-family="monospace" font-size="14">no wave with a known duration, and no scope</text>
</svg>
"##;
