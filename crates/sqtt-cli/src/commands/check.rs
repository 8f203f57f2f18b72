//! `sqtt check`: is a trace sound?

use std::io::Write;

use serde_json::json;
use sqtt_decoder::check::{Finding, Severity, check, losses};
use sqtt_format::Printable;

use crate::say::Reported;
use crate::trace_args::TraceArgs;

/// Check whether a trace is sound: whether its files are whole and agree, and whether every record can be
/// decoded.
///
/// A loss is something that is missing or unsure; a remark is odd, and without an effect on answers.
/// Filters do not apply: the whole trace is checked.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sqtt check trace_output/
  sqtt check --json trace_output/ | jq '.findings[] | select(.severity == \"loss\")'

Exit status: 0 when nothing was lost, 1 when something was or nothing could be read, 2 for wrong arguments.")]
pub(crate) struct Args {
    #[command(flatten)]
    trace: TraceArgs,
    /// Print one JSON object with findings and losses
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let mut out = self.trace.writer()?;
        let mut findings: Vec<Finding> = Vec::new();
        let mut folders = 0_u64;
        let (mut records, mut waves) = (0, 0);
        let outcome = self.trace.each_folder(|folder| {
            let (found, ledger) = check(folder);
            findings.extend(found);
            folders += 1;
            records += folder.record_count();
            waves += folder.launch_count();
            Ok(ledger)
        })?;
        findings.extend(losses(&outcome.outside));
        let is_sound = outcome.any
            && outcome.ledger.is_lossless()
            && findings.iter().all(|finding| finding.severity == Severity::Remark);
        if self.json {
            let json = json!({
                "sound": is_sound, "folders": folders, "records": records, "waves": waves,
                "findings": findings, "losses": outcome.ledger,
            });
            serde_json::to_writer_pretty(&mut out, &json)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{folders} folders, {records} records, {waves} waves")?;
            for finding in &findings {
                write_finding(&mut out, finding)?;
            }
            writeln!(out, "{}", if is_sound { "sound" } else { "not sound" })?;
        }
        out.finish()?;
        self.trace.finish(&outcome)?;
        if is_sound { Ok(()) } else { Err(Reported.into()) }
    }
}

fn write_finding(out: &mut dyn Write, finding: &Finding) -> std::io::Result<()> {
    writeln!(out, "{finding}")?;
    for place in &finding.places {
        writeln!(out, "    {}", Printable(place.as_bytes()))?;
    }
    if let Some(advice) = finding.advice {
        writeln!(out, "    advice: {advice}")?;
    }
    Ok(())
}
