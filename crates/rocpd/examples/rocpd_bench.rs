//! Measures writing, merging and exporting against plain SQLite doing the same, in one run.
//!
//! `cargo run --release -p rocpd --example rocpd_bench -- [ROWS] [--folder DIR] [--check]`
//!
//! Prints ratios; with `--check` the exit code is 1 where one misses its limit. Both sides have the same
//! pragmas and the same number of rows per statement and per transaction, and alternate; the better of three
//! runs counts (of one, from four million rows on). Ratios are of processor time, which other programs on the
//! machine disturb less; the wall's time stands beside it. Everything runs on one thread.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rocpd::{Columns, ExportOptions, Guid, MergeOptions, Pass, export_pmc_perf, merge, silent};
use rocpd_samples::{Sample, consolidate};
use rusqlite::Connection;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Counters and instances as in a real pass: 50 values per dispatch.
const COUNTERS: u64 = 25;
const INSTANCES: u64 = 2;
const PER_DISPATCH: u64 = COUNTERS * INSTANCES;

struct Bench {
    folder: PathBuf,
    rows: u64,
    failed: bool,
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("rocpd_bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Outcome<ExitCode> {
    let (mut rows, mut check, mut parent) = (1_000_000, false, std::env::temp_dir());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--check" => check = true,
            "--folder" => parent = args.next().ok_or("--folder needs a folder")?.into(),
            number => {
                rows = number.replace('_', "").parse().map_err(|_| format!("{number} is no row count"))?;
            }
        }
    }
    let folder = tempfile::tempdir_in(parent)?;
    let mut bench =
        Bench { folder: folder.path().to_path_buf(), rows: rows.max(PER_DISPATCH), failed: false };
    println!("{} counter rows, {PER_DISPATCH} per dispatch", bench.rows);
    bench.write()?;
    bench.merge_and_export()?;
    bench.linear()?;
    if let Some(peak) = peak_memory() {
        println!("peak memory of this process: {} MiB", peak >> 20);
    }
    Ok(ExitCode::from(u8::from(check && bench.failed)))
}

/// The most memory this process ever had.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}

/// The cost of a piece of work.
#[derive(Clone, Copy)]
struct Cost {
    cpu: Duration,
    wall: Duration,
}

impl Cost {
    const NONE: Self = Self { cpu: Duration::MAX, wall: Duration::MAX };

    fn best(self, other: Self) -> Self {
        Self { cpu: self.cpu.min(other.cpu), wall: self.wall.min(other.wall) }
    }

    fn over(self, other: Self) -> f64 {
        self.cpu.as_secs_f64() / other.cpu.as_secs_f64()
    }
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} s (wall {:.2} s)", self.cpu.as_secs_f64(), self.wall.as_secs_f64())
    }
}

/// Processor time of this process's only thread; the wall's where the system does not tell.
fn cpu_time(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn timed<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<(T, Cost)> {
    let start = Instant::now();
    let before = cpu_time(start);
    let result = work()?;
    Ok((result, Cost { cpu: cpu_time(start).saturating_sub(before), wall: start.elapsed() }))
}

impl Bench {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn sample(&self, pid: i64, rows: u64) -> Sample {
        Sample {
            pid,
            dispatches: rows / PER_DISPATCH,
            counters: COUNTERS,
            instances: INSTANCES,
            ..Sample::default()
        }
    }

    fn verdict(&mut self, what: &str, value: f64, limit: f64, at_least: bool) {
        let good = if at_least { value >= limit } else { value <= limit };
        let word = if at_least { "at least" } else { "at most" };
        println!("  {what}: {value:.2} ({word} {limit}){}", if good { "" } else { "  MISSED" });
        self.failed |= !good;
    }

    fn repeats(&self) -> u32 {
        if self.rows < 4_000_000 { 3 } else { 1 }
    }

    fn write(&mut self) -> Outcome<()> {
        let sample = self.sample(1, self.rows);
        let (native, plain) = (self.path("native.db"), self.path("bare.db"));
        let (mut ours, mut bare) = (Cost::NONE, Cost::NONE);
        for _ in 0..self.repeats() {
            remove(&native)?;
            let ((), cost) = timed(|| Ok(sample.write_native(&native, Guid::random())?))?;
            ours = ours.best(cost);
            let ((), cost) = timed(|| bare_loop(&plain, &sample))?;
            bare = bare.best(cost);
            remove(&plain)?;
        }
        println!("write: {ours}, bare loop {bare}");
        self.verdict("rows a second, of the bare loop's", bare.over(ours), 0.8, true);
        Ok(())
    }

    fn merge_and_export(&mut self) -> Outcome<()> {
        let sample = self.sample(1, self.rows);
        let (native, sdk, other) = (self.path("native.db"), self.path("sdk.db"), self.path("plain.db"));
        for analyzed in [false, true] {
            let (mut ours, mut plain) = (Cost::NONE, Cost::NONE);
            for _ in 0..self.repeats() {
                remove(&sdk)?;
                sample.write_sdk(&sdk, Guid::random())?;
                if analyzed {
                    Connection::open(&sdk)?.execute_batch("ANALYZE")?;
                    Connection::open(&native)?.execute_batch("ANALYZE")?;
                }
                let (report, cost) =
                    timed(|| Ok(merge(&sdk, &native, MergeOptions::default(), &mut silent)?))?;
                assert_eq!(report.merged_rows, report.native_rows, "everything is merged");
                ours = ours.best(cost);
                let guid = Guid::random();
                sample.write_sdk(&other, guid.clone())?;
                let ((), cost) = timed(|| plain_insert(&other, &native, &guid))?;
                plain = plain.best(cost);
                remove(&other)?;
            }
            let with = if analyzed { " (with sqlite_stat1)" } else { "" };
            println!("merge{with}: {ours}, INSERT … SELECT {plain}");
            self.verdict("time, of the plain statement's", ours.over(plain), 1.5, false);
            // With statistics of its empty table, SQLite's plan for the view is quadratic: not a fair opponent.
            if !analyzed {
                self.export(&sdk)?;
            }
        }
        remove(&sdk)?;
        remove(&native)
    }

    fn export(&mut self, sdk: &Path) -> Outcome<()> {
        let passes = [Pass::of(sdk, None)];
        let (rows, view) = timed(|| read_view(sdk))?;
        for columns in [Columns::Fifteen, Columns::Seventeen] {
            let mut out = std::io::BufWriter::new(std::fs::File::create(self.path("pmc_perf.csv"))?);
            let options = ExportOptions::default().columns(columns);
            let (report, ours) = timed(|| Ok(export_pmc_perf(&passes, options, &mut out, &mut silent)?))?;
            assert_eq!(report.rows, rows, "the view has the same rows");
            println!("export ({columns:?} columns): {ours}, view {view}");
            self.verdict("times as fast as the view", view.over(ours), 3.0, true);
        }
        Ok(())
    }

    /// Twice the rows, eight guids and statistics: the time per row stays.
    fn linear(&mut self) -> Outcome<()> {
        let base = (self.rows / 8).max(8 * PER_DISPATCH);
        println!("merge of {base} rows by guids, in µs per row:");
        for analyzed in [false, true] {
            let mut first = None;
            for (guids, rows) in [(1, base), (1, 2 * base), (2, base), (4, base), (8, base)] {
                let per_row = self.consolidated(guids, rows, analyzed)?;
                let first = *first.get_or_insert(per_row);
                println!("  {guids} guids, {rows} rows, sqlite_stat1 {analyzed}: {per_row:.2}");
                self.verdict("time per row, of the first's", per_row / first, 2.5, false);
            }
        }
        Ok(())
    }

    fn consolidated(&self, guids: u64, rows: u64, analyzed: bool) -> Outcome<f64> {
        let folder = tempfile::tempdir_in(&self.folder)?;
        let (mut sdks, mut natives) = (Vec::new(), Vec::new());
        for guid in 0..guids {
            let sample = self.sample(100 + guid.cast_signed(), rows / guids);
            let (sdk, native) =
                (folder.path().join(format!("{guid}.sdk")), folder.path().join(format!("{guid}.native")));
            sample.write_sdk(&sdk, Guid::random())?;
            sample.write_native(&native, Guid::random())?;
            sdks.push(sdk);
            natives.push(native);
        }
        let (sdk, native) = (folder.path().join("sdk.db"), folder.path().join("native.db"));
        consolidate(&sdks, &sdk)?;
        consolidate(&natives, &native)?;
        if analyzed {
            Connection::open(&sdk)?.execute_batch("ANALYZE")?;
            Connection::open(&native)?.execute_batch("ANALYZE")?;
        }
        let (report, cost) = timed(|| Ok(merge(&sdk, &native, MergeOptions::default(), &mut silent)?))?;
        assert_eq!(report.merged_rows, report.native_rows, "everything is merged");
        Ok(cost.cpu.as_secs_f64() * 1e6 / report.merged_rows.max(1) as f64)
    }
}

fn remove(path: &Path) -> Outcome<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// The writer's tables and pragmas, and nothing but inserts: events and counter values, 64 values a statement.
fn bare_loop(path: &Path, sample: &Sample) -> Outcome<()> {
    let db = Connection::open(path)?;
    db.execute_batch(
        "PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; \
         PRAGMA cache_size = -16384; PRAGMA journal_mode = MEMORY;",
    )?;
    let guid = Guid::random();
    db.execute_batch(&rocpd::schema::table_ddl(rocpd::SchemaVersion::default(), &guid))?;
    db.execute_batch("BEGIN")?;
    let suffix = guid.suffix();
    let mut event = db.prepare(&format!(
        "INSERT INTO rocpd_event{suffix} (id, category_id, stack_id, parent_stack_id, correlation_id, call_stack, \
         line_info, extdata) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    ))?;
    let values = vec!["(?,?,?)"; 64].join(",");
    let sql = format!("INSERT INTO rocpd_pmc_event{suffix} (event_id, pmc_id, value) VALUES ");
    let mut many = db.prepare(&format!("{sql}{values}"))?;
    let mut one = db.prepare(&format!("{sql}(?,?,?)"))?;
    let mut batch: Vec<(i64, i64, f64)> = Vec::with_capacity(64);
    let mut pending = 0;
    let none: Option<i64> = None;
    for dispatch in 1..=sample.dispatches {
        let id = dispatch.cast_signed();
        event.execute((id, none, none, none, id, "{}", "{}", "{}"))?;
        for counter in 0..sample.counters {
            for instance in 0..sample.instances {
                batch.push((id, counter.cast_signed(), sample.value(dispatch, counter, instance)));
                if batch.len() == 64 {
                    let mut place = 1;
                    for (event, counter, value) in batch.drain(..) {
                        many.raw_bind_parameter(place, event)?;
                        many.raw_bind_parameter(place + 1, counter)?;
                        many.raw_bind_parameter(place + 2, value)?;
                        place += 3;
                    }
                    many.raw_execute()?;
                    pending += 64;
                    if pending >= 1 << 18 {
                        pending = 0;
                        db.execute_batch("COMMIT; BEGIN")?;
                    }
                }
            }
        }
    }
    for row in batch {
        one.execute(row)?;
    }
    drop((event, many, one));
    db.execute_batch("COMMIT")?;
    drop(db);
    std::fs::File::open(path)?.sync_all()?;
    Ok(())
}

/// Copies the merge's rows between two files by one statement, with the merge's pragmas.
fn plain_insert(path: &Path, native: &Path, guid: &Guid) -> Outcome<()> {
    let start = Connection::open(native)?;
    let suffix: String =
        start.query_row("SELECT value FROM rocpd_metadata WHERE tag = 'uuid'", [], |row| row.get(0))?;
    drop(start);
    let db = Connection::open(path)?;
    db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA cell_size_check = ON; PRAGMA cache_size = -32768;")?;
    db.execute("ATTACH DATABASE ?1 AS native", [native.to_string_lossy()])?;
    db.execute(
        &format!(
            "INSERT INTO main.rocpd_pmc_event{} (guid, event_id, pmc_id, value) \
             SELECT '{guid}', event_id, pmc_id, value FROM native.rocpd_pmc_event{suffix}",
            guid.suffix()
        ),
        [],
    )?;
    Ok(())
}

/// Reads what `pmc_perf.csv` needs from the view.
fn read_view(path: &Path) -> Outcome<u64> {
    let db = Connection::open(path)?;
    db.execute_batch("PRAGMA cache_size = -32768;")?;
    let mut statement = db.prepare(
        "SELECT agent_id, dispatch_id, grid_size, workgroup_size, lds_block_size, scratch_size, vgpr_count, \
         accum_vgpr_count, sgpr_count, kernel_name, start, end, kernel_id, counter_name, value, guid, stack_id, pid \
         FROM counters_collection",
    )?;
    let mut rows = statement.query([])?;
    let mut count = 0;
    while rows.next()?.is_some() {
        count += 1;
    }
    Ok(count)
}
