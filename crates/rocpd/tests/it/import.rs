//! Importing the counter tool's CSV files.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use rocpd::merge::Outcome;
use rocpd::*;
use rocpd_samples::Sample;
use rusqlite::Connection;

use crate::support::{Folder, quiet};

const HEADER: &str = "dispatch_id,gpu_id,kernel_id,lds_per_workgroup,counter_id,counter_name,counter_value\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap()
}

#[test]
fn plain_and_compressed_files_become_the_same_rows() {
    let folder = Folder::new();
    // As the old tool writes it: six digits, exponents, an instance per line, CRLF from somewhere.
    let text = format!(
        "{HEADER}1,8472,12,0,65536,COUNTER_0,2.52995e+06\n1,8472,12,0,65536,COUNTER_0,1\r\n2,8472,12,0,65537,COUNTER_1,nan\n"
    );
    fs::write(folder.path("4711_native_counter_collection.csv"), &text).unwrap();
    let bytes = gzip(&text);
    // Two members, as appending to a compressed file gives them.
    let (a, b) = text.split_at(120);
    let members = [gzip(a), gzip(b)].concat();
    fs::write(folder.path("4711_native_counter_collection.csv.gz"), &bytes).unwrap();
    fs::write(folder.path("4711_members.csv.gz"), &members).unwrap();
    for name in
        ["4711_native_counter_collection.csv", "4711_native_counter_collection.csv.gz", "4711_members.csv.gz"]
    {
        let output = folder.fresh("out");
        let report = import_csv(&folder.path(name), &output, None, &mut quiet()).unwrap();
        assert_eq!((report.pid, report.rows), (4711, 3));
        let db = Connection::open(&output).unwrap();
        let rows: String = db
            .query_row(
                "SELECT group_concat(correlation_id || ' ' || symbol || ' ' || target_arch || ' ' || pmc_id || ' ' || \
                 coalesce(value, 'NULL'), ';') FROM (SELECT * FROM rocpd_pmc_event V JOIN rocpd_event E \
                 ON E.id = V.event_id JOIN rocpd_info_pmc I ON I.id = V.pmc_id ORDER BY V.id)",
                [],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(
            rows,
            "1 COUNTER_0 GPU 65536 2529950.0;1 COUNTER_0 GPU 65536 1.0;2 COUNTER_1 GPU 65537 NULL"
        );
    }
    // The same file has the same identity, so merging a second import of it is noticed.
    let (sdk, csv) = (folder.path("sdk.db"), folder.path("4711_native_counter_collection.csv"));
    Sample::default().write_sdk(&sdk, Guid::random()).unwrap();
    for outcome in [Outcome::Merged, Outcome::AlreadyMerged] {
        let output = folder.fresh("again");
        import_csv(&csv, &output, None, &mut quiet()).unwrap();
        assert_eq!(merge(&sdk, &output, MergeOptions::default(), &mut quiet()).unwrap().outcome, outcome);
    }
}

#[test]
fn malformed_files_are_refused_with_their_line_and_leave_nothing() {
    let folder = Folder::new();
    let long = format!("{HEADER}{}", "1,2,3,4,5,A,1\n".repeat(5000));
    let cases: [(Vec<u8>, &str); 13] = [
        (b"".to_vec(), "csv:1: the file is empty"),
        (HEADER.into(), "csv:2: no rows below the header"),
        (b"dispatch_id,gpu_id\n1,2\n".to_vec(), "csv:1: the header is not dispatch_id,"),
        (format!("{HEADER}1,2,3,4,5,A,1\n1,2,3,4,5,A\n").into(), "csv:3: no field counter_value"),
        (format!("{HEADER}1,2,3,4,5,A,1,2\n").into(), "csv:2: 8 fields, 7 were expected"),
        (format!("{HEADER}x,2,3,4,5,A,1\n").into(), "csv:2: dispatch_id is \"x\", a number was expected"),
        (format!("{HEADER}-1,2,3,4,5,A,1\n").into(), "csv:2: dispatch_id is \"-1\""),
        (format!("{HEADER}18446744073709551615,2,3,4,5,A,1\n").into(), "above 2^63-1"),
        (format!("{HEADER}1,2,3,4,5,A,\n").into(), "csv:2: counter_value is \"\""),
        (format!("{HEADER}1,2,3,4,5,,1\n").into(), "csv:2: counter_name is empty"),
        (format!("{HEADER}1,2,3,4,5,A,1\n1,2,3,4,5,B,1\n").into(), "csv:3: counter 5 was \"A\" before"),
        ([HEADER.as_bytes(), b"1,2,3,4,5,\xff,1\n"].concat(), "csv:2: not UTF-8"),
        (gzip(&long)[..60].to_vec(), "csv"),
    ];
    for (index, (bytes, message)) in cases.into_iter().enumerate() {
        let (csv, output) = (folder.path("1_x.csv"), folder.path("out.db"));
        fs::write(&csv, bytes).unwrap();
        let error = import_csv(&csv, &output, None, &mut quiet()).unwrap_err();
        assert!(
            matches!(error, Error::Csv { .. }) && error.to_string().contains(message),
            "{index}: {error}"
        );
        assert_eq!(fs::read_dir(folder.root()).unwrap().count(), 1, "{index}");
    }
    fs::write(folder.path("x.csv"), HEADER).unwrap();
    let error = import_csv(&folder.path("x.csv"), &folder.path("out.db"), None, &mut quiet()).unwrap_err();
    assert!(error.to_string().contains("a process id given with it"), "{error}");
}
