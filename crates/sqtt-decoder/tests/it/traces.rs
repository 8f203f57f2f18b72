//! Small trace folders, written row by row.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sqtt_decoder::names::Catalog;
use sqtt_decoder::trace::{self, LoadOptions, discover};
use sqtt_decoder::{Filter, Ledger, generate};

/// A trace folder in a temporary folder, with one slot's rows in mind: SE 0, CU 1, SIMD 2, slot 3.
pub(crate) struct Trace {
    pub(crate) root: tempfile::TempDir,
    records: BTreeMap<u32, Vec<Value>>,
    waves: BTreeMap<u32, Vec<Value>>,
    pub(crate) names: Value,
    pub(crate) events: Value,
    pub(crate) code: Value,
    /// The GPU's version by `filenames.json`.
    pub(crate) gfxip: u32,
}

impl Trace {
    /// Kernel 1 is called `kernel`.
    pub(crate) fn new() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
            records: BTreeMap::new(),
            waves: BTreeMap::new(),
            names: json!({"0": "0 / 0x0", "1": "kernel"}),
            events: json!({}),
            code: json!({"code": null}),
            gfxip: 12,
        }
    }

    /// One wave of kernel 1 from 100 to 10,000, with this funcmap.
    pub(crate) fn of_one_wave(map: &str) -> Self {
        let mut trace = Self::new();
        trace.object(7, &format!("K:kernel\n{map}"));
        trace.launch(100, 1);
        trace.retire(10_000);
        trace
    }

    pub(crate) fn ui(&self) -> PathBuf {
        self.root.path().join("ui_output_agent_1_dispatch_1")
    }

    pub(crate) fn object(&mut self, id: u64, map: &str) -> PathBuf {
        let file = self.root.path().join(format!("1_gfx1200_code_object_id_{id}.out"));
        std::fs::write(&file, generate::code_object(map.as_bytes())).unwrap();
        file
    }

    /// Code object 7 for the GPU of these ELF flags, with this record of its configuration.
    pub(crate) fn object_for(&mut self, e_flags: u32, map: &str, config: Option<&sqtt_format::ConfigRecord>) {
        let file = self.root.path().join("1_gfx_code_object_id_7.out");
        std::fs::write(&file, generate::code_object_for(e_flags, map.as_bytes(), config)).unwrap();
    }

    pub(crate) fn launch(&mut self, time: i64, kernel: u64) {
        self.wave(0, json!([time, 1, 2, 3, 1, kernel]));
    }

    pub(crate) fn retire(&mut self, time: i64) {
        self.wave(0, json!([time, 1, 2, 3, 0, 1]));
    }

    pub(crate) fn waves_reset(&mut self) {
        self.waves.clear();
    }

    pub(crate) fn wave(&mut self, se: u32, row: Value) {
        self.waves.entry(se).or_default().push(row);
    }

    pub(crate) fn record(&mut self, time: i64, value: u32, flags: u8) {
        self.row(0, json!([time, value, 1, 2, 3, flags]));
    }

    pub(crate) fn row(&mut self, se: u32, row: Value) {
        self.records.entry(se).or_default().push(row);
    }

    /// Records from 200 on, one every ten cycles.
    pub(crate) fn words(&mut self, words: &[u32]) {
        for (index, &word) in words.iter().enumerate() {
            self.record(200 + 10 * index as i64, word, 0);
        }
    }

    /// Writes the files.
    pub(crate) fn write(&self) {
        let ui = self.ui();
        std::fs::create_dir_all(&ui).unwrap();
        let save = |name: &str, value: &Value| {
            std::fs::write(ui.join(name), serde_json::to_vec(value).unwrap()).unwrap();
        };
        let mut files = serde_json::Map::new();
        for (se, rows) in &self.records {
            let name = format!("shaderdata_{se}_0.json");
            save(
                &name,
                &json!({
                    "type": "shaderdata", "records": rows, "records_count": rows.len(),
                    "records_schema": ["time", "value", "cu", "simd", "wave_id", "flags"],
                }),
            );
            files.insert(se.to_string(), json!([[name, 0, 0]]));
        }
        save(
            "filenames.json",
            &json!({"gfxip": self.gfxip, "version": "3.0.0", "shaderdata_filenames": files}),
        );
        let mut occupancy = serde_json::Map::new();
        for (se, rows) in &self.waves {
            occupancy.insert(se.to_string(), json!(rows));
        }
        occupancy.insert("dispatches".to_owned(), self.names.clone());
        occupancy.insert("events".to_owned(), self.events.clone());
        save("occupancy.json", &Value::Object(occupancy));
        save("code.json", &self.code);
    }

    /// Writes and loads the folder.
    pub(crate) fn load(&self) -> trace::Trace {
        self.write();
        load(self.root.path())
    }

    /// The events of all waves as text, and the ledger.
    pub(crate) fn events(&self) -> (Vec<String>, Ledger) {
        events(&self.load())
    }
}

/// Loads the only trace folder below a path.
pub(crate) fn load(path: &Path) -> trace::Trace {
    let found = discover(&[path.to_owned()]).unwrap();
    assert_eq!(found.folders.len(), 1);
    let catalog = Catalog::read(&found.code_objects);
    trace::Trace::load(
        &found.folders[0],
        &catalog,
        LoadOptions::default().threads(sqtt_decoder::Threads::new(2)),
    )
}

/// Every event as `time kind name[payload] -closed scope:begin..end(reason)`, wave by wave.
pub(crate) fn events(folder: &trace::Trace) -> (Vec<String>, Ledger) {
    let mut lines = Vec::new();
    let ledger = folder.decode(&Filter::default(), |wave, stream| {
        lines.push(format!("wave {} {}", wave.slot, wave.generation));
        while let Some(event) = stream.next() {
            let name = |entry: Option<&sqtt_format::Entry>, id: u32| match entry {
                Some(entry) => String::from_utf8_lossy(entry.name()).into_owned(),
                None => format!("event#{id}"),
            };
            let mut line = format!("{} {:?}", event.time, event.kind);
            if event.marker != sqtt_format::Marker::EXIT {
                line += &format!(" {}", name(event.entry, event.marker.id));
            }
            if !event.payload.is_empty() {
                line += &format!(" {:?}", event.payload);
            }
            if event.truncated {
                line += " truncated";
            }
            if let Some(closed) = event.closed {
                line += &format!(
                    " -{}:{}..{} {} {}",
                    name(closed.entry, closed.id),
                    closed.begin,
                    closed.end,
                    closed.exclusive(),
                    closed.reason.name()
                );
            }
            lines.push(line);
        }
    });
    (lines, ledger)
}
