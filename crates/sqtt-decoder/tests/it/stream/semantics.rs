//! One test per row of the table of semantics in `docs/decoding.md`.

use crate::traces::Trace;
use serde_json::json;
use sqtt_decoder::RemarkKind::{self, *};

const MAP: &str = "U:1:outer\nU:2:inner\nF:3:work\nP:4:point\nP:5:item\nR:5:extra_payload_count=1\n";

/// Events of one wave with these words, from 200 on, and the ledger's counts.
fn one_wave(words: &[u32]) -> (Vec<String>, Vec<(RemarkKind, u64)>) {
    let mut trace = Trace::of_one_wave(MAP);
    trace.words(words);
    outcome(&trace)
}

fn outcome(trace: &Trace) -> (Vec<String>, Vec<(RemarkKind, u64)>) {
    let (lines, ledger) = trace.events();
    let counts = ledger.tallies().map(|(kind, tally)| (kind, tally.count)).collect();
    (lines, counts)
}

const WAVE: &str = "wave SE0/CU1/SIMD2/W3 0";

#[test]
fn unknown_enter_opens_a_scope() {
    let (lines, counts) = one_wave(&[6, 38, 1, 1]);
    assert_eq!(
        lines,
        [
            WAVE,
            "200 Enter outer",
            "210 Enter event#9",
            "220 Exit -event#9:210..220 10 marker",
            "230 Exit -outer:200..230 20 marker"
        ]
    );
    assert_eq!(counts, [(UnknownId, 1)]);
}

#[test]
fn unknown_point_is_an_event_and_no_scope() {
    let (lines, counts) = one_wave(&[6, 36, 1]);
    assert_eq!(lines, [WAVE, "200 Enter outer", "210 Point event#9", "220 Exit -outer:200..220 20 marker"]);
    assert_eq!(counts, [(UnknownId, 1)]);
}

/// The ledger of a wave that enters `outer`, enters 9, and leaves both, of an object that says this of its numeric
/// markers.
fn with_numeric(numeric: Option<&str>) -> (Vec<String>, Vec<(sqtt_decoder::RemarkKind, u64)>) {
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    let mut config = sqtt_format::ConfigRecord::new("1", "22");
    numeric.into_iter().for_each(|ids| config.set_numeric(ids.parse().unwrap()));
    std::fs::remove_file(trace.object(7, "")).unwrap();
    trace.object_for(0x48, "K:kernel\nU:1:outer\n", Some(&config));
    trace.words(&[6, 38, 1, 1]);
    outcome(&trace)
}

/// A kernel that calls a function of another unit, linked into one code object.
#[test]
fn ids_of_several_meanings_are_lost_with_and_without_a_name() {
    let mut trace = Trace::of_one_wave("");
    let map = "K:kernel\nU:1:outer\nP:2:mine\n\0K:other\nP:2:theirs\nP:3:free\n\0F:4:one\n\0F:4:two\n\0";
    trace.object(7, map);
    trace.words(&[6, 8, 12, 16, 1]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines,
        [
            WAVE,
            "200 Enter outer",
            "210 Point mine",
            "220 Point free",
            "230 Point event#4",
            "240 Exit -outer:200..240 40 marker"
        ]
    );
    assert_eq!(counts, [(SharedId, 2)]);
    assert!(SharedId.is_loss() && sqtt_decoder::check::advice(SharedId).is_some());
    // A trace without such words lost nothing.
    let mut trace = Trace::of_one_wave("");
    let object = trace.object(7, map);
    trace.words(&[6, 12, 1]);
    assert_eq!(outcome(&trace).1, []);
    // The remark says what helps.
    let ledger = sqtt_decoder::names::Catalog::read(&[object]).ledger;
    let (kind, said) = ledger.tallies().next().unwrap();
    let place = said.places.keys().next().unwrap();
    assert!(kind == FuncmapRow && place.contains("2 ids mean different things"), "{place}");
}

#[test]
fn an_object_says_which_ids_are_numeric_and_changes_no_reading() {
    let (lines, _) = one_wave(&[6, 38, 1, 1]);
    for (numeric, expected) in [
        (Some("9"), NumericMarker),
        (Some("3,8-40"), NumericMarker),
        (Some("any"), NumericMarker),
        (Some("8,10"), UnknownId),
        (Some("none"), UnknownId),
        (None, UnknownId),
    ] {
        assert_eq!(with_numeric(numeric), (lines.clone(), vec![(expected, 1)]), "{numeric:?}");
        assert_eq!(expected.is_loss(), expected == UnknownId);
    }
}

#[test]
fn an_object_without_a_map_has_numeric_markers() {
    let mut trace = Trace::new();
    trace.code = json!({"code": null, "kernels": [{"codeobj": 7, "name": "kernel"}]});
    trace.launch(100, 1);
    trace.retire(10_000);
    trace.words(&[6, 38, 1, 1]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines[1..3], ["200 Enter event#1", "210 Enter event#9"]);
    assert_eq!(counts, [(NumericMarker, 2)]);
}

#[test]
fn bare_exit_on_an_empty_stack_is_counted() {
    let (lines, counts) = one_wave(&[1]);
    assert_eq!(lines, [WAVE, "200 Exit"]);
    assert_eq!(counts, [(UnmatchedExit, 1)]);
}

#[test]
fn bare_exit_says_which_scope_it_closes() {
    let (lines, counts) = one_wave(&[6, 10, 1, 1]);
    assert_eq!(lines[3..], ["220 Exit -inner:210..220 10 marker", "230 Exit -outer:200..230 20 marker"]);
    assert_eq!(counts, []);
}

#[test]
fn fused_pops_then_pushes() {
    let (lines, counts) = one_wave(&[6, 11, 1]);
    assert_eq!(
        lines[1..],
        [
            "200 Enter outer",
            "210 ExitEnter inner -outer:200..210 10 marker",
            "220 Exit -inner:210..220 10 marker"
        ]
    );
    assert_eq!(counts, []);
}

#[test]
fn fused_on_an_empty_stack_pushes_and_is_counted() {
    let (lines, counts) = one_wave(&[11, 1]);
    assert_eq!(lines[1..], ["200 ExitEnter inner", "210 Exit -inner:200..210 10 marker"]);
    assert_eq!(counts, [(UnmatchedExit, 1)]);
}

#[test]
fn a_point_is_a_point_whatever_its_flags() {
    let mut trace = Trace::of_one_wave("U:1:outer\nP:4:point\n");
    trace.words(&[6, 18, 17, 19, 1]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines[1..],
        [
            "200 Enter outer",
            "210 Point point",
            "220 Point point",
            "230 Point point",
            "240 Exit -outer:200..240 40 marker"
        ]
    );
    assert_eq!(counts, [(PointWithFlags, 3)]);
}

#[test]
fn a_scopes_name_without_bits_is_a_point() {
    let mut trace = Trace::of_one_wave("U:1:outer\nF:3:work\n");
    trace.words(&[4, 12]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines[1..], ["200 Point outer", "210 Point work"]);
    assert_eq!(counts, []);
}

#[test]
fn an_end_without_a_start_is_noted() {
    let mut trace = Trace::new();
    trace.object(7, "K:kernel\nU:1:outer\n");
    trace.retire(50);
    trace.launch(100, 1);
    trace.retire(900);
    trace.words(&[6, 1]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines.len(), 3);
    assert_eq!(counts, [(EndWithoutStart, 1)]);
}

#[test]
fn value_0_does_nothing() {
    let (lines, counts) = one_wave(&[6, 0, 2, 3, 1]);
    assert_eq!(lines[2..5], ["210 Reserved event#0", "220 Reserved event#0", "230 Reserved event#0"]);
    assert_eq!(lines[5], "240 Exit -outer:200..240 40 marker");
    assert_eq!(counts, [(ReservedWord, 3)]);
}

#[test]
fn scopes_open_at_the_end_close_when_their_wave_retires() {
    let (lines, counts) = one_wave(&[6, 10]);
    assert_eq!(
        lines[3..],
        ["10000 Exit -inner:210..10000 9790 wave_end", "10000 Exit -outer:200..10000 10 wave_end"]
    );
    assert_eq!(counts, [(ScopeOpenAtWaveEnd, 2)]);
}

#[test]
fn a_wave_without_an_end_closes_its_scopes_at_its_last_record() {
    let mut trace = Trace::new();
    trace.object(7, &format!("K:kernel\n{MAP}"));
    trace.launch(100, 1);
    trace.words(&[6, 10, 16]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines[4..],
        ["220 Exit -inner:210..220 10 trace_end", "220 Exit -outer:200..220 10 trace_end"]
    );
    assert_eq!(counts, [(ScopeOpenAtTraceEnd, 2)]);
}

#[test]
fn a_new_wave_in_a_slot_starts_anew() {
    let mut trace = Trace::of_one_wave(MAP);
    // The slot starts again without having ended, at the time of a record, which is the new wave's: the end is lost,
    // and whether the word there is payload is not known.
    trace.waves_reset();
    trace.launch(100, 1);
    trace.launch(220, 1);
    trace.retire(500);
    trace.words(&[6, 10, 14, 1, 1]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines,
        [
            WAVE,
            "200 Enter outer",
            "210 Enter inner",
            "210 Exit -inner:210..210 0 packet_loss",
            "210 Exit -outer:200..210 10 packet_loss",
            "wave SE0/CU1/SIMD2/W3 1",
            "230 Exit",
            "240 Exit"
        ]
    );
    let lost = [(LostWord, 1), (ExitWithoutEnter, 2), (ScopeCutByPacketLoss, 2)];
    assert_eq!(counts, [&[(StartInBusySlot, 1)], &lost[..]].concat());
}

#[test]
fn a_record_after_its_waves_end_belongs_to_it() {
    let mut trace = Trace::new();
    trace.object(7, &format!("K:kernel\n{MAP}"));
    trace.launch(100, 1);
    trace.retire(205);
    trace.words(&[6, 1]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines, [WAVE, "200 Enter outer", "205 Exit -outer:200..205 5 marker"]);
    assert_eq!(counts, []);
}

#[test]
fn a_block_takes_its_late_words_across_a_relaunch() {
    let mut trace = Trace::new();
    trace.object(7, &format!("K:kernel\n{MAP}"));
    trace.launch(100, 1);
    trace.retire(205);
    trace.launch(208, 1);
    trace.retire(900);
    trace.words(&[20, 6, 1]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines, [WAVE, "200 Point item [6]", "wave SE0/CU1/SIMD2/W3 1", "220 Exit"]);
    assert_eq!(counts, [(UnmatchedExit, 1)]);
}

#[test]
fn trap_handler_records_are_none_of_the_programs() {
    let mut trace = Trace::of_one_wave(MAP);
    trace.record(200, 20, 0);
    trace.record(210, 6, 3);
    trace.record(220, 77, 0);
    trace.record(230, 6, 2);
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines, [WAVE, "200 Point item [77]"]);
    assert_eq!(counts, [(TrapHandlerRecord, 2)]);
}

#[test]
fn an_immediate_is_always_a_header() {
    let mut trace = Trace::of_one_wave(MAP);
    trace.record(200, 20, 0);
    trace.record(210, 6, 1);
    trace.record(220, 1, 1);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines,
        [WAVE, "200 Point item truncated", "210 Enter outer", "220 Exit -outer:210..220 10 marker"]
    );
    assert_eq!(counts, [(TruncatedBlock, 1)]);
}

#[test]
fn records_before_the_first_wave_have_no_names() {
    // With payload about, they may be anything; without, they are what users numbered.
    for (map, line) in [(MAP, "50 Undecoded event#1"), ("U:1:outer\n", "50 Enter event#1")] {
        let mut trace = Trace::of_one_wave(map);
        trace.record(50, 6, 0);
        trace.words(&[6, 1]);
        let (lines, ledger) = trace.events();
        assert_eq!(lines[..2], [WAVE, line]);
        assert_eq!(lines[lines.len() - 2..], ["200 Enter outer", "210 Exit -outer:200..210 10 marker"]);
        assert_eq!(ledger.count(BeforeFirstWave), 1);
    }
}

#[test]
fn a_wave_older_than_the_trace_has_exits_without_enters() {
    let mut trace = Trace::new();
    trace.object(7, "K:kernel\nU:1:outer\n");
    trace.launch(0, 0);
    trace.retire(900);
    trace.words(&[1, 6, 1]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines[1..], ["200 Exit", "210 Enter outer", "220 Exit -outer:210..220 10 marker"]);
    assert_eq!(counts, [(AssumedCodeObject, 1), (ExitWithoutEnter, 1)]);
    // Nothing says which of several it was.
    trace.object(8, "K:other\nU:1:another\n");
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines[2], "210 Enter event#1");
    assert_eq!(counts, [(UnresolvedKernel, 1), (UnknownId, 1), (ExitWithoutEnter, 1)]);
}

#[test]
fn an_ambiguous_kernel_is_called_ambiguous() {
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    let twin = trace.object(8, "K:kernel\nU:1:another\n");
    trace.words(&[6, 1]);
    let (lines, ledger) = trace.events();
    assert_eq!(lines[1..], ["200 Enter event#1", "210 Exit -event#1:200..210 10 marker"]);
    assert_eq!(ledger.count(AmbiguousKernel), 1);
    let (_, tally) = ledger.tallies().find(|(kind, _)| *kind == AmbiguousKernel).unwrap();
    let place = tally.places.keys().next().unwrap();
    assert!(place.contains("object_id_7.out") && place.contains("object_id_8.out"), "{place}");
    // The same code object twice, as several GPUs load it, is no question.
    std::fs::write(twin, sqtt_decoder::generate::code_object(b"K:kernel\nU:1:outer\n")).unwrap();
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines[1], "200 Enter outer");
    assert_eq!(counts, []);
}

#[test]
fn packet_loss_closes_scopes_and_decoding_goes_on() {
    let mut trace = Trace::of_one_wave(MAP);
    trace.events = json!({"0": [{"kind": "event", "time": 215, "type": 6}]});
    trace.words(&[6, 10, 1, 14, 1, 1]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines[1..],
        [
            "200 Enter outer",
            "210 Enter inner",
            "215 Exit -inner:210..215 5 packet_loss",
            "215 Exit -outer:200..215 10 packet_loss",
            "230 Enter work",
            "240 Exit -work:230..240 10 marker",
            "250 Exit"
        ]
    );
    // The word at 220 may be an item.
    let lost = [(LostWord, 1), (WaveAcrossLoss, 1), (ExitWithoutEnter, 1), (ScopeCutByPacketLoss, 2)];
    assert_eq!(counts, [&[(PacketLoss, 1)], &lost[..]].concat());
}

#[test]
fn packed_headers_by_known_ids_and_everything_else_as_it_is() {
    let mut trace = Trace::of_one_wave("M:shader_clock_bits=12;shader_clock_shift=4\nU:1:outer\n");
    trace.words(&[0x1230_0006, 0x0040_0000, 0x1230_0001]);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines[1..],
        ["200 Enter outer", "210 Point event#1048576", "220 Exit -outer:200..220 20 marker"]
    );
    assert_eq!(counts, [(UnknownId, 1)]);
}

#[test]
fn two_shader_arrays_are_two_waves() {
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    trace.wave(0, json!([100, 129, 2, 3, 1, 1]));
    trace.wave(0, json!([900, 129, 2, 3, 0, 1]));
    trace.words(&[6, 1]);
    trace.row(0, json!([205, 6, 129, 2, 3, 0]));
    trace.row(0, json!([215, 1, 129, 2, 3, 0]));
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines.iter().filter(|line| line.contains("-outer")).count(), 2);
    assert_eq!(lines[3], "wave SE0/CU129/SIMD2/W3 0");
    assert_eq!(counts, []);
}

#[test]
fn no_event_is_before_its_waves_launch() {
    // The first record of the wave is the trap handler's; the next one, which arrived later, is from before the launch.
    let mut trace = Trace::of_one_wave("U:1:outer\n");
    trace.record(205, 77, 2);
    trace.record(90, 6, 0);
    trace.record(210, 1, 0);
    let (lines, ledger) = trace.events();
    assert_eq!(lines[1..], ["100 Enter outer", "210 Exit -outer:100..210 110 marker"]);
    assert_eq!(ledger.count(RemarkKind::TimeWentBack), 1);
}
