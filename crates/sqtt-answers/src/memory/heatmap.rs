//! A [`Heatmap`] as SVG.

use std::fmt;
use std::io::{self, Write};

use sqtt_format::Printable;

use sqtt_decoder::Ledger;
use sqtt_decoder::memory::{Heatmap, Panel, Space};

const CELL_WIDTH: usize = 5;
const CELL_HEIGHT: usize = 8;
/// Between rows that are not next to each other in memory.
const GAP: usize = 4;
/// Room for addresses.
const LEFT: usize = 160;
const RIGHT: usize = 20;
const HEAD: usize = 44;
const FOOT: usize = 34;
const LEAST_WIDTH: usize = 560;

/// From few to many accesses.
const COLOURS: [&str; 8] =
    ["#fee8b0", "#fdd08a", "#fdae61", "#f98e52", "#ee6445", "#d73a3b", "#b11b44", "#7a0b4a"];

/// Writes the map as one SVG image: a panel for memory and one for LDS of every folder, addresses downwards
/// with their gaps marked, time to the right. Every cell says its accesses when it is pointed at. What was lost is
/// written below, and is its metadata.
///
/// # Errors
///
/// Errors of the writer.
pub fn write_heatmap_svg(out: &mut dyn Write, map: &Heatmap, losses: &Ledger) -> io::Result<()> {
    let lost = losses.lost();
    let widest = map.panels.iter().map(Panel::columns).max().unwrap_or_default();
    let width = (LEFT + widest * CELL_WIDTH + RIGHT).max(LEAST_WIDTH);
    let heights: Vec<usize> = map.panels.iter().map(height).collect();
    let notes = usize::from(map.panels.is_empty())
        + usize::from(map.without_address > 0)
        + usize::from(lost.is_some());
    let total = heights.iter().sum::<usize>() + notes * 24 + 16;
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{total}" viewBox="0 0 {width} {total}" font-family="sans-serif" font-size="11">"#
    )?;
    writeln!(out, "<title>memory accesses by address and time</title>")?;
    if let Some(lost) = &lost {
        writeln!(out, "<metadata>{lost}</metadata>")?;
    }
    writeln!(out, r##"<rect width="{width}" height="{total}" fill="#ffffff"/>"##)?;
    let mut top = 8;
    for (panel, height) in map.panels.iter().zip(heights) {
        write_panel(out, panel, top)?;
        top += height;
    }
    let mut note = |text: &dyn fmt::Display| {
        top += 24;
        writeln!(out, r#"<text x="12" y="{}">{text}</text>"#, top - 8)
    };
    if map.panels.is_empty() {
        note(&"no traced memory operations with addresses")?;
    }
    if map.without_address > 0 {
        note(&format_args!("{} operations without addresses are not shown", map.without_address))?;
    }
    if let Some(lost) = &lost {
        note(&format_args!(r##"<tspan fill="#c00000">{lost}</tspan>"##))?;
    }
    writeln!(out, "</svg>")
}

fn height(panel: &Panel) -> usize {
    HEAD + FOOT + panel.rows.len() * CELL_HEIGHT + gaps(panel) * GAP
}

fn gaps(panel: &Panel) -> usize {
    panel.rows.keys().zip(panel.rows.keys().skip(1)).filter(|(block, next)| **next > **block + 1).count()
}

fn write_panel(out: &mut dyn Write, panel: &Panel, top: usize) -> io::Result<()> {
    let Panel { row_shift, column_shift, begin, rows, .. } = panel;
    let (row_bytes, column_cycles) = (1_u128 << row_shift, 1_u128 << column_shift);
    let space = match panel.space {
        Space::Lds => "LDS",
        _ => "memory",
    };
    let hottest = panel.hottest();
    writeln!(out, r#"<g font-size="10">"#)?;
    writeln!(
        out,
        r#"<text x="12" y="{}" font-size="13">{space}: {}</text>"#,
        top + 14,
        Xml(panel.folder.as_bytes())
    )?;
    writeln!(
        out,
        r#"<text x="12" y="{}">a row is {row_bytes} bytes, a column {column_cycles} cycles; the darkest cell has {hottest} accesses of lanes</text>"#,
        top + 30
    )?;
    let mut y = top + HEAD;
    let mut last: Option<u64> = None;
    let mut labelled = 0;
    for (&block, cells) in rows {
        let has_gap = last.is_some_and(|last| block > last + 1);
        if has_gap {
            let line = y + GAP / 2;
            let right = LEFT + panel.columns() * CELL_WIDTH;
            writeln!(out, r##"<path d="M{LEFT} {line}H{right}" stroke="#bbbbbb" stroke-dasharray="2 2"/>"##)?;
            y += GAP;
        }
        // Names every run of rows, and of long ones as many as there is room for.
        if last.is_none() || has_gap || y >= labelled + 3 * CELL_HEIGHT {
            let address = u128::from(block) << row_shift;
            writeln!(
                out,
                r#"<text x="{}" y="{}" text-anchor="end" font-family="monospace" font-size="9">{address:#x}</text>"#,
                LEFT - 6,
                y + CELL_HEIGHT
            )?;
            labelled = y;
        }
        write_row(out, panel, y, block, cells)?;
        y += CELL_HEIGHT;
        last = Some(block);
    }
    let end = i128::from(*begin) + ((panel.columns() as i128) << column_shift);
    writeln!(out, r#"<text x="{LEFT}" y="{}">{begin}</text>"#, y + 14)?;
    writeln!(
        out,
        r#"<text x="{}" y="{}" text-anchor="end">cycle {end}</text>"#,
        (LEFT + panel.columns() * CELL_WIDTH).max(LEFT + 160),
        y + 14
    )?;
    writeln!(out, "</g>")
}

fn write_row(out: &mut dyn Write, panel: &Panel, y: usize, block: u64, cells: &[u64]) -> io::Result<()> {
    let hottest = panel.hottest();
    let first = u128::from(block) << panel.row_shift;
    let last = first + (1_u128 << panel.row_shift) - 1;
    for (column, &count) in cells.iter().enumerate().filter(|(_, count)| **count > 0) {
        let time = i128::from(panel.begin) + ((column as i128) << panel.column_shift);
        writeln!(
            out,
            r#"<rect x="{}" y="{y}" width="{CELL_WIDTH}" height="{CELL_HEIGHT}" fill="{}"><title>{count} accesses of {first:#x} to {last:#x} from cycle {time}</title></rect>"#,
            LEFT + column * CELL_WIDTH,
            colour(count, hottest),
        )?;
    }
    Ok(())
}

/// Logarithmic: accesses differ by orders of magnitude.
fn colour(count: u64, hottest: u64) -> &'static str {
    let heat = if hottest <= 1 { 1.0 } else { (count as f64).ln() / (hottest as f64).ln() };
    let index = (heat * (COLOURS.len() - 1) as f64).round() as usize;
    COLOURS[index.min(COLOURS.len() - 1)]
}

/// Bytes as text of XML: printable, and without what XML reads as its own.
struct Xml<'a>(&'a [u8]);

impl fmt::Display for Xml<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in Printable(self.0).to_string().chars() {
            match character {
                '&' => out.write_str("&amp;")?,
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '"' => out.write_str("&quot;")?,
                _ => write!(out, "{character}")?,
            }
        }
        Ok(())
    }
}
