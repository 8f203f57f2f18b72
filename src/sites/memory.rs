//! Memory operations, in chunks (specification, "Memory operation markers").
//!
//! A sequence is operations of one kind in one block with at most `gap` instructions between two of them; every `size`
//! operations of it, and what is left at its end, have one point, right after the last of them. A call ends it, too.
//! The operations that count are those of docs/memory.md's table, which is this file's [`RULES`] and [`counts`].

use super::space::Spaces;
use super::{PointSite, Side, TraceIntrinsics, is_hint};
use crate::config::Chunks;
use crate::llvm::address_space as space;
use crate::llvm::{Block, Function, Inst, Module, Value};
use inkwell::llvm_sys::LLVMOpcode;
use sqtt_format::SystemPoint;
use std::collections::HashMap;

/// The access of an intrinsic to memory that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// Loads.
    Load,
    /// Stores, or is an atomic.
    Store,
    /// Loads through its first argument.
    LoadThrough,
    /// Stores or is an atomic through its first argument.
    StoreThrough,
    /// Reads through its second argument and writes through its first.
    Copy,
}

/// Intrinsics by the start of their names. Every other one does not count.
const RULES: [(&str, Rule); 38] = [
    ("llvm.memcpy.", Rule::Copy),
    ("llvm.memmove.", Rule::Copy),
    ("llvm.memset.", Rule::StoreThrough),
    ("llvm.amdgcn.raw.buffer.load", Rule::Load),
    ("llvm.amdgcn.raw.ptr.buffer.load", Rule::Load),
    ("llvm.amdgcn.raw.atomic.buffer.load", Rule::Load),
    ("llvm.amdgcn.raw.ptr.atomic.buffer.load", Rule::Load),
    ("llvm.amdgcn.raw.tbuffer.load", Rule::Load),
    ("llvm.amdgcn.raw.ptr.tbuffer.load", Rule::Load),
    ("llvm.amdgcn.raw.buffer.store", Rule::Store),
    ("llvm.amdgcn.raw.ptr.buffer.store", Rule::Store),
    ("llvm.amdgcn.raw.tbuffer.store", Rule::Store),
    ("llvm.amdgcn.raw.ptr.tbuffer.store", Rule::Store),
    ("llvm.amdgcn.raw.buffer.atomic", Rule::Store),
    ("llvm.amdgcn.raw.ptr.buffer.atomic", Rule::Store),
    ("llvm.amdgcn.struct.buffer.load", Rule::Load),
    ("llvm.amdgcn.struct.ptr.buffer.load", Rule::Load),
    ("llvm.amdgcn.struct.atomic.buffer.load", Rule::Load),
    ("llvm.amdgcn.struct.ptr.atomic.buffer.load", Rule::Load),
    ("llvm.amdgcn.struct.tbuffer.load", Rule::Load),
    ("llvm.amdgcn.struct.ptr.tbuffer.load", Rule::Load),
    ("llvm.amdgcn.struct.buffer.store", Rule::Store),
    ("llvm.amdgcn.struct.ptr.buffer.store", Rule::Store),
    ("llvm.amdgcn.struct.tbuffer.store", Rule::Store),
    ("llvm.amdgcn.struct.ptr.tbuffer.store", Rule::Store),
    ("llvm.amdgcn.struct.buffer.atomic", Rule::Store),
    ("llvm.amdgcn.struct.ptr.buffer.atomic", Rule::Store),
    ("llvm.amdgcn.global.load", Rule::LoadThrough),
    ("llvm.amdgcn.flat.load", Rule::LoadThrough),
    ("llvm.amdgcn.cluster.load", Rule::LoadThrough),
    ("llvm.amdgcn.load.to.lds", Rule::LoadThrough),
    ("llvm.amdgcn.cooperative.atomic.load", Rule::LoadThrough),
    ("llvm.amdgcn.tensor.load.to.lds", Rule::Load),
    ("llvm.amdgcn.global.store", Rule::StoreThrough),
    ("llvm.amdgcn.global.atomic", Rule::StoreThrough),
    ("llvm.amdgcn.flat.atomic", Rule::StoreThrough),
    ("llvm.amdgcn.cooperative.atomic.store", Rule::StoreThrough),
    ("llvm.amdgcn.tensor.store.from.lds", Rule::Store),
];

/// True if operations through pointers of an address space count: global memory, and buffers.
fn counts(space: u32) -> bool {
    matches!(
        space,
        space::FLAT
            | space::GLOBAL
            | space::BUFFER_FAT_POINTER
            | space::BUFFER_RESOURCE
            | space::BUFFER_STRIDED_POINTER
    )
}

/// The places for the points of the functions' memory operations.
pub(crate) fn memory_sites(module: Module, functions: &[Function], chunks: Chunks) -> Vec<PointSite> {
    let rules = module
        .functions()
        .into_iter()
        .filter(|function| function.is_intrinsic())
        .filter_map(|function| {
            let name = function.name();
            let (_, rule) = RULES.iter().find(|(start, _)| name.starts_with(start))?;
            Some((function, *rule))
        })
        .collect();
    let mut memory = Memory { rules, traces: TraceIntrinsics::find(), spaces: Spaces::default() };
    let mut sites = Vec::new();
    for block in functions.iter().flat_map(|function| function.blocks()) {
        memory.scan(block, chunks, &mut sites);
    }
    sites
}

/// A sequence that is not over.
struct Sequence {
    point: SystemPoint,
    /// Operations since the last point.
    count: u32,
    last: Inst,
    /// Instructions since `last`.
    gap: u32,
}

impl Sequence {
    fn end(self, sites: &mut Vec<PointSite>) {
        sites.push(PointSite { point: self.point, side: Side::Behind, inst: self.last });
    }
}

struct Memory {
    rules: HashMap<Function, Rule>,
    traces: TraceIntrinsics,
    spaces: Spaces,
}

impl Memory {
    fn scan(&mut self, block: Block, chunks: Chunks, sites: &mut Vec<PointSite>) {
        let mut open: Option<Sequence> = None;
        for inst in block.walk() {
            let Some(point) = self.operation(inst) else {
                // Its own accesses come in between.
                if inst.is_real_call()
                    && let Some(sequence) = open.take()
                {
                    sequence.end(sites);
                } else if !is_hint(inst) && !self.traces.is_call(inst) {
                    open.iter_mut().for_each(|sequence| sequence.gap = sequence.gap.saturating_add(1));
                }
                continue;
            };
            let count = match open.take() {
                Some(before) if before.point == point && before.gap <= chunks.gap => before.count + 1,
                Some(before) => {
                    before.end(sites);
                    1
                }
                None => 1,
            };
            let sequence = Sequence { point, count, last: inst, gap: 0 };
            if count == chunks.size {
                sequence.end(sites);
            } else {
                open = Some(sequence);
            }
        }
        if let Some(sequence) = open {
            sequence.end(sites);
        }
    }

    /// The point of the operation that an instruction is, if it counts.
    fn operation(&mut self, inst: Inst) -> Option<SystemPoint> {
        let operand = |index: usize| inst.value().operand(index);
        match inst.opcode() {
            LLVMOpcode::LLVMLoad => self.through(inst.accessed_pointer(), SystemPoint::VmemLoad),
            LLVMOpcode::LLVMCall => {
                let rule = *self.rules.get(&inst.called_function()?)?;
                match rule {
                    Rule::Load => Some(SystemPoint::VmemLoad),
                    Rule::Store => Some(SystemPoint::VmemStore),
                    Rule::LoadThrough => self.through(operand(0), SystemPoint::VmemLoad),
                    Rule::StoreThrough => self.through(operand(0), SystemPoint::VmemStore),
                    Rule::Copy => self
                        .through(operand(0), SystemPoint::VmemStore)
                        .or_else(|| self.through(operand(1), SystemPoint::VmemLoad)),
                }
            }
            _ => self.through(inst.accessed_pointer(), SystemPoint::VmemStore),
        }
    }

    fn through(&mut self, pointer: Option<Value>, point: SystemPoint) -> Option<SystemPoint> {
        self.spaces.of(pointer?).is_some_and(counts).then_some(point)
    }
}
