//! Trace folders that are odd in ways that no writer is known for: what is left out is said, with its byte.

use std::fs;
use std::path::Path;

use crate::traces::{Trace, events, load};
use serde_json::json;
use sqtt_decoder::stats::Stats;
use sqtt_decoder::trace::{self, LoadOptions, discover};
use sqtt_decoder::{Filter, Ledger, RemarkKind, generate};

fn places(ledger: &Ledger, kind: RemarkKind) -> Vec<String> {
    let tally = ledger.tallies().find(|(found, _)| *found == kind);
    tally.map_or_else(Vec::new, |(_, tally)| tally.places.keys().cloned().collect())
}

/// One scope from 200 to 210.
fn small() -> Trace {
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    trace.words(&[6, 1]);
    trace.write();
    trace
}

const SCOPE: [&str; 2] = ["200 Enter outer", "210 Exit -outer:200..210 10 marker"];

#[test]
fn rows_with_numbers_out_of_range_have_their_byte() {
    let trace = small();
    let file = trace.ui().join("shaderdata_0_0.json");
    let text =
        r#"{"records":[[200,6,1,2,3,0],[205,4294967296,1,2,3,0],[210,1,1,2,3,0],[220,1,70000,2,3,0]]}"#;
    fs::write(file, text).unwrap();
    let (lines, ledger) = events(&load(trace.root.path()));
    // The row between is a loss there.
    assert_eq!(lines[1..], ["200 Enter outer", "201 Exit -outer:200..201 1 packet_loss", "210 Exit"]);
    let places = places(&ledger, RemarkKind::MalformedRow);
    let bytes = [text.find("[205").unwrap(), text.find("[220").unwrap()];
    for (place, byte) in places.iter().zip(bytes) {
        assert!(place.contains(&format!("at byte {byte:#x}: a record with a value, slot")), "{places:?}");
    }
    assert_eq!(places.len(), 2);
}

#[test]
fn an_empty_object_is_an_empty_table_and_a_full_one_is_said() {
    for (file, text, fault) in [
        ("shaderdata_0_0.json", r#"{"records":{},"records_count":0}"#, None),
        ("shaderdata_0_0.json", r#"{"records":{"a":1}}"#, Some("at byte 0xb: the records are no list")),
        ("shaderdata_0_0.json", r#"{"records":null}"#, None),
        ("filenames.json", r#"{"shaderdata_filenames":{"0":{}}}"#, None),
        ("filenames.json", r#"{"shaderdata_filenames":[1]}"#, Some("the files are no table")),
        ("occupancy.json", r#"{"0":{},"1":null,"events":[],"occupancy_fields":["time"]}"#, None),
        ("occupancy.json", r#"{"0":{"a":1}}"#, Some("at byte 0x5: the waves of a shader engine are no list")),
        ("occupancy.json", r#"{"-1":[[0,1,2,3,1,1]]}"#, Some("waves of something that is no shader engine")),
        ("occupancy.json", r#"{"events":{"x":[{}]}}"#, Some("events of something that is no shader engine")),
        ("occupancy.json", r#"{"events":[{}]}"#, Some("the events are no table")),
        (
            "occupancy.json",
            r#"{"events":{"0":[{"kind":"event","time":1,"type":"6"}]}}"#,
            Some("whose type is no number"),
        ),
        ("realtime.json", r#"{"SE0":{},"metadata":{}}"#, None),
        ("realtime.json", r#"{"SEx":[[1,2]]}"#, Some("no samples of a shader engine")),
        ("code.json", r#"{"code":null,"sqtt_funcmap":{},"sqtt_funcmap_layout":null}"#, None),
        ("code.json", r#"{"sqtt_funcmap":{"7":[]}}"#, Some("a table that is no list")),
    ] {
        let trace = small();
        fs::write(trace.ui().join(file), text).unwrap();
        let (_, ledger) = events(&load(trace.root.path()));
        let places = places(&ledger, RemarkKind::MalformedRow);
        match fault {
            Some(fault) => {
                assert!(places.len() == 1 && places[0].contains(fault), "{text}: {ledger} {places:?}");
            }
            None => {
                assert!(
                    places.is_empty() && ledger.count(RemarkKind::SkippedFile) == 0,
                    "{text}: {places:?}"
                );
            }
        }
        if file != "shaderdata_0_0.json" && file != "occupancy.json" {
            assert_eq!(load(trace.root.path()).record_count(), 2, "{text}");
        }
    }
}

#[test]
fn kernel_numbers_of_any_size_have_their_names() {
    let mut trace = Trace::new();
    trace.object(7, "K:kernel\nU:1:outer\n");
    trace.launch(100, 1 << 40);
    trace.retire(10_000);
    trace.names = json!({(1_u64 << 40).to_string(): "kernel"});
    trace.words(&[6, 1]);
    let (lines, ledger) = trace.events();
    assert_eq!(lines[1..], SCOPE);
    assert!(ledger.is_empty(), "{ledger}");
}

#[test]
fn a_file_that_is_listed_twice_is_read_once() {
    let trace = small();
    let names = r#"{"shaderdata_filenames":{"0":["./shaderdata_0_0.json",["shaderdata_0_0.json",0,0]]}}"#;
    fs::write(trace.ui().join("filenames.json"), names).unwrap();
    let (lines, ledger) = events(&load(trace.root.path()));
    assert_eq!(lines[1..], SCOPE);
    assert!(places(&ledger, RemarkKind::MalformedRow)[0].contains("lists it again"), "{ledger}");
    assert_eq!(ledger.count(RemarkKind::UnlistedFile), 0);
}

#[test]
fn a_list_of_files_that_are_all_missing_does_not_hide_those_that_are_there() {
    let trace = small();
    let names = r#"{"shaderdata_filenames":{"0":["renamed_0_0.json"]}}"#;
    fs::write(trace.ui().join("filenames.json"), names).unwrap();
    let (lines, ledger) = events(&load(trace.root.path()));
    assert_eq!(lines[1..], SCOPE);
    assert!(
        places(&ledger, RemarkKind::SkippedFile)[0].contains("renamed_0_0.json: filenames.json lists it")
    );
}

#[test]
fn a_trace_that_is_named_twice_is_one() {
    let trace = small();
    let (root, ui) = (trace.root.path().to_owned(), trace.ui());
    let other = ui.join("..");
    for paths in
        [vec![root.clone(), root.clone()], vec![ui.clone(), root.clone(), other.clone()], vec![other, ui]]
    {
        let found = discover(&paths).unwrap();
        assert_eq!((found.folders.len(), found.raw.len()), (1, 0), "{paths:?}");
        assert!(!found.code_objects.is_empty());
    }
}

/// One time among many that no trace reaches: it is left out with its byte, and the rest is what it was.
#[test]
fn a_time_far_out_is_left_out_with_its_place() {
    let far = [1_i64 << 62, i64::MAX, i64::MIN, -(1 << 53), 1 << 53];
    let waves = |trace: &mut Trace| {
        for slot in 0..1500_i64 {
            let (cu, simd, slot) = (slot / 60, slot / 15 % 4, slot % 15);
            trace.wave(0, json!([100, cu, simd, slot, 1, 1]));
            trace.wave(0, json!([900, cu, simd, slot, 0, 1]));
            trace.row(0, json!([200, 6, cu, simd, slot, 0]));
            trace.row(0, json!([300, 1, cu, simd, slot, 0]));
        }
    };
    let rows = |folder: &trace::Trace| {
        let mut stats = Stats::new();
        let ledger = stats.add_folder(folder, &Filter::default(), sqtt_decoder::Threads::new(1));
        (stats.into_rows(), ledger)
    };
    let mut sound = Trace::new();
    sound.object(7, "K:kernel\nU:1:outer\n");
    waves(&mut sound);
    let (expected, ledger) = rows(&sound.load());
    assert!(ledger.is_empty(), "{ledger}");
    for time in far {
        let mut trace = Trace::new();
        trace.object(7, "K:kernel\nU:1:outer\n");
        trace.wave(0, json!([50, 200, 0, 0, 1, 1]));
        trace.wave(0, json!([time, 200, 0, 0, 0, 1]));
        trace.row(0, json!([time, 6, 200, 0, 0, 0]));
        waves(&mut trace);
        trace.events = json!({"0": [{"kind": "event", "time": time, "type": 6}]});
        let (rows, ledger) = rows(&trace.load());
        let places = places(&ledger, RemarkKind::MalformedRow).join("\n");
        for (file, row, what) in [
            ("occupancy.json", format!("[{time},200"), "the start or end of a wave"),
            ("shaderdata_0_0.json", format!("[{time},6"), "a record"),
            ("occupancy.json", "{\"kind\"".to_owned(), "an event"),
        ] {
            let byte = fs::read_to_string(trace.ui().join(file)).unwrap().find(&row).unwrap();
            let said =
                format!("{file}: at byte {byte:#x}: {what} at a time that no trace reaches (2^53 cycles)");
            assert!(places.contains(&said), "{said}:\n{places}");
        }
        assert_eq!((ledger.count(RemarkKind::MalformedRow), ledger.count(RemarkKind::PacketLoss)), (3, 0));
        // The wave without an end is one more, of no known length.
        assert_eq!((rows[0].count, rows[0].cut), (1501, 1));
        assert_eq!(rows[0].inclusive, expected[0].inclusive);
        assert_eq!(rows[1..], expected[1..]);
    }
}

#[test]
fn a_sample_of_the_clocks_far_out_does_not_change_the_rate() {
    let trace = small();
    let real = |shader: i64| {
        let text =
            json!({"metadata": {"frequency": 100_000_000}, "SE0": [[0, 0], [21_000, 1000], [shader, 2000]]});
        fs::write(trace.ui().join("realtime.json"), text.to_string()).unwrap();
        let folder = load(trace.root.path());
        (folder.real_time.as_ref().unwrap().mean_clock_hz().unwrap(), folder.ledger)
    };
    let ((sound, _), (rate, ledger)) = (real(42_000), real(1 << 62));
    assert_eq!((sound, rate), (2.1e9, 2.1e9));
    assert_eq!(ledger.count(RemarkKind::MalformedRow), 1);
}

#[test]
fn kinds_of_markers_may_be_words_and_odd_names_are_counted() {
    let mut trace = Trace::new();
    trace.launch(100, 1);
    trace.retire(900);
    trace.words(&[6, 10, 1, 14, 1, 18, 1, 22, 1, 1, 28, 32]);
    trace.code = json!({"sqtt_funcmap_payloads": [], "sqtt_funcmap": [
        [7, 0, "Kernel", "kernel", "", 4096], [7, 1, "user_scope", "a", "", 0], [7, 2, "FUNCTION", "b", "", 8192],
        [7, 3, "userscope", "c", "", 0], [7, 4, "F", "", "x:1", 0], [7, 5, "f"], [7, 7, "point", "p", null],
        [7, 8, "P", "q", "", 0], [7, 9, "pint", "r", "", 0],
    ]});
    let (lines, ledger) = trace.events();
    let names: Vec<&str> =
        lines.iter().filter(|line| !line.contains("Exit ")).map(String::as_str).skip(1).collect();
    assert_eq!(
        names,
        [
            "200 Enter a",
            "210 Enter b",
            "230 Enter c",
            "250 Enter ",
            "270 Enter ",
            "300 Point p",
            "310 Point q"
        ]
    );
    let places = places(&ledger, RemarkKind::MalformedRow);
    let text = fs::read_to_string(trace.ui().join("code.json")).unwrap();
    let expected =
        [("[7,4", "whose name is empty"), ("[7,5", "without a name"), ("[7,9", "or a kind: F, K, U or P")];
    assert_eq!(places.len(), expected.len(), "{places:?}");
    for (row, what) in expected {
        let byte = format!("at byte {:#x}: a funcmap row", text.find(row).unwrap());
        assert!(
            places.iter().any(|place| place.contains(&byte) && place.contains(what)),
            "{what}: {places:?}"
        );
    }
}

#[test]
fn a_capture_of_pc_samples_is_called_that() {
    let trace = Trace::new();
    trace.write();
    let names = |sampled: bool, traced: bool| {
        let names = json!({"gfxip": 9, "is_pcs_stochastic": true, "pc_sampling": sampled, "thread_trace": traced,
            "version": "3.0.0", "wave_filenames": null});
        fs::write(trace.ui().join("filenames.json"), names.to_string()).unwrap();
        let (_, ledger) = events(&load(trace.root.path()));
        places(&ledger, RemarkKind::NoWaveData)
    };
    let said = names(true, false);
    assert!(said.len() == 1 && said[0].contains(": PC samples, and no thread trace"), "{said:?}");
    for (sampled, traced) in [(false, true), (false, false), (true, true)] {
        let said = names(sampled, traced);
        assert!(said.len() == 1 && said[0].contains("no wave and no record"), "{said:?}");
    }
    // A trace whose waves are there is one, whatever it says.
    let trace = small();
    fs::write(trace.ui().join("filenames.json"), r#"{"pc_sampling": true}"#).unwrap();
    assert_eq!(events(&load(trace.root.path())).0[1..], SCOPE);
    // The folder of samples alone.
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("77_pc_sampling_host_trap.csv"), "Sample_Timestamp\n").unwrap();
    let error = discover(&[root.path().to_owned()]).unwrap_err().to_string();
    assert!(error.contains("77_pc_sampling_host_trap.csv: PC samples, and no thread trace"), "{error}");
}

/// The names of the scopes of a folder, with the code objects at `chosen` in the place of those beside it.
fn with_code_objects(trace: &Trace, chosen: &Path) -> Vec<String> {
    trace.write();
    let mut found = discover(&[trace.root.path().to_owned()]).unwrap();
    found.replace_code_objects(&[chosen.to_owned()]).unwrap();
    events(&trace::Trace::load(&trace.ui(), &found.catalog(), LoadOptions::default())).0
}

#[test]
fn a_chosen_program_goes_before_what_the_folder_says() {
    let programs = tempfile::tempdir().unwrap();
    let program = programs.path().join("program");
    fs::write(&program, generate::code_object(b"K:kernel\nU:1:chosen\n")).unwrap();
    let mut trace = Trace::new();
    trace.launch(100, 1);
    trace.words(&[6, 1]);
    // Its file has no number, and the dispatch has one: the kernel's name says which it is.
    trace.events = json!({"0": [{"kind": "dispatch", "time": 50, "kernel_id": 1, "kernel_name": "kernel",
        "entry_point": {"address": 4096, "code_object_id": 7}}]});
    assert_eq!(with_code_objects(&trace, &program)[1], "200 Enter chosen");
    trace.code = json!({"sqtt_funcmap": [[7, 0, "K", "kernel", "", 0], [7, 1, "U", "table", "", 0]]});
    assert_eq!(with_code_objects(&trace, &program)[1], "200 Enter chosen");
    trace.events = json!({});
    assert_eq!(with_code_objects(&trace, &program)[1], "200 Enter chosen");
    assert_eq!(trace.events().0[1], "200 Enter table");
}

#[test]
fn another_processs_file_of_the_same_number_does_not_give_its_names() {
    let mut trace = Trace::new();
    trace.launch(100, 1);
    trace.words(&[6, 0x14, 8, 1]);
    trace.code = json!({"sqtt_funcmap": [[7, 0, "K", "kernel", "", 0], [7, 1, "U", "own", "", 0],
        [7, 5, "P", "item", "", 0]]});
    let far = trace.root.path().join("elsewhere");
    fs::create_dir(&far).unwrap();
    let file = far.join("1_gfx1200_code_object_id_7.out");
    fs::write(&file, generate::code_object(b"K:kernel\nU:1:another\nP:5:item\n")).unwrap();
    // The copy does not say which markers have payload: only an immediate could be read.
    assert_eq!(trace.events().0[1], "200 Undecoded event#1");
    // The folder's own, kept elsewhere: the file knows of payload, which some writers' tables do not.
    let own = b"K:kernel\nU:1:own\nP:5:item\nR:5:extra_payload_count=1\n";
    fs::write(&file, generate::code_object(own)).unwrap();
    assert_eq!(trace.events().0[1..3], ["200 Enter own", "210 Point item [8]"]);
    // Also where the other is at hand, too.
    let third = trace.root.path().join("third");
    fs::create_dir(&third).unwrap();
    fs::write(
        third.join("2_gfx1200_code_object_id_7.out"),
        generate::code_object(b"K:kernel\nU:1:another\n"),
    )
    .unwrap();
    assert_eq!(trace.events().0[1..3], ["200 Enter own", "210 Point item [8]"]);
}

#[test]
fn several_maps_and_nothing_that_says_which_kernel_ran_is_said() {
    let mut trace = small();
    trace.object(8, "U:1:other\nK:another\n");
    fs::remove_file(trace.ui().join("occupancy.json")).unwrap();
    let (_, ledger) = events(&load(trace.root.path()));
    let places = places(&ledger, RemarkKind::AmbiguousKernel);
    assert!(places[0].contains("no occupancy.json says which ran: "), "{places:?}");
    assert!(places[0].contains("id_7") && places[0].contains("id_8"), "{places:?}");
}
