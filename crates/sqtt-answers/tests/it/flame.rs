//! Flame graphs: the three formats against each other, against the statistics, against golden files, and
//! against those who read them.

use crate::support;
use std::collections::BTreeMap;
use std::path::Path;

use crate::support::traces::Trace;
use crate::support::{golden, hostile, load_all};
use sqtt_answers::NameStyle;
use sqtt_answers::flame::{
    FlameError, FlameOptions, FlameUnit, Flames, SvgOptions, Weight, write_folded, write_speedscope,
    write_svg,
};
use sqtt_decoder::Filter;
use sqtt_decoder::generate::{Plan, Writer, write};
use sqtt_decoder::stats::{RowKind, Stats};
use sqtt_decoder::trace;

fn flames(folders: &[trace::Trace], options: FlameOptions) -> Flames {
    let mut flames = Flames::new(options);
    for folder in folders {
        flames.add_folder(folder, &Filter::default()).unwrap();
    }
    flames
}

fn folded(flames: &Flames) -> String {
    let mut out = Vec::new();
    write_folded(&mut out, flames).unwrap();
    String::from_utf8(out).unwrap()
}

fn svg(flames: &Flames, options: &SvgOptions) -> String {
    let mut out = Vec::new();
    write_svg(&mut out, flames, options).unwrap();
    String::from_utf8(out).unwrap()
}

fn speedscope(flames: &Flames) -> String {
    let mut out = Vec::new();
    write_speedscope(&mut out, flames, "a trace").unwrap();
    String::from_utf8(out).unwrap()
}

/// Frames and weight of every line, by the standard's rule: the last space parts them.
fn lines(text: &str) -> Vec<(Vec<&str>, u64)> {
    let line = |line| {
        let (stack, weight) = str::rsplit_once(line, ' ').unwrap();
        (stack.split(';').collect(), weight.parse().unwrap())
    };
    text.lines().map(line).collect()
}

fn generated(plan: &Plan) -> (tempfile::TempDir, Vec<trace::Trace>) {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), plan).unwrap();
    let folders = load_all(root.path());
    (root, folders)
}

#[test]
#[ignore = "it reads the shared test data"]
fn golden_files_of_the_example() {
    let path = test_data::find("ui-example");
    let folders = load_all(&path);
    let names = NameStyle { demangle: true, short: false };
    let plain = flames(&folders, FlameOptions { names, ..FlameOptions::default() });
    golden("example.folded", &folded(&plain));
    golden("example.speedscope.json", &speedscope(&plain));
    let options = SvgOptions { title: "example".to_owned(), width: Some(1000), icicle: false };
    golden("example.svg", &svg(&plain, &options));
    let reversed = plain.clone().reversed();
    golden("example.reversed.folded", &folded(&reversed));
    golden("example.icicle.svg", &svg(&reversed, &SvgOptions { icicle: true, ..options.clone() }));
    let waves = FlameOptions { per: FlameUnit::Wave, weight: Weight::Time, names, ..FlameOptions::default() };
    golden("example.waves.folded", &folded(&flames(&folders, waves)));
    // Against itself without the second shader engine.
    let mut base = Flames::new(FlameOptions { names, ..FlameOptions::default() });
    let filter = Filter::default().se("0".parse().unwrap());
    base.add_folder(&folders[0], &filter).unwrap();
    let difference = plain.against(&base);
    golden("example.diff.folded", &folded(&difference));
    golden("example.diff.svg", &svg(&difference, &options));
}

#[test]
fn golden_files_of_a_generated_trace() {
    let (_root, folder) = support::small_generated();
    let flames = flames(&[folder], FlameOptions::default());
    golden("generated.folded", &folded(&flames));
    golden("generated.speedscope.json", &speedscope(&flames));
    let options = SvgOptions { title: "generated".to_owned(), width: Some(800), icicle: false };
    golden("generated.svg", &svg(&flames, &options));
}

/// One scope in another, by hand.
#[test]
fn children_and_own_time_add_up() {
    let mut trace = Trace::of_one_wave("U:1:outer\nU:2:inner\nP:3:point\n");
    // outer 200 to 260, with inner 210 to 230 and 240 to 250; the wave lives from 100 to 10,000.
    trace.words(&[6, 10, 12, 1, 10, 1, 1]);
    let flames = flames(&[trace.load()], FlameOptions::default());
    assert_eq!(folded(&flames), "kernel 9840\nkernel;outer 30\nkernel;outer;inner 30\n");
    assert_eq!(flames.total().unwrap(), 9_900);
    assert_eq!(folded(&flames.reversed()), "inner;outer;kernel 30\nkernel 9840\nouter;kernel 30\n");
}

/// The graph of a trace says the same as its statistics: the exclusive time of every scope, the life
/// of every wave, in every form and whatever stacks begin with.
#[test]
fn a_late_record_makes_no_wave_longer() {
    let mut trace = Trace::new();
    trace.object(7, "K:kernel\nP:4:late\n");
    trace.launch(100, 1);
    trace.retire(130);
    trace.record(110, 16, 0);
    trace.record(1130, 16, 0);
    let folders = [trace.load()];
    assert_eq!(folded(&flames(&folders, FlameOptions::default())), "kernel 30\n");
    let mut stats = Stats::new();
    stats.add_folder(&folders[0], &Filter::default(), sqtt_decoder::Threads::new(1));
    let rows = stats.into_rows();
    assert_eq!(rows[0].inclusive.as_ref().unwrap().sum, 30);
}

#[test]
fn the_graph_agrees_with_the_statistics() {
    let (_root, folders) = generated(&Plan { writer: Writer::AttTool, records: 5000, ..Plan::default() });
    let mut stats = Stats::new();
    stats.add_folder(&folders[0], &Filter::default(), sqtt_decoder::Threads::new(2));
    let (mut exclusive, mut life) = (BTreeMap::new(), 0);
    for row in stats.into_rows() {
        match row.key.kind {
            RowKind::Kernel => life += row.inclusive.unwrap().sum,
            RowKind::Function | RowKind::User => {
                let name = row.key.display_name().to_string().replace(';', "\\x3b");
                *exclusive.entry(name).or_insert(0) += row.exclusive.unwrap().sum;
            }
            RowKind::Point => {}
        }
    }
    assert_eq!(exclusive.len(), 3);
    for per in [FlameUnit::Kernel, FlameUnit::Cu, FlameUnit::Simd, FlameUnit::Wave] {
        let flames = flames(&folders, FlameOptions { per, ..FlameOptions::default() });
        assert_eq!(flames.total().unwrap(), life);
        let text = folded(&flames);
        let mut sums = BTreeMap::new();
        for (stack, weight) in lines(&text) {
            let leaf = stack.last().unwrap();
            if *leaf != "_Z6kernelPfi" {
                *sums.entry((*leaf).to_owned()).or_insert(0) += weight;
            }
        }
        assert_eq!(sums, exclusive);
        let reversed = folded(&flames.clone().reversed());
        assert_eq!(lines(&reversed).iter().map(|(_, weight)| weight).sum::<u64>(), life);
        let kept = usize::from(per != FlameUnit::Kernel);
        for (stack, _) in lines(&reversed) {
            assert_eq!(stack.last(), Some(&"_Z6kernelPfi"));
            assert_eq!(stack[0].starts_with("SE") || stack[0].starts_with("ui_"), kept == 1, "{stack:?}");
        }
        let value: serde_json::Value = serde_json::from_str(&speedscope(&flames)).unwrap();
        let profiles = value["profiles"].as_array().unwrap();
        let units = match per {
            FlameUnit::Kernel => 1,
            FlameUnit::Cu => 4,
            FlameUnit::Simd => 16,
            FlameUnit::Wave => folders[0].launch_count(),
        };
        assert_eq!(profiles.len(), units);
        assert_eq!(profiles.iter().map(|profile| profile["endValue"].as_u64().unwrap()).sum::<u64>(), life);
        for profile in profiles {
            let weights = profile["weights"].as_array().unwrap();
            assert_eq!(weights.len(), profile["samples"].as_array().unwrap().len());
            let sum: u64 = weights.iter().map(|weight| weight.as_u64().unwrap()).sum();
            assert_eq!(Some(sum), profile["endValue"].as_u64());
        }
    }
}

/// The rectangles of a graph: name, weight.
fn rectangles(svg: &str) -> Vec<(String, u64)> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(svg, options).unwrap();
    let titles =
        document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    let titles = titles.filter_map(|node| node.text()).filter(|text| text.contains('%'));
    let weight = |title: &str| {
        let (name, rest) = title.rsplit_once(" (").unwrap();
        (name.to_owned(), rest.split(' ').next().unwrap().replace(',', "").parse().unwrap())
    };
    titles.map(weight).collect()
}

/// In the picture a frame is as wide as it and all on it are long.
#[test]
fn the_picture_shows_inclusive_time() {
    let mut trace = Trace::of_one_wave("U:1:a\nU:2:a b\nU:3:a(int)\n");
    // a: 200 to 270, with `a b` and `a(int)` in it; then each alone. Sorted as text, `kernel;a b` is between
    // `kernel;a` and `kernel;a;…`.
    trace.words(&[6, 10, 1, 14, 1, 6, 1, 1, 10, 1, 14, 1]);
    let flames = flames(&[trace.load()], FlameOptions::default());
    let svg = svg(&flames, &SvgOptions { title: "t".to_owned(), width: None, icicle: true });
    let mut shown = rectangles(&svg);
    shown.sort();
    let named = |name: &str, weight| (name.to_owned(), weight);
    assert_eq!(
        shown,
        [
            named("a", 10),
            named("a", 70),
            named("a b", 10),
            named("a b", 10),
            named("a(int)", 10),
            named("a(int)", 10),
            named("all", 9900),
            named("kernel", 9900),
        ]
    );
}

#[test]
fn hostile_names_stay_names() {
    let trace = hostile();
    let flames = flames(&[trace.load()], FlameOptions::default());
    let text = folded(&flames);
    let lines = lines(&text);
    // 14 scopes in each other, and the kernel: every stack is one frame longer than the one before.
    assert!(lines.iter().map(|(stack, _)| stack.len()).eq(1..=15), "{text}");
    assert_eq!(lines.iter().map(|(_, weight)| weight).sum::<u64>(), 9_900);
    // Whoever looks for a second number behind the stack must find none.
    for line in text.lines() {
        let (stack, _) = line.rsplit_once(' ').unwrap();
        assert!(!stack.rsplit(' ').next().unwrap().bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
    }
    let svg =
        svg(&flames, &SvgOptions { title: "</title><script>".to_owned(), width: Some(800), icicle: false });
    let shown = rectangles(&svg);
    assert_eq!(shown.len(), 16);
    assert!(shown.iter().any(|(name, _)| name == "</title></svg><script>alert(1)</script>"));
    assert!(!svg.contains("<script>alert"));
    let value: serde_json::Value = serde_json::from_str(&speedscope(&flames)).unwrap();
    let names: Vec<_> =
        value["shared"]["frames"].as_array().unwrap().iter().map(|frame| &frame["name"]).collect();
    assert!(names.iter().any(|name| *name == "a;b 12"));
    assert!(names.iter().all(|name| !name.as_str().unwrap().chars().any(char::is_control)));
}

#[test]
fn short_names_leave_template_arguments_out() {
    let trace = hostile();
    let names = NameStyle { demangle: true, short: true };
    let text = folded(&flames(&[trace.load()], FlameOptions { names, ..FlameOptions::default() }));
    assert!(text.contains("void ns::gemm<…>("), "{text}");
}

#[test]
fn folders_are_put_together_after_each_was_looked_at() {
    let (first, second) = (Trace::of_one_wave("U:1:a\n"), Trace::of_one_wave("U:1:a\nU:2:b\n"));
    let (mut first, mut second) = (first, second);
    first.words(&[6, 1]);
    second.words(&[6, 1, 10, 1]);
    let folders = [first.load(), second.load()];
    let both = flames(&folders, FlameOptions::default());
    assert_eq!(folded(&both), "kernel 19770\nkernel;a 20\nkernel;b 10\n");
    assert_eq!(both.waves(), 2);
    // Waves of two folders are two, though both folders have one name.
    let text = folded(&flames(&folders, FlameOptions { per: FlameUnit::Wave, ..FlameOptions::default() }));
    let tops: std::collections::BTreeSet<_> =
        lines(&text).iter().map(|(stack, _)| stack[0].to_owned()).collect();
    let slot = "SE0/CU1/SIMD2/W3#0";
    assert!(tops.into_iter().eq([
        format!("ui_output_agent_1_dispatch_1 (2)/{slot}"),
        format!("ui_output_agent_1_dispatch_1/{slot}"),
    ]));
}

#[test]
fn time_needs_a_rate() {
    let mut trace = Trace::of_one_wave("U:1:a\n");
    trace.words(&[6, 1]);
    let folder = trace.load();
    let time = FlameOptions { weight: Weight::Time, ..FlameOptions::default() };
    let error = Flames::new(time).add_folder(&folder, &Filter::default()).unwrap_err();
    assert!(matches!(error, FlameError::NoClockRate { .. }), "{error}");
    assert!(error.to_string().contains("--clock-rate-ghz"));
    let given = FlameOptions { clock_ghz: Some(2.0), ..time };
    assert_eq!(folded(&flames(&[folder], given)), "kernel 4945\nkernel;a 5\n");
    // The generated folder's realtime.json says 21,000 cycles in 10 us.
    let (_root, folders) = generated(&Plan { records: 1000, ..Plan::default() });
    let cycles = flames(&folders, FlameOptions::default()).total().unwrap() as f64;
    let measured = flames(&folders, time);
    assert_eq!(measured.unit(), "ns");
    assert!((measured.total().unwrap() as f64 - cycles / 2.1).abs() < 100.0);
}

#[test]
fn lost_packets_leave_unknown_time() {
    let mut trace = Trace::of_one_wave("U:1:a\n");
    trace.words(&[6, 1, 6, 1]);
    trace.events = serde_json::json!({"0": [{"kind": "event", "time": 225, "type": 6}]});
    let text = folded(&flames(&[trace.load()], FlameOptions::default()));
    let (stacks, lost) = text.split_at(text.find('#').unwrap());
    assert_eq!(stacks, "kernel;(unknown: packets were lost) 9885\nkernel;a 15\n");
    assert!(lost.starts_with("# lost: 1 packet losses, ") && lost.lines().count() == 1, "{lost}");
    // Who draws it takes the comment for one.
    let (mut options, mut picture) = (inferno::flamegraph::Options::default(), Vec::new());
    inferno::flamegraph::from_lines(&mut options, text.lines(), &mut picture).unwrap();
    let shown = rectangles(&String::from_utf8(picture).unwrap());
    assert_eq!(shown.iter().find(|(name, _)| name == "all").unwrap().1, 9900);
    assert_eq!(shown.len(), 4, "{shown:?}");
}

#[test]
fn a_difference_has_both_weights() {
    let (mut old, mut new) = (Trace::of_one_wave("U:1:a\nU:2:b\n"), Trace::of_one_wave("U:1:a\nU:3:c\n"));
    old.words(&[6, 1, 10, 1]);
    new.words(&[6, 12, 1, 14, 1]);
    let (old, new) = (old.load(), new.load());
    let difference =
        flames(&[new], FlameOptions::default()).against(&flames(&[old], FlameOptions::default()));
    let text = folded(&difference);
    assert_eq!(text, "kernel 9880 9870\nkernel;a 10 20\nkernel;b 10 0\nkernel;c 0 10\n");
    let svg = svg(&difference, &SvgOptions::default());
    let percent = |change: i64| format!("{:+.2}%", 100.0 * change as f64 / 9900.0);
    assert!(svg.contains(&percent(10)) && svg.contains(&percent(-10)), "{svg}");
    assert!(svg.contains("red is longer than before"));
}

#[test]
fn nothing_is_drawn_as_nothing() {
    let nothing = Flames::new(FlameOptions::default());
    assert_eq!(folded(&nothing), "");
    let svg = svg(&nothing, &SvgOptions::default());
    assert!(roxmltree::Document::parse(&svg).is_ok() && svg.contains("no scope"));
    let value: serde_json::Value = serde_json::from_str(&speedscope(&nothing)).unwrap();
    assert_eq!(value["profiles"], serde_json::json!([]));
}

/// Times within what a trace may have, and a clock so slow that they come to more nanoseconds than can be added.
#[test]
fn weights_that_cannot_be_added_are_an_error() {
    let mut trace = Trace::of_one_wave("U:1:a\n");
    trace.record(-(1 << 52), 6, 0);
    trace.record(1 << 52, 1, 0);
    trace.waves_reset();
    let time = FlameOptions { weight: Weight::Time, clock_ghz: Some(1e-6), ..FlameOptions::default() };
    let flames = flames(&[trace.load()], time);
    assert!(matches!(flames.total(), Err(FlameError::TooLarge { .. })));
    assert!(matches!(write_folded(&mut Vec::new(), &flames), Err(FlameError::TooLarge { .. })));
}

#[test]
fn ten_thousand_waves() {
    let plan = Plan { records: 150_000, records_per_wave: 9, engines: 4, packed: true, ..Plan::default() };
    let (_root, folders) = generated(&plan);
    assert!(folders[0].launch_count() > 10_000);
    let waves = flames(&folders, FlameOptions { per: FlameUnit::Wave, ..FlameOptions::default() });
    let text = folded(&waves);
    let tops: std::collections::BTreeSet<_> =
        lines(&text).into_iter().map(|(stack, _)| stack[0].to_owned()).collect();
    assert_eq!(tops.len(), folders[0].launch_count());
    assert_eq!(waves.lumped(), 0);
    // Slots are in the order of their numbers.
    let first = text.lines().next().unwrap();
    assert!(first.contains("SE0/CU0/SIMD0/W0#0;"), "{first}");
    // A writer that is gone is an error, and no panic.
    struct Gone;
    impl std::io::Write for Gone {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let options = SvgOptions::default();
    for error in [
        write_folded(&mut Gone, &waves).unwrap_err(),
        write_speedscope(&mut Gone, &waves, "x").unwrap_err(),
        write_svg(&mut Gone, &waves, &options).unwrap_err(),
    ] {
        assert!(matches!(error, FlameError::Io(_)), "{error}");
    }
}

/// The schema that comes with speedscope, from the packages that `cargo xtask setup` installs.
#[test]
fn speedscope_files_keep_to_the_schema() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let file = target.join("viewers/node_modules/speedscope/dist/release/file-format-schema.json");
    let schema = std::fs::read(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; `cargo xtask setup` installs it", file.display()));
    let schema: serde_json::Value = serde_json::from_slice(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let hostile = hostile();
    let (_root, generated) = generated(&Plan { records: 3000, ..Plan::default() });
    for folders in [vec![hostile.load()], generated, Vec::new()] {
        for per in [FlameUnit::Kernel, FlameUnit::Wave] {
            for weight in [Weight::Cycles, Weight::Time] {
                let options = FlameOptions { per, weight, clock_ghz: Some(1.7), ..FlameOptions::default() };
                let value = serde_json::from_str(&speedscope(&flames(&folders, options))).unwrap();
                let errors: Vec<String> =
                    validator.iter_errors(&value).map(|error| error.to_string()).collect();
                assert!(errors.is_empty(), "{errors:?}");
            }
        }
    }
    // It does refuse what is wrong.
    let mut wrong = serde_json::json!({"$schema": "https://www.speedscope.app/file-format-schema.json",
        "shared": {"frames": []}, "profiles": [{"type": "sampled", "name": "x", "unit": "cycles",
        "startValue": 0, "endValue": 0, "samples": [], "weights": []}]});
    assert!(!validator.is_valid(&wrong));
    wrong["profiles"][0]["unit"] = "none".into();
    assert!(validator.is_valid(&wrong));
}
