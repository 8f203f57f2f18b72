//! Folders of both writers, and odd ones: what can be read is read, what cannot is named.

use std::fs;
use std::path::Path;

use crate::traces::{Trace, events, load};
use serde_json::json;
use sqtt_decoder::generate::{Plan, Writer, write};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::trace::{self, EngineEventKind, LoadOptions, discover};
use sqtt_decoder::{Filter, Ledger, RemarkKind};

fn places(ledger: &Ledger, kind: RemarkKind) -> Vec<String> {
    let tally = ledger.tallies().find(|(found, _)| *found == kind);
    tally.map(|(_, tally)| tally.places.keys().cloned().collect()).unwrap_or_default()
}

/// A generated folder and its path.
fn generated(writer: Writer) -> (tempfile::TempDir, std::path::PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let plan = Plan { writer, records: 3000, records_per_file: 500, ..Plan::default() };
    let truth = write(root.path(), &plan).unwrap();
    (root, truth.folder)
}

#[test]
#[ignore = "it reads the shared test data"]
fn the_example_folder() {
    let path = test_data::find("ui-example");
    let folder = load(&path);
    let (lines, ledger) = events(&folder);
    assert_eq!((folder.record_count(), folder.launch_count()), (253, 9));
    assert_eq!(folder.gfxip, Some(12));
    let real = folder.real_time.as_ref().unwrap();
    assert!((real.shader_clock_hz(0).unwrap() - 2.1e9).abs() < 1.0);
    assert!((real.mean_clock_hz().unwrap() - 2.1e9).abs() < 1.0);
    // A record before its wave is not named after some other code object.
    assert!(lines.contains(&"900 Undecoded event#1".to_owned()));
    assert!(lines.contains(&"1000 Enter phase2".to_owned()));
    assert!(lines.contains(&"1300 ExitEnter phase2 -outer:1010..1300 190 marker".to_owned()));
    assert!(lines.contains(&"2900 Exit -outer:2110..2900 90 wave_end".to_owned()));
    assert!(lines.contains(&"3100 Point addr_trace_lds_load truncated".to_owned()));
    assert!(lines.contains(&"5041 Exit -packed_scope:5010..5041 31 marker".to_owned()));
    let counts: Vec<_> = ledger.tallies().map(|(kind, tally)| (kind, tally.count)).collect();
    use RemarkKind::*;
    assert_eq!(
        counts,
        [
            (BeforeFirstWave, 2),
            (UndecodedRecord, 2),
            (UnknownId, 2),
            (TruncatedBlock, 1),
            (UnmatchedExit, 1),
            (ScopeOpenAtWaveEnd, 2),
            (TrapHandlerRecord, 1)
        ]
    );
}

#[test]
fn a_ui_folder_alone_finds_the_code_objects_beside_it() {
    let (_root, ui) = generated(Writer::Rocprofv3);
    let folder = load(&ui);
    let (_, ledger) = events(&folder);
    assert!(ledger.is_empty(), "{ledger}");
}

#[test]
fn absolute_paths_of_another_machine_and_ways_out_do_not_count() {
    let (root, ui) = generated(Writer::Rocprofv3);
    let names = fs::read_to_string(ui.join("filenames.json")).unwrap();
    for prefix in ["/home/someone/traces/ui/", "../../../etc/", "C:\\\\traces\\\\"] {
        fs::write(ui.join("filenames.json"), names.replace("shaderdata_", &format!("{prefix}shaderdata_")))
            .unwrap();
        // "shaderdata_filenames" was replaced, too: put it back.
        let text = fs::read_to_string(ui.join("filenames.json")).unwrap();
        let text = text.replace(&format!("{prefix}shaderdata_filenames"), "shaderdata_filenames");
        fs::write(ui.join("filenames.json"), text).unwrap();
        let (_, ledger) = events(&load(root.path()));
        assert!(ledger.is_empty(), "{prefix}: {ledger}");
    }
}

#[test]
fn without_filenames_json_files_are_taken_by_their_numbers() {
    let (root, ui) = generated(Writer::AttTool);
    let expected = events(&load(root.path())).0;
    fs::remove_file(ui.join("filenames.json")).unwrap();
    let folder = load(root.path());
    let (lines, ledger) = events(&folder);
    assert_eq!(lines, expected);
    assert!(folder.files.len() > 4);
    assert_eq!(ledger.count(RemarkKind::SkippedFile), 1);
    assert!(places(&ledger, RemarkKind::SkippedFile)[0].contains("filenames.json"));
}

#[test]
fn null_tables_bare_names_and_numeric_order() {
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    trace.write();
    let ui = trace.ui();
    let records = |time: i64, value: u32| json!({"records": [[time, value, 1, 2, 3, 0]]}).to_string();
    fs::write(ui.join("shaderdata_0_2.json"), records(200, 6)).unwrap();
    fs::write(ui.join("shaderdata_0_10.json"), records(300, 1)).unwrap();
    fs::write(ui.join("shaderdata_x_1.json"), records(300, 1)).unwrap();
    for table in [json!(null), json!({}), json!({"0": ["shaderdata_0_2.json", "shaderdata_0_10.json"]})] {
        let names = json!({"gfxip": 12, "wave_filenames": null, "shaderdata_filenames": table});
        fs::write(ui.join("filenames.json"), names.to_string()).unwrap();
        let (lines, ledger) = events(&load(trace.root.path()));
        assert_eq!(lines[1..], ["200 Enter outer", "300 Exit -outer:200..300 100 marker"], "{names}");
        if names["shaderdata_filenames"]["0"].is_array() {
            assert_eq!(places(&ledger, RemarkKind::UnlistedFile).len(), 1);
        } else {
            assert_eq!(places(&ledger, RemarkKind::SkippedFile).len(), 1);
        }
    }
    trace.waves_reset();
}

#[test]
fn odd_tables_are_skipped_with_their_place() {
    let trace = Trace::of_one_wave("U:1:outer\n");
    trace.write();
    let ui = trace.ui();
    let names = json!({"shaderdata_filenames": {
        "zero": [["shaderdata_0_0.json", 0, 0]], "0": [7, ["missing.json", 0, 1], [null], ["shaderdata_0_0.json"]],
        "1": "shaderdata_0_0.json",
    }});
    fs::write(ui.join("filenames.json"), names.to_string()).unwrap();
    let rows = json!({"records": [[200, 6, 1, 2, 3, 0], [1, 2], null, [210, -1, 1, 2, 3, 0], [220, 1, 1, 2, 3, 0, 9]]});
    fs::write(ui.join("shaderdata_0_0.json"), rows.to_string()).unwrap();
    let (lines, ledger) = events(&load(trace.root.path()));
    // The rows between are lost: where the scope ends is not known.
    assert_eq!(lines[1..], ["200 Enter outer", "201 Exit -outer:200..201 1 packet_loss", "220 Exit"]);
    assert_eq!(ledger.count(RemarkKind::SkippedFile), 1);
    let malformed = places(&ledger, RemarkKind::MalformedRow).join("\n");
    for what in [
        "\"zero\" is no shader engine's number",
        "an entry that is neither a list nor a file name",
        "an entry without a file name",
        "the files of a shader engine are no list",
        "at byte 0x1c: a row with fewer than 6 columns",
        "an element that is no row",
        "a record with a value, slot or flags out of range",
    ] {
        assert!(malformed.contains(what), "{what}:\n{malformed}");
    }
}

#[test]
fn a_folder_cut_off_anywhere_gives_what_is_there() {
    let (root, ui) = generated(Writer::Rocprofv3);
    let whole = load(root.path()).record_count();
    for name in ["shaderdata_0_1.json", "occupancy.json", "filenames.json", "realtime.json", "code.json"] {
        let bytes = fs::read(ui.join(name)).unwrap();
        for cut in [0, 1, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
            fs::write(ui.join(name), &bytes[..cut]).unwrap();
            let folder = load(root.path());
            let (_, ledger) = events(&folder);
            let place = places(&ledger, RemarkKind::TruncatedFile)
                .pop()
                .unwrap_or_else(|| panic!("{name} {cut}: {ledger:?}"));
            assert!(
                place.ends_with(&format!("{name}: at byte {cut:#x}: the file ends here, inside of a value"))
            );
            let missing = whole - folder.record_count();
            assert!(missing <= 500, "{name} {cut}: {missing}");
            assert!(name.starts_with("shaderdata") || missing == 0);
        }
        fs::write(ui.join(name), bytes).unwrap();
    }
    let garbage = b"not JSON at all";
    fs::write(ui.join("shaderdata_0_1.json"), garbage).unwrap();
    let (_, ledger) = events(&load(root.path()));
    let place = &places(&ledger, RemarkKind::SkippedFile)[0];
    assert!(
        place.contains("shaderdata_0_1.json: at byte 0x1: expected null, true or false, found \"ot JSON"),
        "{place}"
    );
}

#[test]
fn a_capture_without_waves_is_called_that() {
    let root = tempfile::tempdir().unwrap();
    let ui = root.path().join("ui_output_agent_1_dispatch_1");
    fs::create_dir(&ui).unwrap();
    fs::write(ui.join("code.json"), r#"{"code":null}"#).unwrap();
    fs::write(ui.join("occupancy.json"), r#"{"dispatches":{"0":"0 / 0x0"},"version":"3.0.0"}"#).unwrap();
    let folder = load(root.path());
    let (lines, ledger) = events(&folder);
    assert!(lines.is_empty());
    assert_eq!(ledger.count(RemarkKind::NoWaveData), 1);
    assert!(!ledger.is_lossless());
}

#[test]
fn both_layouts_of_folders_are_found_and_links_are_not_followed() {
    let root = tempfile::tempdir().unwrap();
    for name in ["ui_output_agent_1_dispatch_1", "deep/er/ui_output_agent_2", "whatever"] {
        fs::create_dir_all(root.path().join(name)).unwrap();
        fs::write(root.path().join(name).join("shaderdata_0_0.json"), "{}").unwrap();
    }
    fs::create_dir(root.path().join("ui_empty")).unwrap();
    fs::write(root.path().join("9_gfx1200_code_object_id_3.out"), "").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.path(), root.path().join("deep/around")).unwrap();
    let found = discover(&[root.path().to_owned()]).unwrap();
    let names: Vec<_> = found.folders.iter().map(|path| path.strip_prefix(root.path()).unwrap()).collect();
    assert_eq!(
        names,
        ["deep/er/ui_output_agent_2", "ui_output_agent_1_dispatch_1", "whatever"].map(Path::new)
    );
    assert_eq!(found.code_objects.len(), 1);

    let error = discover(&[root.path().join("ui_empty")]).unwrap_err().to_string();
    assert!(error.contains("no trace: neither it nor a folder in it has shaderdata_*.json"), "{error}");
    let error = discover(&[root.path().join("nowhere")]).unwrap_err().to_string();
    assert!(error.contains("nowhere"), "{error}");
    let file = root.path().join("9_gfx1200_code_object_id_3.out");
    assert!(discover(&[file]).unwrap_err().to_string().contains("not a folder"));
}

#[test]
fn layouts_come_from_the_elf_file_where_the_tables_are_missing_and_from_the_tables_where_it_is() {
    let mut all = Vec::new();
    for (writer, keep_object) in
        [(Writer::Rocprofv3, true), (Writer::AttTool, true), (Writer::AttTool, false)]
    {
        let root = tempfile::tempdir().unwrap();
        let plan = Plan { writer, packed: true, records: 3000, ..Plan::default() };
        write(root.path(), &plan).unwrap();
        if !keep_object {
            fs::remove_file(root.path().join("1234_gfx1200_code_object_id_7.out")).unwrap();
        }
        let (lines, ledger) = events(&load(root.path()));
        assert!(ledger.is_lossless(), "{ledger}");
        all.push(lines);
    }
    assert!(all[0].iter().any(|line| line.contains("Enter outer")));
    assert_eq!(all[0], all[1]);
    assert_eq!(all[1], all[2]);
}

#[test]
fn a_spread_near_half_the_window_is_warned_of() {
    let spread = |delay: i64| {
        let mut trace = Trace::of_one_wave("M:shader_clock_bits=4;shader_clock_shift=4\nU:1:outer\n");
        for (issued, late) in [(208_i64, 0), (224, delay), (240, 0)] {
            let clock = (issued as u32 >> 4) & 0xF;
            trace.record(issued + late, clock << 28 | 6, 0);
        }
        trace.events().1.count(RemarkKind::ClockSpread)
    };
    // The window is 256 cycles: half of it is 128, three quarters of that 96.
    assert_eq!((spread(0), spread(80), spread(100)), (0, 0, 1));
}

#[test]
fn events_of_version_3_1_name_dispatches_and_code_objects() {
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    // Another code object has a kernel of that name: the dispatch says which one ran.
    trace.object(8, "K:kernel\nU:1:another\n");
    trace.events = json!({"0": [
        {"kind": "dispatch", "time": 50, "me_id": 1, "pipe_id": 2, "kernel_id": 1, "kernel_name": "kernel",
         "entry_point": {"address": 4096, "code_object_id": 8}, "thread_dim_x": 64},
        {"kind": "event", "time": 60, "type": 7, "code_object_id": 8},
        {"kind": "nonsense"}, 7,
    ]});
    trace.words(&[6, 1]);
    let folder = trace.load();
    let (lines, ledger) = events(&folder);
    assert_eq!(lines[1], "200 Enter another");
    assert_eq!(ledger.count(RemarkKind::MalformedRow), 2);
    assert_eq!(folder.engines[&0].events[0].kind, EngineEventKind::CodeObjectLoad(Some(8)));
    let wave = folder.waves().next().unwrap();
    assert_eq!(wave.dispatch().unwrap().workgroup_size[0], 64);
}

/// Columns of a wave behind the kernel: micro engine, pipe, `is_ext`, workgroup, cluster.
#[test]
fn a_workgroup_is_known_only_where_the_long_form_of_the_start_says_it() {
    for (behind, expected) in [
        (vec![], None),
        (vec![1, 2], Some((None, None))),
        (vec![1, 2, 0], Some((None, None))),
        (vec![1, 2, 0, 0, 0], Some((None, None))),
        (vec![1, 2, 0, 9, 4], Some((None, None))),
        (vec![1, 2, 1, 9, 4], Some((Some(9), Some(4)))),
        (vec![1, 2, 1, 0, 0], Some((Some(0), Some(0)))),
        (vec![1, 2, 1, 9], Some((Some(9), None))),
    ] {
        let mut trace = Trace::new();
        trace.wave(0, json!([&[100, 1, 2, 3, 1, 1], &behind[..]].concat()));
        let folder = trace.load();
        let launch = folder.waves().next().unwrap().launch.copied().unwrap();
        let origin = launch.origin.map(|origin| (origin.workgroup, origin.cluster));
        assert_eq!(origin, expected, "{behind:?}");
        assert!(launch.origin.is_none_or(|origin| (origin.me, origin.pipe) == (1, 2)));
    }
}

#[test]
fn a_code_object_number_in_the_kernels_name_is_understood() {
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    trace.names = json!({"1": "7 / 0x1000"});
    trace.words(&[6, 1]);
    let (lines, ledger) = trace.events();
    assert_eq!(lines[1], "200 Enter outer");
    assert!(ledger.is_empty(), "{ledger}");
    trace.names = json!({"1": "9 / 0x1000"});
    let (_, ledger) = trace.events();
    assert!(places(&ledger, RemarkKind::UnresolvedKernel)[0].contains("code object 9 is not at hand"));
}

#[test]
fn two_files_with_one_number_are_ambiguous_unless_they_agree() {
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    trace.names = json!({"1": "7 / 0x1000"});
    let other = trace.root.path().join("2_gfx1200_code_object_id_7.out");
    fs::write(&other, sqtt_decoder::generate::code_object(b"K:kernel\nU:1:other\n")).unwrap();
    trace.words(&[6, 1]);
    let (lines, ledger) = trace.events();
    assert_eq!(lines[1], "200 Enter event#1");
    assert_eq!(ledger.count(RemarkKind::AmbiguousCodeObject), 1);
    assert_eq!(ledger.count(RemarkKind::AmbiguousKernel), 1);
    // One that is farther away from the trace does not count.
    let far = trace.root.path().join("elsewhere");
    fs::create_dir(&far).unwrap();
    fs::rename(&other, far.join("2_gfx1200_code_object_id_7.out")).unwrap();
    let (lines, ledger) = trace.events();
    assert_eq!(lines[1], "200 Enter outer");
    assert!(ledger.is_empty(), "{ledger}");
}

#[test]
#[ignore = "it reads the shared test data"]
fn maps_that_a_linker_joined_keep_their_kernels_apart() {
    let joined = test_data::find("funcmaps/tensile_two_kernels_linked.map");
    let mut trace = Trace::of_one_wave("");
    let file = trace.object(7, "");
    fs::write(file, sqtt_decoder::generate::code_object(&fs::read(joined).unwrap())).unwrap();
    for (kernel, point) in [("KernelA", "cb_signal"), ("KernelB", "cb_wait")] {
        trace.names = json!({"1": kernel});
        trace.load();
        fs::remove_dir_all(trace.ui()).unwrap();
        let mut once = Trace::new();
        std::mem::swap(&mut once.root, &mut trace.root);
        once.names = trace.names.clone();
        once.launch(100, 1);
        once.retire(900);
        once.words(&[8]);
        let (lines, _) = once.events();
        assert_eq!(lines[1], format!("200 Point {point}"));
        std::mem::swap(&mut once.root, &mut trace.root);
        fs::remove_dir_all(trace.ui()).unwrap();
    }
}

#[test]
fn without_occupancy_the_only_code_object_is_taken_and_that_is_said() {
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    trace.words(&[6, 1]);
    trace.write();
    fs::remove_file(trace.ui().join("occupancy.json")).unwrap();
    let (lines, ledger) = events(&load(trace.root.path()));
    assert_eq!(lines[1..], ["200 Enter outer", "210 Exit -outer:200..210 10 marker"]);
    assert_eq!(ledger.count(RemarkKind::AssumedCodeObject), 1);
    trace.object(8, "K:kernel\nU:1:another\n");
    let (lines, _) = events(&load(trace.root.path()));
    assert_eq!(lines[1], "200 Enter event#1");
}

#[test]
fn hostile_names_come_through_as_they_are() {
    let long = "x".repeat(5000);
    for name in ["a;b", "\"quoted\"", "new\nline", "nul\0", "\u{1b}[31m", "at@sign", long.as_str()] {
        let mut map = sqtt_format::Funcmap::new();
        map.push(sqtt_format::Entry::kernel("k;er\"nel"));
        map.push(sqtt_format::Entry::user(1, name));
        let mut trace = Trace::of_one_wave("");
        let file = trace.object(7, "");
        fs::write(file, sqtt_decoder::generate::code_object(&map.to_bytes().unwrap())).unwrap();
        trace.names = json!({"1": "k;er\"nel"});
        trace.words(&[6, 1]);
        let (lines, ledger) = trace.events();
        assert_eq!(lines[1], format!("200 Enter {name}"));
        assert!(ledger.is_lossless(), "{ledger}");
    }
    // Bytes that are not UTF-8, as a writer that escapes nothing leaves them.
    let trace = Trace::of_one_wave("U:1:outer\n");
    trace.write();
    let path = trace.ui().join("occupancy.json");
    let text = [&b"{\"0\":[[100,1,2,3,1,1]],\"dispatches\":{\"1\":\"\xFF\xFE\"}}"[..]].concat();
    fs::write(path, text).unwrap();
    let folder = load(trace.root.path());
    assert_eq!(folder.kernels[&1].name.as_bytes(), b"\xFF\xFE");
}

#[test]
fn a_filter_takes_waves_and_leaves_corrections_alone() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &Plan { packed: true, records: 5000, ..Plan::default() }).unwrap();
    let folder = load(root.path());
    let lines = |filter: &Filter| {
        let mut lines = Vec::new();
        folder.decode(filter, |wave, stream| {
            while let Some(event) = stream.next() {
                lines.push((wave.slot, wave.generation, event.time, event.kind));
            }
        });
        lines
    };
    let all = lines(&Filter::default());
    let filter = Filter::default().se("1".parse().unwrap()).simd("0,2-3".parse().unwrap());
    let some = lines(&filter);
    let expected: Vec<_> = all.iter().filter(|(slot, ..)| slot.se == 1 && slot.simd != 1).copied().collect();
    assert!(!some.is_empty());
    assert_eq!(some, expected);
    let kernel = |text: &str| Filter::default().kernels(vec![text.to_owned()]);
    assert_eq!(lines(&kernel("kernel(float*, int)")), all);
    assert!(lines(&kernel("other")).is_empty());
    let catalog = Catalog::default();
    assert!(
        trace::Trace::load(&root.path().join("nowhere"), &catalog, LoadOptions::default()).files.is_empty()
    );
}
