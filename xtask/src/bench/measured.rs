//! The page of the documentation that `cargo xtask bench isa` writes.

use super::markers::{EXAMPLES, Kind, Row, SETTINGS};
use crate::isa::llvm;
use crate::shell;
use anyhow::{Context as _, Result};
use std::fmt::Write as _;

/// The goals, in executed instructions: of a record without a filter (by its form); of one behind a test in the marker's
/// asm, above the former, with the entry paid once a wave; of a marker that is skipped, by the form of the filter.
const IMMEDIATE_GOAL: f64 = 1.1;
const M0_GOAL: f64 = 3.2;
const TEST_GOAL: f64 = 2.0;
const ENTRY_GOAL: f64 = 1.0;
const SKIPPED_IN_ASM_GOAL: f64 = 2.25;
const SKIPPED_BY_BRANCH_GOAL: f64 = 2.5;
/// The goals of skipped markers are for kernels whose waves pass so many: the filter's entry is paid once.
const MARKERS_FOR_SKIPPED_GOAL: f64 = 4.0;
/// The goals of a kernel whose waves pass one marker.
const ONE_IMMEDIATE_GOAL: f64 = 4.0;
const ONE_M0_GOAL: f64 = 6.0;
const ONE_SKIPPED_GOAL: f64 = 3.0;

const INTRODUCTION: &str = "\
# Measured: what markers cost

`cargo xtask bench isa` compiles the examples with and without markers (HIP without ROCm, -O2), runs both in the simulator
and writes this page; results with and without markers are compared bit by bit. Executed instructions are what a
simulator counts. They are not time, and nothing here ran on a GPU.

A *marker* is a header record; the payload of a data marker belongs to it. Every figure is the difference to the same
code without markers, divided by the markers: executed ones by those that the waves pass (recorded or not), static ones
by those in the code. Registers and spills are the kernel's, from without to with markers. *Recorded* and *skipped* have
the filter for one field (`SQTT_SCOPE_CU`), whose entry is part of the figure. `s_nop` and hints (`s_delay_alu`) count as
instructions, and so do waits for memory (`s_waitcnt`, `s_wait_…cnt`), which have a column of their own.
";

const REASONS: &str = "\
## What else is in the figures

A marker's own instructions are 1 (immediate) or 3 (M0) per record, 2 for the test (for a group of neighbours together),
and for the filter's entry 1 per wave (`asm`) or 3 (`cfg`).
The rest is what a marker does to the code around it, seen in the disassemblies of the examples:

- Without a filter and in the asm form nothing is scheduled across a marker. On gfx11 and gfx12 this breaks up pairs
  (`v_dual_…`) and moves hints (`s_delay_alu`, `s_wait_alu`): more of them (`wrappers` on gfx1201), or fewer (`divergent` on
  gfx1100 with `cfg`).
- A marker ends the scheduling region at a barrier beside it. In `tiles` the loads of LDS behind the barrier are spread
  over the sums instead of standing all in front: fewer registers and hints, another order. On gfx942 that order needs
  three `s_nop` more behind `v_pk_mul` per round, and two waits fewer: a wave executes 74 instructions more, of which 69
  are its records'.
- A payload must be in a scalar register: a loop that counted down counts up (`tile` of `tiles`), an address that was one
  `v_mad` becomes `s_mul` and `v_add` (`wrappers`).
- EXEC has to be restored before a marker that all lanes reach (the exit behind `if (i < count)` of `wrappers`); without
  markers the kernel ends there.
- The branch around a short divergent block stays, so that no wave records what none of its lanes reached. Without markers
  the compiler leaves it out (`odd` of `divergent`): it costs a wave that goes there `s_cbranch_execz`, and saves the
  block for one that does not. Without it `divergent` would stay below its bound on all targets; and record markers that no
  lane reached.
- With `cfg` the first marker of `wrappers` ends the block of the kernel's arguments: the payload is computed of one, and waits
  for it alone; the others are loaded behind the branch and waited for there. In `asm` all are loaded together.
- On gfx942 the compiler puts an `s_nop` between two asms that write the same fixed register, M0 or SCC, when nothing
  else stands between. Neighbours that go through M0 are one asm, so there are none in the examples.
- On gfx1201 the markers of `wrappers` have 14 instructions of their own (5 immediate, 3 through M0) and add 17: EXEC
  restored for the last marker, the payload's `s_mul` and `v_add` in place of one `v_mad`, one hint.
";

/// The page.
pub(super) fn page(rows: &[Row]) -> Result<String> {
    let version = shell::capture(llvm("clang").arg("--version"))?;
    let version = version.lines().next().context("clang has no version")?;
    let mut out = String::from(INTRODUCTION);
    writeln!(out, "\nCompiler: {version}. Launches:\n\n```sh")?;
    for example in EXAMPLES.iter().take(EXAMPLES.len() - 1) {
        let launch = &example.launch;
        let args: Vec<String> = launch.args.iter().map(|arg| format!(" --arg {arg}")).collect();
        writeln!(
            out,
            "sqtt sim {}.co --kernel {} --grid {} --block {}{}",
            launch.example,
            launch.kernel,
            launch.grid,
            launch.block,
            args.concat()
        )?;
    }
    out.push_str("```\n\n");
    configurations(&mut out)?;
    goals(&mut out, rows)?;
    out.push('\n');
    out.push_str(REASONS);
    for example in &EXAMPLES {
        let of_example: Vec<&Row> = rows.iter().filter(|row| row.example == example.name).collect();
        table(&mut out, example.name, &of_example)?;
    }
    Ok(out)
}

fn configurations(out: &mut String) -> Result<()> {
    out.push_str("| configuration | settings |\n|---|---|\n");
    for setting in SETTINGS {
        let variables: Vec<String> =
            setting.variables.iter().map(|(name, value)| format!("`{name}={value}`")).collect();
        writeln!(out, "| {} | {} |", setting.about, variables.join(", "))?;
    }
    out.push('\n');
    Ok(())
}

/// What each row was to cost, and does.
fn goals(out: &mut String, rows: &[Row]) -> Result<()> {
    writeln!(
        out,
        "## Goals\n\nExecuted, per marker. Without a filter and boundary: at most {IMMEDIATE_GOAL} for a record in the \
         immediate form, {M0_GOAL} for one\nthrough M0; an example's bound is the mean over its records. Recorded behind \
         the test in the asm: {TEST_GOAL:.0} more than without a\nfilter, and {ENTRY_GOAL:.0} for the entry, once a wave. \
         Skipped, with the entry, where a wave passes {MARKERS_FOR_SKIPPED_GOAL} markers or more: \
         {SKIPPED_IN_ASM_GOAL} with\n`asm`, {SKIPPED_BY_BRANCH_GOAL} with `cfg`. One marker a wave, without boundary: \
         {ONE_IMMEDIATE_GOAL:.0} recorded in the immediate form, {ONE_M0_GOAL:.0} through M0,\n{ONE_SKIPPED_GOAL:.0} \
         skipped.\n"
    )?;
    out.push_str(
        "| example | target | configuration | records, immediate | through M0 | at most | measured | |\n",
    );
    out.push_str("|---|---|---|---:|---:|---:|---:|---|\n");
    let (mut met, mut missed) = (0, 0);
    for row in rows {
        let Some(bound) = bound(row, rows) else { continue };
        let measured = row.extra as f64 / row.passed.markers as f64;
        let verdict = if measured <= bound {
            met += 1;
            "met"
        } else {
            missed += 1;
            "**missed**"
        };
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {bound:.2} | {measured:.2} | {verdict} |",
            row.example, row.target, row.setting.about, row.passed.immediate, row.passed.through_m0
        )?;
    }
    writeln!(out, "\n{met} met, {missed} missed.")?;
    waits(out, rows)
}

/// A wave that is led past its markers was to wait for nothing that it would not wait for without them.
fn waits(out: &mut String, rows: &[Row]) -> Result<()> {
    let skipped = || rows.iter().filter(|row| row.setting.kind == Kind::Skipped);
    let waiting: Vec<&Row> = skipped().filter(|row| row.extra_waits > 0).collect();
    writeln!(
        out,
        "\nWaits for memory of a wave that is led past its markers: none more than without them. {} of {} rows: met.",
        skipped().count() - waiting.len(),
        skipped().count()
    )?;
    if !waiting.is_empty() {
        out.push('\n');
    }
    for row in waiting {
        writeln!(
            out,
            "- **missed**: {} on {}, {}: {:.2} a wave",
            row.example,
            row.target,
            row.setting.about,
            row.extra_waits as f64 / row.passed.waves as f64
        )?;
    }
    Ok(())
}

/// The most instructions that a row's markers may cost each, if there is a goal for it.
fn bound(row: &Row, rows: &[Row]) -> Option<f64> {
    let markers = row.passed.markers as f64;
    let each_wave = markers / row.passed.waves as f64;
    let setting = row.setting;
    let one = row.passed.markers == row.passed.waves && setting.without_boundary();
    match setting.kind {
        Kind::Recorded if one && setting.in_asm() && row.passed.through_m0 > 0 => Some(ONE_M0_GOAL),
        Kind::Recorded if one && setting.in_asm() => Some(ONE_IMMEDIATE_GOAL),
        Kind::Skipped if one && setting.in_asm() => Some(ONE_SKIPPED_GOAL),
        Kind::Unfiltered if setting.without_boundary() => Some(
            (IMMEDIATE_GOAL * row.passed.immediate as f64 + M0_GOAL * row.passed.through_m0 as f64) / markers,
        ),
        Kind::Recorded if setting.without_boundary() && setting.in_asm() => {
            let unfiltered = rows.iter().find(|other| {
                (other.example, other.target) == (row.example, row.target)
                    && other.setting.kind == Kind::Unfiltered
                    && other.setting.without_boundary()
            })?;
            Some(unfiltered.extra as f64 / markers + TEST_GOAL + ENTRY_GOAL / each_wave)
        }
        Kind::Skipped if each_wave >= MARKERS_FOR_SKIPPED_GOAL => {
            Some(if setting.in_asm() { SKIPPED_IN_ASM_GOAL } else { SKIPPED_BY_BRANCH_GOAL })
        }
        _ => None,
    }
}

fn table(out: &mut String, example: &str, rows: &[&Row]) -> Result<()> {
    let Some(first) = rows.first() else { return Ok(()) };
    writeln!(
        out,
        "\n## {example}\n\n{} markers in the code. \"Plain\" is what all waves together execute without markers.\n",
        first.sites
    )?;
    out.push_str(
        "| target | configuration | plain | markers passed | executed each | waits of them | static each | bytes each | VGPRs | SGPRs | \
         spills |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let (before, after) = (row.plain_needs, row.needs);
        let sites = row.sites as f64;
        writeln!(
            out,
            "| {} | {} | {} | {} | {:.2} | {:.2} | {:.2} | {:.1} | {} | {} | {} |",
            row.target,
            row.setting.about,
            row.plain,
            row.passed.markers,
            row.extra as f64 / row.passed.markers as f64,
            row.extra_waits as f64 / row.passed.markers as f64,
            row.code as f64 / sites,
            (after.bytes as f64 - before.bytes as f64) / sites,
            change(before.vgprs, after.vgprs),
            change(before.sgprs, after.sgprs),
            change(before.spills, after.spills),
        )?;
    }
    Ok(())
}

fn change(before: u64, after: u64) -> String {
    if before == after { after.to_string() } else { format!("{before} → {after}") }
}
