//! The small files as JSON, streamed from a [`Description`].

use std::collections::BTreeMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::json;
use sqtt_format::EntryKind;

use super::{Description, DispatchEvent, EngineDescription, HardwareEvent, RecordFile, Style, WaveEdge};
use crate::names::{NumberedObject, demangle};
use crate::trace::{EngineEventKind, RealTime};

/// Name of kernel 0: no kernel.
const NO_KERNEL: &str = "0 / 0x0";

fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// `{}` or `null`, as the writer has it.
#[derive(Serialize)]
#[serde(untagged)]
enum Empty {
    Null(()),
    Object(BTreeMap<u8, u8>),
}

/// A file, its first and its last time.
pub(super) type ListedTimes<'a> = (&'a str, i64, i64);

/// `shaderdata_filenames`.
pub(crate) fn listed(engines: &BTreeMap<u32, EngineDescription>) -> BTreeMap<u32, Vec<ListedTimes<'_>>> {
    let present = engines.iter().filter(|(_, engine)| !engine.files.is_empty());
    present.map(|(&se, engine)| (se, engine.files.iter().map(RecordFile::listed).collect())).collect()
}

impl RecordFile {
    fn listed(&self) -> ListedTimes<'_> {
        (&self.name, self.begin, self.end)
    }
}

/// `filenames.json`.
#[derive(Serialize)]
pub(super) struct FileNamesJson<'a> {
    counter_names: [&'a str; 0],
    gfxip: u32,
    gfxv: &'a str,
    global_begin_time: u32,
    other_simd_filenames: Empty,
    shaderdata_filenames: Option<BTreeMap<u32, Vec<ListedTimes<'a>>>>,
    version: &'a str,
    wave_filenames: Empty,
}

impl<'a> FileNamesJson<'a> {
    pub(super) fn new(description: &'a Description, style: Style) -> Self {
        let empty = || if style.is_wide() { Empty::Object(BTreeMap::new()) } else { Empty::Null(()) };
        let files = listed(&description.engines);
        Self {
            counter_names: [],
            gfxip: description.gfxip,
            gfxv: if description.gfxip <= 9 { "vega" } else { "navi" },
            global_begin_time: 0,
            other_simd_filenames: empty(),
            shaderdata_filenames: (style.is_wide() || !files.is_empty()).then_some(files),
            version: style.version(),
            wave_filenames: empty(),
        }
    }
}

/// `occupancy.json`.
pub(super) struct OccupancyJson<'a> {
    pub(super) description: &'a Description,
    pub(super) style: Style,
}

const FIELDS: [&str; 11] = [
    "time",
    "cu",
    "simd",
    "wave_id",
    "start",
    "kernel_id",
    "me_id",
    "pipe_id",
    "is_ext",
    "workgroup_id",
    "cluster_id",
];

impl Serialize for OccupancyJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Description { engines, kernels, .. } = self.description;
        let mut map = serializer.serialize_map(None)?;
        for (se, engine) in engines {
            map.serialize_entry(&se.to_string(), &Waves(&engine.waves, self.style))?;
        }
        let mut names: BTreeMap<u64, std::borrow::Cow<'_, str>> = BTreeMap::from([(0, NO_KERNEL.into())]);
        names.extend(kernels.iter().map(|(&number, name)| (number, text(name))));
        map.serialize_entry("dispatches", &names)?;
        if self.style.is_wide() {
            let events: BTreeMap<u32, EngineEvents<'_>> =
                engines.iter().map(|(&se, engine)| (se, EngineEvents(engine, &names))).collect();
            map.serialize_entry("events", &events)?;
            map.serialize_entry("occupancy_fields", &FIELDS)?;
        }
        map.serialize_entry("version", self.style.version())?;
        map.end()
    }
}

struct Waves<'a>(&'a [WaveEdge], Style);

impl Serialize for Waves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = |wave: &WaveEdge| -> [i64; 11] {
            let origin = wave.origin;
            [
                wave.time,
                wave.cu.into(),
                wave.simd.into(),
                wave.slot.into(),
                wave.start.into(),
                wave.kernel.cast_signed(),
                origin.me.into(),
                origin.pipe.into(),
                origin.workgroup.is_some().into(),
                origin.workgroup.unwrap_or_default(),
                origin.cluster.unwrap_or_default(),
            ]
        };
        let columns = if self.1.is_wide() { FIELDS.len() } else { 6 };
        serializer.collect_seq(self.0.iter().map(|wave| row(wave)[..columns].to_vec()))
    }
}

struct EngineEvents<'a>(&'a EngineDescription, &'a BTreeMap<u64, std::borrow::Cow<'a, str>>);

impl Serialize for EngineEvents<'_> {
    /// Both kinds in one list, by time; dispatches first.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(engine, names) = self;
        let dispatches = engine.dispatches.iter().map(|event| (event.dispatch.time, dispatch(event, names)));
        let events = engine.events.iter().map(|event| (event.event.time, hardware(event)));
        let mut all: Vec<_> = dispatches.chain(events).collect();
        all.sort_by_key(|(time, _)| *time);
        serializer.collect_seq(all.iter().map(|(_, event)| event))
    }
}

fn dispatch(event: &DispatchEvent, names: &BTreeMap<u64, std::borrow::Cow<'_, str>>) -> serde_json::Value {
    let of = &event.dispatch;
    json!({
        "kind": "dispatch", "time": of.time, "me_id": of.me, "pipe_id": of.pipe, "kernel_id": of.kernel,
        "kernel_name": names.get(&of.kernel).map_or("", |name| name),
        "entry_point": {"address": event.address, "code_object_id": event.code_object},
        "user_sgprs": event.user_sgprs, "vgprs": of.vgprs, "sgprs": of.sgprs, "lds_size": of.lds_size,
        "thread_dim_x": of.workgroup_size[0], "thread_dim_y": of.workgroup_size[1],
        "thread_dim_z": of.workgroup_size[2], "dispatch_pkt_addr": event.packet_address,
        "byte_offset": event.byte_offset, "flags": event.flags,
    })
}

fn hardware(event: &HardwareEvent) -> serde_json::Value {
    let (number, code_object) = match event.event.kind {
        EngineEventKind::PacketLoss => (6, None),
        EngineEventKind::CodeObjectLoad(id) => (7, id),
        EngineEventKind::CodeObjectUnload(id) => (8, id),
        EngineEventKind::Other { number, code_object } => (number, code_object),
    };
    let mut json = json!({
        "kind": "event", "time": event.event.time, "type": number, "me_id": event.me, "pipe_id": event.pipe,
        "flags": event.flags, "payload": event.payload, "byte_offset": event.byte_offset,
    });
    if let Some(id) = code_object {
        json["code_object_id"] = id.into();
    }
    json
}

/// `realtime.json`.
pub(super) struct Clocks<'a>(pub(super) &'a RealTime);

impl Serialize for Clocks<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (se, samples) in &self.0.samples {
            map.serialize_entry(&format!("SE{se}"), samples)?;
        }
        let metadata = json!({"descriptor": "[gfx_clock, realtime_clock]", "frequency": self.0.frequency});
        map.serialize_entry("metadata", &metadata)?;
        map.end()
    }
}

/// `code.json`.
pub(super) struct Code<'a> {
    pub(super) description: &'a Description,
    pub(super) style: Style,
}

impl Serialize for Code<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Description { code, code_objects, kernel_symbols, .. } = self.description;
        let mut map = serializer.serialize_map(None)?;
        let rows: Vec<_> = code
            .iter()
            .map(|row| (&row.text, 0, row.line, &row.source, row.code_object, row.address, 0, 0, 0, 0))
            .collect();
        map.serialize_entry("code", &rows)?;
        map.serialize_entry(
            "header",
            "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle",
        )?;
        if self.style.is_wide() {
            let kernels: Vec<_> = kernel_symbols
                .iter()
                .map(|kernel| {
                    let name = text(&kernel.name);
                    let demangled = demangle(&kernel.name).unwrap_or_else(|| name.clone().into_owned());
                    json!({
                        "address": kernel.address, "codeobj": kernel.code_object, "name": name,
                        "demangled": demangled,
                    })
                })
                .collect();
            map.serialize_entry("kernels", &kernels)?;
        }
        for (name, table) in MarkerTables::of(code_objects).needed() {
            map.serialize_entry(name, table)?;
        }
        map.serialize_entry("version", self.style.version())?;
        map.end()
    }
}

/// Names of the tables. The last three are this project's own: what `.sqtt_config` says of access
/// widths, what the code object was built for, and what `.sqtt_config` says of numeric markers.
const TABLES: [&str; 6] =
    ["sqtt_funcmap", "sqtt_funcmap_layout", PAYLOADS, "sqtt_access_bytes", "sqtt_targets", "sqtt_numeric"];

const PAYLOADS: &str = "sqtt_funcmap_payloads";

/// The tables that carry the markers of code objects (specification, "code.json marker metadata").
#[derive(Debug)]
pub(crate) struct MarkerTables {
    tables: [(&'static str, serde_json::Value); 6],
    /// True if a table of payload without rows says something: that no marker has any.
    has_no_payload: bool,
}

impl MarkerTables {
    pub(crate) fn of(objects: &[NumberedObject]) -> Self {
        let mut tables: [Vec<serde_json::Value>; 6] = Default::default();
        for object in objects {
            let NumberedObject { id, funcmap, addresses, access_bytes, numeric, target, .. } = object;
            for (index, entry) in funcmap.entries().iter().enumerate() {
                let letter = char::from(entry.kind().prefix()).to_string();
                let location = entry.source_loc().map(text).unwrap_or_default();
                let has_address = matches!(entry.kind(), EntryKind::Function | EntryKind::Kernel);
                let address = addresses.get(index).copied().flatten().filter(|_| has_address);
                let marker = entry.id().unwrap_or_default();
                let address = address.unwrap_or_default();
                tables[0].push(json!([id, marker, letter, text(entry.name()), location, address]));
                if entry.extra_payload_count() > 0 {
                    tables[2].push(json!([id, marker, entry.extra_payload_count()]));
                }
            }
            let encoding = funcmap.marker_encoding();
            if encoding.has_shader_clock() {
                tables[1].push(json!([id, encoding.shader_clock_bits, encoding.shader_clock_shift]));
            }
            let nameless = funcmap.payloads_without_row().filter(|(_, count)| *count > 0);
            tables[2].extend(nameless.map(|(marker, count)| json!([id, marker, count])));
            tables[4].extend(target.iter().map(|target| json!([id, target])));
            tables[5].extend(numeric.iter().map(|ids| json!([id, ids.to_string()])));
            tables[3].extend(access_bytes.iter().map(|(marker, bytes)| json!([id, marker, bytes])));
        }
        let has_no_payload = !objects.is_empty() && !objects.iter().any(|object| object.lacks_payloads);
        let mut tables = tables.into_iter();
        Self { tables: TABLES.map(|name| (name, tables.next().unwrap_or_default().into())), has_no_payload }
    }

    /// All of them, and whether they are needed: those that have a row, and that of payload.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static str, &serde_json::Value, bool)> {
        self.tables.iter().map(|(name, table)| {
            let has_rows = table.as_array().is_some_and(|rows| !rows.is_empty());
            (*name, table, has_rows || (*name == PAYLOADS && self.has_no_payload))
        })
    }

    /// Tables that are needed.
    pub(crate) fn needed(&self) -> impl Iterator<Item = (&'static str, &serde_json::Value)> {
        self.all().filter(|(.., is_needed)| *is_needed).map(|(name, table, _)| (name, table))
    }
}
