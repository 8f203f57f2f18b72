//! `realtime.json`: the shader clock against a clock of known rate.

use std::collections::BTreeMap;
use std::io::Read;

use super::faults::Faults;
use super::filenames::engine_number;
use super::records::is_time;
use crate::json::{JsonError, JsonKind, JsonReader};

/// Pairs of the two clocks, by shader engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RealTime {
    /// Rate of the real-time clock in Hz; 0 where it was not traced.
    pub frequency: u64,
    /// Shader clock and real-time clock at the same instants, by shader engine.
    pub samples: BTreeMap<u32, Vec<(i64, i64)>>,
}

impl RealTime {
    /// The rate of a shader engine's clock in Hz, from its first and last sample. `None` where there
    /// are not two of them that differ, or the rate of the real-time clock is not known.
    #[must_use]
    pub fn shader_clock_hz(&self, se: u32) -> Option<f64> {
        let samples = self.samples.get(&se)?;
        let (first, last) = (samples.first()?, samples.last()?);
        let shader = last.0.checked_sub(first.0)?;
        let real = last.1.checked_sub(first.1)?;
        if self.frequency == 0 || shader <= 0 || real <= 0 {
            return None;
        }
        Some(shader as f64 * self.frequency as f64 / real as f64)
    }

    /// The mean rate over all shader engines that have one, in Hz.
    #[must_use]
    pub fn mean_clock_hz(&self) -> Option<f64> {
        let rates: Vec<f64> = self.samples.keys().filter_map(|&se| self.shader_clock_hz(se)).collect();
        if rates.is_empty() { None } else { Some(rates.iter().sum::<f64>() / rates.len() as f64) }
    }
}

pub(crate) fn read(source: impl Read, faults: &mut Faults) -> (RealTime, Result<(), JsonError>) {
    let mut real = RealTime::default();
    let mut reader = JsonReader::new(source);
    let result = reader.document(|reader, key| {
        if key == b"metadata" && reader.kind()? == JsonKind::Object {
            return reader.object(|reader, key| {
                if key == b"frequency" {
                    real.frequency = reader.unsigned()?.unwrap_or_default();
                    return Ok(());
                }
                reader.skip()
            });
        }
        match key.strip_prefix(b"SE").and_then(engine_number) {
            Some(se) if matches!(reader.kind()?, JsonKind::Array | JsonKind::Null) => {
                let samples = real.samples.entry(se).or_default();
                reader.rows::<2>(
                    |[shader, clock]| {
                        if !is_time(shader) {
                            return Err("a sample at a time that no trace reaches (2^53 cycles)");
                        }
                        samples.push((shader, clock));
                        Ok(())
                    },
                    |offset, fault| faults.at(offset, &fault.text(2)),
                )
            }
            _ if key.starts_with(b"SE") => faults.skip_no_table(reader, "no samples of a shader engine"),
            _ => reader.skip(),
        }
    });
    (real, result)
}
