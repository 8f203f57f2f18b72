//! A program's instructions, by number and by address.

use crate::decode::Decoder;
use crate::inst::{Inst, Wrap};
use crate::load::disasm::Line;
use crate::target::Target;

/// A program ready to run.
#[derive(Debug, Clone)]
pub(crate) struct Code {
    pub(crate) insts: Vec<Inst>,
    /// The disassembly, line by line as `insts`.
    pub(crate) lines: Vec<Line>,
    /// Instruction index by `pc / 4`, `u32::MAX` where none starts.
    index: Vec<u32>,
    /// Vector registers that the program names.
    pub(crate) rows: usize,
}

impl Code {
    pub(crate) fn new(lines: Vec<Line>, target: Target) -> Code {
        let end = lines.last().map_or(0, |l| (l.pc / 4) as usize + 1);
        let mut index = vec![u32::MAX; end];
        for (k, line) in lines.iter().enumerate() {
            if let Some(slot) = index.get_mut((line.pc / 4) as usize) {
                *slot = k as u32;
            }
        }
        let decoder = Decoder::new(target);
        let mut code = Code { insts: Vec::with_capacity(lines.len()), lines, index, rows: 1 };
        for line in &code.lines {
            let mut inst = decoder.decode(line);
            inst.target = branch_target(&inst, line).and_then(|pc| code.find(pc)).unwrap_or(u32::MAX);
            code.rows = code.rows.max(highest_row(&inst));
            code.insts.push(inst);
        }
        code
    }

    /// The instruction that starts at a virtual address.
    pub(crate) fn find(&self, pc: u64) -> Option<u32> {
        self.index.get((pc / 4) as usize).copied().filter(|&i| i != u32::MAX && pc & 3 == 0)
    }

    /// The lines of instructions that are refused.
    pub(crate) fn unsupported(&self) -> impl Iterator<Item = &Line> {
        let all = self.insts.iter().zip(&self.lines);
        all.filter(|(inst, _)| inst.refusal.is_some()).map(|(_, line)| line)
    }

    /// The virtual address of an instruction, or the end of the code.
    pub(crate) fn pc(&self, index: usize) -> u64 {
        match self.insts.get(index) {
            Some(inst) => inst.pc,
            None => self.insts.last().map_or(0, |i| i.pc + u64::from(i.size)),
        }
    }
}

fn highest_row(inst: &Inst) -> usize {
    let own = inst.ops.iter().filter(|s| s.is_v()).map(|s| s.reg as usize + s.n as usize).max().unwrap_or(0);
    // Memory results can be wider than the text says (tfe is refused, d16 is not wider): text is enough.
    match inst.wrap.as_deref() {
        Some(Wrap::Pair(a, b)) => own.max(highest_row(a)).max(highest_row(b)),
        Some(Wrap::Image(plan)) => plan.addresses.iter().fold(own, |high, &row| high.max(row as usize + 1)),
        _ => own,
    }
}

/// Branches print their unsigned 16-bit word offset.
fn branch_target(inst: &Inst, line: &Line) -> Option<u64> {
    let name = line.text.split(' ').next().unwrap_or("");
    let branch = name == "s_branch" || name.starts_with("s_cbranch") || name.starts_with("s_call");
    let (src, true) = (inst.ops.get(usize::from(inst.nops).checked_sub(1)?)?, branch) else { return None };
    let words = i64::from(src.k.b32 as u16 as i16);
    line.pc.checked_add_signed(words * 4 + 4)
}
