//! Is a trace sound? Findings about its files and about what decoding them lost.

use std::fmt;

use serde::Serialize;

use crate::ledger::{Ledger, RemarkKind};
use crate::trace::{FileInfo, Trace};
use crate::{Filter, Record};

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Odd, and without an effect on answers.
    Remark,
    /// Something is missing or unsure.
    Loss,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// Its severity.
    pub severity: Severity,
    /// A name for programs: that of a [`RemarkKind`], or of a check of files.
    pub kind: String,
    /// Number of times.
    pub count: u64,
    /// Places: at most [`Finding::PLACE_LIMIT`].
    pub places: Vec<String>,
    /// Steps that help, where something can be done.
    pub advice: Option<&'static str>,
}

impl Finding {
    /// Places that a finding shows at most.
    pub const PLACE_LIMIT: usize = 10;
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.severity {
            Severity::Remark => "remark",
            Severity::Loss => "loss",
        };
        write!(out, "{level}: {} ({})", self.kind, self.count)
    }
}

/// Looks for what is wrong in a folder: decodes all of its waves. The ledger is that of the decoding.
#[must_use]
pub fn check(folder: &Trace) -> (Vec<Finding>, Ledger) {
    let ledger = folder.decode(&Filter::default(), |_, _| {});
    let mut findings: Vec<Finding> = folder.files.iter().flat_map(file_findings).collect();
    findings.extend(wave_findings(folder));
    findings.extend(silent_losses(folder));
    findings.extend(losses(&ledger));
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    (findings, ledger)
}

/// The findings that a ledger comes to: also those outside of folders, of code objects and of folders that could
/// not be looked into.
pub fn losses(ledger: &Ledger) -> impl Iterator<Item = Finding> + '_ {
    ledger.tallies().map(|(kind, tally)| Finding {
        severity: if kind.is_loss() { Severity::Loss } else { Severity::Remark },
        kind: kind.name().to_owned(),
        count: tally.count,
        places: tally.places.keys().take(Finding::PLACE_LIMIT).cloned().collect(),
        advice: advice(kind),
    })
}

/// Compares what a file says of itself with its contents.
fn file_findings(file: &FileInfo) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find = |severity, kind: &str, what: String| {
        findings.push(Finding {
            severity,
            kind: kind.to_owned(),
            count: 1,
            places: vec![format!("{}: {what}", file.path.display())],
            advice: None,
        });
    };
    if let Some(count) = file.records_count.filter(|&count| count != file.records) {
        find(Severity::Loss, "records_count", format!("says {count} records, has {}", file.records));
    }
    if let (Some(listed), Some(own)) = (file.listed_times, file.times)
        && listed != own
    {
        find(
            Severity::Remark,
            "listed_times",
            format!("runs from {} to {}, filenames.json says {} to {}", own.0, own.1, listed.0, listed.1),
        );
    }
    if let (Some((begin, _)), Some(first)) = (file.times, file.first_time)
        && begin != first
    {
        find(
            Severity::Remark,
            "begin_time",
            format!("begin_time is {begin}, its first record's time {first}"),
        );
    }
    findings
}

/// Warns that packets may have been lost without a word in the files.
fn silent_losses(folder: &Trace) -> Option<Finding> {
    (!folder.reports_losses && folder.record_count() > 0).then(|| Finding {
        severity: Severity::Remark,
        kind: "losses_not_reported".to_owned(),
        count: 1,
        places: vec![
            folder.place(&"occupancy.json has no events: version 3.0 does not say where packets were lost"),
        ],
        advice: Some("the .att files that the folder was made of say it: name them to sqtt check"),
    })
}

/// Waves that cannot be.
fn wave_findings(folder: &Trace) -> Option<Finding> {
    let mut places = Vec::new();
    let mut count = 0;
    for wave in folder.waves() {
        let Some((launch, retired)) = wave.launch.zip(wave.retired()) else { continue };
        let late = wave.records.filter(|record: &Record| record.time > retired).count() as u64;
        if late > 0 {
            count += late;
            if places.len() < Finding::PLACE_LIMIT {
                places.push(folder.place(&format_args!(
                    "{}: {late} records after the end of the wave of {}",
                    wave.slot, launch.time
                )));
            }
        }
    }
    (count > 0).then(|| Finding {
        severity: Severity::Remark,
        kind: "record_after_wave_end".to_owned(),
        count,
        places,
        advice: Some("a few late records are normal; many mean that ends of waves are missing"),
    })
}

/// Advice against a loss, where there is any.
#[must_use]
pub const fn advice(kind: RemarkKind) -> Option<&'static str> {
    Some(match kind {
        RemarkKind::SkippedFile | RemarkKind::TruncatedFile => {
            "capture again, or copy the whole folder: files are missing or were still being written"
        }
        RemarkKind::NoWaveData => {
            "trace the shader engines and CUs where the kernel runs, and give it enough workgroups"
        }
        RemarkKind::AmbiguousCodeObject | RemarkKind::AmbiguousKernel => {
            "name the right code objects with --code-objects"
        }
        RemarkKind::UnresolvedKernel | RemarkKind::UndecodedRecord | RemarkKind::AssumedCodeObject => {
            "keep the *_code_object_id_*.out files beside the trace, or name them with --code-objects"
        }
        RemarkKind::PacketLoss
        | RemarkKind::TruncatedBlock
        | RemarkKind::LostWord
        | RemarkKind::WaveAcrossLoss => {
            "trace less at a time: fewer CUs, SIMDs or waves (SQTT_SCOPE_*), or a larger buffer"
        }
        RemarkKind::CutAtBufferEnd => {
            "only where waves are missing at the end: the buffer was full; trace less, or give it more bytes"
        }
        RemarkKind::UnknownToken => "a damaged file, or a GPU newer than this program",
        RemarkKind::AssumedEngine => "call the files ..._shader_engine_<se>_<run>.att, as rocprofv3 does",
        RemarkKind::UnknownId => "take the code objects of the very build that was traced",
        RemarkKind::SharedId => {
            "compile with SQTT_ID_SPACE=unit, the default with -fgpu-rdc, or with SQTT_ID_SPACE=link: each id once"
        }
        RemarkKind::ClockSpread => "use more clock bits (SQTT_SHADER_CLOCK_BITS) or a larger shift",
        _ => return None,
    })
}
