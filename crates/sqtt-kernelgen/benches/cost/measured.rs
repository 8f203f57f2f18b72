//! The page of the documentation that `cargo xtask bench isa` writes: `measured.md` with the figures.

use crate::isa::{EXAMPLES, Kind, Row, SETTINGS};
use anyhow::{Context as _, Result};
use commands::{capture, llvm};
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

/// The page.
pub(crate) fn page(rows: &[Row]) -> Result<String> {
    let version = capture(llvm("clang").arg("--version"))?;
    let launches = EXAMPLES.iter().filter(|example| !example.name.contains(' '));
    let launches = launches.map(|example| format!("sqtt sim {}.co {}", example.name, example.launch));
    let configurations = SETTINGS
        .iter()
        .map(|setting| format!("| {} | `{}` |", setting.about, setting.variables.replace(' ', "`, `")));
    let mut page = format!(
        include_str!("measured.md"),
        compiler = version.lines().next().context("clang has no version")?,
        launches = launches.collect::<Vec<_>>().join("\n"),
        configurations = configurations.collect::<Vec<_>>().join("\n"),
        immediate = IMMEDIATE_GOAL,
        m0 = M0_GOAL,
        test = TEST_GOAL,
        entry = ENTRY_GOAL,
        many = MARKERS_FOR_SKIPPED_GOAL,
        in_asm = SKIPPED_IN_ASM_GOAL,
        by_branch = SKIPPED_BY_BRANCH_GOAL,
        one_immediate = ONE_IMMEDIATE_GOAL,
        one_m0 = ONE_M0_GOAL,
        one_skipped = ONE_SKIPPED_GOAL,
        goals = goals(rows),
        waits = waits(rows),
    );
    for example in &EXAMPLES {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.example == example.name).collect();
        table(&mut page, &rows)?;
    }
    Ok(page)
}

/// The goal of each row that has one, and the verdict on it.
fn goals(rows: &[Row]) -> String {
    let (mut lines, mut missed) = (Vec::new(), 0);
    for row in rows {
        let Some(bound) = bound(row, rows) else { continue };
        let measured = row.extra as f64 / row.passed.markers as f64;
        let verdict = if measured <= bound { "met" } else { "**missed**" };
        missed += usize::from(measured > bound);
        let Row { example, target, setting, passed, .. } = row;
        lines.push(format!(
            "| {example} | {target} | {} | {} | {} | {bound:.2} | {measured:.2} | {verdict} |",
            setting.about, passed.immediate, passed.through_m0
        ));
    }
    format!("{}\n\n{} met, {missed} missed.", lines.join("\n"), lines.len() - missed)
}

/// A wave that is led past its markers was to wait for nothing that it would not wait for without them.
fn waits(rows: &[Row]) -> String {
    let skipped = || rows.iter().filter(|row| row.setting.kind == Kind::Skipped);
    let waiting: Vec<&Row> = skipped().filter(|row| row.extra_waits > 0).collect();
    let mut text = format!(
        "Waits for memory of a wave that is led past its markers: none more than without them. {} of {} rows: met.",
        skipped().count() - waiting.len(),
        skipped().count()
    );
    for (index, row) in waiting.into_iter().enumerate() {
        let each = row.extra_waits as f64 / row.passed.waves as f64;
        let gap = if index == 0 { "\n\n" } else { "\n" };
        let Row { example, target, setting, .. } = row;
        text += &format!("{gap}- **missed**: {example} on {target}, {}: {each:.2} a wave", setting.about);
    }
    text
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

fn table(out: &mut String, rows: &[&Row]) -> Result<()> {
    let Some(first) = rows.first() else { return Ok(()) };
    writeln!(
        out,
        "\n## {}\n\n{} markers in the code. \"Plain\" is what all waves together execute without markers.\n",
        first.example, first.sites
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
