//! The writer against real files, read back with plain SQLite.

use std::path::Path;

use rocpd::*;
use rusqlite::Connection;
use rusqlite::types::Value;

fn writer(path: &Path) -> Writer {
    Writer::new(Storage::create(path, Guid::random(), StorageOptions::default()).unwrap())
}

fn node() -> NodeInfo {
    NodeInfo::new(99, "m").hostname("host".to_owned())
}

/// The rows of a query, each as text joined by `|`, NULL as `-`.
fn rows(path: &Path, sql: &str) -> Vec<String> {
    let db = Connection::open(path).unwrap();
    let mut statement = db.prepare(sql).unwrap();
    let columns = statement.column_count();
    let texts = statement
        .query_map([], |row| {
            let cells: rusqlite::Result<Vec<String>> = (0..columns)
                .map(|index| {
                    Ok(match row.get::<_, Value>(index)? {
                        Value::Null => "-".to_owned(),
                        Value::Integer(number) => number.to_string(),
                        Value::Real(number) => format!("{number:?}"),
                        Value::Text(text) => text,
                        Value::Blob(blob) => format!("{blob:?}"),
                    })
                })
                .collect();
            Ok(cells?.join("|"))
        })
        .unwrap();
    texts.map(Result::unwrap).collect()
}

#[test]
fn every_call_is_readable_after_finish() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.db");
    let mut w = writer(&path);
    let node = w.register_node(&node()).unwrap();
    // R1: quotes, newlines, NUL and 128 KiB in a command line are bound, not spliced.
    let command = format!("python -c 'import x; print(\"hi\")'\n;\0--{}", "x".repeat(128 << 10));
    let process =
        w.register_process(&ProcessInfo::new(node, 42).command(command.clone()).start(1).fini(2)).unwrap();
    let thread = w.register_thread(&ThreadInfo::new(process, 43).name("worker".to_owned())).unwrap();
    let agent = w
        .register_agent(
            &AgentInfo::new(process)
                .kind(AgentType::Gpu)
                .absolute_index(2)
                .extdata("{\"gpu_id\": 1}".to_owned()),
        )
        .unwrap();
    assert_eq!(agent, AgentId(2));
    let queue = w.register_queue(&QueueInfo::new(0, process).name("q".to_owned())).unwrap();
    let stream = w.register_stream(&QueueInfo::new(7, process)).unwrap();
    let counter = w
        .register_counter(
            &CounterInfo::new(process, "SQ_WAVES")
                .agent(agent)
                .target_arch(AgentType::Gpu)
                .value_type(ValueType::Absolute)
                .is_derived(false),
        )
        .unwrap();
    let code_object = w
        .register_code_object(
            &CodeObjectInfo::new(3, process)
                .agent(agent)
                .uri("file://x".to_owned())
                .load_base(4096)
                .storage(CodeStorage::File),
        )
        .unwrap();
    let kernel = w
        .register_kernel_symbol(
            &KernelSymbolInfo::new(12, process, code_object)
                .kernel_name("k.kd".to_owned())
                .display_name("k(int, int)".to_owned())
                .sgpr_count(16)
                .arch_vgpr_count(4)
                .accum_vgpr_count(0),
        )
        .unwrap();
    let track = w.register_track(&TrackInfo::new(node).process(process).name("t".to_owned())).unwrap();
    let event = w
        .insert_event(&EventInfo::default().category("KERNEL_DISPATCH").stack_id(5).correlation_id(1))
        .unwrap();
    w.insert_sample(track, 77, Some(event)).unwrap();
    w.insert_counter_event(Some(event), counter, 1234.5, None).unwrap();
    w.insert_counter_event(Some(event), counter, 0.5, Some("{\"xcc\": 1}")).unwrap();
    w.insert_counter_event(Some(event), counter, f64::NAN, None).unwrap();
    w.insert_counter_event(None, counter, f64::INFINITY, None).unwrap();
    w.insert_dispatch(
        &DispatchInfo::new(1, process, agent, kernel, queue, stream)
            .thread(thread)
            .start(10)
            .end(20)
            .group_segment_size(512)
            .workgroup_size([64, 2, 1])
            .grid_size([128, 4, 2])
            .region_name(String::new())
            .event(event),
    )
    .unwrap();
    let call = w.insert_event(&EventInfo::default()).unwrap();
    w.insert_region(
        &RegionInfo::new(process, thread, "hipLaunchKernel")
            .start(5)
            .end(5)
            .event(call)
            .args(&[Arg::new(0, "int", "n").value("1")]),
    )
    .unwrap();
    w.insert_memory_copy(
        &MemoryCopyInfo::new(process, "MEMORY_COPY_DEVICE_TO_DEVICE".to_owned())
            .start(30)
            .end(34)
            .size(256)
            .thread(thread)
            .destination_agent(agent)
            .destination(0x1000)
            .source_agent(agent)
            .source(0x2000)
            .queue(queue)
            .stream(stream)
            .region_name("hipMemcpy".to_owned())
            .event(call),
    )
    .unwrap();
    let allocation = |kind| MemoryAllocationInfo::new(process, kind, AllocationLevel::Real).address(0x1000);
    w.insert_memory_allocation(
        &allocation(AllocationType::Alloc).start(1).end(2).size(256).agent(agent).thread(thread).event(call),
    )
    .unwrap();
    w.insert_memory_allocation(&allocation(AllocationType::Free).start(40).end(41)).unwrap();
    let backwards = MemoryCopyInfo::new(process, "COPY".to_owned()).start(2).end(1);
    assert!(matches!(w.insert_memory_copy(&backwards), Err(rocpd::Error::Invalid { .. })));
    let nobody = allocation(AllocationType::Alloc).agent(AgentId(77));
    assert!(matches!(w.insert_memory_allocation(&nobody), Err(rocpd::Error::Unregistered { .. })));
    let written = w.finish().unwrap();
    assert_eq!((written.memory_copies, written.memory_allocations), (1, 2));
    assert_eq!((written.events, written.counter_events, written.zero_length_regions), (2, 4, 1));

    let db = Connection::open(&path).unwrap();
    let read: String = db.query_row("SELECT command FROM processes", [], |row| row.get(0)).unwrap();
    assert_eq!(read, command);
    assert_eq!(db.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0)).unwrap(), "ok");
    // References were checked by the writer; SQLite agrees.
    let broken: i64 =
        db.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).unwrap();
    assert_eq!(broken, 0);

    let check = |sql: &str, expected: &[&str]| assert_eq!(rows(&path, sql), expected, "{sql}");
    check("SELECT nid, pid, tid, name, start FROM threads", &["99|42|43|worker|-"]);
    check(
        "SELECT id, event_code, instance_id, target_arch, value_type, is_derived, is_constant FROM rocpd_info_pmc",
        &["1|-|-|GPU|ABS|0|-"],
    );
    check(
        "SELECT event_id, pmc_id, value, extdata FROM rocpd_pmc_event ORDER BY id",
        &["1|1|1234.5|{}", "1|1|0.5|{\"xcc\": 1}", "1|1|-|{}", "-|1|inf|{}"],
    );
    check(
        "SELECT dispatch_id, kernel_id, stack_id, pid, tid, agent_id, agent_abs_index, grid_size, workgroup_size, \
         kernel_name, kernel_region, lds_block_size, vgpr_count, accum_vgpr_count, sgpr_count, counter_name, value, \
         duration, category FROM counters_collection",
        &["1|12|5|42|43|2|2|1024|128|k(int, int)||512|4|0|16|SQ_WAVES|1235.0|10|KERNEL_DISPATCH"],
    );
    check("SELECT name, region, queue, lds_size, vgpr_count FROM kernels", &["k(int, int)||q|512|4"]);
    check("SELECT category, name, pid, timestamp FROM samples", &["KERNEL_DISPATCH|t|42|77"]);
    check("SELECT name, start, end, tid FROM regions", &["hipLaunchKernel|5|5|43"]);
    check("SELECT type, name, value FROM region_args", &["int|n|1"]);
    check(
        "SELECT counter_name, counter_value, dispatch_id FROM pmc_events ORDER BY id",
        &["SQ_WAVES|1234.5|1", "SQ_WAVES|0.5|1", "SQ_WAVES|-|1"],
    );
    check("SELECT uri, load_base, load_size, storage_type_str FROM code_objects", &["file://x|4096|-|FILE"]);
    check(
        "SELECT name, region_name, tid, size, duration, dst_address, src_address, queue_name FROM memory_copies",
        &["MEMORY_COPY_DEVICE_TO_DEVICE|hipMemcpy|43|256|4|4096|8192|q"],
    );
    check(
        "SELECT type, level, address, size, agent_id FROM rocpd_memory_allocate ORDER BY id",
        &["ALLOC|REAL|4096|256|2", "FREE|REAL|4096|0|-"],
    );
    check("SELECT name, total_calls, percentage FROM top_kernels", &["k(int, int)|1|100.0"]);
}

#[test]
fn identity_rows_have_the_right_forms() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let guid = Guid::random();
    let mut w = Writer::new(Storage::create(&path, guid.clone(), StorageOptions::default()).unwrap());
    w.register_node(&node()).unwrap();
    w.finish().unwrap();
    let tags =
        rows(&path, "SELECT tag || '=' || value FROM rocpd_metadata WHERE tag <> 'schema_creation_time'");
    let expected = [
        "schema_version=3.0.1".to_owned(),
        "schema_version_major=3".to_owned(),
        "schema_version_minor=0".to_owned(),
        "schema_version_patch=1".to_owned(),
        format!("uuid=_{}", guid.as_str().replace('-', "_")),
        format!("guid={guid}"),
    ];
    assert_eq!(tags, expected);
    assert_eq!(rows(&path, "SELECT guid FROM rocpd_info_node"), [guid.as_str()]);
    let tables =
        rows(&path, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name LIKE 'rocpd_%'");
    assert_eq!(tables, ["20"]);
    let error =
        Connection::open(&path).unwrap().execute("INSERT INTO rocpd_pmc_event (pmc_id) VALUES (1)", []);
    assert!(error.unwrap_err().to_string().contains("because it is a view"));
}

#[test]
fn references_names_and_values_are_checked_before_sql() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let options = StorageOptions::default().version(SchemaVersion::V3_0_0);
    let mut w = Writer::new(Storage::create(&path, Guid::random(), options).unwrap());
    let message = |result: rocpd::Result<String>| result.unwrap_err().to_string();
    let text = |id: &dyn std::fmt::Debug| format!("{id:?}");
    assert_eq!(
        message(w.register_process(&ProcessInfo::new(NodeId(1), 1)).map(|id| text(&id))),
        "node 1 is not registered: register it before rows refer to it"
    );
    let n = w.register_node(&node()).unwrap();
    assert_eq!(w.register_node(&node()).unwrap(), n, "the same node again is the same row");
    let mut other = node();
    other.hash = 98;
    assert!(message(w.register_node(&other).map(|id| text(&id))).contains("machine id \"m\" is registered"));
    let process = w.register_process(&ProcessInfo::new(n, 1)).unwrap();
    let twice = ProcessInfo::new(n, 1).ppid(4);
    assert_eq!(
        message(w.register_process(&twice).map(|id| text(&id))),
        "process 1 is registered already, with other values"
    );
    let nic = AgentInfo::new(process).kind(AgentType::Nic);
    assert!(message(w.register_agent(&nic).map(|id| text(&id))).contains("NIC needs 3.0.1"));
    for bad in ["", "{abc}", "123", "[1]", "{\"a\": 1} x"] {
        let info = CounterInfo::new(process, "A").extdata(bad.to_owned());
        assert!(message(w.register_counter(&info).map(|id| text(&id))).contains("JSON object"), "{bad}");
    }
    assert!(
        message(w.insert_counter_event(None, CounterId(5), 1.0, None).map(|()| String::new()))
            .contains("counter 5")
    );
    let counter = w.register_counter(&CounterInfo::new(process, "A")).unwrap();
    assert_eq!(w.register_counter(&CounterInfo::new(process, "A")).unwrap(), counter);
    let unknown = w.insert_counter_event(Some(EventId(1)), counter, 1.0, None);
    assert!(unknown.unwrap_err().to_string().starts_with("event 1 is not registered"));
    assert_eq!(w.register_string("x").unwrap(), w.register_string("x").unwrap());
    // Refused calls leave the writer usable.
    w.insert_counter_event(None, counter, 1.0, None).unwrap();
    w.finish().unwrap();
    assert_eq!(rows(&path, "SELECT count(*) FROM rocpd_pmc_event"), ["1"]);
    assert_eq!(rows(&path, "SELECT value FROM rocpd_metadata WHERE tag = 'schema_version'"), ["3.0.0"]);
}

#[test]
fn an_unfinished_file_is_not_taken_for_a_finished_one_and_is_reported() {
    use std::sync::atomic::{AtomicU64, Ordering};
    static REPORTED: AtomicU64 = AtomicU64::new(0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let options = StorageOptions::default()
        .on_unfinished(|what| {
            REPORTED.store(what.rows, Ordering::SeqCst);
        })
        .rows_per_transaction(10);
    let mut w = Writer::new(Storage::create(&path, Guid::random(), options).unwrap());
    let n = w.register_node(&node()).unwrap();
    w.register_process(&ProcessInfo::new(n, 1)).unwrap();
    for _ in 0..98 {
        w.insert_event(&EventInfo::default()).unwrap();
    }
    let partial = w.storage().partial_path().to_path_buf();
    assert!(!path.exists() && partial.exists());
    drop(w);
    assert_eq!(REPORTED.load(Ordering::SeqCst), 100, "dropping without finish() is reported");
    assert!(!path.exists());
    // Even under the wanted name no reader takes it.
    std::fs::rename(&partial, &path).unwrap();
    let error = Database::open(&path, Access::Read).unwrap_err();
    assert!(matches!(error, Error::Unfinished { .. }), "{error}");
    // And it does not block the next run, nor is a finished file ever overwritten.
    assert!(matches!(
        Storage::create(&path, Guid::random(), StorageOptions::default()),
        Err(Error::Exists { .. })
    ));
    std::fs::remove_file(&path).unwrap();
    let first = writer(&path);
    let second = writer(&path);
    first.finish().unwrap();
    assert!(matches!(second.finish(), Err(Error::Exists { .. })));
    let third =
        Storage::create(&folder.path().join("y.db"), Guid::random(), StorageOptions::default()).unwrap();
    let partial = third.partial_path().to_path_buf();
    third.discard();
    assert!(!partial.exists());
}

#[test]
fn what_stands_in_the_way_of_the_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let mut w = writer(&path);
    let n = w.register_node(&node()).unwrap();
    let process = w.register_process(&ProcessInfo::new(n, 1)).unwrap();
    let counter = w.register_counter(&CounterInfo::new(process, "A")).unwrap();
    // A directory in the way of the name is one thing that finish() cannot get past.
    std::fs::create_dir(&path).unwrap();
    w.insert_counter_event(None, counter, 1.0, None).unwrap();
    assert!(matches!(w.finish(), Err(Error::Exists { .. })));
    assert!(matches!(
        Storage::create(Path::new("/nonexistent/folder/x.db"), Guid::random(), StorageOptions::default()),
        Err(Error::Io { .. })
    ));
}
