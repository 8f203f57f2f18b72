//! Writes the block of records that says where a memory operation goes (specification, "Framing protocol").
//!
//! ```text
//! boundary
//! asm { header; exec_lo; exec_hi; [rsrc_lo; rsrc_hi; soffset] }
//! sqtt.lanes:    lane = 0, 1, … wave size - 1        a loop that LLVM does not unroll
//!   asm { readlane(low, lane); [readlane(high, lane)] }
//! sqtt.indices:  the same of vindex, structured buffers only
//! boundary
//! ```
//!
//! With a filter all of it stands in `sqtt.trace`, in both forms of the filter: a branch inside an asm cannot lead
//! past a loop. The last boundary stands in `sqtt.skip`, where it orders the compiler and is no instruction: so the
//! loop is left for that block, and there is one block less, of which each costs the code generator.
//!
//! Words pass an empty asm into a vector register first: LLVM takes the read of a lane away when it sees that lanes
//! agree, and would hand the asm a vector register.
//!
//! The loop counts in a scalar register and reads lanes whether they are active or not, so EXEC does not change it;
//! what it reads of inactive lanes means nothing. The words of EXEC are read by the first asm, where they are what the
//! operation will see.
//!
//! When lanes may disagree about a buffer's resource or scalar offset, the hardware issues the operation once for all
//! lanes that agree with the first one, then once for those that agree with the first of the rest, and so on. So does
//! the block (`sqtt.subset`), with the lanes of each turn in place of EXEC. Control flow stays uniform: the turns are
//! masks, not branches.

use super::boundary::{LdsWait, boundary};
use super::marker::{Placement, hold_memory};
use super::records::{Form, Frame, Record, RecordsAsm, Word};
use super::scope::ScopeCache;
use crate::llvm::write::Writer;
use crate::llvm::{Inst, Value};
use crate::sites::{AddressSite, Buffer, Operands};
use sqtt_format::{BlockLayout, WaveSize};

/// Writes the block of `site` before its operation; `header` is the word that announces it.
pub(crate) fn address_block(
    writer: &Writer<'_>,
    header: Value,
    site: &AddressSite,
    placement: Placement,
    scope: &mut ScopeCache,
) {
    let at = site.operation;
    let around = |at: Inst, wait: LdsWait| boundary(writer, at, placement.boundary, wait);
    writer.before(at);
    match scope.condition(writer) {
        Some(condition) => {
            let inside = at.split_if(condition, c"sqtt.trace", c"sqtt.skip");
            let frame = placement.frame_in_trace(inside);
            let block = AddressBlock::prepare(writer, inside, header, site, frame);
            around(inside, LdsWait::AtFence);
            block.write(inside);
            around(at, LdsWait::InAsm);
            hold_memory(writer, at, placement.boundary);
        }
        None => {
            let block = AddressBlock::prepare(writer, at, header, site, placement.frame());
            writer.sched_barrier();
            around(at, LdsWait::AtFence);
            block.write(at);
            around(at, LdsWait::AtFence);
            writer.before(at);
            writer.sched_barrier();
        }
    }
}

/// A block whose words are ready.
struct AddressBlock<'a, 'm> {
    writer: &'a Writer<'m>,
    frame: Frame,
    wave: WaveSize,
    header: Value,
    /// Loop by loop: the words that a lane records in one round.
    loops: Vec<Vec<Value>>,
    buffer: Option<Fixed>,
}

/// The operands that a buffer operation has once for all lanes.
struct Fixed {
    resource: [Value; 4],
    soffset: Value,
    divergent: bool,
}

impl<'a, 'm> AddressBlock<'a, 'm> {
    /// Takes pointers and resources apart before `at`. Leaves the writer there.
    fn prepare(writer: &'a Writer<'m>, at: Inst, header: Value, site: &AddressSite, frame: Frame) -> Self {
        writer.before(at);
        let (loops, buffer) = match site.operands {
            Operands::Pointer(pointer) => match site.kind.layout() {
                BlockLayout::Wide => (vec![writer.pointer_words(pointer).to_vec()], None),
                _ => (vec![vec![writer.pointer_word(pointer)]], None),
            },
            Operands::Index(index) => (vec![vec![index]], None),
            Operands::Buffer(Buffer { resource, vindex, voffset, soffset, divergent }) => {
                let resource = writer.resource_words(resource);
                let loops = [Some(voffset), vindex].into_iter().flatten().map(|word| vec![word]).collect();
                (loops, Some(Fixed { resource, soffset, divergent }))
            }
        };
        let in_vector = |word| writer.in_vector(word);
        let loops = loops.into_iter().map(|words| words.into_iter().map(in_vector).collect()).collect();
        let buffer = buffer.map(|fixed: Fixed| Fixed {
            resource: fixed.resource.map(in_vector),
            soffset: in_vector(fixed.soffset),
            divergent: fixed.divergent,
        });
        Self { writer, frame, wave: site.wave, header, loops, buffer }
    }

    /// Writes the records before `at`.
    fn write(&self, at: Inst) {
        match &self.buffer {
            Some(fixed) if fixed.divergent => self.write_subsets(fixed, at),
            Some(Fixed { resource: [low, high, ..], soffset, .. }) => {
                let fixed = [*low, *high, *soffset].map(Word::Value);
                self.write_lanes(self.exec(), fixed, at);
            }
            None => self.write_lanes(self.exec(), [], at),
        }
    }

    fn exec(&self) -> [Word; 2] {
        let high = match self.wave {
            WaveSize::Wave32 => Word::Scalar(self.writer.word(0)),
            WaveSize::Wave64 => Word::Register("exec_hi"),
        };
        [Word::Register("exec_lo"), high]
    }

    /// One block for every set of lanes that agree.
    fn write_subsets(&self, fixed: &Fixed, at: Inst) {
        let writer = self.writer;
        let lanes = self.wave.lanes();
        writer.before(at);
        let all = writer.active_lanes(lanes);
        let subsets = at.open_loop(all, c"sqtt.subset", c"sqtt.subsets.done");
        writer.before(subsets.end);
        let first = writer.lowest(subsets.round);
        let words: Vec<Value> = fixed.resource.into_iter().chain([fixed.soffset]).collect();
        let chosen: Vec<Value> = words.iter().map(|word| writer.read_lane(*word, first)).collect();
        let subset = writer.and(writer.lanes_alike(&words, &chosen, lanes), subsets.round);
        let exec = writer.mask_words(subset).map(Word::Scalar);
        // Two words of the resource and the offset.
        let recorded =
            [0, 1, 4].into_iter().filter_map(|word| chosen.get(word)).map(|word| Word::Scalar(*word));
        self.write_lanes(exec, recorded, subsets.end);
        writer.before(subsets.end);
        let left = writer.without(subsets.round, subset);
        let more = writer.some(left);
        subsets.close(left, more);
    }

    /// Header, EXEC and the fixed words in one asm, then the lanes.
    fn write_lanes(&self, exec: [Word; 2], fixed: impl IntoIterator<Item = Word>, at: Inst) {
        let writer = self.writer;
        writer.before(at);
        self.records(Some(self.header), exec.into_iter().chain(fixed));
        for words in &self.loops {
            let lanes = at.open_loop(writer.word(0), c"sqtt.lanes", c"sqtt.lanes.done");
            writer.before(lanes.end);
            let read = words.iter().map(|word| Word::Scalar(writer.read_lane(*word, lanes.round)));
            self.records(None, read);
            let (next, more) = writer.count_up(lanes.round, self.wave.lanes());
            lanes.close(next, more);
        }
    }

    /// One asm of several records at the writer's position.
    fn records(&self, header: Option<Value>, words: impl IntoIterator<Item = Word>) {
        let header = header.map(|word| Record { word: Word::Value(word), form: Form::Shortest, clock: None });
        let words = words.into_iter().map(|word| Record { word, form: Form::M0, clock: None });
        let records: Vec<Record> = header.into_iter().chain(words).collect();
        RecordsAsm::prepare(self.writer, self.frame, &records).write(self.writer);
    }
}
