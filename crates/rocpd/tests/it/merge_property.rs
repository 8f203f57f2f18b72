//! The merge against a slow, obvious reference: nested loops over all rows of both files.

use std::path::Path;

use proptest::prelude::*;
use rocpd::counters::EventLayout;
use rocpd::{Error, Guid, MergeOptions, merge};
use rocpd_samples::{Sample, consolidate};
use rusqlite::{Connection, Row};

use crate::support::{Folder, execute, suffix};

fn all<T>(path: &Path, sql: &str, read: impl Fn(&Row<'_>) -> rusqlite::Result<T>) -> Vec<T> {
    let db = Connection::open(path).unwrap();
    let mut statement = db.prepare(sql).unwrap();
    statement.query_map([], |row| read(row)).unwrap().map(Result::unwrap).collect()
}

type Value = (String, i64, i64, String);

/// The rows that the merge should have written: (guid, event, counter, value), sorted; none where it is ambiguous.
fn reference(sdk: &Path, native: &Path) -> Option<Vec<Value>> {
    let processes = "SELECT guid, id, pid FROM rocpd_info_process";
    let process =
        |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?));
    let (sdk_processes, native_processes) = (all(sdk, processes, process), all(native, processes, process));
    let counters = "SELECT guid, id, pid, agent_id, target_arch, symbol FROM rocpd_info_pmc ORDER BY id";
    type Counter = (String, i64, i64, Option<i64>, Option<String>, String);
    let counter = |row: &Row<'_>| -> rusqlite::Result<Counter> {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
    };
    let (sdk_counters, native_counters) = (all(sdk, counters, counter), all(native, counters, counter));
    let dispatches =
        all(sdk, "SELECT guid, pid, dispatch_id, event_id, agent_id FROM rocpd_kernel_dispatch", |row| {
            Ok((
                row.get::<_, String>(0)?,
                row.get::<_, i64>(1)?,
                row.get::<_, i64>(2)?,
                row.get::<_, Option<i64>>(3)?,
                row.get::<_, i64>(4)?,
            ))
        });
    let events = all(native, "SELECT guid, id, correlation_id FROM rocpd_event", |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, Option<i64>>(2)?))
    });
    let values = all(native, "SELECT guid, event_id, pmc_id, value FROM rocpd_pmc_event", |row| {
        Ok((
            row.get::<_, String>(0)?,
            row.get::<_, Option<i64>>(1)?,
            row.get::<_, i64>(2)?,
            row.get::<_, Option<f64>>(3)?,
        ))
    });
    let mut expected = Vec::new();
    for (guid, event, pmc, value) in &values {
        let Some(n) = native_counters.iter().find(|c| c.0 == *guid && c.1 == *pmc) else { continue };
        let Some((_, _, pid)) = native_processes.iter().find(|p| p.0 == *guid && p.1 == n.2) else {
            continue;
        };
        let Some(process) = sdk_processes.iter().find(|p| p.2 == *pid) else { continue };
        let Some((_, _, Some(number))) = events.iter().find(|e| e.0 == *guid && Some(e.1) == *event) else {
            continue;
        };
        let fitting: Vec<_> =
            dispatches.iter().filter(|d| d.0 == process.0 && d.1 == process.1 && d.2 == *number).collect();
        if fitting.len() > 1 {
            return None;
        }
        let Some((_, _, _, Some(event), agent)) = fitting.first() else { continue };
        let same = |c: &&Counter| c.0 == process.0 && c.4 == n.4 && c.5 == n.5;
        let of_process = |c: &&Counter| c.2 == process.1;
        let of_agent = |c: &&Counter| c.3 == Some(*agent);
        let candidates: Vec<&Counter> = sdk_counters.iter().filter(same).collect();
        let chosen = candidates
            .iter()
            .copied()
            .filter(of_process)
            .find(of_agent)
            .or_else(|| candidates.iter().copied().find(of_process))
            .or_else(|| candidates.iter().copied().find(of_agent))
            .or_else(|| candidates.first().copied());
        let Some(chosen) = chosen else { continue };
        expected.push((process.0.clone(), *event, chosen.1, format!("{value:?}")));
    }
    expected.sort();
    Some(expected)
}

fn written(sdk: &Path) -> Vec<Value> {
    let mut rows = all(sdk, "SELECT guid, event_id, pmc_id, value FROM rocpd_pmc_event", |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, format!("{:?}", row.get::<_, Option<f64>>(3)?)))
    });
    rows.sort();
    rows
}

/// A change that makes a file less than perfect. `{s}` is the table suffix.
const CHANGES: &[(bool, &str)] = &[
    (true, "DELETE FROM rocpd_kernel_dispatch{s} WHERE dispatch_id % 3 = {n} % 3"),
    (true, "UPDATE rocpd_kernel_dispatch{s} SET event_id = NULL WHERE dispatch_id = {n}"),
    (true, "UPDATE rocpd_kernel_dispatch{s} SET dispatch_id = dispatch_id * 1000000007 - 5"),
    (true, "UPDATE rocpd_kernel_dispatch{s} SET dispatch_id = 2 WHERE dispatch_id = 1 AND {n} % 4 = 0"),
    (true, "DELETE FROM rocpd_info_pmc{s} WHERE symbol = 'COUNTER_1'"),
    (true, "UPDATE rocpd_info_pmc{s} SET target_arch = NULL WHERE id % 2 = {n} % 2"),
    (
        true,
        "INSERT OR IGNORE INTO rocpd_info_pmc{s} (id, nid, pid, agent_id, target_arch, name, symbol) SELECT id + 500 - 1000 * \
         ({n} % 2), nid, pid, 2, target_arch, name, symbol FROM rocpd_info_pmc{s}",
    ),
    (true, "UPDATE rocpd_info_pmc{s} SET agent_id = NULL"),
    (
        true,
        "UPDATE rocpd_event{s} SET id = 100000 - id; UPDATE rocpd_kernel_dispatch{s} SET event_id = 100000 - event_id",
    ),
    (false, "UPDATE rocpd_event{s} SET correlation_id = NULL WHERE id % 4 = {n} % 4"),
    (false, "UPDATE rocpd_event{s} SET correlation_id = correlation_id * 1000000007 - 5"),
    (false, "DELETE FROM rocpd_event{s} WHERE id = {n}"),
    (false, "UPDATE rocpd_pmc_event{s} SET event_id = NULL WHERE id % 5 = 0"),
    (false, "UPDATE rocpd_pmc_event{s} SET pmc_id = 12345 WHERE id = {n}"),
    (false, "UPDATE rocpd_pmc_event{s} SET value = NULL WHERE id % 3 = {n} % 3"),
    (false, "UPDATE rocpd_pmc_event{s} SET id = 900000 - id"),
    (false, "UPDATE rocpd_info_process{s} SET id = 0; UPDATE rocpd_info_pmc{s} SET pid = 0"),
    (false, "UPDATE rocpd_info_pmc{s} SET symbol = 'COUNTER_0'"),
    (false, "UPDATE rocpd_info_process{s} SET pid = pid + 1 WHERE {n} % 2 = 0"),
];

fn samples() -> impl Strategy<Value = Vec<(Sample, Vec<(usize, u64)>)>> {
    let layout = prop_oneof![Just(EventLayout::PerDispatch), Just(EventLayout::PerRecord)];
    let one = (0..6_u64, 1..4_u64, 1..4_u64, 1..3_u64, 0..8_u64, layout).prop_map(
        |(dispatches, agents, counters, instances, calls, layout)| Sample {
            dispatches,
            agents,
            counters,
            instances,
            calls,
            layout,
            ..Sample::default()
        },
    );
    let changes = prop::collection::vec((0..CHANGES.len(), 0..8_u64), 0..3);
    prop::collection::vec((one, changes), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn merge_is_the_nested_loops(runs in samples(), merged_at_once in any::<bool>()) {
        let folder = Folder::new();
        let (mut sdks, mut natives) = (Vec::new(), Vec::new());
        for (index, (sample, changes)) in runs.iter().enumerate() {
            let sample = Sample { pid: 100 + 10 * index as i64, ..sample.clone() };
            let (sdk, native) = (folder.fresh("sdk"), folder.fresh("native"));
            sample.write_sdk(&sdk, Guid::random()).unwrap();
            sample.write_native(&native, Guid::random()).unwrap();
            // A run without dispatches has no counters, and so no native file.
            let has_native = native.exists();
            for (change, number) in changes {
                let (of_sdk, sql) = CHANGES[*change];
                let path = if of_sdk { &sdk } else { &native };
                if path.exists() {
                    execute(path, &sql.replace("{s}", &suffix(path)).replace("{n}", &number.to_string()));
                }
            }
            sdks.push(sdk);
            if has_native {
                natives.push(native);
            }
        }
        prop_assume!(!natives.is_empty());
        let (sdk, native) = (folder.path("all_sdk.db"), folder.path("all_native.db"));
        consolidate(&sdks, &sdk).unwrap();
        consolidate(&natives, &native).unwrap();
        let before = std::fs::read(&sdk).unwrap();
        let expected = reference(&sdk, &native);
        if merged_at_once {
            match merge(&sdk, &native, MergeOptions::default(), &mut rocpd::silent) {
                Ok(report) => {
                    let expected = expected.expect("an ambiguous merge is refused");
                    prop_assert_eq!(report.merged_rows, expected.len() as u64);
                    prop_assert_eq!(report.native_rows, report.merged_rows + report.unmatched.total());
                    prop_assert_eq!(written(&sdk), expected);
                }
                Err(error) => {
                    let nothing = expected.as_ref().is_some_and(Vec::is_empty);
                    let is = match error {
                        Error::NothingMatched { .. } => nothing,
                        // The reference sees only dispatches that have values.
                        Error::Ambiguous { .. } => true,
                        _ => false,
                    };
                    prop_assert!(is, "{}", error);
                    prop_assert_eq!(std::fs::read(&sdk).unwrap(), before);
                }
            }
        } else {
            // One native file after the other gives the same rows.
            let mut all_merged = true;
            for native in &natives {
                let result = merge(&sdk, native, MergeOptions::default(), &mut rocpd::silent);
                all_merged &= !matches!(result, Err(Error::Ambiguous { .. }));
            }
            if let (true, Some(expected)) = (all_merged, expected) {
                prop_assert_eq!(written(&sdk), expected);
            }
        }
    }
}
