//! The counters writers: both forms from the same records.

use crate::support::Folder;
use rocpd::counters::*;
use rocpd::*;
use rocpd_samples::Sample;
use rusqlite::Connection;

fn target(folder: &Folder) -> CountersTarget {
    CountersTarget::current(folder.root())
}

fn describe(writer: &mut dyn CountersWriter) {
    writer
        .add_agent(
            1234,
            &AgentInfo::new(ProcessId(0))
                .kind(AgentType::Gpu)
                .absolute_index(2)
                .type_index(0)
                .name("gfx942".to_owned())
                .product_name("AMD Instinct MI300X".to_owned()),
        )
        .unwrap();
    writer
        .add_counter(
            77,
            &CounterInfo::new(ProcessId(0), "SQ_WAVES")
                .description("Number of waves".to_owned())
                .block("SQ".to_owned())
                .is_constant(false)
                .is_derived(false),
        )
        .unwrap();
}

fn record(dispatch_id: u64, value: f64) -> CounterRecord {
    CounterRecord { dispatch_id, agent: 1234, kernel_id: 12, lds_size: 64, counter: 77, value }
}

#[test]
fn the_default_form_is_a_database_with_everything_that_a_merge_needs() {
    for (layout, events) in [(EventLayout::PerDispatch, 2), (EventLayout::PerRecord, 3)] {
        let folder = Folder::new();
        let target = target(&folder);
        let mut writer: Box<dyn CountersWriter> =
            Box::new(RocpdCountersWriter::create(&target, layout).unwrap());
        describe(writer.as_mut());
        writer.write_counters(&[record(1, 2_529_949.0), record(1, 1.0)]).unwrap();
        writer.write_counters(&[record(2, f64::NAN)]).unwrap();
        let path = writer.finish().unwrap().unwrap();
        let name = format!("{}_native_counter_collection.db", std::process::id());
        assert_eq!(path, folder.path(&name));
        let db = Connection::open(&path).unwrap();
        let one = |sql: &str| -> String { db.query_row(sql, [], |row| row.get(0)).unwrap() };
        assert_eq!(
            one(
                "SELECT id || target_arch || name || symbol || component || value_type || block || description || \
                 agent_id || extdata FROM rocpd_info_pmc"
            ),
            "77GPUSQ_WAVESSQ_WAVESrocmABSSQNumber of waves2{\"counter_id\":77}"
        );
        assert_eq!(
            one("SELECT count(*) || '' FROM rocpd_info_pmc WHERE event_code IS NULL AND instance_id IS NULL"),
            "1"
        );
        assert_eq!(
            one(
                "SELECT id || type || absolute_index || type_index || name || product_name || extdata FROM rocpd_info_agent"
            ),
            "2GPU20gfx942AMD Instinct MI300X{}"
        );
        assert_eq!(one("SELECT group_concat(value) FROM rocpd_pmc_event"), "2529949.0,1.0");
        assert_eq!(one("SELECT count(*) || '' FROM rocpd_pmc_event WHERE value IS NULL"), "1");
        assert_eq!(one("SELECT count(*) || '' FROM rocpd_event"), events.to_string());
        assert_eq!(
            one("SELECT group_concat(correlation_id) FROM (SELECT correlation_id FROM rocpd_pmc_event V \
                 JOIN rocpd_event E ON E.id = V.event_id AND E.guid = V.guid ORDER BY V.id)"),
            "1,1,2"
        );
        assert_eq!(one("SELECT pid || '' FROM processes"), std::process::id().to_string());
        for table in ["kernel_dispatch", "info_kernel_symbol", "info_code_object", "sample", "track"] {
            assert_eq!(one(&format!("SELECT count(*) || '' FROM rocpd_{table}")), "0", "{table}");
        }
    }
}

#[test]
fn the_csv_form_has_the_old_header_and_exact_digits() {
    let folder = Folder::new();
    let target = target(&folder);
    let mut writer: Box<dyn CountersWriter> = Box::new(CsvCountersWriter::create(&target).unwrap());
    describe(writer.as_mut());
    writer.write_counters(&[record(1, 2_529_949.0), record(2, 0.1)]).unwrap();
    let path = writer.finish().unwrap().unwrap();
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "dispatch_id,gpu_id,kernel_id,lds_per_workgroup,counter_id,counter_name,counter_value\n\
         1,1234,12,64,77,SQ_WAVES,2529949\n2,1234,12,64,77,SQ_WAVES,0.1\n"
    );
    assert!(path.ends_with(format!("{}_native_counter_collection.csv", std::process::id())));
    assert!(matches!(CsvCountersWriter::create(&target), Err(Error::Exists { .. })));
}

#[test]
fn names_that_the_text_form_cannot_hold_are_refused() {
    let folder = Folder::new();
    let mut writer = CsvCountersWriter::create(&target(&folder)).unwrap();
    for name in ["a,b", "a\"b", "a\nb", "=1+1", "+x", "-x", "@x"] {
        let error = writer.add_counter(5, &CounterInfo::new(ProcessId(0), name)).unwrap_err().to_string();
        assert!(error.contains("no spreadsheet takes for a formula"), "{name}: {error}");
    }
    writer.add_counter(5, &CounterInfo::new(ProcessId(0), "SQ_WAVES-x")).unwrap();
}

#[test]
fn without_records_there_is_no_file_and_unknown_handles_are_refused() {
    let folder = Folder::new();
    let target = target(&folder);
    let writers: [Box<dyn CountersWriter>; 2] = [
        Box::new(RocpdCountersWriter::create(&target, EventLayout::default()).unwrap()),
        Box::new(CsvCountersWriter::create(&target).unwrap()),
    ];
    for mut writer in writers {
        describe(writer.as_mut());
        describe(writer.as_mut());
        let wrong = CounterRecord { counter: 78, ..record(1, 1.0) };
        assert!(
            writer
                .write_counters(&[wrong])
                .unwrap_err()
                .to_string()
                .starts_with("counter 78 is not registered")
        );
        let wrong = CounterRecord { agent: 1, ..record(1, 1.0) };
        assert!(
            writer.write_counters(&[wrong]).unwrap_err().to_string().starts_with("agent 1 is not registered")
        );
        let other = CounterInfo::new(ProcessId(0), "OTHER");
        assert!(matches!(writer.add_counter(77, &other), Err(Error::Conflict { .. })));
        assert_eq!(writer.finish().unwrap(), None);
    }
    assert_eq!(std::fs::read_dir(folder.root()).unwrap().count(), 0);
}

#[test]
fn the_same_handle_on_two_agents_is_two_rows_and_huge_handles_are_kept() {
    let folder = Folder::new();
    let target = target(&folder);
    let mut writer = Box::new(RocpdCountersWriter::create(&target, EventLayout::default()).unwrap());
    for agent in [1, 2] {
        writer.add_agent(agent, &AgentInfo::new(ProcessId(0)).kind(AgentType::Gpu)).unwrap();
    }
    writer.add_counter(5, &CounterInfo::new(ProcessId(0), "A")).unwrap();
    writer.add_counter(u64::MAX, &CounterInfo::new(ProcessId(0), "B")).unwrap();
    for agent in [1, 2] {
        for counter in [5, u64::MAX] {
            writer.write_counters(&[CounterRecord { agent, counter, ..record(1, 1.0) }]).unwrap();
        }
    }
    assert!(
        writer
            .write_counters(&[CounterRecord {
                dispatch_id: u64::MAX,
                agent: 1,
                counter: 5,
                ..record(1, 0.0)
            }])
            .is_err()
    );
    let path = writer.finish().unwrap().unwrap();
    let db = Connection::open(path).unwrap();
    let mut statement =
        db.prepare("SELECT id, name, agent_id, extdata FROM rocpd_info_pmc ORDER BY agent_id, name").unwrap();
    let rows: Vec<(i64, String, i64, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let extdata = |handle: u64| format!("{{\"counter_id\":{handle}}}");
    assert_eq!(
        rows,
        [
            (5, "A".to_owned(), 1, extdata(5)),
            (1, "B".to_owned(), 1, extdata(u64::MAX)),
            (2, "A".to_owned(), 2, extdata(5)),
            (3, "B".to_owned(), 2, extdata(u64::MAX)),
        ]
    );
}

#[test]
fn many_records_survive_the_batches() {
    // More than a statement holds, and not a multiple of it.
    let folder = Folder::new();
    let sample = Sample { dispatches: 301, counters: 7, instances: 3, ..Sample::default() };
    let path = folder.path("many.db");
    sample.write_native(&path, Guid::random()).unwrap();
    let db = Connection::open(&path).unwrap();
    let (rows, total): (i64, f64) = db
        .query_row("SELECT count(*), sum(value) FROM rocpd_pmc_event", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    let mut expected = 0.0;
    for dispatch in 1..=301 {
        for counter in 0..7 {
            expected += (0..3).map(|instance| sample.value(dispatch, counter, instance)).sum::<f64>();
        }
    }
    assert_eq!((rows, total), (301 * 7 * 3, expected));
}
