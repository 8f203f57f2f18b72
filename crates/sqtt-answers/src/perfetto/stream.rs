//! The file as a stream of events: commas, times, and the first error of the writer.

use std::io::{self, Write};

use serde::Serialize;

use crate::rate::ClockRate;

/// A track: process and thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Track {
    pub(super) pid: u32,
    pub(super) tid: u32,
}

/// Microseconds with three digits behind the point, from nanoseconds: exact, whatever their size.
pub(super) struct Micros(i64);

impl Serialize for Micros {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        let text = format!("{sign}{}.{:03}", size / 1000, size % 1000);
        let raw = serde_json::value::RawValue::from_string(text).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// One event; fields that it does not have are left out.
#[derive(Default, Serialize)]
pub(super) struct ChromeEvent<'a, Args: Serialize> {
    pub(super) ph: &'static str,
    pub(super) pid: u32,
    pub(super) tid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ts: Option<Micros>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cat: Option<&'static str>,
    /// Scope of an instant: thread or process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) s: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) args: Option<Args>,
}

/// Writes events. The first error of the writer stays, and nothing is written after it.
pub(super) struct Stream<'a> {
    out: &'a mut dyn Write,
    rate: ClockRate,
    /// The cycle that is time 0.
    origin: i64,
    is_first: bool,
    error: Option<io::Error>,
}

impl<'a> Stream<'a> {
    /// Begins the file. `displayTimeUnit` has to be in what a viewer reads first.
    pub(super) fn start(out: &'a mut dyn Write, rate: ClockRate, origin: i64) -> Self {
        let error = out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[").err();
        Self { out, rate, origin, is_first: true, error }
    }

    pub(super) fn time(&self, cycle: i64) -> Micros {
        Micros(self.rate.nanoseconds(cycle.saturating_sub(self.origin)))
    }

    pub(super) fn failed(&self) -> bool {
        self.error.is_some()
    }

    pub(super) fn event<Args: Serialize>(&mut self, event: &ChromeEvent<'_, Args>) {
        if self.error.is_some() {
            return;
        }
        let separator: &[u8] = if self.is_first { b"\n" } else { b",\n" };
        self.is_first = false;
        let written = self.out.write_all(separator);
        self.error = written.and_then(|()| Ok(serde_json::to_writer(&mut *self.out, event)?)).err();
    }

    /// Ends the file.
    pub(super) fn finish(self) -> io::Result<()> {
        match self.error {
            Some(error) => Err(error),
            None => self.out.write_all(b"\n]}\n"),
        }
    }
}
