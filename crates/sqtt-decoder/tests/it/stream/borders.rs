//! The rule of `docs/decoding.md`: words are read plainly from a border to the next, and searched for behind a loss.

use crate::traces::{self, Trace};
use serde_json::json;
use sqtt_decoder::RemarkKind::{self, *};

const MAP: &str = "U:1:outer\nP:5:addr_trace_lds_load\nR:5:extra_payload_count=34\n";

/// A block of 34 words, with its header: inactive lanes hold words that look like headers.
fn block() -> Vec<u32> {
    block_with(20)
}

fn block_with(inactive: u32) -> Vec<u32> {
    let lanes = (0..32).map(|lane| if lane % 2 == 0 { lane * 44 } else { inactive });
    [20, 0x5555_5555, 0].into_iter().chain(lanes).collect()
}

fn outcome(trace: &Trace) -> (Vec<String>, Vec<(RemarkKind, u64)>) {
    let (lines, ledger) = trace.events();
    let counts = ledger.tallies().map(|(kind, tally)| (kind, tally.count)).collect();
    (lines.into_iter().filter(|line| !line.starts_with("wave ")).collect(), counts)
}

fn whole(time: i64) -> String {
    format!("{time} Point addr_trace_lds_load {:?}", &block()[1..])
}

/// A loss at a time of the shader engine.
fn lose(trace: &mut Trace, time: i64) {
    trace.events = json!({"0": [{"kind": "event", "time": time, "type": 6}]});
}

#[test]
fn an_immediate_is_the_next_header_behind_a_loss() {
    let mut trace = Trace::of_one_wave(MAP);
    lose(&mut trace, 305);
    trace.words(&[&[6], &block()[..20]].concat());
    trace.record(500, 6, 1);
    trace.record(510, 1, 1);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines,
        [
            "200 Enter outer",
            "210 Point addr_trace_lds_load truncated",
            "305 Exit -outer:200..305 105 packet_loss",
            "500 Enter outer",
            "510 Exit -outer:500..510 10 marker",
        ]
    );
    let lost = [(TruncatedBlock, 1), (LostWord, 10), (WaveAcrossLoss, 1), (ScopeCutByPacketLoss, 1)];
    assert_eq!(counts, [&[(PacketLoss, 1)], &lost[..]].concat());
}

#[test]
fn without_immediates_the_next_header_is_where_all_readings_meet() {
    let mut trace = Trace::of_one_wave(MAP);
    lose(&mut trace, 305);
    // No word of the rest of the block has payload as a header: all readings are one where the longest payload ends.
    let pairs = [6, 1].repeat(10);
    trace.words(&[&block_with(6)[..], &pairs, &block(), &[6, 1]].concat());
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines[0], "200 Point addr_trace_lds_load truncated");
    assert_eq!(lines[lines.len() - 3], whole(750));
    assert_eq!(lines[lines.len() - 2..], ["1100 Enter outer", "1110 Exit -outer:1100..1110 10 marker"]);
    assert_eq!(counts[1], (TruncatedBlock, 1));
    assert_eq!(counts[2], (LostWord, 34));
}

#[test]
fn words_at_the_time_of_a_loss_are_on_neither_side() {
    // The header at 300 may have come before the loss, and its payload behind it.
    let mut trace = Trace::of_one_wave("P:5:item\nR:5:extra_payload_count=1\n");
    lose(&mut trace, 300);
    trace.record(290, 20, 0);
    trace.record(300, 20, 0);
    trace.record(300, 20, 1);
    trace.record(310, 20, 0);
    trace.record(320, 20, 1);
    trace.record(330, 7, 0);
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines, ["290 Point item truncated", "300 Point item truncated", "320 Point item [7]"]);
    assert_eq!(counts, [(PacketLoss, 1), (TruncatedBlock, 2), (LostWord, 2), (WaveAcrossLoss, 1)]);
}

#[test]
fn a_row_that_is_none_is_a_loss_there() {
    let mut trace = Trace::of_one_wave(MAP);
    trace.words(&block()[..20]);
    trace.row(0, json!(["?", 0, 1, 2, 3, 0]));
    trace.record(400, 6, 0);
    trace.record(410, 6, 1);
    // This one has lost nothing: it started later.
    trace.wave(0, json!([405, 9, 2, 3, 1, 1]));
    trace.row(0, json!([410, 6, 9, 2, 3, 0]));
    trace.row(0, json!([420, 1, 9, 2, 3, 0]));
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines,
        [
            "200 Point addr_trace_lds_load truncated",
            "410 Enter outer",
            "10000 Exit -outer:410..10000 9590 wave_end",
            "410 Enter outer",
            "420 Exit -outer:410..420 10 marker"
        ]
    );
    let lost = [(TruncatedBlock, 1), (LostWord, 1), (WaveAcrossLoss, 1), (ScopeOpenAtWaveEnd, 1)];
    assert_eq!(counts, [&[(MalformedRow, 1)], &lost[..]].concat());
}

#[test]
fn a_missing_record_file_is_a_loss_between_the_others() {
    let mut trace = Trace::of_one_wave(MAP);
    // Its start is among what is missing.
    trace.wave(0, json!([250, 9, 2, 3, 1, 1]));
    trace.words(&[6]);
    trace.write();
    let ui = trace.ui();
    let file = |index: u32, rows: serde_json::Value| {
        let name = format!("shaderdata_0_{index}.json");
        std::fs::write(ui.join(&name), json!({"records": rows}).to_string()).unwrap();
    };
    file(2, json!([[300, 6, 1, 2, 3, 0], [310, 6, 1, 2, 3, 1], [320, 6, 9, 2, 3, 0], [330, 1, 9, 2, 3, 1]]));
    let names: Vec<_> = (0..3).map(|index| json!([format!("shaderdata_0_{index}.json"), 0, 0])).collect();
    let names = json!({"gfxip": 12, "version": "3.0.0", "shaderdata_filenames": {"0": names}});
    std::fs::write(ui.join("filenames.json"), names.to_string()).unwrap();
    let (lines, ledger) = traces::events(&traces::load(trace.root.path()));
    assert_eq!(
        lines,
        [
            "wave SE0/CU1/SIMD2/W3 0",
            "200 Enter outer",
            "201 Exit -outer:200..201 1 packet_loss",
            "310 Enter outer",
            "10000 Exit -outer:310..10000 9690 wave_end",
            "wave SE0/CU9/SIMD2/W3 0",
            "330 Exit"
        ]
    );
    assert_eq!((ledger.count(LostWord), ledger.count(WaveAcrossLoss), ledger.count(SkippedFile)), (2, 2, 1));
}

#[test]
fn a_block_takes_no_immediate_of_the_next_wave() {
    let mut trace = Trace::of_one_wave(MAP);
    trace.waves_reset();
    trace.launch(100, 1);
    trace.retire(205);
    trace.launch(355, 1);
    trace.retire(9000);
    trace.words(&block()[..20]);
    trace.record(400, 9, 0);
    trace.record(410, 6, 1);
    trace.record(420, 1, 1);
    let (lines, counts) = outcome(&trace);
    // A word may be the block's or the new wave's.
    assert_eq!(
        lines,
        ["200 Point addr_trace_lds_load truncated", "410 Enter outer", "420 Exit -outer:410..420 10 marker"]
    );
    assert_eq!(counts, [(TruncatedBlock, 1), (LostWord, 5)]);
}

#[test]
fn behind_a_wave_that_ends_in_the_search_the_next_begins_with_it() {
    let mut trace = Trace::of_one_wave(MAP);
    trace.waves_reset();
    trace.launch(100, 1);
    trace.retire(390);
    trace.launch(395, 1);
    trace.retire(9000);
    lose(&mut trace, 305);
    // The late words at 400 to 540 are the old wave's, or look like headers of the new one.
    trace.words(&block());
    trace.record(600, 6, 1);
    trace.record(610, 1, 1);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines,
        ["200 Point addr_trace_lds_load truncated", "600 Enter outer", "610 Exit -outer:600..610 10 marker"]
    );
    assert_eq!(counts[1..3], [(TruncatedBlock, 1), (LostWord, 24)]);
}

#[test]
fn late_words_make_a_block_whole_that_is_open_at_the_next_start() {
    let mut trace = Trace::of_one_wave(MAP);
    trace.waves_reset();
    trace.launch(100, 1);
    trace.retire(205);
    trace.launch(355, 1);
    trace.retire(9000);
    trace.words(&[&block()[..], &[6, 1]].concat());
    let (lines, counts) = outcome(&trace);
    assert_eq!(lines, [whole(200), "550 Enter outer".into(), "560 Exit -outer:550..560 10 marker".into()]);
    assert_eq!(counts, []);
}

#[test]
fn a_wave_older_than_the_trace_begins_with_the_search() {
    // gfx9's writer has such lives from 0 to 0.
    for end in [0, 9000] {
        let mut trace = Trace::new();
        trace.object(7, &format!("K:kernel\n{MAP}"));
        trace.wave(0, json!([0, 1, 2, 3, 1, 0]));
        trace.wave(0, json!([end, 1, 2, 3, 0, 0]));
        trace.words(&block()[10..]);
        trace.record(700, 6, 1);
        let folder = trace.load();
        let retired = folder.waves().next().unwrap().retired();
        assert_eq!(retired, (end > 0).then_some(end));
        let (lines, counts) = outcome(&trace);
        let closed = if end > 0 {
            "9000 Exit -outer:700..9000 8300 wave_end"
        } else {
            "700 Exit -outer:700..700 0 trace_end"
        };
        assert_eq!(lines, ["700 Enter outer", closed]);
        assert_eq!(counts[..2], [(AssumedCodeObject, 1), (LostWord, 25)]);
    }
}

#[test]
fn an_end_that_names_no_kernel_stands_for_one_that_was_lost() {
    let mut trace = Trace::new();
    trace.object(7, &format!("K:kernel\n{MAP}"));
    trace.launch(100, 1);
    trace.wave(0, json!([299, 1, 2, 3, 0, 0]));
    trace.launch(300, 1);
    trace.retire(9000);
    trace.words(&[6]);
    trace.record(310, 6, 0);
    trace.record(320, 6, 1);
    trace.record(330, 1, 1);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines,
        [
            "200 Enter outer",
            "200 Exit -outer:200..200 0 packet_loss",
            "320 Enter outer",
            "330 Exit -outer:320..330 10 marker"
        ]
    );
    assert_eq!(counts, [(LostWord, 1), (ScopeCutByPacketLoss, 1)]);
}

#[test]
fn behind_a_loss_words_of_several_maps_are_not_read() {
    let mut trace = Trace::of_one_wave(MAP);
    trace.names = json!({"1": "kernel", "2": "other"});
    trace.object(8, "K:other\nU:1:another\n");
    trace.wave(0, json!([100, 9, 2, 3, 1, 2]));
    lose(&mut trace, 305);
    trace.record(300, 6, 1);
    trace.record(310, 6, 1);
    // Whose words these are is known again.
    trace.wave(0, json!([400, 1, 2, 3, 0, 1]));
    trace.launch(410, 1);
    trace.record(420, 6, 1);
    trace.waves_reset();
    trace.launch(100, 1);
    trace.wave(0, json!([100, 9, 2, 3, 1, 2]));
    trace.wave(0, json!([400, 1, 2, 3, 0, 1]));
    trace.launch(410, 1);
    let (lines, counts) = outcome(&trace);
    assert_eq!(
        lines,
        [
            "300 Enter outer",
            "305 Exit -outer:300..305 5 packet_loss",
            "310 Undecoded event#1",
            "420 Enter outer",
            "420 Exit -outer:420..420 0 trace_end"
        ]
    );
    assert_eq!(counts[1..3], [(UndecodedRecord, 1), (WaveAcrossLoss, 1)]);
}

#[test]
fn of_a_copy_that_says_no_payload_only_immediates_are_headers() {
    for (payloads, is_known) in [(None, false), (Some(json!([])), true), (Some(json!([[7, 5, 1]])), true)] {
        let mut trace = Trace::new();
        trace.code = json!({
            "code": null,
            "sqtt_funcmap": [[7, 0, "K", "kernel", "", 0], [7, 5, "P", "item", "", 0]],
        });
        if let Some(payloads) = &payloads {
            trace.code["sqtt_funcmap_payloads"] = payloads.clone();
        }
        trace.launch(100, 1);
        trace.retire(900);
        trace.record(200, 20, 1);
        trace.record(210, 20, 0);
        let (lines, _) = outcome(&trace);
        match payloads.map(|rows| rows == json!([])) {
            None => assert_eq!(lines, ["200 Point item", "210 Undecoded event#5"]),
            Some(true) => assert_eq!(lines, ["200 Point item", "210 Point item"]),
            Some(false) => assert_eq!(lines, ["200 Point item [20]"]),
        }
        assert_eq!(is_known, lines[lines.len() - 1].contains("Point"));
    }
}
