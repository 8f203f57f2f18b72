//! Reports, opened and clicked in headless Chromium, from a file: there is no server, and no network.

use crate::support;
use std::path::PathBuf;

use crate::support::browser::Browser;
use crate::support::{golden, hostile, load_all};
use serde_json::{Value, json};
use sqtt_answers::report::{Report, ReportOptions};
use sqtt_decoder::generate::{Plan, Writer, write};
use sqtt_decoder::memory::{Collector, MemoryOptions};
use sqtt_decoder::stats::Stats;
use sqtt_decoder::trace;
use sqtt_decoder::{Filter, Ledger};

fn written(folders: &[&trace::Trace], options: ReportOptions) -> String {
    let mut report = Report::new(options);
    let mut ledger = Ledger::new();
    for folder in folders {
        ledger.merge(&report.add_folder(folder, &Filter::default()).unwrap());
    }
    let mut out = Vec::new();
    report.write(&mut out, &ledger).unwrap();
    String::from_utf8(out).unwrap()
}

/// The data of a page, as its script reads it.
fn data(page: &str) -> Value {
    let (_, behind) = page.split_once(r#"id="report-data">"#).unwrap();
    serde_json::from_str(behind.split_once("</script>").unwrap().0).unwrap()
}

fn generated(plan: &Plan) -> trace::Trace {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), plan).unwrap();
    support::traces::load(root.path())
}

fn page(folder: &tempfile::TempDir, text: &str) -> (PathBuf, String) {
    let file = folder.path().join("report.html");
    std::fs::write(&file, text).unwrap();
    let url = format!("file://{}", file.display());
    (file, url)
}

#[test]
fn a_report_opens_and_every_part_of_it_works() {
    let plan = Plan { writer: Writer::AttTool, records: 12_000, packet_losses: 2, cus: 1, ..Plan::default() };
    let (folder, hostile) = (generated(&plan), hostile().load());
    let title = "<b>report</b> & \"more\"".to_owned();
    let text =
        written(&[&folder, &hostile], ReportOptions { title: title.clone(), ..ReportOptions::default() });
    let place = tempfile::tempdir().unwrap();
    let (_file, url) = page(&place, &text);
    let browser = Browser::start();
    browser.open(&url);
    let errors = "window.failures = window.failures || []; window.addEventListener('error', event => failures.push(event.message));";
    browser.run(errors, &[]);
    assert_eq!(browser.run("return document.getElementById('report-title').textContent", &[]), title);
    assert_eq!(browser.run("return document.title", &[]), title);
    let overview = browser.run("return document.getElementById('tab-overview').innerText", &[]);
    let overview = overview.as_str().unwrap();
    assert!(
        overview.contains("This trace has losses") && overview.contains("Where the time goes"),
        "{overview}"
    );
    browser.keep_picture("report-overview.png");

    // Timeline: something is drawn, a click selects what is there, zooming in shows more of it.
    browser.click("[data-tab=timeline]");
    browser.wait("return timeline.drawn > 50");
    browser.keep_picture("report-timeline.png");
    let hidden = "return document.getElementById('tab-overview').hidden && !document.getElementById('tab-timeline').hidden";
    assert_eq!(browser.run(hidden, &[]), true);
    let click = "const timeline_ = timeline, lane = timeline_.trace.lanes[1], span = lane.spans.find(s => s[2] === 1);
        timeline_.show(span[0] - span[1], span[0] + 2 * span[1]);
        const box = timeline_.canvas.getBoundingClientRect();
        const x = box.left + timeline_.gutter() + (span[0] + span[1] / 2 - timeline_.from) * timeline_.scale();
        const y = box.top + timeline_.tops[1] - timeline_.scroller.scrollTop + timeline_.rowTop(lane, 1) + 0.4 * timeline_.row;
        return [x, y, timeline_.trace.names[span[3]][0], lane.name]";
    let at = browser.run(click, &[]);
    browser.click_at(at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
    let selected = browser.run("return document.getElementById('selection').innerText", &[]);
    let selected = selected.as_str().unwrap();
    for part in [at[2].as_str().unwrap(), at[3].as_str().unwrap(), "cycles"] {
        assert!(selected.contains(part), "{part} is not in {selected}");
    }
    let width = "return timeline.to - timeline.from";
    let before = browser.run(width, &[]).as_f64().unwrap();
    browser.click("#zoom-in");
    let after = browser.run(width, &[]).as_f64().unwrap();
    assert!(after < before * 0.7, "{before} {after}");
    browser.click("#zoom-all");
    assert!(browser.run(width, &[]).as_f64().unwrap() > before);
    browser.keys("#scope-search", "inner");
    let found = browser.run("return document.getElementById('search-count').textContent", &[]);
    assert!(
        found.as_str().unwrap().ends_with(" found") && !found.as_str().unwrap().starts_with("0 "),
        "{found}"
    );
    // The other trace, with its names.
    browser.run(
        "const choice = document.getElementById('trace-choice'); choice.value = 1;
         choice.dispatchEvent(new Event('change'))",
        &[],
    );
    let names = browser.run("return timeline.trace.names.map(([name]) => name)", &[]);
    assert!(names.as_array().unwrap().contains(&json!("</title></svg><script>alert(1)</script>")));

    // Flame graph: a document of its own, whose frames zoom.
    browser.click("[data-tab=flame]");
    let widths = browser.in_frame("#flame-frame", |browser| {
        browser.wait("return document.querySelectorAll('#frames g').length > 10");
        // It is as wide as its frame.
        let all = "return Math.max(...[...document.querySelectorAll('#frames rect')]
            .map(rect => rect.getBoundingClientRect().width)) / innerWidth";
        assert!(browser.run(all, &[]).as_f64().unwrap() > 0.9);
        let width = "const frames = [...document.querySelectorAll('#frames g')];
            const frame = frames.find(g => g.querySelector('title').textContent.startsWith('_Z5inner'));
            return frame.querySelector('rect').getBoundingClientRect().width";
        let before = browser.run(width, &[]).as_f64().unwrap();
        let click = width.replace(
            "getBoundingClientRect().width",
            "dispatchEvent(new MouseEvent('click', {bubbles: true}))",
        );
        browser.run(&click, &[]);
        (before, browser.run(width, &[]).as_f64().unwrap())
    });
    browser.keep_picture("report-flame.png");
    assert!(widths.1 > 1.5 * widths.0, "{widths:?}");

    // Statistics: all rows, and a click on a heading sorts.
    browser.click("[data-tab=statistics]");
    browser.keep_picture("report-statistics.png");
    let mut stats = Stats::new();
    stats.add_folder(&folder, &Filter::default(), sqtt_decoder::Threads::new(2));
    stats.add_folder(&hostile, &Filter::default(), sqtt_decoder::Threads::new(2));
    let rows = stats.into_rows();
    let shown = browser.run("return document.querySelectorAll('#tab-statistics tbody tr').length", &[]);
    assert_eq!(shown, rows.len());
    let column = "return [...document.querySelectorAll('#tab-statistics tbody tr')].map(row =>
        Number(row.children[3].textContent.replaceAll(',', '')))";
    browser.click("#tab-statistics th:nth-child(4) button");
    let mut counts: Vec<u64> = rows.iter().map(|row| row.count).collect();
    counts.sort_unstable_by_key(|&count| std::cmp::Reverse(count));
    assert_eq!(browser.run(column, &[]), json!(counts));
    browser.click("#tab-statistics th:nth-child(4) button");
    counts.reverse();
    assert_eq!(browser.run(column, &[]), json!(counts));
    browser.keys("#tab-statistics .filter", "quoted");
    assert_eq!(browser.run("return document.querySelectorAll('#tab-statistics tbody tr').length", &[]), 1);

    // Memory and losses.
    browser.click("[data-tab=memory]");
    browser.keep_picture("report-memory.png");
    let memory = browser.run("return document.getElementById('tab-memory').innerText", &[]);
    assert!(memory.as_str().unwrap().contains("/src/k.hip:50"), "{memory}");
    browser.click("[data-tab=losses]");
    browser.keep_picture("report-losses.png");
    let losses = browser.run("return document.getElementById('tab-losses').innerText", &[]);
    assert!(losses.as_str().unwrap().contains("packet losses"), "{losses}");

    // Nothing went wrong, nothing was made of the names, and nothing was fetched.
    assert_eq!(browser.run("return window.failures", &[]), json!([]));
    assert_eq!(browser.run("return document.querySelectorAll('h1 b, td script, td b b').length", &[]), 0);
    assert_eq!(browser.run("return performance.getEntriesByType('resource').length", &[]), 0);
}

/// Data of the page on a trace, but for the picture, which has golden files of its own.
fn golden_data(name: &str, folder: &trace::Trace) {
    let mut data = data(&written(&[folder], ReportOptions::default()));
    assert!(data["flame"].as_str().unwrap().starts_with("<?xml"));
    data["flame"] = Value::Null;
    let root = folder.path.parent().unwrap().display().to_string();
    golden(name, &format!("{}\n", serde_json::to_string_pretty(&data).unwrap().replace(&root, "TRACE")));
}

#[test]
#[ignore = "it reads the shared test data"]
fn golden_file_of_the_example() {
    let path = test_data::find("ui-example");
    golden_data("example.report.json", &load_all(&path)[0]);
}

#[test]
fn golden_file_of_a_generated_trace() {
    let (_root, folder) = support::small_generated();
    golden_data("generated.report.json", &folder);
}

#[test]
fn a_page_is_one_file_and_asks_for_nothing() {
    let text = written(&[&hostile().load()], ReportOptions::default());
    for asks in [" src=", " href=", "url(", "@import", "http-equiv=\"refresh"] {
        // The picture's own script and style are in it as data.
        let (before, behind) = text.split_once(r#"id="report-data">"#).unwrap();
        let after = behind.split_once("</script>").unwrap().1;
        assert!(!before.contains(asks) && !after.contains(asks), "{asks}");
    }
    assert!(text.contains("default-src 'none'"));
    assert_eq!(text.matches("<script").count(), text.matches("</script").count());
}

#[test]
fn the_timeline_has_every_scope_of_a_small_trace() {
    let folder = generated(&Plan { records: 3000, ..Plan::default() });
    let (mut scopes, mut points, mut waves) = (0, 0, 0);
    folder.decode(&Filter::default(), |_, stream| {
        waves += 1;
        while let Some(event) = stream.next() {
            scopes += usize::from(event.closed.is_some());
            points += usize::from(event.kind == sqtt_decoder::stream::EventKind::Point);
        }
    });
    let data = data(&written(&[&folder], ReportOptions::default()));
    let trace = &data["traces"][0];
    let sum = |key: &str| -> usize {
        trace["lanes"].as_array().unwrap().iter().map(|lane| lane[key].as_array().unwrap().len()).sum()
    };
    assert_eq!((sum("spans"), sum("points")), (scopes + waves, points));
    assert_eq!((&trace["spans_left_out"], &trace["points_left_out"]), (&json!(0), &json!(0)));
    assert_eq!(data["summary"], "nothing lost");
    // A lane's scopes are inside of its waves.
    for lane in trace["lanes"].as_array().unwrap() {
        let mut wave = (0, 0);
        for span in lane["spans"].as_array().unwrap() {
            let number = |index: usize| span[index].as_i64().unwrap();
            let (begin, end) = (number(0), number(0) + number(1));
            if number(2) == 0 {
                wave = (begin, end);
            }
            assert!(wave.0 <= begin && end <= wave.1, "{span}");
        }
    }
}

#[test]
fn a_large_trace_leaves_out_the_least_and_says_so() {
    let folder = generated(&Plan { records: 30_000, ..Plan::default() });
    let options = ReportOptions { spans: 500, points: 300, rows: 3, ..ReportOptions::default() };
    let text = written(&[&folder], options);
    let all = data(&written(&[&folder], ReportOptions::default()));
    let few = data(&text);
    let spans = |data: &Value| -> Vec<i64> {
        let lanes = data["traces"][0]["lanes"].as_array().unwrap().iter();
        let mut spans: Vec<i64> = lanes
            .flat_map(|lane| lane["spans"].as_array().unwrap().iter().map(|span| span[1].as_i64().unwrap()))
            .collect();
        spans.sort_unstable_by_key(|&duration| std::cmp::Reverse(duration));
        spans
    };
    let (shown, longest) = (spans(&few), spans(&all));
    assert_eq!(shown, longest[..500]);
    let trace = &few["traces"][0];
    assert_eq!(trace["spans_left_out"], longest.len() - 500);
    let points: usize =
        trace["lanes"].as_array().unwrap().iter().map(|lane| lane["points"].as_array().unwrap().len()).sum();
    assert!((150..600).contains(&points), "{points}");
    let left_out = trace["points_left_out"].as_u64().unwrap() as usize;
    let mut expected = 0;
    folder.decode(&Filter::default(), |_, stream| {
        while let Some(event) = stream.next() {
            expected += usize::from(event.kind == sqtt_decoder::stream::EventKind::Point);
        }
    });
    assert_eq!(points + left_out, expected);
    assert_eq!(few["stats"].as_array().unwrap().len(), 3);
    assert!(few["stats_left_out"].as_u64().unwrap() > 0);
    assert!(text.len() < 200_000, "{}", text.len());
}

#[test]
fn a_report_of_ten_thousand_waves_stays_small() {
    let plan = Plan { records: 150_000, records_per_wave: 9, engines: 4, packed: true, ..Plan::default() };
    let folder = generated(&plan);
    assert!(folder.launch_count() > 10_000);
    let text = written(&[&folder], ReportOptions::default());
    let trace = &data(&text)["traces"][0];
    let lanes = trace["lanes"].as_array().unwrap();
    let spans: usize = lanes.iter().map(|lane| lane["spans"].as_array().unwrap().len()).sum();
    let left_out = trace["spans_left_out"].as_u64().unwrap() as usize;
    let mut scopes = 0;
    folder.decode(&Filter::default(), |_, stream| {
        while let Some(event) = stream.next() {
            scopes += usize::from(event.closed.is_some());
        }
    });
    // A wave is a span, too.
    assert_eq!(spans + left_out, scopes + folder.launch_count());
    assert!(text.len() < 16 << 20, "{}", text.len());
}

#[test]
fn reports_of_nothing_open() {
    let text = written(&[&support::traces::Trace::new().load()], ReportOptions::default());
    let place = tempfile::tempdir().unwrap();
    let (_file, url) = page(&place, &text);
    let browser = Browser::start();
    browser.open(&url);
    for tab in ["timeline", "flame", "statistics", "memory", "losses"] {
        browser.click(&format!("[data-tab={tab}]"));
        assert_eq!(browser.run(&format!("return document.getElementById('tab-{tab}').hidden"), &[]), false);
    }
    assert_eq!(data(&text)["stats"], json!([]));
}

#[test]
fn memory_has_a_row_per_marker_and_says_what_the_summary_says() {
    let mut trace = support::traces::Trace::new();
    let mut map = "K:kernel\n".to_owned();
    let mut config = sqtt_format::ConfigRecord::new("1", "22");
    for (id, kind) in [(6, "lds_load"), (7, "lds_load"), (8, "lds_store")] {
        map += &format!("P:{id}:addr_trace_{kind}@k.hip:5\nR:{id}:extra_payload_count=34\n");
        config.set_access_bytes(id, 4);
    }
    // gfx1100, whose loads of four bytes were measured.
    trace.gfxip = 11;
    trace.object_for(0x41, &map, Some(&config));
    trace.launch(100, 1);
    trace.retire(100_000);
    let block =
        |id: u32, row: u32| [id << 2, u32::MAX, 0].into_iter().chain((0..32).map(move |lane| lane * row));
    let blocks = block(6, 4).chain(block(7, 132)).chain(block(7, 128)).chain(block(8, 8));
    trace.words(&blocks.collect::<Vec<_>>());
    let folder = trace.load();
    let text = written(&[&folder], ReportOptions::default());
    let mut collector = Collector::new(MemoryOptions::default());
    let ledger = collector.add_folder(&folder, &Filter::default(), sqtt_decoder::Threads::new(2));
    assert!(ledger.is_lossless(), "{ledger}");
    let expected: Vec<Value> = collector
        .into_summary()
        .lines
        .iter()
        .map(|row| {
            let banks = row.lds_banks.as_ref().unwrap();
            let cycles = json!({"touched": banks.cycles, "minimum": banks.minimum});
            json!([row.marker_id, row.kind, row.operations, cycles])
        })
        .collect();
    let rows = data(&text)["memory"]["rows"].clone();
    let rows = rows.as_array().unwrap();
    let shown = |row: &Value| json!([row["marker"], row["kind"], row["operations"], row["bank_cycles"]]);
    assert_eq!(rows.iter().map(shown).collect::<Vec<_>>(), expected);
    let finding = "LDS bank conflicts: 16.5 times the cycles of a conflict-free access, \
                   most often between lanes 0 and 1 (bank 0)";
    let findings: Vec<_> =
        rows.iter().map(|row| (row["marker"].as_u64(), &row["finding"], &row["neighbours"])).collect();
    assert_eq!(findings[0], (Some(7), &json!(finding), &json!(false)));
    assert_eq!(findings[2], (Some(6), &json!(""), &json!(false)));
    assert_eq!((findings[1].0, findings[1].2), (Some(8), &json!(true)));

    let place = tempfile::tempdir().unwrap();
    let (_file, url) = page(&place, &text);
    let browser = Browser::start();
    browser.open(&url);
    browser.click("[data-tab=memory]");
    let cells = "return [...document.querySelectorAll('#tab-memory tbody tr')].map(row =>
        [row.children[1].innerText, row.children[10].innerText])";
    let expected = json!([
        ["lds_load\nmarker 7", "33 / 2"],
        ["lds_store\nmarker 8", "~ 2 / 1"],
        ["lds_load\nmarker 6", "1 / 1"]
    ]);
    assert_eq!(browser.run(cells, &[]), expected);
    let says = browser.run("return document.getElementById('tab-memory').innerText", &[]);
    assert!(says.as_str().unwrap().contains("LDS cycles with ~ count neighbouring lanes"), "{says}");
}
