//! Every kind of named and numeric marker of the header, at four optimization levels on every simulated machine:
//! results are the same bits with and without, and every wave traces exactly what the source says.
//!
//! The expected streams are written here by hand, after the source beside them.

use crate::{compiled, launched};
use sqtt_kernelgen::events::{Event, Label};
use sqtt_kernelgen::setting::{Machine, Masks, Setting};
use sqtt_kernelgen::toolchain::{Build, Llvm};
use sqtt_kernelgen::trace::Names;
use sqtt_sim::{Arg, Launch, RunResult};

const NAMED: &str = include_str!("first_use/named.hip");
const NUMERIC: &str = include_str!("first_use/numeric.hip");
const GROUPS: u32 = 3;
const BLOCK: u32 = 64;
const N: u32 = 5;

fn input() -> Vec<u32> {
    (0..GROUPS * BLOCK).map(|k| k * 10 + 1).collect()
}

fn named(name: &str) -> Label {
    Label::Named(name.to_owned())
}

fn point(name: &str) -> Event {
    Event::Point(named(name))
}

fn number(id: u32) -> Event {
    Event::Point(Label::Number(id))
}

fn data(name: &str, value: u32) -> Event {
    Event::Data(named(name), vec![value])
}

fn enter(name: &str) -> Event {
    Event::Enter(named(name))
}

fn enter_number(id: u32) -> Event {
    Event::Enter(Label::Number(id))
}

/// The events of a wave of `named.hip` whose first lane is work-item `first` of its workgroup and `id` of the grid.
fn expected_named(first: u32, id: u32, wave: u32) -> Vec<Event> {
    let value = id * 10 + 1;
    let mut weight = value * 7 + N;
    weight ^= weight >> 3;
    weight += first;
    let mut events = vec![
        enter("scope"),
        point("point"),
        data("uniform", N),
        data("divergent", value),
        Event::Exit,
        enter("first"),
        Event::ExitEnter(named("second")),
        Event::Exit,
        point("many"),
        point("few"),
        // The first lane is an even one.
        point("even"),
        point("five"),
        data("member", weight),
        point("rest"),
        point("through a function"),
        enter("lambda"),
        Event::Exit,
        enter("guard"),
        Event::Exit,
        enter("function"),
        point("not everybody"),
        Event::Exit,
    ];
    if first + wave > 32 {
        events.push(point("upper half"));
    }
    // The last lane of four goes round three times.
    events.extend((0..3).map(|k| data("turn", k)));
    events.extend([point("same"), point("same")]);
    events.push(enter_number(1000));
    events.extend([7, 8, 9, 10, 11, 1, 65, 900, 77, 70000, 100_000 + N, 200_000 + first].map(number));
    // An exit and an enter that stand together are one record.
    events.extend([63, 64, 12].map(|id| Event::ExitEnter(Label::Number(id))));
    events.push(Event::Exit);
    events
}

/// The events of such a wave of `numeric.hip`.
fn expected_numeric(first: u32, _: u32, wave: u32) -> Vec<Event> {
    let mut events = vec![enter_number(5), Event::Exit, enter_number(6)];
    events.extend([7, 10, 900, 100_000 + N, 200_000 + first].map(number));
    events.extend([Event::Exit, enter_number(12), Event::Exit, enter_number(21), number(22), Event::Exit]);
    if first + wave > 32 {
        events.push(number(30));
    }
    events.extend([40, 41, 42].map(number));
    events
}

fn run(text: &str, build: &Build) -> (Vec<u8>, RunResult) {
    let zeros = vec![0; (GROUPS * BLOCK) as usize];
    let args = vec![Arg::words(&input()), Arg::words(&zeros), Arg::u32(N)];
    let object = compiled(text, build);
    let result = launched(&object, &Launch::new("kern", GROUPS, BLOCK, args), build);
    (object, result)
}

/// Compiles with and without markers and compares results, and streams with `expected`.
fn check(text: &str, expected: fn(u32, u32, u32) -> Vec<Event>, plain: &Build, with: &Build, masks: Masks) {
    let (_, without) = run(text, plain);
    assert!(without.waves.iter().all(|wave| wave.markers.is_empty()), "{plain:?}");
    let (object, result) = run(text, with);
    for (a, b) in result.buffers.iter().zip(&without.buffers) {
        assert_eq!(a.bytes, b.bytes, "buffer {}: {with:?}", a.arg);
    }
    let names = Names::read(&object, &[]).unwrap_or_else(|error| panic!("{with:?}: {error}"));
    let mut recorded = 0;
    for wave in &result.waves {
        let words: Vec<u32> = wave.markers.iter().map(|marker| marker.value).collect();
        let first = wave.wave * plain.wave;
        let expected = if masks.admit(wave) {
            recorded += 1;
            expected(first, wave.workgroup[0] * BLOCK + first, plain.wave)
        } else {
            Vec::new()
        };
        assert_eq!(
            names.events(&words),
            expected,
            "workgroup {} wave {}: {with:?}",
            wave.workgroup[0],
            wave.wave
        );
    }
    assert!(recorded > 0, "no wave records: {with:?}");
}

/// Every machine at every level, with the settings that `settings` has for it, on two threads.
fn everywhere(work: impl Fn(Build) + Sync) {
    let builds: Vec<Build> = Machine::all()
        .into_iter()
        .flat_map(|machine| (0..4).map(move |opt| machine.build(Llvm::V22, opt)))
        .collect();
    let work = &work;
    std::thread::scope(|scope| {
        for half in builds.chunks(builds.len().div_ceil(2)) {
            scope.spawn(move || half.iter().for_each(|build| work(build.clone())));
        }
    });
}

#[test]
fn every_kind_of_marker_with_the_plugin() {
    let plugin = Llvm::V22.plugin().to_owned();
    everywhere(|plain| {
        check(NAMED, expected_named, &plain, &Setting::PLAIN.build(&plain, &plugin), Masks::ALL);
    });
}

#[test]
fn every_kind_of_marker_behind_the_filter() {
    let plugin = Llvm::V22.plugin().to_owned();
    everywhere(|plain| {
        let form = if plain.opt % 2 == 0 { "cfg" } else { "asm" };
        let setting =
            Setting { masks: Masks::DEFAULT, form, boundary: "none", debug: true, ..Setting::PLAIN };
        check(NAMED, expected_named, &plain, &setting.build(&plain, &plugin), setting.masks);
    });
}

#[test]
fn numeric_markers_without_the_plugin() {
    everywhere(|plain| {
        let with = Build { markers: true, ..plain.clone() };
        check(NUMERIC, expected_numeric, &plain, &with, Masks::ALL);
    });
}
