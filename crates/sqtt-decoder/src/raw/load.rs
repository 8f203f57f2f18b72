//! Raw traces, read.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use super::engine::EngineRead;
use super::files::{RawEngine, RawFile, RawTrace};
use super::generation::{Generation, Header, HeaderError};
use super::kernels::Kernels;
use super::packets::LoadedObject;
use super::source::{Files, StreamPart};
use super::walk::{Clock, walk};
use super::window::WINDOW;
use crate::ledger::{Ledger, RemarkKind};
use crate::names::{Catalog, KernelName};
use crate::parallel;
use crate::trace::store::Store;
use crate::trace::{
    EngineOccupancy, FileInfo, LoadOptions, Occupancy, RealTime, ShaderData, SlotId, Trace, TraceParts,
    WaveSlot,
};

/// Ticks of the real-time clock in a second. Streams do not say it; it is 100 MHz on the GPUs that are
/// read here.
const REAL_TIME_HZ: u64 = 100_000_000;

/// Bytes that GPUs write of a trace at a time.
const BUFFER_UNIT: u64 = 32;

/// Parts read of a shader engine.
struct EngineStream {
    info: FileInfo,
    generation: Option<Generation>,
    read: Option<EngineRead<'static>>,
    ledger: Ledger,
}

impl RawTrace {
    /// Reads what can be read of it, with the names of `catalog`.
    #[must_use]
    pub fn load(&self, catalog: &Catalog, options: LoadOptions<'_>) -> Trace {
        let mut ledger = Ledger::new();
        let headers = self.engines.iter().filter_map(|engine| engine.files.first());
        let others = headers.filter_map(RawFile::header).map(|header| header.generation).next();
        let read = |engine: &RawEngine| read_engine(engine, others, options);
        let engines = parallel::map(options.threads, &self.engines, read);

        let generation = engines.iter().find_map(|engine| engine.generation);
        if let Some(caveat) = generation.and_then(Generation::caveat) {
            ledger.add(RemarkKind::PartlyKnownGpu, 1, format!("{}: {caveat}", self.path.display()));
        }
        let reads = || engines.iter().filter_map(|engine| engine.read.as_ref());
        let loaded: HashSet<LoadedObject> = reads().flat_map(|read| &read.ever_loaded).copied().collect();
        let mut kernels = Kernels::new(catalog, &self.path, &loaded);
        let mut occupancy = Occupancy { has_events: true, ..Occupancy::default() };
        occupancy.names.insert(0, KernelName::unknown());
        let mut real_time = RealTime { frequency: REAL_TIME_HZ, ..RealTime::default() };
        let mut records = Vec::new();
        for EngineStream { mut info, read, ledger: own, .. } in engines {
            let mut data = ShaderData::default();
            if let Some(mut read) = read {
                let numbers = kernels.number(&read.entries, &mut occupancy, &mut ledger);
                if !read.real_time.is_empty() {
                    real_time.samples.insert(info.se, std::mem::take(&mut read.real_time));
                }
                let mut engine = EngineOccupancy {
                    events: std::mem::take(&mut read.events),
                    losses: std::mem::take(&mut read.losses),
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
        let parts = TraceParts {
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
        Trace::assemble(parts, catalog)
    }
}

/// Reads the stream of a shader engine. `others` is what the other ones of the trace are.
fn read_engine(engine: &RawEngine, others: Option<Generation>, options: LoadOptions<'_>) -> EngineStream {
    let first = engine.files.first().map(|file| file.path.clone()).unwrap_or_default();
    let info = FileInfo { path: first, se: engine.se, complete: true, ..FileInfo::default() };
    let mut reader = StreamReader {
        engine: EngineStream { info, generation: None, read: None, ledger: Ledger::new() },
        clock: Clock::default(),
        begun: None,
        parts: Vec::new(),
        gap: None,
        store: options.store(),
        progress: options.progress,
    };
    for file in &engine.files {
        if let Err(error) = reader.file(file, others) {
            reader.skip(&file.path, &error);
        }
    }
    reader.walk();
    reader.finish()
}

/// True if a file holds nothing: as little as there is of it is zeros.
fn is_empty(store: Store<'_>, part: &StreamPart) -> io::Result<bool> {
    let mut file = store.open(&part.path)?.take(part.bytes);
    let mut buffer = vec![0; WINDOW];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(true),
            Ok(count) if buffer[..count].iter().all(|&byte| byte == 0) => {}
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

struct StreamReader<'a> {
    engine: EngineStream,
    clock: Clock,
    /// The header of the tokens at hand.
    begun: Option<Header>,
    /// The files that belong to it and are not walked yet.
    parts: Vec<StreamPart>,
    /// The file of the stream at hand that could not be read. Where a token begins in those behind it nobody
    /// knows.
    gap: Option<PathBuf>,
    store: Store<'a>,
    progress: Option<&'a AtomicU64>,
}

impl StreamReader<'_> {
    fn note(&mut self, kind: RemarkKind, file: &Path, what: &dyn std::fmt::Display) {
        self.engine.ledger.add(kind, 1, format!("{}: {what}", file.display()));
    }

    fn skip(&mut self, file: &Path, why: &dyn std::fmt::Display) {
        self.engine.info.complete = false;
        self.note(RemarkKind::SkippedFile, file, why);
        if self.begun.is_some() {
            self.gap.get_or_insert_with(|| file.to_owned());
        }
    }

    /// Takes a file: it begins a stream, or goes on where the one before it stopped.
    fn file(
        &mut self,
        RawFile { path: file, start, is_own }: &RawFile,
        others: Option<Generation>,
    ) -> io::Result<()> {
        let part = StreamPart { path: file.clone(), bytes: self.store.open(file)?.len()? };
        if self.begun.is_some() && !is_own {
            match &self.gap {
                Some(gap) => {
                    let why = format!("it goes on where {} could not be read", gap.display());
                    self.skip(file, &why);
                }
                None => self.parts.push(part),
            }
            return Ok(());
        }
        let error = match *start {
            Some(Ok(header)) => {
                self.walk();
                self.begin(header, part);
                return Ok(());
            }
            Some(Err(HeaderError::None(_))) | None if is_empty(self.store, &part)? => return Ok(()),
            Some(Err(error)) => Some(error),
            None => None,
        };
        match (error, others) {
            (Some(HeaderError::None(_)) | None, Some(generation)) => {
                let what = format!(
                    "begins without a header: read as {generation}, as the trace's other shader engines"
                );
                self.note(RemarkKind::TruncatedFile, file, &what);
                self.begin(Header { generation, bytes: 0, word: 0 }, part);
            }
            (Some(error), _) => self.skip(file, &error),
            (None, _) => self.skip(file, &"too short for a thread trace"),
        }
        Ok(())
    }

    fn begin(&mut self, header: Header, part: StreamPart) {
        self.engine.generation = Some(header.generation);
        self.engine.read.get_or_insert_with(|| EngineRead::new(header.generation.table()));
        self.begun = Some(header);
        self.parts = vec![part];
        self.gap = None;
    }

    /// Takes the tokens of the files that belong to one header.
    fn walk(&mut self) {
        let (Some(generation), Some(read)) = (self.engine.generation, &mut self.engine.read) else { return };
        let header = self.begun.map_or(0, |header| header.bytes);
        let mut files = Files::new(self.store, std::mem::take(&mut self.parts), self.progress);
        let cut = walk(generation.table(), &mut files, header, &mut self.clock, read);
        let unknown = read.unknown.take();
        let place = |bit: u64| {
            let (file, byte) = files.place(bit / 8);
            format!("{}: at byte {byte:#x}", file.display())
        };
        let ledger = &mut self.engine.ledger;
        if let Some((count, bit)) = unknown {
            let what = format!("{}: the first of {count} places where {generation} has no token", place(bit));
            ledger.add(RemarkKind::UnknownToken, count, what);
        }
        let mut is_cut = self.gap.is_some();
        for (file, bytes) in files.grown() {
            let what =
                format!("{}: {bytes:#x} bytes were written while it was read, and not read", file.display());
            ledger.add(RemarkKind::TruncatedFile, 1, what);
            is_cut = true;
        }
        if let Some((file, why, behind)) = files.broken() {
            let file = file.display();
            ledger.add(RemarkKind::TruncatedFile, 1, format!("{file}: {why}"));
            for part in behind {
                let what = format!("{}: it goes on where {file} could not be read", part.path.display());
                ledger.add(RemarkKind::SkippedFile, 1, what);
            }
            is_cut = true;
        } else if let Some(bit) = cut {
            // GPUs write their buffers in whole units; a file that ends elsewhere was cut off later.
            let at_end = files.len().saturating_sub(header as u64).is_multiple_of(BUFFER_UNIT);
            let kind = if at_end { RemarkKind::CutAtBufferEnd } else { RemarkKind::TruncatedFile };
            ledger.add(kind, 1, format!("{}: the file ends inside of a token", place(bit)));
            is_cut |= !at_end;
        }
        if is_cut {
            read.lose(self.clock.now());
            self.engine.info.complete = false;
        }
        if self.clock.ran_out {
            read.leave_out_far();
        }
    }

    fn finish(mut self) -> EngineStream {
        if let Some(read) = &self.engine.read
            && read.impossible_slots > 0
        {
            let what =
                format!("{}: tokens of wave slots that the GPU lacks", self.engine.info.path.display());
            self.engine.ledger.add(RemarkKind::MalformedRow, read.impossible_slots, what);
        }
        if let Some((count, WaveSlot { cu, simd, slot })) =
            self.engine.read.as_ref().and_then(|read| read.far)
        {
            let slot = SlotId { se: self.engine.info.se, cu, simd, slot };
            let path = self.engine.info.path.display();
            let what = format!(
                "{path}: records, starts and ends at times that no trace reaches (2^53 cycles), the first of {slot}"
            );
            self.engine.ledger.add(RemarkKind::MalformedRow, count, what);
        }
        self.engine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::Encoder;
    use crate::trace::{Record, RecordFlags, SlotId};

    /// The part from before the change is there, and all engines' waves know that more is missing.
    #[test]
    fn a_file_that_changes_while_it_is_read_is_a_loss() {
        let folder = tempfile::tempdir().unwrap();
        let mut encoder = Encoder::new(Generation::Gfx11);
        let slot = SlotId { se: 0, cu: 1, simd: 2, slot: 3 };
        for time in 1..=100 {
            encoder.data(slot, Record { time, value: 20, flags: RecordFlags::NONE }).unwrap();
        }
        let bytes = encoder.finish();
        let [first, second] = ["1.att", "2.att"].map(|name| folder.path().join(name));
        let length = bytes.len() as u64;
        let more = format!("{}: {length:#x} bytes are left of the {:#x}", first.display(), length + 9);
        let less = format!("{}: 0x20 bytes were written", first.display());
        for (opened_with, place, skipped) in
            [(length, None, 0), (length + 9, Some(more), 1), (length - 32, Some(less), 0)]
        {
            std::fs::write(&first, &bytes).unwrap();
            std::fs::write(&second, [0; 32]).unwrap();
            let mut reader = StreamReader {
                engine: EngineStream {
                    info: FileInfo { complete: true, ..FileInfo::default() },
                    generation: None,
                    read: None,
                    ledger: Ledger::new(),
                },
                clock: Clock::default(),
                begun: None,
                parts: Vec::new(),
                gap: None,
                store: Store::Disk,
                progress: None,
            };
            let header = Header { generation: Generation::Gfx11, bytes: 0, word: 0 };
            reader.begin(header, StreamPart { path: first.clone(), bytes: opened_with });
            reader.parts.push(StreamPart { path: second.clone(), bytes: 32 });
            reader.walk();
            let engine = reader.finish();
            assert_eq!(engine.info.complete, place.is_none());
            assert_eq!(engine.ledger.count(RemarkKind::TruncatedFile), u64::from(place.is_some()));
            assert_eq!(engine.ledger.count(RemarkKind::SkippedFile), skipped);
            let said = serde_json::to_string(&engine.ledger).unwrap();
            assert!(place.is_none_or(|place| said.contains(&place)), "{said}");
            let read = engine.read.unwrap();
            assert_eq!(read.losses.len() as u64, u64::from(!engine.info.complete));
            let records: usize = read.into_slots().iter().map(|(_, slot)| slot.records.len()).sum();
            assert!(
                if opened_with < length { (90..100).contains(&records) } else { records == 100 },
                "{records}"
            );
        }
    }
}
