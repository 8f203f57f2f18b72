//! Timelines: a strict model of the format reads them, and they say what the decoder says.

use crate::support;
use std::collections::BTreeMap;

use crate::support::chrome::{Model, Thread, read};
use crate::support::traces::Trace;
use crate::support::{golden, hostile, load_all};
use serde_json::{Value, json};
use sqtt_answers::NameStyle;
use sqtt_answers::perfetto::{PerfettoOptions, write_perfetto};
use sqtt_decoder::generate::{Plan, Writer, write};
use sqtt_decoder::trace;
use sqtt_decoder::{Filter, Ledger};

/// Begin, end, and why it ended where that was not by its exit.
type Scope<'a> = (i64, i64, Option<&'a str>);

fn written(folder: &trace::Trace, options: &PerfettoOptions) -> (String, Ledger) {
    let mut out = Vec::new();
    let ledger = write_perfetto(&mut out, folder, &Filter::default(), options).unwrap();
    (String::from_utf8(out).unwrap(), ledger)
}

fn model_of(folder: &trace::Trace) -> Model {
    read(&written(folder, &PerfettoOptions::default()).0).unwrap()
}

/// The tracks of waves.
fn waves(model: &Model) -> impl Iterator<Item = &Thread> {
    let is_wave = |thread: &&Thread| thread.name.as_deref().is_some_and(|name| name.starts_with("SE"));
    model.threads.values().filter(is_wave)
}

#[test]
#[ignore = "it reads the shared test data"]
fn golden_files_of_the_example() {
    let path = test_data::find("ui-example");
    let folders = load_all(&path);
    let names = NameStyle { demangle: true, short: false };
    let (text, _) = written(&folders[0], &PerfettoOptions { names, ..PerfettoOptions::default() });
    read(&text).unwrap();
    let root = folders[0].path.parent().unwrap().display().to_string();
    golden("example.perfetto.json", &text.replace(&root, "EXAMPLE"));
}

#[test]
fn golden_files_of_a_generated_trace() {
    let (root, folder) = support::small_generated();
    let (text, _) = written(&folder, &PerfettoOptions::default());
    golden("generated.perfetto.json", &text.replace(&root.path().display().to_string(), "GENERATED"));
}

/// A wave by hand: scopes, a fused exit and enter, a point with payload, an exit of nothing.
#[test]
fn a_wave_is_a_track() {
    let mut trace = Trace::of_one_wave("F:1:inner@k.hip:12\nU:2:a\nP:3:item\nR:3:extra_payload_count=1\n");
    trace.words(&[10, 6, 12, 0xCAFE, 11, 1, 1, 1]);
    let model = model_of(&trace.load());
    let track = waves(&model).next().unwrap();
    assert_eq!(track.name.as_deref(), Some("SE0/CU1/SIMD2/W3#0"));
    assert_eq!(model.processes[&track.pid], "kernel 1: kernel");
    let slices: Vec<_> =
        track.slices.iter().map(|slice| (slice.name.as_str(), slice.begin, slice.end, slice.depth)).collect();
    // Nobody says how fast the clock ran: a cycle is a nanosecond.
    assert_eq!(
        slices,
        [("inner", 210, 240, 2), ("a", 240, 250, 2), ("a", 200, 260, 1), ("wave", 100, 10_000, 0)]
    );
    let cats: Vec<_> = track.slices.iter().map(|slice| slice.cat.as_str()).collect();
    assert_eq!(cats, ["sqtt.function", "sqtt.user", "sqtt.user", "sqtt.wave"]);
    assert_eq!(track.slices[0].args, json!({"id": 1, "source": "k.hip:12"}));
    assert_eq!(track.slices[0].end_args, json!({"cycle": 210, "cycles": 30}));
    assert_eq!(track.slices[3].args, json!({"kernel": "kernel", "code_object": 7}));
    assert_eq!(track.instants[0].args, json!({"id": 3, "payload": [0xCAFE], "cycle": 220}));
    assert_eq!((track.instants[0].name.as_str(), track.instants[0].cat.as_str()), ("item", "sqtt.point"));
    assert_eq!(track.instants[1].name, "exit of nothing");
    let counter = (track.pid, "item SE0/CU1/SIMD2/W3".to_owned(), "value".to_owned());
    assert_eq!(model.counters, BTreeMap::from([(counter, vec![(220, f64::from(0xCAFE))])]));
    // The trace's own track: how to read times, and what was lost.
    let own = &model.threads.values().find(|thread| thread.name.as_deref() == Some("trace")).unwrap();
    assert_eq!(own.instants[0].args["clock_rate"], "nominal");
    assert_eq!(own.instants[0].name, "trace (nominal time)");
    assert_eq!(own.instants[0].args["engines"], json!([{"se": 0, "first_cycle": 100, "last_cycle": 10_000}]));
    assert_eq!(own.instants[1].args["ledger"]["unmatched_exit"]["count"], 1);
    assert_eq!(own.instants[1].args["summary"], "lost: 1 unmatched exits");
}

#[test]
fn times_are_microseconds_by_the_rate() {
    let mut trace = Trace::of_one_wave("U:1:a\n");
    trace.record(2_100_000, 6, 0);
    trace.record(4_200_000, 1, 0);
    trace.waves_reset();
    trace.launch(2_100_000, 1);
    trace.retire(4_200_000);
    let folder = trace.load();
    let (text, _) = written(&folder, &PerfettoOptions { clock_ghz: Some(2.1), ..PerfettoOptions::default() });
    // 2.1 million cycles at 2.1 GHz are a millisecond: 1000 microseconds.
    assert!(text.contains(r#""ts":1000.000,"name":"a""#), "{text}");
    assert!(text.contains(r#""clock_rate":"given","clock_ghz":2.1"#), "{text}");
    let (text, _) = written(&folder, &PerfettoOptions::default());
    assert!(text.contains(r#""ts":2100.000,"name":"a""#) && text.contains("nominal"), "{text}");
    std::fs::write(
        folder.path.join("realtime.json"),
        json!({"metadata": {"frequency": 100_000_000}, "SE0": [[0, 0], [21_000, 1_000]]}).to_string(),
    )
    .unwrap();
    let folder = support::traces::load(trace.root.path());
    let (text, _) = written(&folder, &PerfettoOptions::default());
    assert!(text.contains(r#""ts":1000.000,"name":"a""#) && text.contains("measured"), "{text}");
}

#[test]
fn large_and_negative_times_can_begin_at_zero() {
    let mut trace = Trace::of_one_wave("U:1:a\n");
    trace.waves_reset();
    let far = 1_i64 << 52;
    trace.launch(far, 1);
    trace.record(far + 10, 6, 0);
    trace.record(far + 30, 1, 0);
    trace.retire(far + 40);
    let folder = trace.load();
    let (text, _) = written(&folder, &PerfettoOptions::default());
    // Exact to the nanosecond, beyond what a viewer's floating point numbers tell apart.
    assert!(text.contains(&format!("\"ts\":{}.{:03}", (far + 10) / 1000, (far + 10) % 1000)), "{text}");
    let (text, _) = written(&folder, &PerfettoOptions { from_zero: true, ..PerfettoOptions::default() });
    let model = read(&text).unwrap();
    let slices = &waves(&model).next().unwrap().slices;
    assert_eq!((slices[0].begin, slices[0].end, slices[1].begin, slices[1].end), (10, 30, 0, 40));
    assert!(text.contains(&format!("\"cycle_of_time_0\":{far}")));

    let mut trace = Trace::of_one_wave("U:1:a\n");
    trace.waves_reset();
    trace.launch(-50, 1);
    trace.record(-20, 6, 0);
    trace.record(30, 1, 0);
    let model = model_of(&trace.load());
    let slices = &waves(&model).next().unwrap().slices;
    assert_eq!((slices[0].begin, slices[0].end, slices[1].begin), (30, 80, 0));
    assert_eq!(slices[1].end_args["closed_by"], "trace_end");
}

/// Every scope that the decoder closes is a slice, with its begin, end and reason; on every kind of trace.
#[test]
fn slices_are_the_decoders_scopes() {
    for writer in [Writer::Rocprofv3, Writer::AttTool] {
        let losses = u64::from(writer == Writer::AttTool) * 3;
        let plan = Plan { writer, packet_losses: losses, records: 8000, ..Plan::default() };
        check_slices(&plan);
    }
    check_slices(&Plan { packed: true, records: 8000, ..Plan::default() });
}

fn check_slices(plan: &Plan) {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), plan).unwrap();
    let folder = support::traces::load(root.path());
    let mut expected: BTreeMap<String, Vec<Scope<'_>>> = BTreeMap::new();
    let mut points = 0;
    let ledger = folder.decode(&Filter::default(), |wave, stream| {
        let track = expected.entry(format!("{}#{}", wave.slot, wave.generation)).or_default();
        while let Some(event) = stream.next() {
            points += usize::from(event.kind == sqtt_decoder::stream::EventKind::Point);
            if let Some(closed) = event.closed {
                let reason = Some(closed.reason.name()).filter(|reason| *reason != "marker");
                track.push((closed.begin, closed.end, reason));
            }
        }
    });
    let (text, own) =
        written(&folder, &PerfettoOptions { clock_ghz: Some(1.0), ..PerfettoOptions::default() });
    assert_eq!(own, ledger);
    let model = read(&text).unwrap();
    let mut shown = 0;
    for track in waves(&model) {
        let scopes: Vec<_> = track
            .slices
            .iter()
            .filter(|slice| slice.cat != "sqtt.wave")
            .map(|slice| (slice.begin, slice.end, slice.end_args["closed_by"].as_str()))
            .collect();
        assert_eq!(scopes, expected[track.name.as_ref().unwrap()]);
        assert_eq!(
            track.slices.iter().filter(|slice| slice.depth == 0 && slice.cat == "sqtt.wave").count(),
            1
        );
        shown += track.instants.iter().filter(|instant| instant.cat == "sqtt.point").count();
    }
    assert_eq!((waves(&model).count(), shown), (expected.len(), points));
}

#[test]
fn dispatches_are_processes_where_they_are_known() {
    let mut trace = Trace::of_one_wave("U:1:a\n");
    let dispatch = |time: i64, kernel: u64| {
        json!({"kind": "dispatch", "time": time, "me_id": 1, "pipe_id": 0, "kernel_id": kernel, "lds_size": 512,
               "thread_dim_x": 64, "thread_dim_y": 1, "thread_dim_z": 1})
    };
    trace.waves_reset();
    for (se, slot, time) in [(0, 3, 100), (0, 3, 500), (1, 3, 110), (1, 4, 510)] {
        trace.wave(se, json!([time, 1, 2, slot, 1, 1, 1, 0, 1, 7, 0]));
        trace.wave(se, json!([time + 50, 1, 2, slot, 0, 1, 1, 0, 1, 7, 0]));
    }
    // Two dispatches of one kernel, seen by both engines, a little later by the other.
    trace.events =
        json!({"0": [dispatch(90, 1), dispatch(480, 1)], "1": [dispatch(95, 1), dispatch(485, 1)]});
    let shown = model_of(&trace.load());
    let processes = |model: &Model| {
        let tracks =
            waves(model).map(|track| (model.processes[&track.pid].clone(), track.name.clone().unwrap()));
        let mut tracks: Vec<_> = tracks.collect();
        tracks.sort();
        tracks
    };
    let track = |process: &str, wave: &str| (process.to_owned(), wave.to_owned());
    assert_eq!(
        processes(&shown),
        [
            track("dispatch 0: kernel", "SE0/CU1/SIMD2/W3#0"),
            track("dispatch 0: kernel", "SE1/CU1/SIMD2/W3#0"),
            track("dispatch 1: kernel", "SE0/CU1/SIMD2/W3#1"),
            track("dispatch 1: kernel", "SE1/CU1/SIMD2/W4#0"),
        ]
    );
    let own = shown.threads.values().find(|thread| thread.name.as_deref() == Some("dispatch")).unwrap();
    assert_eq!(own.instants[0].args["workgroup_size"], json!([64, 1, 1]));
    assert_eq!(own.instants[0].args["lds_size"], 512);
    assert_eq!(waves(&shown).next().unwrap().slices[0].args["workgroup"], 7);
    // Engines that saw different dispatches: none is taken for another's.
    trace.events = json!({"0": [dispatch(90, 1), dispatch(480, 1)], "1": [dispatch(485, 1)]});
    let shown = processes(&model_of(&trace.load()));
    let names: Vec<_> = shown.iter().map(|(process, _)| process.as_str()).collect();
    assert_eq!(
        names,
        [
            "dispatch 0 of SE0: kernel",
            "dispatch 0 of SE1: kernel",
            "dispatch 1 of SE0: kernel",
            "kernel 1: kernel"
        ]
    );
}

#[test]
fn tracks_are_unique_whatever_the_instance() {
    let plan = Plan {
        records: 8_000,
        records_per_wave: 9,
        engines: 2,
        cus: 1,
        simds: 1,
        slots: 1,
        packed: true,
        ..Plan::default()
    };
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &plan).unwrap();
    let folder = support::traces::load(root.path());
    let model = model_of(&folder);
    // More than 255 waves of a slot.
    assert!(waves(&model).count() > 2 * 255 && waves(&model).count() == folder.launch_count());
    let names: std::collections::BTreeSet<_> = waves(&model).map(|track| track.name.clone()).collect();
    assert_eq!(names.len(), folder.launch_count());
}

#[test]
fn ten_thousand_waves_have_a_track_each() {
    let plan = Plan { records: 150_000, records_per_wave: 9, engines: 4, packed: true, ..Plan::default() };
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &plan).unwrap();
    let folder = support::traces::load(root.path());
    assert!(folder.launch_count() > 10_000);
    assert_eq!(waves(&model_of(&folder)).count(), folder.launch_count());
}

#[test]
fn hostile_names_stay_names() {
    let trace = hostile();
    let model = model_of(&trace.load());
    let track = waves(&model).next().unwrap();
    let names: Vec<_> = track.slices.iter().map(|slice| slice.name.as_str()).collect();
    assert_eq!(names.len(), 15);
    assert!(names.contains(&"</title></svg><script>alert(1)</script>") && names.contains(&"a;b 12"));
    assert!(track.slices.iter().any(|slice| slice.args["source"] == "/src/\"odd\" <path>;.hip:9"));
    assert_eq!(track.instants[0].args["payload"], json!([u32::MAX]));
}

#[test]
fn records_around_a_waves_life_stay_inside_of_its_slice() {
    let mut trace = Trace::of_one_wave("U:1:a\n");
    trace.waves_reset();
    trace.launch(500, 1);
    trace.retire(600);
    trace.record(550, 6, 0);
    // After the wave's end, and before anything was launched.
    trace.record(700, 1, 0);
    trace.row(0, json!([100, 6, 1, 2, 4, 0]));
    let model = model_of(&trace.load());
    let tracks: Vec<_> = waves(&model).collect();
    assert_eq!((tracks[0].slices[1].begin, tracks[0].slices[1].end), (500, 600));
    assert_eq!(tracks[1].name.as_deref(), Some("SE0/CU1/SIMD2/W4 before its first wave"));
    assert_eq!(model.processes[&tracks[1].pid], "waves of no known kernel");
}

#[test]
fn nothing_is_a_file_without_waves() {
    let trace = Trace::new();
    let model = model_of(&trace.load());
    assert_eq!((model.processes.len(), waves(&model).count()), (1, 0));
}

#[test]
fn a_writer_that_is_gone_ends_it() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let trace = hostile();
    let folder = trace.load();
    for room in [0, 10, 1000, 5000] {
        let error = write_perfetto(&mut Full(room), &folder, &Filter::default(), &PerfettoOptions::default());
        assert_eq!(error.unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    }
    let _: Value = serde_json::from_str(&written(&folder, &PerfettoOptions::default()).0).unwrap();
}
