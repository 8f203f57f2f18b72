//! Damages databases and CSV files, and runs everything on them: nothing may panic, hang or change a target
//! that it refuses.
//!
//! Equal seeds give equal damage. `cargo test` runs a few rounds, `cargo xtask fuzz rocpd` any number.

use std::fs;
use std::io::sink;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use rocpd::counters::{CountersTarget, CountersWriter, CsvCountersWriter, EventLayout};
use rocpd::{
    Columns, ExportOptions, Guid, MergeOptions, NodeId, NodeInfo, Pass, ProcessInfo, export_pmc_perf, merge,
    silent, within_steps,
};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::{Sample, consolidate, quoted};

/// Thousands of SQLite's steps for one call on a file of some hundred KiB: a hundred times what calls take.
const LIMIT: u64 = 1000;

/// The report of the rounds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FuzzReport {
    /// Rounds run.
    pub rounds: u64,
    /// Calls that succeeded on damaged files.
    pub succeeded: u64,
    /// Calls that refused them.
    pub refused: u64,
    /// Defects: what happened, with the seed of the round.
    pub defects: Vec<String>,
}

/// A small generator (xorshift*), the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Good files to damage.
struct Seeds {
    sdk: Vec<u8>,
    native: Vec<u8>,
    csv: Vec<u8>,
}

/// Runs rounds `seed`, `seed + 1`, …; stops at the first ten defects.
///
/// # Errors
/// The errors of making the good files; defects of the code under test are in the report.
pub fn run(seed: u64, rounds: u64) -> Result<FuzzReport> {
    let folder = TempDir::new()?;
    let seeds = seeds(folder.path())?;
    let mut report = FuzzReport::default();
    for round in 0..rounds {
        if report.defects.len() >= 10 {
            break;
        }
        let seed = seed.wrapping_add(round);
        one(&seeds, seed, folder.path(), &mut report)?;
        report.rounds += 1;
    }
    Ok(report)
}

fn seeds(folder: &Path) -> Result<Seeds> {
    let file = |name: &str| folder.join(name);
    let samples = [
        Sample { dispatches: 12, agents: 2, ..Sample::default() },
        Sample { pid: 4712, dispatches: 5, layout: EventLayout::PerRecord, ..Sample::default() },
    ];
    let (mut sdks, mut natives) = (Vec::new(), Vec::new());
    for (index, sample) in samples.iter().enumerate() {
        sdks.push(file(&format!("sdk{index}.db")));
        natives.push(file(&format!("native{index}.db")));
        sample.write_sdk(&sdks[index], Guid::of_content(&[index as u8]))?;
        sample.write_native(&natives[index], Guid::of_content(&[index as u8, 1]))?;
    }
    let (sdk, native) = (file("sdk.db"), file("native.db"));
    consolidate(&sdks, &sdk)?;
    consolidate(&natives, &native)?;
    // One of the two is merged already, so that ledgers are damaged too.
    merge(&sdk, &natives[1], MergeOptions::default(), &mut silent)?;
    let (node, process) = (NodeInfo::default(), ProcessInfo::new(NodeId(0), 4711));
    let target = CountersTarget::new(folder.to_path_buf(), node, process);
    let mut writer: Box<dyn CountersWriter> = Box::new(CsvCountersWriter::create(&target)?);
    samples[0].record(writer.as_mut())?;
    writer.finish()?;
    Ok(Seeds { sdk: fs::read(&sdk)?, native: fs::read(&native)?, csv: fs::read(target.file("csv"))? })
}

/// One round: damages one of the files, or two, and runs everything.
fn one(seeds: &Seeds, seed: u64, folder: &Path, report: &mut FuzzReport) -> Result<()> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let [sdk, native, csv] = ["a.db", "b.db", "4711_c.csv"].map(|name| folder.join(name));
    let [imported, gz] = ["imported.db", "4711_c.csv.gz"].map(|name| folder.join(name));
    for stale in [&imported, &gz, &with_suffix(&sdk, "-journal"), &with_suffix(&native, "-journal")] {
        let _ = fs::remove_file(stale);
    }
    let which = random.below(3);
    fs::write(&sdk, &seeds.sdk)?;
    fs::write(&native, &seeds.native)?;
    for (index, path) in [(0, &sdk), (1, &native)] {
        if which == index || which == 2 {
            if random.below(2) == 0 {
                damage_rows(path, &mut random)?;
            } else {
                let mut bytes = fs::read(path)?;
                damage_bytes(&mut bytes, &mut random);
                fs::write(path, &bytes)?;
            }
        }
    }
    let mut bytes = seeds.csv.clone();
    damage_bytes(&mut bytes, &mut random);
    fs::write(&csv, &bytes)?;

    let mut run = |what: &str, work: &mut dyn FnMut() -> rocpd::Result<()>| -> bool {
        let (result, steps) = within_steps(LIMIT, || catch_unwind(AssertUnwindSafe(work)));
        if steps == LIMIT {
            report.defects.push(format!("seed {seed}: {what} has no end"));
        }
        match result {
            Ok(Ok(())) => report.succeeded += 1,
            Ok(Err(_)) => report.refused += 1,
            Err(_) => report.defects.push(format!("seed {seed}: {what} panicked")),
        }
        matches!(result, Ok(Ok(())))
    };
    for path in [&sdk, &native] {
        run("info", &mut || rocpd::info(path).map(drop));
        run("check", &mut || rocpd::check(path, &mut silent).map(drop));
    }
    for columns in [Columns::Fifteen, Columns::Seventeen] {
        let options = ExportOptions::default().columns(columns).values_in_memory(64);
        let export = |pass: Pass| export_pmc_perf(&[pass], options, &mut sink(), &mut silent).map(drop);
        run("export", &mut || export(Pass::of(&sdk, None)));
        run("read-only merge", &mut || export(Pass::of(&sdk, Some(&native))));
    }
    run("import", &mut || rocpd::import_csv(&csv, &imported, None, &mut silent).map(drop));
    let mut changed = false;
    for replace in [false, true] {
        let before = fs::read(&sdk)?;
        let options = MergeOptions::default().replace(replace).wait(Duration::ZERO);
        let merged = run("merge", &mut || merge(&sdk, &native, options, &mut silent).map(drop));
        let after = fs::read(&sdk)?;
        changed |= !merged && before != after;
    }
    if changed {
        report.defects.push(format!("seed {seed}: a merge that failed changed its target"));
    }
    Ok(())
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    PathBuf::from(name)
}

/// Flips, overwrites, moves and cuts bytes.
fn damage_bytes(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(12) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        let length = random.below(64).min(bytes.len() - at);
        match random.below(7) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.next() as u8,
            2 => bytes[at..at + length].fill(if random.below(2) == 0 { 0 } else { 0xff }),
            3 => {
                let from = random.below(bytes.len() - length + 1);
                bytes.copy_within(from..from + length, at);
            }
            4 => {
                // The headers of pages are where SQLite's own structure is.
                let page = at / 4096 * 4096;
                let inner = page + random.below(100).min(bytes.len() - page - 1);
                bytes[inner] = random.next() as u8;
            }
            5 if random.below(8) == 0 => bytes.truncate(at),
            _ => {
                let page = at / 4096 * 4096;
                let end = (page + 4096).min(bytes.len());
                if random.below(8) == 0 {
                    bytes[page..end].fill(0);
                } else {
                    bytes[at] = bytes[at].wrapping_add(1);
                }
            }
        }
    }
}

/// Values that a column may not expect.
const VALUES: &[&str] = &[
    "NULL",
    "0",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "1e300",
    "9e999",
    "'text'",
    "''",
    "x'00ff'",
    "'{'",
    "CAST(x'ff00fe' AS TEXT)",
    "randomblob(40)",
];

/// Changes cells and tables through SQL: files that are sound for SQLite and wrong for rocpd.
fn damage_rows(path: &Path, random: &mut Random) -> Result<()> {
    let db = Connection::open(path)?;
    db.execute_batch(
        "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF",
    )?;
    let names = |sql: &str| -> Result<Vec<String>> {
        let mut statement = db.prepare(sql)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    };
    let tables =
        names("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'rocpd%' ORDER BY name")?;
    for _ in 0..=random.below(4) {
        let table = &tables[random.below(tables.len())];
        let columns = names(&format!("SELECT name FROM pragma_table_info('{table}')"))?;
        if columns.is_empty() {
            continue;
        }
        let column = quoted(&columns[random.below(columns.len())]);
        let (table, value) = (quoted(table), VALUES[random.below(VALUES.len())]);
        let modulus = 1 + random.below(9);
        let sql = match random.below(12) {
            0 => format!("DROP TABLE {table}"),
            1 => format!("ALTER TABLE {table} RENAME COLUMN {column} TO renamed"),
            2 => format!("DELETE FROM {table} WHERE id % {modulus} = 0"),
            3 => format!("INSERT INTO {table} SELECT * FROM {table} WHERE id % {modulus} = 0"),
            4 => format!(
                "DROP VIEW {}",
                quoted(["counters_collection", "rocpd_event", "top"][random.below(3)])
            ),
            5 => "PRAGMA journal_mode = WAL".to_owned(),
            6 => "ANALYZE".to_owned(),
            _ => format!("UPDATE OR IGNORE {table} SET {column} = {value} WHERE id % {modulus} = 0"),
        };
        // Some statements are refused (a NOT NULL column, a table in use by a view): no damage then.
        let _ = db.execute_batch(&sql);
    }
    // Everything back into one file: the rounds compare files byte by byte.
    let _ = db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
    Ok(())
}
