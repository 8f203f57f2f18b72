//! Waves that lost nothing, word by word: what a reader that looks for patterns would not believe.

use crate::traces::Trace;
use sqtt_decoder::{Ledger, RecordFlags, RemarkKind};

/// The events of a wave with these words, without its first line. Those of `immediates` are flagged.
fn events(map: &str, words: &[u32], immediates: impl Fn(usize) -> bool) -> (Vec<String>, Ledger) {
    let mut trace = Trace::of_one_wave(map);
    for (index, &word) in words.iter().enumerate() {
        let flags = RecordFlags::IMMEDIATE.when(immediates(index)).bits();
        trace.record(200 + 10 * index as i64, word, flags);
    }
    let (lines, ledger) = trace.events();
    (lines[1..].to_vec(), ledger)
}

#[test]
fn columns_of_a_tile_are_whole_blocks() {
    let tile = |row: u32, lanes: u32| (0..lanes).map(move |lane| ((lane & 15) * row + (lane >> 4)) * 4);
    // As it was first seen.
    let first: Vec<u32> = [4, u32::MAX, 0].into_iter().chain(tile(17, 32)).collect();
    assert_eq!(
        (first.len(), &first[3..7], first[18], &first[19..21]),
        (35, &[0, 0x44, 0x88, 0xCC][..], 0x3FC, &[4, 0x48][..])
    );
    for lanes in [32, 64] {
        let payload = lanes + 2;
        let map = format!("W:{lanes}\nP:1:addr_trace_lds_load\nR:1:extra_payload_count={payload}\n");
        let exec = if lanes == 32 { [u32::MAX, 0] } else { [u32::MAX; 2] };
        for row in [16, 17, 18, 20, 32, 33, 36] {
            let block: Vec<u32> = exec.into_iter().chain(tile(row, lanes)).collect();
            for blocks in [1, 4] {
                for is_immediate in [false, true] {
                    let words = [&[4][..], &block].concat().repeat(blocks);
                    let (lines, ledger) =
                        events(&map, &words, |index| is_immediate && index % (block.len() + 1) == 0);
                    let time = |block: usize| 200 + 10 * block * (payload as usize + 1);
                    let expected =
                        (0..blocks).map(|at| format!("{} Point addr_trace_lds_load {block:?}", time(at)));
                    assert_eq!(lines, expected.collect::<Vec<_>>(), "{row} {lanes}");
                    assert!(ledger.is_empty(), "{ledger}");
                }
            }
        }
    }
}

const LDS: &str = "U:1:outer\nW:32\nP:6:addr_trace_lds_load\nR:6:extra_payload_count=34\n";

/// Nothing but what users numbered, which the map does not know.
fn is_numeric(ledger: &Ledger, count: u64) -> bool {
    ledger.tallies().all(|(kind, tally)| kind == RemarkKind::UnknownId && tally.count == count)
}

#[test]
fn numbered_scopes_are_scopes() {
    let enters = (100..104).map(|id| id << 2 | 2);
    let words: Vec<u32> = [6].into_iter().chain(enters).chain([1; 5]).collect();
    for is_immediate in [false, true] {
        let (lines, ledger) = events(LDS, &words, |index| is_immediate && words[index] <= 0xFF);
        let expected = [
            "200 Enter outer",
            "210 Enter event#100",
            "220 Enter event#101",
            "230 Enter event#102",
            "240 Enter event#103",
            "250 Exit -event#103:240..250 10 marker",
            "260 Exit -event#102:230..260 20 marker",
            "270 Exit -event#101:220..270 20 marker",
            "280 Exit -event#100:210..280 20 marker",
            "290 Exit -outer:200..290 20 marker",
        ];
        assert_eq!(lines, expected);
        assert!(is_numeric(&ledger, 4), "{ledger}");
    }
}

#[test]
fn numbered_points_in_a_row_are_points() {
    let words: Vec<u32> = (100..108).map(|id| id << 2).collect();
    let (lines, ledger) = events(LDS, &words, |_| false);
    let expected = (0..8).map(|k| format!("{} Point event#{}", 200 + 10 * k, 100 + k));
    assert_eq!(lines, expected.collect::<Vec<_>>());
    assert!(is_numeric(&ledger, 8), "{ledger}");
}

#[test]
fn what_lanes_that_are_not_active_hold_does_not_matter() {
    // The last four lanes hold what looks like enters and exits, and so do the words behind the block.
    let mut block = vec![0x0FFF_FFFF, 0];
    block.extend((0..28).map(|lane| 0x40 + lane * 4));
    block.extend([6, 1, 6, 1]);
    let words = [&[24], &block[..], &[6, 1, 6, 1, 6, 1, 6, 1]].concat();
    for is_immediate in [false, true] {
        let (lines, ledger) = events(LDS, &words, |index| is_immediate && (index == 0 || index > 34));
        assert_eq!(lines[0], format!("200 Point addr_trace_lds_load {block:?}"));
        assert_eq!(lines.len(), 9, "{lines:?}");
        assert_eq!(lines[8], "620 Exit -outer:610..620 10 marker");
        assert!(ledger.is_empty(), "{ledger}");
    }
}

#[test]
fn high_halves_that_look_like_headers_are_none() {
    // 0xc and 0x10 are the headers of another kernel's operations.
    let map = "W:32\nP:1:addr_trace_atomic\nR:1:extra_payload_count=66\nP:2:addr_trace_store\n\
               R:2:extra_payload_count=66\nP:3:addr_trace_lds_load\nR:3:extra_payload_count=34\n\
               P:4:addr_trace_lds_store\nR:4:extra_payload_count=34\n";
    let block = |high: u32| -> Vec<u32> {
        [u32::MAX, 0].into_iter().chain((0..32).flat_map(|lane| [0xFFFF_FE00 + lane * 4, high])).collect()
    };
    let (atomic, store) = (block(0xC), block(0x10));
    let words = [&[4], &atomic[..], &[8], &store[..]].concat();
    for is_immediate in [false, true] {
        let (lines, ledger) = events(map, &words, |index| is_immediate && index % 67 == 0);
        let expected = [
            format!("200 Point addr_trace_atomic {atomic:?}"),
            format!("870 Point addr_trace_store {store:?}"),
        ];
        assert_eq!(lines, expected);
        assert!(ledger.is_empty(), "{ledger}");
    }
}
