//! The JSON of both writers.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};
use sqtt_format::{EntryKind, Funcmap};

use super::engine::Engine;
use super::{FUNCMAP, PACKED_FUNCMAP, Plan, Writer};

const SCHEMA: &str = r#"["time","value","cu","simd","wave_id","flags"]"#;

/// What comes before the records. `rocprofv3` sorts keys, so it knows less by then.
pub(super) fn record_file_head(out: &mut impl Write, writer: Writer, begin: i64) -> io::Result<()> {
    match writer {
        Writer::Rocprofv3 => write!(out, "{{\"begin_time\":{begin},\"records\":["),
        Writer::AttTool => write!(
            out,
            "{{\n  \"type\": \"shaderdata\",\n  \"begin_time\": {begin},\n  \"records_schema\": {SCHEMA},\n  \"records\": ["
        ),
    }
}

pub(super) fn record_file_tail(out: &mut impl Write, writer: Writer, end: i64, count: u64) -> io::Result<()> {
    match writer {
        Writer::Rocprofv3 => write!(
            out,
            "],\"end_time\":{end},\"records_count\":{count},\"records_schema\":{SCHEMA},\"type\":\"shaderdata\"}}"
        ),
        Writer::AttTool => {
            writeln!(out, "\n  ],\n  \"end_time\": {end},\n  \"records_count\": {count}\n}}")
        }
    }
}

pub(super) fn row(out: &mut impl Write, writer: Writer, first: bool, columns: &[i64; 6]) -> io::Result<()> {
    let [time, value, cu, simd, slot, flags] = columns;
    let comma = if first { "" } else { "," };
    match writer {
        Writer::Rocprofv3 => write!(out, "{comma}[{time},{value},{cu},{simd},{slot},{flags}]"),
        Writer::AttTool => write!(
            out,
            "{comma}\n    [\n      {time},\n      {value},\n      {cu},\n      {simd},\n      {slot},\n      {flags}\n    ]"
        ),
    }
}

/// Everything but the record files.
pub(super) fn write(folder: &Path, plan: &Plan, engines: &[Engine]) -> io::Result<()> {
    let att_tool = plan.writer == Writer::AttTool;
    let version = if att_tool { "3.1.0" } else { "3.0.0" };
    let empty = if att_tool { json!({}) } else { Value::Null };
    let files = engines.iter().map(|engine| (engine.se.to_string(), json!(engine.files)));
    let names = json!({
        "global_begin_time": 0, "gfxv": "navi", "gfxip": 12, "version": version, "counter_names": [],
        "wave_filenames": empty, "other_simd_filenames": empty,
        "shaderdata_filenames": Value::Object(files.collect()),
    });
    save(folder, "filenames.json", plan, &names)?;

    let mut occupancy = serde_json::Map::new();
    let mut events = serde_json::Map::new();
    for engine in engines {
        let wide = |row: &[i64; 6]| {
            let mut row = row.to_vec();
            row.extend(att_tool.then_some([1, 0, 0, 5, 0]).into_iter().flatten());
            row
        };
        let rows: Vec<Vec<i64>> = engine.occupancy.iter().map(wide).collect();
        occupancy.insert(engine.se.to_string(), json!(rows));
        let dispatch = json!({
            "kind": "dispatch", "time": 900, "me_id": 1, "pipe_id": 0, "kernel_id": 1,
            "kernel_name": "_Z6kernelPfi", "entry_point": {"address": 4096, "code_object_id": 7},
            "thread_dim_x": 256, "thread_dim_y": 1, "thread_dim_z": 1,
        });
        let losses = engine.losses.iter().map(|time| json!({"kind": "event", "time": time, "type": 6}));
        let list: Vec<Value> = [dispatch].into_iter().chain(losses).collect();
        events.insert(engine.se.to_string(), Value::Array(list));
    }
    occupancy.insert("dispatches".to_owned(), json!({"0": "0 / 0x0", "1": "_Z6kernelPfi"}));
    occupancy.insert("version".to_owned(), json!(version));
    if att_tool {
        occupancy.insert("events".to_owned(), Value::Object(events));
    }
    save(folder, "occupancy.json", plan, &Value::Object(occupancy))?;

    let clocks = engines
        .iter()
        .map(|engine| (format!("SE{}", engine.se), json!([[0, 1_000_000], [21_000, 1_001_000]])));
    let mut real: serde_json::Map<String, Value> = clocks.collect();
    let metadata = json!({"descriptor": "[gfx_clock, realtime_clock]", "frequency": 100_000_000});
    real.insert("metadata".to_owned(), metadata);
    save(folder, "realtime.json", plan, &Value::Object(real))?;
    save(folder, "code.json", plan, &code(plan, version))
}

/// The tables of `code.json`.
fn code(plan: &Plan, version: &str) -> Value {
    let mut code = json!({
        "code": [["s_endpgm", 0, 1, "/src/k.hip:60", 7, 4096, 0, 0, 0, 0]], "version": version,
    });
    if plan.writer == Writer::AttTool {
        let map = Funcmap::parse(if plan.packed { PACKED_FUNCMAP } else { FUNCMAP }.as_bytes()).map;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let rows = map.entries().iter().map(|entry| {
            let letter = char::from(entry.kind().prefix()).to_string();
            let location = entry.source_loc().map(text).unwrap_or_default();
            let id = entry.id().unwrap_or_default();
            let address = if entry.kind() == EntryKind::Kernel { 4096 } else { 0 };
            json!([7, id, letter, text(entry.name()), location, address])
        });
        code["sqtt_funcmap"] = rows.collect();
        let encoding = map.marker_encoding();
        if encoding.has_shader_clock() {
            code["sqtt_funcmap_layout"] =
                json!([[7, encoding.shader_clock_bits, encoding.shader_clock_shift]]);
        }
        let counts = map.entries().iter().filter(|entry| entry.extra_payload_count() > 0);
        code["sqtt_funcmap_payloads"] =
            counts.map(|entry| json!([7, entry.id(), entry.extra_payload_count()])).collect();
    }
    code
}

fn save(folder: &Path, name: &str, plan: &Plan, value: &Value) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(folder.join(name))?);
    match plan.writer {
        Writer::Rocprofv3 => serde_json::to_writer(&mut out, value)?,
        Writer::AttTool => serde_json::to_writer_pretty(&mut out, value)?,
    }
    out.flush()
}
