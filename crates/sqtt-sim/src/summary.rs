//! The readable form of a run: wave by wave, marker names from the funcmap.

use std::io::{self, Write};

use sqtt_format::{Action, Funcmap, Printable};

use crate::program::Program;
use crate::result::{RunResult, WaveTrace};

/// Words of a buffer that are shown.
const SHOWN_WORDS: usize = 8;

/// Writes what a run did. `map` names the markers; without one, words are shown as they are.
///
/// # Errors
/// The errors of `out`.
pub fn write_summary(
    out: &mut dyn Write,
    program: &Program,
    kernel: &str,
    result: &RunResult,
    map: Option<&Funcmap>,
) -> io::Result<()> {
    writeln!(
        out,
        "{} on {}, simulated: {} waves, {} instructions, {} simulated cycles",
        Printable(kernel.as_bytes()),
        program.target(),
        result.waves.len(),
        result.instructions,
        result.cycles
    )?;
    for wave in &result.waves {
        write_wave(out, wave, map)?;
    }
    for buffer in &result.buffers {
        let words = buffer.words();
        let shown: Vec<_> = words.iter().take(SHOWN_WORDS).map(|w| format!("{w:#x}")).collect();
        let more = if words.len() > SHOWN_WORDS { " …" } else { "" };
        writeln!(out, "argument {}, {} words: {}{more}", buffer.arg, words.len(), shown.join(" "))?;
    }
    Ok(())
}

/// One wave: its place, then a line per marker, indented by open scopes.
fn write_wave(out: &mut dyn Write, wave: &WaveTrace, map: Option<&Funcmap>) -> io::Result<()> {
    let [x, y, z] = wave.workgroup;
    writeln!(
        out,
        "workgroup {x},{y},{z} wave {}: SE {} CU {} SIMD {} slot {} workgroup slot {}, simulated cycles {} to {}",
        wave.wave,
        wave.se,
        wave.cu,
        wave.simd,
        wave.slot,
        wave.workgroup_slot,
        wave.start,
        wave.end.map_or_else(|| "the stop".to_owned(), |end| end.to_string())
    )?;
    let empty = Funcmap::new();
    let map = map.unwrap_or(&empty);
    let mut depth = 0usize;
    let mut payload = 0;
    for record in &wave.markers {
        let mut text = Vec::new();
        let mut indent = depth;
        if payload > 0 {
            payload -= 1;
            write!(text, "  data {:#x}", record.value)?;
        } else {
            let marker = map.decode(record.value).marker;
            payload = map.payload_count(marker.id);
            let verb = match marker.action() {
                Action::Noop => "nothing",
                Action::Enter => "enter",
                Action::Exit => "exit",
                Action::ExitEnter => "exit, enter",
                Action::Point => "point",
            };
            if marker.exit {
                depth = depth.saturating_sub(1);
                indent = depth;
            }
            depth += usize::from(marker.enter);
            write!(text, "{verb}")?;
            match map.find(marker.id) {
                Some(entry) => write!(text, " {}", Printable(entry.name()))?,
                None if marker.id != 0 => write!(text, " id {}", marker.id)?,
                None => {}
            }
        }
        let text = String::from_utf8_lossy(&text);
        writeln!(out, "  {:>10}  {:#8x}  {:indent$}{text}", record.time, record.pc, "", indent = 2 * indent)?;
    }
    Ok(())
}
