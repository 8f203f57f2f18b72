//! Words that are missing without a word in the trace that says so: nothing is made up, unless the words that are left
//! are those of a wave that lost nothing.
//!
//! `FUZZ_ROUNDS` asks for more traces, `FUZZ_SEED` for others, `FUZZ_SHOW` for the waves that are wrong.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod traces;

use std::collections::HashMap;

use sqtt_decoder::generate::{Damage, Done, Plan, write};
use sqtt_decoder::stream::EventKind;
use sqtt_decoder::trace::Folder;
use sqtt_decoder::{Filter, Ledger, LossKind};
use sqtt_format::WaveSize;
use traces::Trace;

/// A marker as it came out.
#[derive(Clone, Debug)]
struct Got {
    /// When its record arrived, and which of the wave's it is.
    time: i64,
    place: usize,
    word: u32,
    payload: Vec<u32>,
    truncated: bool,
}

/// What became of the damage of some traces.
#[derive(Debug, Default)]
struct Outcome {
    damaged: u64,
    reported: u64,
    /// Markers that did not come out, or without their payload.
    missing: u64,
    /// Of them, those that lost nothing.
    sound_missing: u64,
    markers: u64,
    /// Waves with something that they had not done, and those of them where the words are those of a sound wave.
    wrong: u64,
    undecidable: u64,
    shown: Vec<String>,
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().map_or(usual, |text| text.parse().unwrap())
}

type Slot = ((u32, u16, u8, u8), u32);

fn decode(folder: &Folder) -> (HashMap<Slot, Vec<Got>>, Ledger) {
    let mut waves = HashMap::new();
    let ledger = folder.decode(&Filter::default(), |wave, stream| {
        let slot = (wave.slot.se, wave.slot.cu, wave.slot.simd, wave.slot.slot);
        let events: &mut Vec<Got> = waves.entry((slot, wave.generation)).or_default();
        let mut records = wave.records().enumerate();
        while let Some(event) = stream.next() {
            let Some(raw) = event.raw else { continue };
            assert_ne!(event.kind, EventKind::Undecoded);
            // Nobody's marker, and said to be none.
            if event.kind == EventKind::Reserved {
                continue;
            }
            let (place, _) =
                records.find(|(_, record)| record.time == event.arrival && record.value == raw).unwrap();
            events.push(Got {
                time: event.arrival,
                place,
                word: event.marker.to_word().unwrap(),
                payload: event.payload.to_vec(),
                truncated: event.truncated,
            });
        }
    });
    (waves, ledger)
}

/// Which of the markers that came out, in the order of their times, the wave had not done, and how many of what it did
/// are missing, in all and of those that lost no word.
fn compare(got: &[Got], done: &[Done]) -> (Vec<usize>, u64, u64) {
    let done_at: HashMap<i64, &Done> =
        done.iter().filter(|done| !done.lost.contains(&0)).map(|done| (done.time, done)).collect();
    let mut wrong = Vec::new();
    let (mut right, mut sound) = (0, 0);
    for (index, got) in got.iter().enumerate() {
        match done_at.get(&got.time).filter(|done| done.word == got.word) {
            Some(done) if !got.truncated && done.payload == got.payload => {
                right += 1;
                sound += u64::from(done.lost.is_empty());
            }
            Some(_) if got.truncated => {}
            _ => wrong.push(index),
        }
    }
    let all_sound = done.iter().filter(|done| done.lost.is_empty()).count() as u64;
    (wrong, done.len() as u64 - right, all_sound - sound)
}

/// Whether what came out around a marker is what comes out of a sound wave with the same words: one is made of those
/// markers, with scopes around them that make it well nested, and decoded.
fn is_of_a_sound_wave(got: &[Got], wrong: usize, plan: &Plan) -> bool {
    let is_next = |one: &Got, next: &Got| !one.truncated && one.place + 1 + one.payload.len() == next.place;
    let mut first = wrong;
    while first > 0 && is_next(&got[first - 1], &got[first]) {
        first -= 1;
    }
    let mut end = wrong + 1;
    while end < got.len() && is_next(&got[end - 1], &got[end]) {
        end += 1;
    }
    if got[end - 1].truncated {
        end -= 1;
    }
    if !(first..end).contains(&wrong) || !got[first..end].iter().all(|got| could_be_written(got, plan.wave)) {
        return false;
    }
    let mut markers: Vec<(u32, &[u32])> =
        got[first..end].iter().map(|got| (got.word, got.payload.as_slice())).collect();
    // Scopes that were open before, and that are open after.
    let (mut depth, mut lowest) = (0_i64, 0_i64);
    for (word, _) in &markers {
        match (word & 3, word >> 2) {
            (2, _) => depth += 1,
            (1, 0) => depth -= 1,
            (3, _) => lowest = lowest.min(depth - 1),
            _ => {}
        }
        lowest = lowest.min(depth);
    }
    let enters = vec![(6, [].as_slice()); usize::try_from(-lowest).unwrap()];
    let exits = vec![(1, [].as_slice()); usize::try_from(depth - lowest).unwrap()];
    markers.splice(0..0, enters);
    // A program may also end with open scopes.
    decodes_as_it_is(&[markers.clone(), exits].concat(), &plan.funcmap())
        || (end == got.len() && decodes_as_it_is(&markers, &plan.funcmap()))
}

/// Whether a wave that did this, and nothing else, comes out as it is and without a loss.
fn decodes_as_it_is(markers: &[(u32, &[u32])], funcmap: &str) -> bool {
    let words: Vec<u32> = markers
        .iter()
        .flat_map(|(word, payload)| [*word].into_iter().chain(payload.iter().copied()))
        .collect();
    let mut trace = Trace::new();
    trace.object(7, &funcmap.replace("_Z6kernelPfi", "kernel"));
    trace.launch(100, 1);
    trace.retire(1_000_000);
    trace.words(&words);
    let (waves, ledger) = decode(&trace.load());
    let events = waves.values().next().unwrap();
    let is_same = events.len() == markers.len()
        && events.iter().zip(markers).all(|(event, (word, payload))| {
            !event.truncated && event.word == *word && event.payload == *payload
        });
    // What users numbered is not in the map, and a program need not leave its scopes.
    is_same
        && ledger
            .tallies()
            .all(|(kind, _)| matches!(kind, LossKind::UnknownId | LossKind::ScopeOpenAtWaveEnd))
}

/// Whether a program can have written such a marker. What users number has no payload, and is none of the map's.
fn could_be_written(got: &Got, wave: WaveSize) -> bool {
    let id = got.word >> 2;
    match (id, got.word & 3) {
        (0, bits) => bits == 1,
        (1..4, bits) => bits >= 2,
        (4, bits) => bits == 0,
        (5, bits) => bits == 0 && got.payload.len() == 1,
        (6 | 7 | 9..=11, bits) => {
            let [low, high, lanes @ ..] = got.payload.as_slice() else { return false };
            let exec = u64::from(*low) | u64::from(*high) << 32;
            let is_active = |lane: usize| exec >> lane & 1 != 0;
            let is_lds = |(lane, word): (usize, &u32)| !is_active(lane) || *word < 1 << 18;
            let has_lanes = exec != 0 && (wave == WaveSize::Wave64 || *high == 0);
            bits == 0 && has_lanes && (id != 6 || lanes.iter().enumerate().all(is_lds))
        }
        _ => true,
    }
}

fn outcome(plan: &Plan, seeds: u64) -> Outcome {
    let mut outcome = Outcome::default();
    let first = setting("FUZZ_SEED", 0);
    for seed in first..first + seeds * setting("FUZZ_ROUNDS", 1) {
        let root = tempfile::tempdir().unwrap();
        let truth = write(root.path(), &Plan { seed, records: 60_000, truth: true, ..plan.clone() }).unwrap();
        let (waves, ledger) = decode(&traces::load(root.path()));
        outcome.damaged += truth.damaged_blocks;
        outcome.reported += ledger.count(LossKind::TruncatedBlock);
        for wave in &truth.waves {
            let none = Vec::new();
            let got = waves.get(&(wave.slot, wave.generation)).unwrap_or(&none);
            let (wrong, missing, sound_missing) = compare(got, &wave.done);
            outcome.markers += wave.done.len() as u64;
            outcome.missing += missing;
            outcome.sound_missing += sound_missing;
            if wrong.is_empty() {
                continue;
            }
            outcome.wrong += 1;
            let decided = wrong.iter().find(|&&wrong| !is_of_a_sound_wave(got, wrong, plan));
            let text = show(seed, wave, got, &wrong, *decided.unwrap_or(&wrong[0]));
            if std::env::var_os("FUZZ_SHOW").is_some() && outcome.wrong < 20 {
                eprintln!("{}{text}", if decided.is_none() { "undecidable, " } else { "" });
            }
            match decided {
                None => outcome.undecidable += 1,
                Some(_) => outcome.shown.push(text),
            }
        }
    }
    let Outcome { damaged, reported, missing, sound_missing, markers, wrong, undecidable, .. } = outcome;
    eprintln!(
        "{:?} of {} lanes{}{}: {damaged} damaged, {reported} reported, {missing} of {markers} markers given up, {sound_missing} of \
         them lost nothing, {wrong} waves wrong, {undecidable} undecidable",
        plan.damage,
        plan.wave.lanes(),
        if plan.buffers { ", buffers" } else { "" },
        if plan.irregular { ", irregular" } else { "" },
    );
    outcome
}

/// A wave around a marker that is wrong.
fn show(
    seed: u64,
    wave: &sqtt_decoder::generate::WaveTruth,
    got: &[Got],
    wrong: &[usize],
    at: usize,
) -> String {
    use std::fmt::Write;
    let mut text = format!("seed {seed}, {:?} {}\n", wave.slot, wave.generation);
    let begin = got[at].time;
    let near = wave.done.iter().position(|done| done.time > begin).unwrap_or(wave.done.len());
    for done in &wave.done[near.saturating_sub(4)..(near + 3).min(wave.done.len())] {
        writeln!(text, "  did {} {:x} {:x?} lost {:?}", done.time, done.word, done.payload, done.lost)
            .unwrap();
    }
    for (index, got) in got.iter().enumerate().skip(at.saturating_sub(3)).take(7) {
        let mark = if wrong.contains(&index) { '*' } else { ' ' };
        writeln!(text, "{mark} got {} {:x} {:x?} {}", got.time, got.word, got.payload, got.truncated)
            .unwrap();
    }
    text
}

/// Waves of both sizes, with the operations that they have.
fn plans() -> [Plan; 3] {
    let buffers = Plan { buffers: true, ..Plan::default() };
    [Plan::default(), buffers.clone(), Plan { wave: WaveSize::Wave64, ..buffers }]
}

#[test]
fn of_address_blocks_with_lost_words_nothing_is_shifted() {
    let mut decided = Vec::new();
    for plan in plans() {
        for damage in [Damage::Run, Damage::TwoWords, Damage::Header] {
            let outcome = outcome(&Plan { damaged_blocks: 20, damage, ..plan.clone() }, 6);
            assert!(outcome.damaged > 150);
            assert!(outcome.missing <= 3 * outcome.damaged);
            // What may be a sound wave's is rare as well.
            assert!(outcome.wrong * 100 <= outcome.damaged);
            decided.extend(outcome.shown);
        }
    }
    assert!(decided.is_empty(), "{}", decided.concat());
}

#[test]
fn what_other_losses_leave_is_a_sound_waves_where_it_is_wrong() {
    for plan in plans() {
        for damage in [Damage::HeaderAndRun, Damage::Across, Damage::Data, Damage::Plain] {
            let outcome = outcome(&Plan { damaged_blocks: 20, damage, ..plan.clone() }, 4);
            assert!(outcome.damaged > 100);
            assert!(outcome.shown.len() as u64 * 100 <= outcome.damaged, "{}", outcome.shown.concat());
        }
    }
}

#[test]
fn sound_waves_lose_nothing() {
    for plan in plans() {
        let sound = outcome(&plan, 3);
        assert_eq!((sound.damaged, sound.reported, sound.missing, sound.wrong), (0, 0, 0, 0));
    }
}

#[test]
fn blocks_without_a_pattern_lose_little_and_nothing_is_made_up() {
    for plan in plans() {
        let sound = outcome(&Plan { irregular: true, ..plan }, 4);
        assert_eq!((sound.damaged, sound.wrong), (0, 0), "{}", sound.shown.concat());
        // One block in twenty markers, half of them without a pattern: one of a hundred of those is doubtful.
        assert_eq!(sound.missing, sound.reported);
        assert!(sound.missing * 1500 <= sound.markers);
    }
}

#[test]
fn of_blocks_without_a_pattern_most_losses_are_seen() {
    for plan in plans() {
        for damage in Damage::ALL {
            let outcome = outcome(&Plan { damaged_blocks: 20, damage, irregular: true, ..plan.clone() }, 2);
            assert!(outcome.shown.len() as u64 * 12 <= outcome.damaged, "{}", outcome.shown.concat());
        }
    }
}

const LDS: &str = "U:1:outer\nW:32\nP:6:addr_trace_lds_load\nR:6:extra_payload_count=34\n";

/// What comes out of these words, markers as text, and the kinds of losses.
fn lines(words: &[u32]) -> (Vec<String>, Vec<LossKind>) {
    let mut trace = Trace::of_one_wave(LDS);
    trace.words(words);
    let (lines, ledger) = trace.events();
    let names = lines.iter().skip(1).map(|line| line.split_once(' ').unwrap().1.to_owned());
    (names.collect(), ledger.tallies().map(|(kind, _)| kind).collect())
}

#[test]
fn lanes_behind_a_gap_say_where_the_block_ends() {
    let mut words = vec![24, u32::MAX, 0];
    words.extend((0..32).map(|lane| 0x40 + lane * 4));
    words.drain(10..13);
    // Markers in place of the words that are missing; another block without its EXEC is behind them.
    words.extend([6, 6, 24]);
    words.extend((0..32).map(|lane| 0x40 + lane * 4));
    words.extend([1, 1]);
    let (lines, losses) = lines(&words);
    assert_eq!(lines[..3], ["Point addr_trace_lds_load truncated", "Enter outer", "Enter outer"]);
    assert!(lines.len() == 5 && lines[3..].iter().all(|line| line.starts_with("Exit -outer")), "{lines:?}");
    assert_eq!(losses, [LossKind::TruncatedBlock, LossKind::LostWord]);
}

#[test]
fn what_lanes_that_are_not_active_hold_is_no_marker() {
    // The last four lanes hold what looks like enters and exits.
    let mut words = vec![24, 0x0FFF_FFFF, 0];
    words.extend((0..28).map(|lane| 0x40 + lane * 4));
    words.extend([6, 1, 6, 1]);
    words.extend([6, 1, 6, 1, 6, 1, 6, 1]);
    let (lines, losses) = lines(&words);
    assert_eq!(lines.len(), 9);
    assert_eq!(lines[0], "Point addr_trace_lds_load truncated");
    assert_eq!(losses, [LossKind::TruncatedBlock]);
    // Where they do not lead to the end, nothing is in doubt.
    words[34] = 77;
    assert!(self::lines(&words).1.is_empty());
}

#[test]
fn lanes_without_a_header_are_no_markers() {
    for lanes in [0..32, 24..32] {
        let mut words = vec![6, 1, 6];
        if lanes.start == 0 {
            words.extend([u32::MAX, 0]);
        }
        words.extend(lanes.map(|lane| 0x40 + lane * 4));
        let (lines, losses) = lines(&words);
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert_eq!(losses, [LossKind::LostWord, LossKind::ScopeOpenAtWaveEnd]);
    }
}

#[test]
fn indices_that_look_like_headers_are_no_loss() {
    // What a kernel's structured loads traced: one offset, and indices from 32 on, the first of which looks like the
    // header of another block.
    const FUNCMAP: &str = "U:2:user\nW:32\nP:1:addr_trace_struct_buffer_load\nR:1:extra_payload_count=69\n\
                           P:8:addr_trace_lds_load\nR:8:extra_payload_count=34\n";
    let mut words = vec![4, u32::MAX, 0, 0xFFFF_FC00, 0x0030_000C, 0];
    words.extend([4; 32]);
    words.extend(32..64);
    words.extend([0x0A, 1, 0x0A, 1, 0x0A, 1, 0x0A, 1]);
    let mut trace = Trace::of_one_wave(FUNCMAP);
    trace.words(&words);
    let (lines, ledger) = trace.events();
    assert!(ledger.is_lossless(), "{ledger}");
    assert_eq!(lines.len(), 1 + 1 + 8, "{lines:?}");
}

/// A structured buffer at 0x28 and a permute at 0x2C, besides the header's own ones.
const BUFFERS: &str = "U:1:outer\nP:4:barrier\nP:5:item\nR:5:extra_payload_count=1\nW:32\n\
                       P:10:addr_trace_struct_buffer_load\nR:10:extra_payload_count=69\n\
                       P:11:addr_trace_ds_bpermute\nR:11:extra_payload_count=34\n";

/// What comes out of these words with the map of buffers.
fn lines_of_buffers(words: &[u32]) -> (Vec<String>, Vec<LossKind>) {
    let mut trace = Trace::of_one_wave(BUFFERS);
    trace.words(words);
    let (lines, ledger) = trace.events();
    let names = lines.iter().skip(1).map(|line| line.split_once(' ').unwrap().1.to_owned());
    (names.collect(), ledger.tallies().map(|(kind, _)| kind).collect())
}

#[test]
fn offsets_that_look_like_headers_are_none() {
    // The header of the block is missing, or it and words behind it; the offset is that of a member which is as far from
    // its element as the header of a data marker, or of one without payload, is large.
    for offset in [0x14, 0x10] {
        let mut block = vec![0xF00D_F00D, 0, 0x1000, 0x0010_7F12, 0];
        block.extend([offset; 32]);
        block.extend(96..128);
        for lost in [0, 5, 20] {
            let words = [&[6, 0x10, 1], &block[lost..], &[6, 0x10, 1, 6, 1, 6, 1, 6, 1]].concat();
            let (lines, losses) = lines_of_buffers(&words);
            assert_eq!(losses, [LossKind::LostWord], "{offset:#x} {lost} {lines:?}");
            assert_eq!(lines.len(), 3 + 9, "{offset:#x} {lost} {lines:?}");
        }
    }
}

#[test]
fn words_of_a_permute_are_no_block() {
    // Of a permute that turns lanes around by two, without its header: 0x28 and 0x2C look like headers of blocks.
    let lanes: Vec<u32> = (0..32).map(|lane| ((lane + 2) & 31) * 4).collect();
    for lost in [0, 4, 8, 12] {
        let words = [&[6, 0x10, 1], &lanes[lost..], &[6, 0x10, 1, 6, 1, 6, 1, 6, 1]].concat();
        let (lines, losses) = lines_of_buffers(&words);
        assert_eq!(losses, [LossKind::LostWord], "{lost} {lines:?}");
        assert_eq!(lines.len(), 3 + 9, "{lost} {lines:?}");
    }
}

#[test]
fn markers_before_a_block_without_its_header_are_markers() {
    // With three words before it, a row of LDS addresses is as long as one of a buffer's offsets.
    let map = Plan { buffers: true, wave: WaveSize::Wave64, ..Plan::default() }.funcmap();
    let mut words = vec![6, 6, 6, 6, 6, 0x10, 1, 1, 1, 1, 1, 0xA89B_58AF, 0xD75E_F3CC];
    words.extend((0..64).map(|lane| 0x80 + lane * 4));
    words.extend([6, 0x10, 1]);
    let mut trace = Trace::new();
    trace.object(7, &map.replace("_Z6kernelPfi", "kernel"));
    trace.launch(100, 1);
    trace.retire(1_000_000);
    trace.words(&words);
    let (lines, ledger) = trace.events();
    assert_eq!(lines.len(), 1 + 11 + 3, "{lines:#?}");
    assert_eq!(ledger.tallies().map(|(kind, _)| kind).collect::<Vec<_>>(), [LossKind::LostWord]);
}
