//! Records as they would be without a clock in them: what `att_tool` writes.

use super::Wave;
use super::machine::Step;

/// Calls `record` for every record of a wave, in the order in which they arrived, with its time and
/// word. Packed headers are given as plain words, at their corrected time; everything else as it is.
pub fn normalised(wave: &Wave<'_>, mut record: impl FnMut(i64, u32)) {
    let mut stream = wave.markers();
    let mut header = next_header(&mut || stream.step());
    let mut records = wave.records;
    loop {
        let left = records.left();
        let Some(own) = records.next() else { break };
        match header {
            Some((at, time, word)) if at == left => {
                record(time, word);
                header = next_header(&mut || stream.step());
            }
            _ => record(own.time, own.value),
        }
    }
}

/// The next packed header: where it is, its corrected time, and its plain word.
fn next_header(step: &mut dyn FnMut() -> Option<Step>) -> Option<(usize, i64, u32)> {
    loop {
        let step = step()?;
        if let Some(word) = step.plain_word() {
            return Some((step.left, step.corrected, word));
        }
    }
}
