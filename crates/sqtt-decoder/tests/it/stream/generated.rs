//! Generated traces: what is decoded is what the waves did. Where the trace says that it lost something, nothing is made
//! up.
//!
//! `FUZZ_ROUNDS` asks for more traces, `FUZZ_SEED` for others.

use crate::setting;
use crate::traces;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use sqtt_decoder::generate::{Plan, Truth, WaveTruth, Writer, write, write_raw};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::raw::Generation;
use sqtt_decoder::stream::EventKind;
use sqtt_decoder::trace::{LoadOptions, Trace, discover};
use sqtt_decoder::{Filter, Funcmap, Ledger, RemarkKind};
use sqtt_format::{Action, Marker, WaveSize};

/// A marker as it came out, or is to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Got {
    time: i64,
    arrived: i64,
    kind: EventKind,
    word: u32,
    payload: Vec<u32>,
    truncated: bool,
    /// The scope that it closed: id and begin.
    closed: Option<(u32, i64)>,
}

/// Shader engine, CU, SIMD, slot; when the wave was launched.
type Wave = ((u32, u16, u8, u8), Option<i64>);

struct Decoded {
    folder: Trace,
    truth: Truth,
    waves: HashMap<Wave, Vec<Got>>,
    /// Waves that are said to have a loss in them, behind which the slot may have been another's.
    marked: BTreeSet<Wave>,
    ledger: Ledger,
    _root: tempfile::TempDir,
}

/// Form that a trace is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Json(Writer),
    Raw,
}

const FORMS: [Form; 3] = [Form::Json(Writer::Rocprofv3), Form::Json(Writer::AttTool), Form::Raw];

fn load(root: &Path) -> Trace {
    let found = discover(&[root.to_owned()]).unwrap();
    let catalog = Catalog::read(&found.code_objects);
    let options = LoadOptions::default().threads(sqtt_decoder::Threads::new(2));
    let mut traces = found.traces().map(|source| source.load(&catalog, options));
    traces.next().unwrap()
}

fn decode(plan: &Plan, form: Form) -> Decoded {
    let root = tempfile::tempdir().unwrap();
    let plan = Plan { truth: true, ..plan.clone() };
    let truth = match form {
        Form::Json(writer) => write(root.path(), &Plan { writer, ..plan }),
        Form::Raw => write_raw(root.path(), &plan),
    }
    .unwrap();
    let folder = load(root.path());
    assert_eq!(folder.record_count(), truth.records);
    let (mut waves, mut marked) = (HashMap::new(), BTreeSet::new());
    let ledger = folder.decode(&Filter::default(), |wave, stream| {
        let slot = (wave.slot.se, wave.slot.cu, wave.slot.simd, wave.slot.slot);
        let wave = (slot, wave.launch.map(|launch| launch.time));
        let events: &mut Vec<_> = waves.entry(wave).or_default();
        while let Some(event) = stream.next() {
            if event.raw.is_none() {
                continue;
            }
            events.push(Got {
                time: event.time,
                arrived: event.arrival,
                kind: event.kind,
                word: event.marker.to_word().unwrap(),
                payload: event.payload.to_vec(),
                truncated: event.truncated,
                closed: event.closed.map(|scope| (scope.id, scope.begin)),
            });
        }
        if stream.losses().count(RemarkKind::WaveAcrossLoss) > 0 {
            marked.insert(wave);
        }
    });
    Decoded { folder, truth, waves, marked, ledger, _root: root }
}

/// Events that are to come out of a wave. A record that arrives after its wave's end has the end as its time.
fn expected(wave: &WaveTruth) -> Vec<Got> {
    let mut open: Vec<(u32, i64)> = Vec::new();
    wave.done
        .iter()
        .map(|done| {
            let marker = Marker::from_word(done.word);
            let arrived = done.arrived[0];
            let time = arrived.min(wave.life.1);
            let (kind, closed) = match marker.action() {
                Action::Enter => (EventKind::Enter, None),
                Action::Exit => (EventKind::Exit, open.pop()),
                Action::ExitEnter => (EventKind::ExitEnter, open.pop()),
                Action::Point => (EventKind::Point, None),
                Action::Noop => (EventKind::Reserved, None),
            };
            if marker.enter {
                open.push((marker.id, time));
            }
            Got {
                time,
                arrived,
                kind,
                word: done.word,
                payload: done.payload.clone(),
                truncated: false,
                closed,
            }
        })
        .collect()
}

/// Every generation and both wave sizes, with everything that a sound trace may hold. The ids of the map fit into
/// immediates, or some do; the record says that there are numeric markers, or nothing of it.
fn plans(seed: u64) -> impl Iterator<Item = Plan> {
    let kinds = Generation::ALL
        .into_iter()
        .flat_map(|generation| [WaveSize::Wave32, WaveSize::Wave64].map(|wave| (generation, wave)));
    kinds.enumerate().map(move |(index, (generation, wave))| Plan {
        seed: seed * 100 + index as u64,
        generation,
        wave,
        everything: true,
        first_id: if seed.is_multiple_of(2) { 1 } else { 57 },
        says_numeric: (seed / 2).is_multiple_of(2),
        cus: 1,
        simds: 2,
        slots: 3,
        records: 6000,
        records_per_file: 2500,
        ..Plan::default()
    })
}

#[test]
fn of_sound_traces_everything_is_what_was_recorded() {
    let (mut markers, mut different) = (0, 0);
    let first = setting("FUZZ_SEED", 0);
    for seed in first..first + 2 * setting("FUZZ_ROUNDS", 1) {
        for plan in plans(seed) {
            for form in FORMS {
                let decoded = decode(&plan, form);
                assert_eq!(decoded.folder.launch_count(), decoded.truth.waves.len());
                for wave in &decoded.truth.waves {
                    let (slot, (launch, _)) = (wave.slot, wave.life);
                    let (expected, got) = (expected(wave), &decoded.waves[&(slot, Some(launch))]);
                    markers += expected.len();
                    let pairs = expected.iter().zip(got);
                    let wrong = pairs.clone().filter(|(expected, got)| expected != got).count();
                    different += wrong + expected.len().abs_diff(got.len());
                    if let Some((expected, got)) = pairs.clone().find(|(expected, got)| expected != got) {
                        let Plan { seed, generation, .. } = plan;
                        eprintln!(
                            "{seed} {generation} {form:?} {slot:?} {launch}: {expected:x?}, got {got:x?}"
                        );
                    }
                }
                // Where the code object does not say that there are numbers, they may be anything.
                let is_known = |kind| match kind {
                    RemarkKind::UnknownId => !plan.says_numeric,
                    RemarkKind::PartlyKnownGpu => form == Form::Raw && plan.generation == Generation::Gfx1250,
                    kind => !RemarkKind::is_loss(kind),
                };
                let mut kinds = decoded.ledger.tallies().map(|(kind, _)| kind);
                let is_sound = kinds.all(is_known);
                assert!(is_sound, "{} {form:?}: {}", plan.generation, decoded.ledger);
            }
        }
    }
    eprintln!("{different} different in {markers} markers");
    assert_eq!(different, 0);
    assert!(markers > 50_000);
}

/// Markers missing of a wave whose engine reported losses, at these stretches: those that a loss lies in, and others.
///
/// A marker comes out as it was recorded, or does not. Missing is a marker that a loss lies in, whose header may come out as
/// that of one that was cut off, and after a loss everything up to the next sure header.
fn missing(
    got: &[Got],
    wave: &WaveTruth,
    losses: &[(i64, i64)],
    map: &Funcmap,
) -> Result<[usize; 2], String> {
    let whole = expected(wave);
    let mut is_behind = vec![false; whole.len()];
    for (index, &(_, to)) in losses.iter().enumerate() {
        let next = losses.get(index + 1).map_or(i64::MAX, |next| next.0);
        let from = wave.done.partition_point(|done| done.arrived[0] < to);
        let sure = sure_header(wave, to..next, map);
        let sure = sure.unwrap_or_else(|| wave.done.partition_point(|done| done.arrived[0] < next));
        is_behind[from..sure].fill(true);
    }
    let mut got = got.iter().peekable();
    let mut missing = [0; 2];
    for ((expected, done), is_behind) in whole.iter().zip(&wave.done).zip(is_behind) {
        let (first, last) = (done.arrived[0], done.arrived[done.payload.len()]);
        let is_cut = losses.iter().any(|&(from, to)| from <= last && first < to);
        match got.next_if(|got| got.arrived == expected.arrived) {
            Some(got) if got.truncated && got.payload.is_empty() && is_cut => missing[0] += 1,
            Some(got) => {
                let same = Got { closed: got.closed, ..expected.clone() };
                if *got != same {
                    return Err(format!("{expected:x?} came out as {got:x?}"));
                }
            }
            None if is_cut || is_behind => missing[usize::from(!is_cut)] += 1,
            None => return Err(format!("{expected:x?} is missing, {:x?} came out", got.peek())),
        }
    }
    match got.next() {
        Some(got) => Err(format!("{got:x?} is none of the wave's")),
        None => Ok(missing),
    }
}

/// The first marker among the words of some time that can be nothing but a header: an immediate, or where all readings
/// meet that begin within the longest payload.
fn sure_header(wave: &WaveTruth, times: std::ops::Range<i64>, map: &Funcmap) -> Option<usize> {
    let entries = map.entries().iter().map(|entry| entry.extra_payload_count() as usize);
    let mut heads: BTreeSet<usize> = (0..=entries.max().unwrap()).collect();
    let words = wave.done.iter().enumerate().flat_map(|(marker, done)| {
        let words = std::iter::once(&done.word).chain(&done.payload).zip(&done.arrived);
        words
            .enumerate()
            .map(move |(index, (&word, &time))| (marker, index == 0 && done.is_immediate, word, time))
    });
    let words = words.filter(|(.., time)| times.contains(time)).enumerate();
    for (at, (marker, is_immediate, word, _)) in words {
        if is_immediate || heads.first() == Some(&at) && heads.len() == 1 {
            return Some(marker);
        }
        if heads.remove(&at) {
            let entry = map.find(Marker::from_word(word).id);
            heads.insert(at + 1 + entry.map_or(0, |entry| entry.extra_payload_count() as usize));
        }
    }
    None
}

#[test]
fn reported_losses_cost_what_they_cut_and_what_comes_before_the_next_sure_header() {
    let (mut touched, mut exempt, mut cut, mut given_up, mut markers) = (0, 0, 0, 0, 0);
    let mut wrong = Vec::new();
    let first = setting("FUZZ_SEED", 0);
    for seed in first..first + 2 * setting("FUZZ_ROUNDS", 1) {
        for (plan, form) in
            plans(seed).flat_map(|plan| FORMS[1..].iter().map(move |&form| (plan.clone(), form)))
        {
            let plan = Plan { packet_losses: 4, records_per_wave: 500, records: 20_000, ..plan };
            let decoded = decode(&plan, form);
            let Truth { losses, waves, .. } = &decoded.truth;
            assert_eq!(decoded.ledger.count(RemarkKind::PacketLoss), losses.len() as u64);
            let map = Funcmap::parse(plan.funcmap().as_bytes()).map;
            let mut slots: HashMap<_, Vec<&WaveTruth>> = HashMap::new();
            waves.iter().for_each(|wave| slots.entry(wave.slot).or_default().push(wave));
            for (slot, waves) in slots {
                let own = losses.iter().filter(|(se, ..)| *se == slot.0).map(|&(_, from, to)| (from, to));
                let own: Vec<(i64, i64)> = own.collect();
                let is_lost = |time: i64| own.iter().any(|(from, to)| (*from..*to).contains(&time));
                let mut slot_is_known = true;
                // Nothing tells whose the first words are: the wave before ended behind a loss.
                let mut is_open = false;
                for (index, wave) in waves.iter().enumerate() {
                    let (start, end) = wave.life;
                    // The words of a wave whose start is lost come behind those of the one before.
                    let next = waves.get(index + 1).is_some_and(|next| is_lost(next.life.0));
                    let is_exempt = is_lost(start) || is_lost(end) || next;
                    // Where the wave before lost its end or its last words, a start is a loss of that slot.
                    let busy = (!slot_is_known || is_open).then_some((start, start));
                    let last = wave.done.last().and_then(|done| done.arrived.last());
                    slot_is_known = ![start, end].into_iter().chain(last.copied()).any(is_lost);
                    let own: Vec<_> =
                        busy.into_iter().chain(own.iter().copied().filter(|loss| loss.1 > start)).collect();
                    let until = waves.get(index + 1).map_or(i64::MAX, |next| next.life.0);
                    let last_loss = own.iter().rev().find(|loss| loss.0 <= until);
                    is_open = last_loss.is_some_and(|loss| sure_header(wave, loss.1..until, &map).is_none());
                    let name = (slot, Some(start));
                    let got = decoded.waves.get(&name).map_or(&[][..], Vec::as_slice);
                    markers += wave.done.len();
                    touched += usize::from(own.iter().any(|loss| loss.0 < end));
                    exempt += usize::from(is_exempt);
                    match missing(got, wave, &own, &map) {
                        Ok(_) if is_exempt => {}
                        Ok([own, behind]) => (cut, given_up) = (cut + own, given_up + behind),
                        Err(_) if is_exempt && (decoded.marked.contains(&name) || got.is_empty()) => {}
                        Err(error) => {
                            let Plan { seed, generation, .. } = plan;
                            let exempt = if is_exempt { " exempt" } else { "" };
                            wrong.push(format!(
                                "{seed} {generation} {form:?} {slot:?} {start}{exempt}: {error}"
                            ));
                        }
                    }
                }
            }
        }
    }
    eprintln!(
        "{touched} waves with a loss, {exempt} exempt; in the others {cut} markers cut off or lost, {given_up} given up; \
         {markers} in all"
    );
    wrong.iter().for_each(|wave| eprintln!("{wave}"));
    assert!(wrong.is_empty(), "{} waves are wrong", wrong.len());
    assert!(touched > 500 && exempt > 50);
}

#[test]
fn packed_clocks_give_back_the_times_of_issue() {
    for everything in [false, true] {
        for form in FORMS {
            let decoded =
                decode(&Plan { packed: true, everything, says_numeric: true, ..Plan::default() }, form);
            assert!(decoded.ledger.is_lossless(), "{}", decoded.ledger);
            let mut delays = HashMap::<_, Vec<i64>>::new();
            for wave in &decoded.truth.waves {
                let got = &decoded.waves[&(wave.slot, Some(wave.life.0))];
                assert_eq!(got.len(), wave.done.len());
                for (got, done) in got.iter().zip(&wave.done) {
                    assert_eq!(got.word, done.word);
                    // Numbers of users have no clock, and nothing goes back behind them.
                    if !everything {
                        let simd = (wave.slot.0, wave.slot.1, wave.slot.2);
                        delays.entry(simd).or_default().push(got.time - done.issued);
                    }
                }
            }
            for (simd, delays) in delays {
                let (least, most) = (delays.iter().min().unwrap(), delays.iter().max().unwrap());
                // Corrected to the bucket of the clock field, from delays of up to 3000 cycles.
                assert!(most - least < 64, "{simd:?}: {least} to {most}");
            }
        }
    }
}

#[test]
fn one_thread_and_many_give_the_same() {
    let root = tempfile::tempdir().unwrap();
    let plan = Plan { writer: Writer::AttTool, packet_losses: 3, records_per_file: 500, ..Plan::default() };
    write(root.path(), &plan).unwrap();
    let folder = traces::load(root.path());
    let (lines, ledger) = traces::events(&folder);
    let (parts, parallel_ledger) = folder.decode_parallel(
        sqtt_decoder::Threads::new(4),
        &Filter::default(),
        || 0_usize,
        |count, _, stream| {
            *count += 1;
            while stream.next().is_some() {
                *count += 1;
            }
        },
    );
    assert_eq!(parts.iter().sum::<usize>(), lines.len());
    assert!(parts.len() > 8);
    assert_eq!(ledger, parallel_ledger);

    let mut in_order = 0;
    let mut last = i64::MIN;
    let merged = folder.decode_in_order(&Filter::default(), |_, event| {
        assert!(event.time >= last);
        (last, in_order) = (event.time, in_order + 1);
        Ok::<(), ()>(())
    });
    assert_eq!(merged.unwrap(), ledger);
    let waves = lines.iter().filter(|line| line.starts_with("wave")).count();
    assert_eq!(in_order, lines.len() - waves);
}
