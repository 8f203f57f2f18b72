//! A run as a trace: the raw streams that a GPU would write of it, and the folder that rocprofv3 would.
//!
//! Per shader engine there is one stream: which code object is loaded, the kernel's entry point, starts and
//! ends of waves, and every traced word, at simulated cycles. The JSON is made from the streams, by the
//! reader and the writer that `sqtt att` uses, so both say the same; only the numbers of workgroups are added,
//! which streams have no room for. Waves that the run's stop left alive have no end.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use sqtt_decoder::names::Catalog;
use sqtt_decoder::raw::{EncodeError, Encoder, Generation, LoadedObject};
use sqtt_decoder::trace::{LoadOptions, Record, RecordFlags, SlotId, Trace, TraceError, discover};
use sqtt_decoder::write::{NewFolder, RewriteOptions, Style, WriteError, write_folder};

use crate::error::SimError;
use crate::load::image::IMAGE_BASE;
use crate::machine::{ENGINES, Machine};
use crate::program::Program;
use crate::result::{RunResult, WaveTrace};

/// The number of the code object in the trace.
const CODE_OBJECT: u64 = 1;

/// Cycles in which the constant-rate clock, of 100 MHz, ticks once.
const CYCLES_PER_TICK: u64 = 16;

/// Why a run could not be written as a trace.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceFolderError {
    /// An event has no form in the streams of that GPU.
    #[error("shader engine {se}")]
    Encode {
        /// The shader engine.
        se: u32,
        /// Why.
        #[source]
        error: EncodeError,
    },
    /// More workgroups ran side by side than the simulated GPU has places for.
    #[error(
        "two waves at a time in shader engine {}, unit {}, SIMD {}, slot {}: a trace has room for {room} workgroups side \
         by side, and this cooperative dispatch has more",
        place.se, place.cu, place.simd, place.slot
    )]
    Places {
        /// The slot.
        place: SlotId,
        /// Workgroups that have places of their own.
        room: u64,
    },
    /// The kernel is not there.
    #[error(transparent)]
    Kernel(#[from] SimError),
    /// The folder could not be written.
    #[error(transparent)]
    Folder(#[from] WriteError),
    /// A file could not be written.
    #[error("{}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// The files written could not be read again.
    #[error(transparent)]
    Read(#[from] TraceError),
}

/// One thing that a stream says.
#[derive(Clone, Copy)]
enum Event {
    /// With the workgroup's number.
    Start(u64),
    Word(Record),
    End,
}

/// The raw streams of a run, by shader engine.
///
/// # Errors
///
/// [`TraceFolderError::Kernel`] where there is no such kernel, [`TraceFolderError::Places`] where waves share a slot,
/// [`TraceFolderError::Encode`] where a generation cannot say what happened.
pub fn raw_streams(
    program: &Program,
    kernel: &str,
    result: &RunResult,
) -> Result<Vec<Vec<u8>>, TraceFolderError> {
    let entry = IMAGE_BASE + program.kernel(kernel)?.descriptor.entry;
    own_places(program, result)?;
    let object =
        LoadedObject { id: CODE_OBJECT, address: IMAGE_BASE, size: program.image.bytes.len() as u64 };
    let engines = 0..ENGINES;
    let stream = |se| {
        stream(program, object, entry, result, se).map_err(|error| TraceFolderError::Encode { se, error })
    };
    engines.map(stream).collect()
}

/// Refuses waves that are in a slot at the same time.
fn own_places(program: &Program, result: &RunResult) -> Result<(), TraceFolderError> {
    let mut taken: HashMap<SlotId, u64> = HashMap::new();
    for wave in &result.waves {
        let until = taken.entry(slot(wave)).or_insert(0);
        if wave.start < *until {
            let waves = result.waves.iter().filter(|w| w.workgroup_number == wave.workgroup_number).count();
            let room = Machine::new(program.target(), waves as u32).round();
            return Err(TraceFolderError::Places { place: slot(wave), room });
        }
        *until = wave.end.unwrap_or(u64::MAX);
    }
    Ok(())
}

fn stream(
    program: &Program,
    object: LoadedObject,
    entry: u64,
    result: &RunResult,
    se: u32,
) -> Result<Vec<u8>, EncodeError> {
    let generation = match program.target().generation() {
        9 => Generation::Gfx9,
        10 => Generation::Gfx10,
        11 => Generation::Gfx11,
        _ => Generation::Gfx12,
    };
    let mut encoder = Encoder::new(generation);
    encoder.loaded(0, &object)?;
    encoder.program(0, entry)?;
    let tells_real_time = generation != Generation::Gfx9;
    let tells_workgroups = generation == Generation::Gfx12;
    if tells_real_time {
        encoder.real_time(0, 0)?;
    }
    let mut events: Vec<(u64, SlotId, Event)> = Vec::new();
    for wave in result.waves.iter().filter(|wave| wave.se == se) {
        let slot = slot(wave);
        events.push((wave.start, slot, Event::Start(wave.workgroup_number)));
        for marker in &wave.markers {
            let flags = RecordFlags::IMMEDIATE.when(marker.immediate);
            let record = Record { time: marker.time as i64, value: marker.value, flags };
            events.push((marker.time, slot, Event::Word(record)));
        }
        events.extend(wave.end.map(|end| (end, slot, Event::End)));
    }
    // Stable: a wave's own events keep their order, and waves of one slot follow each other.
    events.sort_by_key(|(time, ..)| *time);
    for (time, slot, event) in events {
        match event {
            Event::Start(workgroup) if tells_workgroups => encoder.start_in(time, slot, workgroup)?,
            Event::Start(_) => encoder.start(time, slot)?,
            Event::Word(record) => encoder.data(slot, record)?,
            Event::End => encoder.end(time, slot)?,
        }
    }
    if tells_real_time {
        let end = result.cycles.next_multiple_of(CYCLES_PER_TICK);
        encoder.real_time(end, end / CYCLES_PER_TICK)?;
    }
    Ok(encoder.finish())
}

fn slot(wave: &WaveTrace) -> SlotId {
    SlotId { se: wave.se, cu: wave.cu as u16, simd: wave.simd as u8, slot: wave.slot as u8 }
}

/// Makes `folder` one like that of `rocprofv3 --att`: raw streams, the code object whose bytes are given, and
/// a `ui_*` folder. It is at its place when it is whole.
///
/// # Errors
///
/// [`TraceFolderError`].
pub fn write_trace(
    folder: NewFolder,
    code_object: &[u8],
    program: &Program,
    kernel: &str,
    result: &RunResult,
) -> Result<(), TraceFolderError> {
    let streams = raw_streams(program, kernel, result)?;
    let write = |name: String, bytes: &[u8]| -> Result<PathBuf, TraceFolderError> {
        let path = folder.path().join(name);
        fs::write(&path, bytes).map_err(|error| TraceFolderError::Io { path: path.clone(), error })?;
        Ok(path)
    };
    let name = program.target();
    let object = write(format!("sim_{name}_code_object_id_{CODE_OBJECT}.out"), code_object)?;
    let mut files = Vec::new();
    for (se, bytes) in streams.iter().enumerate() {
        files.push(write(format!("sim_shader_engine_{se}_1.att"), bytes)?);
    }
    let catalog = Catalog::read(&[object]);
    for raw in discover(&files)?.raw {
        let ui = folder.path().join("ui_output_agent_1_dispatch_1");
        fs::create_dir(&ui).map_err(|error| TraceFolderError::Io { path: ui.clone(), error })?;
        let mut trace = raw.load(&catalog, LoadOptions::default());
        number_workgroups(&mut trace, result);
        let as_it_is = RewriteOptions::default().keep_packed(true);
        write_folder(&trace, &ui, Style::Compact, &as_it_is)?;
    }
    folder.publish()?;
    Ok(())
}

/// Gives waves the numbers of their workgroups: streams have none before gfx12, and then only five bits.
fn number_workgroups(trace: &mut Trace, result: &RunResult) {
    let mut numbers: HashMap<SlotId, Vec<i64>> = HashMap::new();
    for wave in &result.waves {
        numbers.entry(slot(wave)).or_default().push(wave.workgroup_number.cast_signed());
    }
    for (&se, engine) in &mut trace.engines {
        for (slot, launches) in engine.launches_mut(se) {
            // Both are in the order of time.
            for (launch, &number) in launches.iter_mut().zip(numbers.get(&slot).into_iter().flatten()) {
                launch.origin.get_or_insert_default().workgroup = Some(number);
            }
        }
    }
}
