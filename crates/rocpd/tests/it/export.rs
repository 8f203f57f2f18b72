//! `pmc_perf.csv`: against the view, against a real file, from both layouts of folders.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rocpd::counters::{CountersTarget, CsvCountersWriter};
use rocpd::*;
use rocpd_samples::{Sample, consolidate};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use crate::support::{Folder, execute, quiet, suffix};

fn export(passes: &[Pass], columns: Columns) -> (Vec<u8>, ExportReport) {
    let mut out = Vec::new();
    let options = ExportOptions::default().columns(columns);
    let report = export_pmc_perf(passes, options, &mut out, &mut quiet()).unwrap();
    (out, report)
}

/// Python's `csv.writer` and `repr`, written down once more, slowly.
fn field(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) if number.abs() >= 1e16 => {
            let text = format!("{number:e}");
            text.replace('e', "e+")
        }
        ValueRef::Real(number) => format!("{number:?}"),
        ValueRef::Text(text) | ValueRef::Blob(text) => {
            let text = String::from_utf8_lossy(text).into_owned();
            if text.contains(['"', ',', '\r', '\n']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text
            }
        }
    }
}

/// The file made from the view itself.
fn from_view(path: &Path, columns: Columns) -> String {
    let db = Connection::open(path).unwrap();
    let mut statement = db
        .prepare(
            "SELECT agent_id, guid, stack_id, dispatch_id, grid_size, workgroup_size, lds_block_size, scratch_size, \
             vgpr_count, accum_vgpr_count, sgpr_count, kernel_name, start, end, kernel_id, counter_name, value, pid \
             FROM counters_collection",
        )
        .unwrap();
    let mut rows = statement.query([]).unwrap();
    let mut text = format!("{}\r\n", columns.header());
    let (mut dispatches, mut kernels): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let number = |seen: &mut Vec<String>, key: String| -> String {
        let index = seen.iter().position(|known| *known == key).unwrap_or_else(|| {
            seen.push(key);
            seen.len() - 1
        });
        index.to_string()
    };
    while let Some(row) = rows.next().unwrap() {
        let mut fields: Vec<String> = (0..18).map(|index| field(row.get_ref(index).unwrap())).collect();
        let pick =
            |indices: &[usize]| indices.iter().map(|&i| fields[i].clone()).collect::<Vec<_>>().join("|");
        let (dispatch, kernel) = (pick(&[17, 11, 4, 5, 6, 12, 13]), pick(&[11, 4, 5, 6]));
        if columns == Columns::Seventeen {
            fields[3] = number(&mut dispatches, dispatch);
            fields[14] = number(&mut kernels, kernel);
        }
        fields.truncate(17);
        if columns == Columns::Fifteen {
            fields.drain(1..3);
        }
        text.push_str(&fields.join(","));
        text.push_str("\r\n");
    }
    text
}

#[test]
fn both_forms_equal_the_view() {
    let folder = Folder::new();
    let samples = [
        Sample { dispatches: 30, counters: 12, agents: 3, ..Sample::default() },
        Sample { pid: 5000, dispatches: 3, counters: 2, instances: 4, ..Sample::default() },
    ];
    let (mut sdks, mut natives) = (Vec::new(), Vec::new());
    for sample in &samples {
        let (sdk, native) = folder.pair(sample);
        let s = suffix(&sdk);
        execute(
            &sdk,
            &format!(
                "UPDATE rocpd_info_kernel_symbol{s} SET display_name = 'say \"x\", twice' WHERE {} > 4999; \
                 UPDATE rocpd_kernel_dispatch{s} SET group_segment_size = NULL, grid_size_y = 3 WHERE dispatch_id = 2; \
                 UPDATE rocpd_kernel_dispatch{s} SET tid = NULL WHERE dispatch_id = 3; \
                 UPDATE rocpd_kernel_dispatch{s} SET start = 7, end = 8 WHERE dispatch_id > 20; \
                 UPDATE rocpd_info_pmc{s} SET name = 'Renamed, with comma' WHERE symbol = 'COUNTER_1'",
                sample.pid
            ),
        );
        let n = suffix(&native);
        execute(
            &native,
            &format!(
                "UPDATE rocpd_pmc_event{n} SET value = NULL WHERE id % 7 = 0; \
                 UPDATE rocpd_pmc_event{n} SET value = value / 3.0 WHERE id % 5 = 0; \
                 UPDATE rocpd_pmc_event{n} SET value = 1.2345e17 WHERE id % 11 = 0"
            ),
        );
        sdks.push(sdk);
        natives.push(native);
    }
    let (sdk, native) = (folder.path("sdk.db"), folder.path("native.db"));
    consolidate(&sdks, &sdk).unwrap();
    consolidate(&natives, &native).unwrap();
    // Without changing either file first: both stay byte for byte.
    let before = (fs::read(&sdk).unwrap(), fs::read(&native).unwrap());
    let read_only: Vec<Vec<u8>> = [Columns::Fifteen, Columns::Seventeen]
        .map(|columns| export(&[Pass::of(&sdk, Some(&native))], columns).0)
        .into();
    assert_eq!((fs::read(&sdk).unwrap(), fs::read(&native).unwrap()), before);
    let report = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    assert_eq!(report.unmatched.total(), 0);
    for (columns, read_only) in [Columns::Fifteen, Columns::Seventeen].into_iter().zip(read_only) {
        let (bytes, report) = export(&[Pass::of(&sdk, None)], columns);
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert_eq!(text, from_view(&sdk, columns));
        assert_eq!(read_only, bytes);
        assert_eq!(report.rows, text.lines().count() as u64 - 1);
        assert_eq!(report.sources[0].hidden_dispatches, 2);
        // After the merge, giving the native file again does not double anything.
        assert_eq!(export(&[Pass::of(&sdk, Some(&native))], columns).0, bytes);
        // A sorter that holds few values spills, and gives the same.
        let options = ExportOptions::default().columns(columns).values_in_memory(17);
        let mut spilled = Vec::new();
        export_pmc_perf(&[Pass::of(&sdk, None)], options, &mut spilled, &mut quiet()).unwrap();
        assert_eq!(spilled, bytes);
    }
}

/// Names that a spreadsheet would run get an apostrophe; numbers below 0 stay numbers.
#[test]
fn names_are_no_formulas() {
    let folder = Folder::new();
    let (sdk, native) =
        folder.pair(&Sample { dispatches: 1, counters: 2, instances: 1, ..Sample::default() });
    merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    let s = suffix(&sdk);
    execute(
        &sdk,
        &format!(
            "UPDATE rocpd_info_kernel_symbol{s} SET display_name = '=cmd|''/C calc''!A0'; \
             UPDATE rocpd_info_pmc{s} SET name = '+1,2' WHERE symbol = 'COUNTER_1'; \
             UPDATE rocpd_pmc_event{s} SET value = -5.0"
        ),
    );
    let text = String::from_utf8(export(&[Pass::of(&sdk, None)], Columns::Fifteen).0).unwrap();
    for line in text.lines().skip(1) {
        assert!(line.contains(",'=cmd|'/C calc'!A0,") && line.ends_with(",-5.0"), "{line}");
    }
    assert!(text.contains(",\"'+1,2\","), "{text}");
}

#[test]
fn processes_with_equal_dispatch_numbers_under_one_guid_are_not_added_up() {
    // The view groups by dispatch number alone; the export keeps processes apart.
    let folder = Folder::new();
    let (sdk, native) =
        folder.pair(&Sample { dispatches: 1, counters: 1, instances: 1, ..Sample::default() });
    merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    let s = suffix(&sdk);
    execute(
        &sdk,
        &format!(
            "INSERT INTO rocpd_info_process{s} (id, nid, pid) SELECT 1, nid, 1 FROM rocpd_info_process{s}; \
             INSERT INTO rocpd_event{s} (id) VALUES (900); \
             INSERT INTO rocpd_kernel_dispatch{s} SELECT 900, guid, nid, 1, tid, agent_id, kernel_id, dispatch_id, \
             queue_id, stream_id, start, end, private_segment_size, group_segment_size, workgroup_size_x, \
             workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, region_name_id, 900, extdata \
             FROM rocpd_kernel_dispatch{s}; \
             INSERT INTO rocpd_pmc_event{s} (event_id, pmc_id, value) VALUES (900, 65536, 1000.0)"
        ),
    );
    let (bytes, _) = export(&[Pass::of(&sdk, None)], Columns::Fifteen);
    let text = String::from_utf8(bytes).unwrap();
    let values: Vec<&str> = text.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    let sample = Sample::default();
    assert_eq!(values, ["1000.0".to_owned(), format!("{:?}", sample.value(1, 0, 0))]);
}

/// The rows of a real file by pass: rows of one pass share their dispatches' start times.
fn passes_of(text: &str) -> Vec<Vec<csv::StringRecord>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut passes: Vec<Vec<csv::StringRecord>> = Vec::new();
    let mut last_dispatch = u64::MAX;
    for record in reader.records().map(Result::unwrap) {
        let dispatch: u64 = record[1].parse().unwrap();
        let restarts = dispatch < last_dispatch
            || passes
                .last()
                .and_then(|pass| pass.last())
                .is_some_and(|last| dispatch == last_dispatch && last[10] != record[10]);
        if restarts {
            passes.push(Vec::new());
        }
        last_dispatch = dispatch;
        passes.last_mut().unwrap().push(record);
    }
    passes
}

/// Rebuilds the two databases that a pass's rows come from.
fn rebuild(pass: &[csv::StringRecord], pid: i64, sdk: &Path, native: &Path) {
    use rocpd::counters::*;
    let number = |text: &str| text.parse::<i64>().unwrap();
    let node = NodeInfo::new(1, "m");
    let mut w = Writer::new(Storage::create(sdk, Guid::random(), StorageOptions::default()).unwrap());
    let n = w.register_node(&node).unwrap();
    let process = w.register_process(&ProcessInfo::new(n, pid)).unwrap();
    let thread = w.register_thread(&ThreadInfo::new(process, pid)).unwrap();
    let queue = w.register_queue(&QueueInfo::new(0, process)).unwrap();
    let stream = w.register_stream(&QueueInfo::new(0, process)).unwrap();
    let code_object = w.register_code_object(&CodeObjectInfo::new(1, process)).unwrap();
    let target = CountersTarget::new(PathBuf::new(), node, ProcessInfo::new(NodeId(0), pid));
    let mut counters = Box::new(
        RocpdCountersWriter::create_as(
            &target,
            EventLayout::PerDispatch,
            native,
            Guid::random(),
            StorageOptions::default(),
        )
        .unwrap(),
    );
    let mut names: BTreeMap<String, u64> = BTreeMap::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut records = Vec::new();
    for row in pass {
        let agent = w
            .register_agent(&AgentInfo::new(process).kind(AgentType::Gpu).absolute_index(number(&row[0])))
            .unwrap();
        counters
            .add_agent(77, &AgentInfo::new(ProcessId(0)).kind(AgentType::Gpu).absolute_index(number(&row[0])))
            .unwrap();
        let kernel = w
            .register_kernel_symbol(
                &KernelSymbolInfo::new(number(&row[12]), process, code_object)
                    .display_name(row[9].to_owned())
                    .sgpr_count(number(&row[8]))
                    .arch_vgpr_count(number(&row[6]))
                    .accum_vgpr_count(number(&row[7])),
            )
            .unwrap();
        if seen.insert(number(&row[1])) {
            let event = w.insert_event(&EventInfo::default()).unwrap();
            w.insert_dispatch(
                &DispatchInfo::new(number(&row[1]), process, agent, kernel, queue, stream)
                    .thread(thread)
                    .start(number(&row[10]))
                    .end(number(&row[11]))
                    .private_segment_size(number(&row[5]))
                    .group_segment_size(number(&row[4]))
                    .workgroup_size([number(&row[3]), 1, 1])
                    .grid_size([number(&row[2]), 1, 1])
                    .region_name(String::new())
                    .event(event),
            )
            .unwrap();
        }
        let next = 1000 + names.len() as u64;
        let counter = *names.entry(row[13].to_owned()).or_insert(next);
        counters.add_counter(counter, &CounterInfo::new(ProcessId(0), &row[13])).unwrap();
        w.register_counter(
            &CounterInfo::new(process, &row[13])
                .id(counter.cast_signed())
                .agent(agent)
                .target_arch(AgentType::Gpu),
        )
        .unwrap();
        // Two instances of every counter, which add up to the value: the view sums them.
        let value: f64 = row[14].parse().unwrap();
        for part in [value - 1.0, 1.0] {
            records.push(CounterRecord {
                dispatch_id: row[1].parse().unwrap(),
                agent: 77,
                kernel_id: 12,
                lds_size: 0,
                counter,
                value: part,
            });
        }
    }
    // The tool sees dispatches complete in any order.
    records.reverse();
    counters.write_counters(&records).unwrap();
    counters.finish().unwrap();
    w.finish().unwrap();
}

/// Header and passes of a file, each pass as its lines.
fn blocks(text: &str) -> (String, Vec<Vec<String>>) {
    let mut lines = text.split_inclusive("\r\n").map(str::to_owned);
    let header = lines.next().unwrap();
    let rest: Vec<String> = lines.collect();
    let sizes: Vec<usize> = passes_of(text).iter().map(Vec::len).collect();
    let mut blocks = Vec::new();
    let mut start = 0;
    for size in sizes {
        blocks.push(rest[start..start + size].to_vec());
        start += size;
    }
    blocks.sort();
    (header, blocks)
}

#[test]
#[ignore = "it reads the shared test data"]
fn a_real_file_comes_back_byte_for_byte_from_both_layouts() {
    let path = test_data::find("pmc_perf_mi300x_part.csv");
    let real = fs::read_to_string(path).unwrap();
    let passes = passes_of(&real);
    assert_eq!(passes.iter().map(Vec::len).sum::<usize>(), 1206);
    assert!(passes.len() > 5, "{}", passes.len());
    for (generation, merged_first) in [("pmc_", false), ("pmc_perf_", true)] {
        let folder = Folder::new();
        for (index, pass) in passes.iter().enumerate() {
            let pass_folder = folder.root().join(format!("out/{generation}{index}"));
            fs::create_dir_all(pass_folder.join("host")).unwrap();
            let sdk = pass_folder.join("host/287205_results.db");
            let native = pass_folder.join("287205_native_counter_collection.db");
            rebuild(pass, 287_205, &sdk, &native);
            if merged_first {
                let report = merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
                assert_eq!(report.unmatched.total(), 0);
            }
        }
        let found = find_passes(folder.root()).unwrap();
        assert_eq!(found.len(), passes.len());
        let (bytes, report) = export(&found, Columns::Fifteen);
        assert_eq!(report.warnings, Vec::<String>::new());
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text.len(), real.len());
        assert_eq!(blocks(&text), blocks(&real));
    }
}

#[test]
fn csv_files_are_imported_where_there_is_no_database() {
    let folder = Folder::new();
    let sample = Sample::default();
    let pass = folder.root().join("out/pmc_1");
    fs::create_dir_all(pass.join("host")).unwrap();
    let sdk = pass.join("host/4711_results.db");
    sample.write_sdk(&sdk, Guid::random()).unwrap();
    let (_, report) = export(&find_passes(folder.root()).unwrap(), Columns::Fifteen);
    assert_eq!(report.rows, 0);
    assert!(report.warnings[0].contains("no native counter file"), "{:?}", report.warnings);

    let target = CountersTarget::new(pass.clone(), NodeInfo::default(), ProcessInfo::new(NodeId(0), 4711));
    let mut writer: Box<dyn counters::CountersWriter> = Box::new(CsvCountersWriter::create(&target).unwrap());
    sample.record(writer.as_mut()).unwrap();
    writer.finish().unwrap();
    let (bytes, report) = export(&find_passes(folder.root()).unwrap(), Columns::Fifteen);
    assert_eq!((report.rows, report.warnings.len()), (12, 0));
    let native = folder.path("native.db");
    sample.write_native(&native, Guid::random()).unwrap();
    assert_eq!(bytes, export(&[Pass::of(&sdk, Some(&native))], Columns::Fifteen).0);
}

#[test]
fn a_writer_that_fails_is_blamed() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let folder = Folder::new();
    let (sdk, _) = folder.pair(&Sample::default());
    let passes = [Pass::of(&sdk, None)];
    let error =
        export_pmc_perf(&passes, ExportOptions::default(), &mut Full, &mut rocpd::silent).unwrap_err();
    assert!(matches!(error, rocpd::Error::Write { .. }), "{error}");
    let full = std::path::Path::new("/dev/full");
    let error = rocpd::export_pmc_perf_file(&passes, ExportOptions::default(), full, &mut rocpd::silent);
    let text = error.unwrap_err().to_string();
    assert_eq!(text, "cannot write /dev/full");
}
