//! Living waves, and who waits for whom, in traces written row by row.

use crate::support;
use crate::support::traces::Trace;
use serde_json::json;
use sqtt_answers::NameStyle;
use sqtt_answers::whereabouts::{Doubt, Gathering, Note, Verdict, Whereabouts, of_folder, write_text};
use sqtt_decoder::{Filter, Threads};

const OUTER: u32 = 1 << 2 | 2;
const INNER: u32 = 2 << 2 | 2;
const EXIT: u32 = 1;
const BARRIER: u32 = 3 << 2;
const SIGNAL: u32 = 4 << 2;
const WAIT: u32 = 5 << 2;
const JOIN: u32 = 6 << 2;

const MAP: &str =
    "K:kernel\nU:1:outer\nU:2:inner\nP:3:barrier\nP:4:barrier_signal\nP:5:barrier_wait\nP:6:barrier_join\n";

/// Columns behind the kernel: micro engine, pipe, is_ext, workgroup, cluster.
type Behind = &'static [i64];

const GROUP_1: Behind = &[1, 0, 1, 1, 0];
const GROUP_2: Behind = &[1, 0, 1, 2, 0];
/// A short start: the zeros say nothing.
const SHORT: Behind = &[1, 0, 0, 0, 0];
const SIX_COLUMNS: Behind = &[];

/// Waves of CU 1 in one slot after the other.
struct Waves {
    trace: Trace,
    next_slot: i64,
}

impl Waves {
    fn new() -> Self {
        let mut trace = Trace::new();
        trace.object(7, MAP);
        Self { trace, next_slot: 0 }
    }

    /// A wave from 100 on that traces these words from 200 on, one every ten cycles, and maybe ends at 900.
    fn wave(&mut self, behind: Behind, words: &[u32], ends: bool) -> &mut Self {
        let slot = self.next_slot;
        self.next_slot += 1;
        let edge = |time: i64, start: i64| json!([&[time, 1, slot % 4, slot / 4, start, 1], behind].concat());
        self.trace.wave(0, edge(100, 1));
        for (index, word) in words.iter().enumerate() {
            self.trace.row(0, json!([200 + 10 * index as i64, word, 1, slot % 4, slot / 4, 0]));
        }
        if ends {
            self.trace.wave(0, edge(900, 0));
        }
        self
    }

    fn answer(&self) -> Whereabouts {
        of_folder(&self.trace.load(), &Filter::default(), NameStyle::default(), Threads::new(2)).0
    }
}

/// A wave in `outer` that came to so many barriers and waits at the last.
fn at(barriers: usize) -> Vec<u32> {
    [&[OUTER][..], &vec![BARRIER; barriers]].concat()
}

/// A wave in `outer` that came to so many barriers and went on into `inner`.
fn past(barriers: usize) -> Vec<u32> {
    [&at(barriers)[..], &[INNER]].concat()
}

fn text(answer: &Whereabouts) -> String {
    let mut out = Vec::new();
    write_text(&mut out, std::slice::from_ref(answer)).unwrap();
    String::from_utf8(out).unwrap()
}

/// Barriers and waves of every row.
fn counts(gathering: &Gathering) -> Vec<(u64, u64)> {
    gathering.at.iter().map(|at| (at.barriers, at.last.waves)).collect()
}

#[test]
fn living_waves_stand_by_kernel_and_open_scopes_with_their_last_marker() {
    let mut waves = Waves::new();
    waves.wave(GROUP_1, &[OUTER, INNER], false).wave(GROUP_1, &[OUTER, INNER], false);
    waves.wave(GROUP_1, &[OUTER, INNER, EXIT], false).wave(GROUP_1, &[OUTER, INNER, EXIT, BARRIER], false);
    waves.wave(GROUP_1, &[OUTER, EXIT], true).wave(GROUP_1, &[], false);
    let answer = waves.answer();
    assert_eq!((answer.alive, answer.ended), (5, 1));
    // The end of the engine's last wave, at 900, is its last time.
    let said = text(&answer);
    let (_, said) = said.split_once(": ").unwrap();
    let expected = "5 waves are alive at the end of the trace, 1 ended\n\
        \nkernel kernel\n     2  outer\n             1  last marker exit inner, 680 cycles ago\n\
        \x20            1  last marker point barrier, 670 cycles ago\n     2  outer > inner\n\
        \x20            2  last marker enter inner, 690 cycles ago\n\
        \x20    1  (no open scope)\n             1  nothing recorded, launched 800 cycles ago\n";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn those_that_ended_hold_nobody_up_and_those_that_live_do() {
    let mut waves = Waves::new();
    waves.wave(GROUP_1, &at(5), false).wave(GROUP_1, &at(5), false).wave(GROUP_1, &past(4), true);
    let answer = waves.answer();
    let [gathering] = &answer.barriers[..] else { panic!("{:?}", answer.barriers) };
    assert_eq!(
        (gathering.verdict, gathering.workgroup, counts(gathering)),
        (Verdict::Level, Some(1), vec![(5, 2)])
    );
    let line = "  SE0 WGP1, workgroup 1, kernel: 2 waves at their 5th barrier in `outer`, none behind; ended: 1 after its 4th\n";
    assert!(text(&answer).contains(line), "{}", text(&answer));

    waves.wave(GROUP_1, &past(4), false);
    let answer = waves.answer();
    assert_eq!(
        (answer.barriers[0].verdict, counts(&answer.barriers[0])),
        (Verdict::Waits, vec![(5, 2), (4, 1)])
    );
    let line = "  SE0 WGP1, workgroup 1, kernel: 2 waves at their 5th barrier in `outer`, 1 at its 4th; ended: 1 after its 4th\n";
    assert!(text(&answer).contains(line), "{}", text(&answer));
    assert!(
        text(&answer)
            .contains("       1  came to 4: in `outer > inner`, last marker enter inner, 650 cycles ago: ")
    );
}

#[test]
fn workgroups_are_apart_where_the_trace_says_them_and_together_where_it_does_not() {
    let of = |behind: [Behind; 2]| {
        let mut waves = Waves::new();
        for (group, behind) in behind.into_iter().enumerate() {
            for _ in 0..3 {
                waves.wave(behind, &at(5 - group), false);
            }
        }
        let answer = waves.answer();
        let verdicts: Vec<_> =
            answer.barriers.iter().map(|group| (group.verdict, group.workgroup, counts(group))).collect();
        (verdicts, answer.notes)
    };
    let (verdicts, notes) = of([GROUP_1, GROUP_2]);
    assert_eq!(verdicts, [(Verdict::Level, Some(1), vec![(5, 3)]), (Verdict::Level, Some(2), vec![(4, 3)])]);
    assert_eq!(notes, [Note::FiveBits]);
    for behind in [SHORT, SIX_COLUMNS] {
        let (verdicts, notes) = of([behind; 2]);
        assert_eq!(verdicts, [(Verdict::MayWait, None, vec![(5, 3), (4, 3)])]);
        assert_eq!(notes, [Note::NoWorkgroups]);
    }
    // Numbers that do not fit in five bits are whole.
    let (_, notes) = of([GROUP_1, &[1, 0, 1, 32, 0]]);
    assert_eq!(notes, []);
    // Two pipes launch workgroups of one number.
    let (verdicts, _) = of([GROUP_1, &[1, 1, 1, 1, 0]]);
    assert_eq!(verdicts.len(), 2);
}

/// A slot's earlier waves, of an earlier workgroup of that number, are none of the living one's.
#[test]
fn an_earlier_workgroup_of_the_same_number_is_another() {
    let mut waves = Waves::new();
    waves.wave(GROUP_1, &at(2), false);
    waves.trace.wave(0, json!([10, 1, 3, 3, 1, 1, 1, 0, 1, 1, 0]));
    waves.trace.row(0, json!([20, BARRIER, 1, 3, 3, 0]));
    waves.trace.wave(0, json!([90, 1, 3, 3, 0, 1, 1, 0, 1, 1, 0]));
    let answer = waves.answer();
    assert_eq!((answer.ended, answer.barriers[0].ended.len()), (1, 0));
}

/// A pipe starts a workgroup's waves one after the other.
#[test]
fn workgroups_of_one_number_are_doubted_where_others_started_between_them() {
    let with = |other: &[i64]| {
        let mut waves = Waves::new();
        waves.wave(GROUP_1, &at(2), false);
        waves.trace.wave(0, json!([&[140, 1, 3, 3, 1, 1], GROUP_1].concat()));
        waves.trace.row(0, json!([200, BARRIER, 1, 3, 3, 0]));
        waves.trace.wave(0, json!(other));
        waves.answer().barriers.swap_remove(0)
    };
    // Of another workgroup: before, between, behind, between but by another pipe.
    for (other, verdict) in [
        (&[90, 2, 0, 0, 1, 1, 1, 0, 1, 2, 0], Verdict::Waits),
        (&[120, 2, 0, 0, 1, 1, 1, 0, 1, 2, 0], Verdict::MayWait),
        (&[150, 2, 0, 0, 1, 1, 1, 0, 1, 2, 0], Verdict::Waits),
        (&[120, 2, 0, 0, 1, 1, 1, 1, 1, 2, 0], Verdict::Waits),
        // A number of more than five bits: none comes again.
        (&[120, 2, 0, 0, 1, 1, 1, 0, 1, 34, 0], Verdict::Waits),
        // A third wave of the same.
        (&[120, 1, 0, 3, 1, 1, 1, 0, 1, 1, 0], Verdict::Waits),
    ] {
        let gathering = with(other);
        assert_eq!(gathering.verdict, verdict, "{other:?}");
        let doubts: &[Doubt] = if verdict == Verdict::Waits { &[] } else { &[Doubt::Mixed] };
        assert_eq!(gathering.doubts, doubts);
    }
}

#[test]
fn a_lossy_wave_came_to_that_many_barriers_or_more() {
    let mut waves = Waves::new();
    // A header of payload that never comes cuts no barrier out of the others.
    waves.trace.object(7, &format!("{MAP}P:9:data\nR:9:extra_payload_count=3\n"));
    waves.wave(GROUP_1, &at(5), false).wave(GROUP_1, &[OUTER, BARRIER, 9 << 2, 1], false);
    let answer = waves.answer();
    assert_eq!(answer.barriers[0].doubts, [Doubt::Lossy, Doubt::Apart]);
    assert!(answer.notes.contains(&Note::Losses));
    let said = text(&answer);
    assert!(said.contains("1 wave at its 5th barrier in `outer`, 1 at its 1st or a later one\n"), "{said}");
    assert!(said.contains("(words are missing)\n"), "{said}");

    // A loss of the engine is one of all its waves that lived then, and their ends may be among what was lost.
    let mut waves = Waves::new();
    waves.wave(GROUP_1, &at(3), false).wave(GROUP_1, &at(2), false);
    assert_eq!(waves.answer().barriers[0].verdict, Verdict::Waits);
    waves.trace.events = json!({"0": [{"kind": "event", "time": 500, "type": 6}]});
    let answer = waves.answer();
    assert_eq!(
        (answer.barriers[0].verdict, &answer.barriers[0].doubts[..]),
        (Verdict::MayWait, &[Doubt::Lossy][..])
    );
    assert!(answer.barriers[0].at.iter().all(|at| at.last.lossy == 1));
    waves.trace.events = json!({"0": [{"kind": "event", "time": 50, "type": 6}]});
    assert_eq!(waves.answer().barriers[0].verdict, Verdict::Waits);
    // A row that could not be read may have been a barrier.
    waves.trace.row(0, json!([1]));
    assert_eq!(waves.answer().barriers[0].verdict, Verdict::MayWait);
}

#[test]
fn counts_that_one_workgroup_cannot_have_are_no_wait_for_sure() {
    let mut waves = Waves::new();
    waves.wave(GROUP_1, &at(5), false).wave(GROUP_1, &at(3), false);
    let answer = waves.answer();
    assert_eq!(
        (answer.barriers[0].verdict, &answer.barriers[0].doubts[..]),
        (Verdict::MayWait, &[Doubt::Apart][..])
    );
    assert!(text(&answer).contains("not sure: counts of one workgroup cannot differ by more than one"));
    // Waves that are past what others wait at wait for nobody, and nobody for them.
    let mut waves = Waves::new();
    waves.wave(SHORT, &at(2), false).wave(SHORT, &past(3), false);
    let answer = waves.answer();
    assert_eq!(answer.barriers[0].verdict, Verdict::Level);
    assert!(
        text(&answer).contains("1 wave at its 2nd barrier in `outer`, 1 past its 3rd, none behind"),
        "{}",
        text(&answer)
    );
    // Nobody waits: there is nothing to say.
    let mut waves = Waves::new();
    waves.wave(GROUP_1, &past(2), false).wave(GROUP_1, &past(1), false);
    assert_eq!(waves.answer().barriers, []);
}

#[test]
fn split_barriers_count_arrivals_and_named_ones_make_no_wait() {
    let mut waves = Waves::new();
    waves.wave(GROUP_1, &[OUTER, SIGNAL, WAIT, SIGNAL, INNER, WAIT], false);
    waves.wave(GROUP_1, &[OUTER, SIGNAL, WAIT, SIGNAL, INNER], false);
    let answer = waves.answer();
    // The second arrived as well, and only does something else before it waits.
    assert_eq!(
        (answer.barriers[0].verdict, counts(&answer.barriers[0])),
        (Verdict::Level, vec![(2, 1), (2, 1)])
    );
    waves.wave(GROUP_1, &[OUTER, SIGNAL, WAIT, INNER], false);
    assert_eq!(waves.answer().barriers[0].verdict, Verdict::Waits);
    waves.wave(GROUP_1, &[OUTER, JOIN, SIGNAL, WAIT], false);
    let answer = waves.answer();
    assert_eq!(
        (answer.barriers[0].verdict, &answer.barriers[0].doubts[..]),
        (Verdict::MayWait, &[Doubt::Named][..])
    );
}

#[test]
fn waves_that_recorded_nothing_are_counted_apart() {
    let mut waves = Waves::new();
    waves.wave(GROUP_1, &at(1), false).wave(GROUP_1, &[], false).wave(GROUP_1, &[], false);
    let answer = waves.answer();
    assert_eq!((answer.barriers[0].verdict, answer.barriers[0].silent), (Verdict::Level, 2));
    assert!(
        text(&answer).contains("in `outer`, none known to be behind, 2 recorded nothing\n"),
        "{}",
        text(&answer)
    );
    waves.wave(GROUP_1, &[OUTER], false);
    assert!(text(&waves.answer()).contains("in `outer`, 1 before its 1st, 2 recorded nothing\n"));
}

#[test]
fn waves_without_a_start_are_alive_unless_another_one_started_in_their_slot() {
    let mut waves = Waves::new();
    waves.trace.row(0, json!([50, OUTER, 1, 0, 0, 0]));
    waves.trace.row(0, json!([150, OUTER, 2, 0, 0, 0]));
    waves.wave(GROUP_1, &at(1), false);
    let answer = waves.answer();
    assert_eq!((answer.alive, answer.ended), (2, 1));
    let lossy: u64 = answer.groups.iter().flat_map(|group| &group.last).map(|last| last.lossy).sum();
    assert_eq!(lossy, 1);
    std::fs::remove_file(waves.trace.ui().join("occupancy.json")).unwrap();
    let folder = support::traces::load(waves.trace.root.path());
    let answer = of_folder(&folder, &Filter::default(), NameStyle::default(), Threads::ONE).0;
    assert_eq!((answer.alive, answer.ended), (2, 0));
    assert!(answer.notes.contains(&Note::NoLives), "{:?}", answer.notes);
}

#[test]
fn odd_names_and_deep_stacks_stay_on_their_lines() {
    let mut waves = Waves::new();
    let map = [&support::hostile_map()[..], b"P:20:barrier\n"].concat();
    let file = waves.trace.root.path().join("1_gfx1200_code_object_id_7.out");
    std::fs::write(file, sqtt_decoder::generate::code_object(&map)).unwrap();
    let scopes: Vec<u32> = [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 15].map(|id| id << 2 | 2).to_vec();
    waves.wave(GROUP_1, &scopes.repeat(200), false);
    let said = text(&waves.answer());
    assert!(said.contains("\n     1  a;b 12 > </title>"), "{said}");
    assert!(said.contains(" > … 2588 more … > "), "{said}");
    assert!(said.chars().all(|character| character == '\n' || !character.is_control()), "{said:?}");
    assert_eq!(said.lines().count(), 7, "{said}");
}

/// Text says once what is the same of many workgroups; JSON has all.
#[test]
fn gatherings_that_are_alike_are_written_once() {
    let mut waves = Waves::new();
    for group in 0..20_i64 {
        for barriers in [2, 1] {
            let slot = 2 * group + barriers;
            waves.trace.wave(0, json!([100 + group, 7, slot % 4, slot / 4, 1, 1, 1, 0, 1, group, 0]));
            for time in 0..barriers {
                waves.trace.row(0, json!([200 + group + time, BARRIER, 7, slot % 4, slot / 4, 0]));
            }
        }
    }
    let answer = waves.answer();
    assert_eq!(answer.barriers.len(), 20);
    let said = text(&answer);
    assert_eq!(said.matches("1 wave at its 2nd barrier, 1 at its 1st").count(), 1, "{said}");
    assert!(
        said.contains("          and 19 alike: SE0 WGP7, workgroup 1, SE0 WGP7, workgroup 2, "),
        "{said}"
    );
    assert!(said.contains(", workgroup 8 and 11 more\n"), "{said}");
}
