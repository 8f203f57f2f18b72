//! Raw traces, read.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::engine::EngineRead;
use super::files::{RawEngine, RawTrace};
use super::generation::{Generation, Header, HeaderError};
use super::kernels::Kernels;
use super::packets::LoadedObject;
use super::walk::{Clock, PADDING, Stream, walk};
use crate::ledger::{Ledger, LossKind};
use crate::names::Catalog;
use crate::parallel;
use crate::trace::{
    EngineOccupancy, FileInfo, Folder, LoadOptions, Occupancy, Parts, Place, RealTime, ShaderData, SlotId,
};

/// What the real-time clock counts a second. Streams do not say it; it is 100 MHz on the GPUs that are
/// read here.
const REAL_TIME_HZ: u64 = 100_000_000;

/// Bytes that GPUs write of a trace at a time.
const BUFFER_UNIT: usize = 32;

/// What was read of a shader engine.
struct Engine {
    info: FileInfo,
    generation: Option<Generation>,
    read: Option<EngineRead<'static>>,
    ledger: Ledger,
}

impl RawTrace {
    /// Reads what can be read of it, with the names of `catalog`.
    #[must_use]
    pub fn load(&self, catalog: &Catalog, options: LoadOptions<'_>) -> Folder {
        let mut ledger = Ledger::new();
        let headers = self.engines.iter().filter_map(|engine| engine.files.first());
        let others = headers.filter_map(|file| header_of(file)).map(|header| header.generation).next();
        let read = |engine: &RawEngine| read_engine(engine, others, options);
        let engines = parallel::map(options.threads.max(1), &self.engines, read);

        let generation = engines.iter().find_map(|engine| engine.generation);
        if let Some(caveat) = generation.and_then(Generation::caveat) {
            ledger.add(LossKind::PartlyKnownGpu, 1, format!("{}: {caveat}", self.path.display()));
        }
        let reads = || engines.iter().filter_map(|engine| engine.read.as_ref());
        let loaded: HashSet<LoadedObject> = reads().flat_map(|read| &read.ever_loaded).copied().collect();
        let mut kernels = Kernels::new(catalog, &self.path, &loaded);
        let mut occupancy = Occupancy::default();
        occupancy.names.insert(0, b"0 / 0x0".to_vec());
        let mut real_time = RealTime { frequency: REAL_TIME_HZ, ..RealTime::default() };
        let mut records = Vec::new();
        for Engine { mut info, read, ledger: own, .. } in engines {
            let mut data = ShaderData::default();
            if let Some(mut read) = read {
                let numbers = kernels.number(&read.entries, &mut occupancy, &mut ledger);
                if !read.real_time.is_empty() {
                    real_time.samples.insert(info.se, std::mem::take(&mut read.real_time));
                }
                let mut engine = EngineOccupancy {
                    events: std::mem::take(&mut read.events),
                    ends_without_start: read.ends_without_start,
                    starts_in_busy_slots: read.starts_in_busy_slots,
                    ..EngineOccupancy::default()
                };
                for (place, mut slot) in read.into_slots() {
                    for launch in &mut slot.launches {
                        let index =
                            launch.kernel.checked_sub(1).and_then(|index| usize::try_from(index).ok());
                        launch.kernel =
                            index.and_then(|index| numbers.get(index)).copied().unwrap_or_default();
                    }
                    if !slot.launches.is_empty() {
                        slot.launches.shrink_to_fit();
                        engine.launches.insert(place, slot.launches);
                    }
                    if !slot.records.is_empty() {
                        slot.records.compact();
                        info.records += slot.records.len() as u64;
                        data.slots.push((place, slot.records));
                    }
                }
                occupancy.engines.insert(info.se, engine);
            }
            records.push((info, data, own));
        }
        let parts = Parts {
            path: self.path.clone(),
            gfxip: generation.map(Generation::gfxip),
            is_raw: true,
            version: None,
            records,
            occupancy: Some(occupancy),
            real_time: (!real_time.samples.is_empty()).then_some(real_time),
            code: Default::default(),
            ledger,
        };
        Folder::assemble(parts, catalog)
    }
}

fn header_of(file: &Path) -> Option<Header> {
    let mut word = [0; 8];
    File::open(file).ok()?.read_exact(&mut word).ok()?;
    Header::parse(u64::from_le_bytes(word)).ok()
}

/// Reads the stream of a shader engine. `others` is what the other ones of the trace are.
fn read_engine(engine: &RawEngine, others: Option<Generation>, options: LoadOptions<'_>) -> Engine {
    let first = engine.files.first().cloned().unwrap_or_default();
    let info = FileInfo { path: first, se: engine.se, complete: true, ..FileInfo::default() };
    let mut reader = Reader {
        engine: Engine { info, generation: None, read: None, ledger: Ledger::new() },
        clock: Clock::default(),
        begun: None,
    };
    // What belongs to one header: the bytes, and where each file begins in them.
    let mut bytes = Vec::new();
    let mut parts: Vec<(usize, &Path)> = Vec::new();
    for file in &engine.files {
        let start = bytes.len();
        if let Err(error) = File::open(file).and_then(|mut file| file.read_to_end(&mut bytes)) {
            bytes.truncate(start);
            reader.engine.info.complete = false;
            reader.note(LossKind::SkippedFile, file, &error);
            continue;
        }
        if let Some(progress) = options.progress {
            progress.fetch_add((bytes.len() - start) as u64, Ordering::Relaxed);
        }
        let word = bytes.get(start..start + 8).map(little_endian);
        if let Some(begun) = reader.begun
            && !word.is_some_and(|word| begun.is_followed_by_own(word))
        {
            // It goes on where the one before it stopped.
            parts.push((start, file));
            continue;
        }
        match word.map(Header::parse) {
            Some(Ok(header)) => {
                if start > 0 {
                    let own = bytes.split_off(start);
                    reader.walk(std::mem::replace(&mut bytes, own), &parts);
                }
                parts = vec![(0, file)];
                reader.begin(header);
            }
            Some(Err(HeaderError::None(_))) | None if bytes[start..].iter().all(|&byte| byte == 0) => {
                // An empty buffer.
                bytes.truncate(start);
            }
            other => match (other, others) {
                (Some(Err(HeaderError::None(_))) | None, Some(generation)) => {
                    let what = format!(
                        "begins without a header: read as {generation}, as the trace's other shader engines"
                    );
                    reader.note(LossKind::TruncatedFile, file, &what);
                    parts.push((start, file));
                    reader.begin(Header { generation, bytes: 0, word: 0 });
                }
                (error, _) => {
                    bytes.truncate(start);
                    reader.engine.info.complete = false;
                    match error {
                        Some(Err(error)) => reader.note(LossKind::SkippedFile, file, &error),
                        _ => reader.note(LossKind::SkippedFile, file, &"too short for a thread trace"),
                    }
                }
            },
        }
    }
    reader.walk(bytes, &parts);
    reader.finish()
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

struct Reader {
    engine: Engine,
    clock: Clock,
    /// The header of the tokens at hand.
    begun: Option<Header>,
}

impl Reader {
    fn note(&mut self, kind: LossKind, file: &Path, what: &dyn std::fmt::Display) {
        self.engine.ledger.add(kind, 1, format!("{}: {what}", file.display()));
    }

    fn begin(&mut self, header: Header) {
        self.engine.generation = Some(header.generation);
        self.engine.read.get_or_insert_with(|| EngineRead::new(header.generation.table()));
        self.begun = Some(header);
    }

    /// Takes the tokens of the bytes that begin with one header.
    fn walk(&mut self, mut bytes: Vec<u8>, parts: &[(usize, &Path)]) {
        let (Some(generation), Some(read)) = (self.engine.generation, &mut self.engine.read) else { return };
        let header = self.begun.map_or(0, |header| header.bytes);
        bytes.resize(bytes.len() + PADDING, 0);
        let Some(stream) = Stream::new(&bytes, header) else { return };
        let cut = walk(generation.table(), &stream, &mut self.clock, read);
        let unknown = read.unknown.take();
        let place = |bit: u64| {
            let byte = (bit / 8) as usize;
            let before = parts.partition_point(|(start, _)| *start <= byte);
            let (start, file) = parts[..before].last().copied().unwrap_or((0, Path::new("?")));
            format!("{}: at byte {:#x}", file.display(), byte - start)
        };
        if let Some((count, bit)) = unknown {
            let what = format!("{}: the first of {count} places where {generation} has no token", place(bit));
            self.engine.ledger.add(LossKind::UnknownToken, count, what);
        }
        if let Some(bit) = cut {
            // GPUs write their buffers in whole units; a file that ends elsewhere was cut off later.
            let at_end =
                (bytes.len() - PADDING - header.min(bytes.len() - PADDING)).is_multiple_of(BUFFER_UNIT);
            let what = format!("{}: the file ends inside of a token", place(bit));
            let kind = if at_end { LossKind::CutAtBufferEnd } else { LossKind::TruncatedFile };
            self.engine.ledger.add(kind, 1, what);
            self.engine.info.complete = at_end;
        }
    }

    fn finish(mut self) -> Engine {
        if let Some(read) = &self.engine.read
            && read.impossible_slots > 0
        {
            let what =
                format!("{}: tokens of wave slots that the GPU lacks", self.engine.info.path.display());
            self.engine.ledger.add(LossKind::MalformedRow, read.impossible_slots, what);
        }
        if let Some((count, Place { cu, simd, slot })) = self.engine.read.as_ref().and_then(|read| read.far) {
            let slot = SlotId { se: self.engine.info.se, cu, simd, slot };
            let path = self.engine.info.path.display();
            let what =
                format!("{path}: tokens at times that no trace reaches (2^53 cycles), the first of {slot}");
            self.engine.ledger.add(LossKind::MalformedRow, count, what);
        }
        self.engine
    }
}
