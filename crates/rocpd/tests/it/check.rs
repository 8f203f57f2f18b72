//! `check` and `info` on good and on damaged files.

use rocpd::*;
use rocpd_samples::{Sample, consolidate};

use crate::support::{Folder, execute, make_3_0_3, quiet, suffix};

fn findings(path: &std::path::Path) -> Vec<String> {
    let report = check(path, &mut quiet()).unwrap();
    let text = |finding: &Finding| format!("{:?}: {}", finding.severity, finding.what);
    report.findings.iter().map(text).collect()
}

#[test]
fn what_this_crate_writes_is_good() {
    let folder = Folder::new();
    let (sdk, native) = folder.pair(&Sample::default());
    let (other, _) = folder.pair(&Sample { pid: 7, ..Sample::default() });
    merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    let both = folder.path("both.db");
    consolidate(&[sdk.clone(), other.clone()], &both).unwrap();
    make_3_0_3(&other);
    for path in [&sdk, &native, &both, &other] {
        assert_eq!(findings(path), Vec::<String>::new(), "{}", path.display());
    }
}

#[test]
fn every_damage_is_found() {
    let cases: &[(&str, &str)] = &[
        ("DROP VIEW rocpd_string", "Error: the view rocpd_string is missing"),
        (
            "DROP VIEW rocpd_string; CREATE VIEW rocpd_string AS SELECT * FROM rocpd_string",
            "circularly defined",
        ),
        (
            "DROP VIEW rocpd_arg; CREATE VIEW rocpd_arg AS SELECT 1 AS id",
            "Error: the view rocpd_arg does not read",
        ),
        ("DROP VIEW counters_collection", "Error: view counters_collection cannot be read"),
        ("DROP VIEW top", "Warning: view top cannot be read"),
        ("DROP TABLE rocpd_arg{s}", "Error: table rocpd_arg"),
        ("ALTER TABLE rocpd_info_agent{s} RENAME COLUMN model_name TO model", "has no column model_name"),
        ("UPDATE rocpd_event{s} SET guid = 'x' WHERE id = 1", "Error: 1 rows of event carry another guid"),
        (
            "UPDATE rocpd_kernel_dispatch{s} SET kernel_id = 99",
            "Warning: 4 rows of kernel_dispatch refer by kernel_id",
        ),
        (
            "UPDATE rocpd_event{s} SET extdata = '' WHERE id = 1",
            "Error: 1 rows of event have a extdata that is not JSON",
        ),
        ("UPDATE rocpd_info_process{s} SET environment = '{abc}'", "environment that is not JSON"),
        (
            "INSERT INTO rocpd_info_node{s} (id, hash, machine_id) VALUES (9, 9, 'z'); UPDATE rocpd_region{s} SET nid = 9",
            "Error: 5 rows of region have another node than their process",
        ),
        ("UPDATE rocpd_info_process{s} SET fini = NULL", "Warning: 1 processes have no start or fini"),
        ("DELETE FROM rocpd_info_process{s}", "Error: there is no process"),
        (
            "UPDATE rocpd_kernel_dispatch{s} SET dispatch_id = 2 WHERE dispatch_id = 1",
            "Error: 1 dispatch numbers of a",
        ),
        ("UPDATE rocpd_kernel_dispatch{s} SET event_id = 6", "Error: 1 events belong to several dispatches"),
        ("UPDATE rocpd_kernel_dispatch{s} SET tid = NULL", "Warning: 4 dispatches lack thread"),
        (
            "UPDATE rocpd_kernel_dispatch{s} SET region_name_id = NULL",
            "Warning: 4 dispatches have no region name",
        ),
        (
            "UPDATE rocpd_region{s} SET end = start - 1 WHERE id = 1",
            "Error: 1 rows of region end before they start",
        ),
        ("UPDATE rocpd_region{s} SET end = start WHERE id < 3", "Warning: 2 regions have no length"),
        ("DELETE FROM rocpd_pmc_event{s} WHERE id = 5", "Error: the merge ledger says 24 values"),
        ("UPDATE rocpd_metadata{s} SET value = 'x' WHERE tag LIKE 'native%'", "Error: "),
        ("CREATE TABLE rocpd_event_operation{s} (id INTEGER)", "Warning: table rocpd_event_operation"),
        (
            "UPDATE rocpd_metadata{s} SET value = 'other' WHERE tag = 'guid'",
            "rows of string carry another guid",
        ),
        ("PRAGMA journal_mode = WAL", "Warning: the file is in WAL mode"),
    ];
    for (sql, expected) in cases {
        let folder = Folder::new();
        let (sdk, native) = folder.pair(&Sample::default());
        merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
        execute(&sdk, &sql.replace("{s}", &suffix(&sdk)));
        let found = findings(&sdk);
        assert!(found.iter().any(|what| what.contains(expected)), "{sql}: {found:#?}");
        let good = check(&sdk, &mut quiet()).unwrap().is_good();
        assert_eq!(good, !found.iter().any(|what| what.starts_with("Error")), "{sql}");
    }
}

#[test]
fn info_tells_schema_guids_processes_rows_and_ledger() {
    let folder = Folder::new();
    let (sdk, native) = folder.pair(&Sample::default());
    merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    let found = info(&sdk).unwrap();
    assert_eq!(found.bytes, std::fs::metadata(&sdk).unwrap().len());
    let [guid] = found.guids.as_slice() else { panic!("{found:?}") };
    assert_eq!((guid.schema_version.as_str(), &guid.suffix), ("3.0.1", &suffix(&sdk)));
    assert_eq!((guid.processes[0].pid, guid.processes[0].hostname.as_deref()), (4711, Some("host")));
    assert_eq!((guid.rows["kernel_dispatch"], guid.rows["pmc_event"], guid.rows["arg"]), (4, 24, 0));
    assert_eq!((guid.merges.len(), guid.merges[0].entry.rows), (1, 24));
    assert_eq!(guid.merges[0].native_guid, info(&native).unwrap().guids[0].guid);
}
