//! Destination of a shader engine's trace: rows of JSON, or the tokens of a raw stream.

use std::io;

use crate::raw::{Encoder, LoadedObject};
use crate::trace::{EngineEvent, EngineEventKind, Origin, Record, SlotId};
use crate::write::{EngineDescription, RecordFiles, WaveEdge};

/// The number of the code object in the trace.
pub(super) const CODE_OBJECT: u64 = 7;

/// Offset of the kernel in the code object.
pub(super) const ENTRY: u64 = 4096;

pub(super) enum Sink {
    Json(RecordFiles, EngineDescription),
    Raw(Encoder),
}

impl Sink {
    /// Begins a raw stream: the code object is loaded, and the kernel is to be launched.
    pub(super) fn raw(mut encoder: Encoder) -> io::Result<Self> {
        let object = LoadedObject { id: CODE_OBJECT, address: 0x10_0000, size: 2 * ENTRY };
        encoder.loaded(0, &object).map_err(io::Error::other)?;
        encoder.program(0, object.address + ENTRY).map_err(io::Error::other)?;
        Ok(Self::Raw(encoder))
    }

    /// A wave starts or ends.
    pub(super) fn edge(&mut self, place: SlotId, time: i64, start: bool, kernel: u64) -> io::Result<()> {
        match self {
            Self::Json(_, engine) => {
                let SlotId { cu, simd, slot, .. } = place;
                let origin = Origin { me: 1, workgroup: Some(5), ..Origin::default() };
                engine.waves.push(WaveEdge { time, cu, simd, slot, start, kernel, origin });
                Ok(())
            }
            Self::Raw(encoder) if start => encoder.start(time as u64, place).map_err(io::Error::other),
            Self::Raw(encoder) => encoder.end(time as u64, place).map_err(io::Error::other),
        }
    }

    pub(super) fn record(&mut self, place: SlotId, record: Record) -> io::Result<()> {
        match self {
            Self::Json(records, _) => records.push(place, record).map_err(io::Error::other),
            Self::Raw(encoder) => encoder.data(place, record).map_err(io::Error::other),
        }
    }

    /// Says that packets were lost up to now.
    pub(super) fn loss(&mut self, time: i64) -> io::Result<()> {
        match self {
            Self::Json(_, engine) => {
                engine.events.push(EngineEvent { time, kind: EngineEventKind::PacketLoss }.into());
                Ok(())
            }
            Self::Raw(encoder) => encoder.packet_loss(time as u64).map_err(io::Error::other),
        }
    }
}
