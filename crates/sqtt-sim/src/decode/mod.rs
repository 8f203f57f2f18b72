//! Disassembly text → [`Inst`]: once, before anything runs.

pub(crate) mod memory;
pub(crate) mod modifiers;
pub(crate) mod operand;
mod split;

use std::collections::HashMap;

use crate::counts::Counter;
use crate::env::Env;
use crate::error::Fault;
use crate::inst::{D16, Exec, Inst, Kind, Res, Src, Wrap, flag, sreg};
use crate::load::disasm::Line;
use crate::memory::op::{Ext, MemOp};
use crate::ops::{self, Class, Def};
use crate::refusal::Refusal;
use crate::target::Target;
use crate::wave::Wave;
use modifiers::Extra;

/// Executes an instruction that is refused.
fn refused(_: &mut Wave, _: &mut Env<'_>, inst: &Inst) -> Res {
    Err(Fault::unknown(inst.refusal.map_or("not understood", Refusal::text)))
}

/// Decodes lines for one target.
pub(crate) struct Decoder {
    target: Target,
    gfx9: bool,
    table: &'static HashMap<&'static str, Def>,
}

/// Encodings that the disassembler names in the mnemonic.
pub(crate) fn strip(name: &str) -> &str {
    for suffix in ["_e64_dpp", "_dpp", "_sdwa", "_e32", "_e64"] {
        if let Some(base) = name.strip_suffix(suffix) {
            return base;
        }
    }
    name
}

impl Decoder {
    pub(crate) fn new(target: Target) -> Self {
        Self { target, gfx9: target.generation() == 9, table: ops::table() }
    }

    fn blank(line: &Line) -> Inst {
        Inst {
            exec: refused,
            refusal: None,
            bounds: None,
            ops: [Src::NONE; 6],
            nops: 0,
            pc: line.pc,
            size: line.size,
            target: u32::MAX,
            cost: 1,
            counter: Counter::Internal,
            clamp: false,
            omod: 0,
            op_sel: 0,
            op_sel_hi: 7,
            neg_lo: 0,
            neg_hi: 0,
            d16: D16::Lo,
            flags: 0,
            imm: 0,
            imm1: 0,
            mem: MemOp::NONE,
            wrap: None,
        }
    }

    fn refuse(line: &Line, why: Refusal) -> Inst {
        Inst { refusal: Some(why), ..Self::blank(line) }
    }

    /// The instruction of a line. One that is refused has the reason in it, and fails when it is executed.
    pub(crate) fn decode(&self, line: &Line) -> Inst {
        if let Some((first, second)) = line.text.split_once(" :: ") {
            let part = |text: &str| self.decode(&Line { text: text.to_owned(), ..line.clone() });
            let (a, b) = (part(first), part(second));
            if let Some(why) = a.refusal.or(b.refusal) {
                return Self::refuse(line, why);
            }
            let (cost, bounds) = (a.cost.max(b.cost), a.bounds.or(b.bounds));
            return Inst {
                exec: ops::wrap::pair,
                cost,
                bounds,
                counter: a.counter,
                wrap: Some(Box::new(Wrap::Pair(Box::new(a), Box::new(b)))),
                ..Self::blank(line)
            };
        }
        self.one(line).unwrap_or_else(|why| Self::refuse(line, why))
    }

    fn one(&self, line: &Line) -> Result<Inst, Refusal> {
        let (name, rest) = line.text.split_once(char::is_whitespace).unwrap_or((&line.text, ""));
        let mut base = strip(name).to_owned();
        if let Some(dual) = base.strip_prefix("v_dual_") {
            base = format!("v_{dual}");
        }
        let mut inst = Self::blank(line);
        let def = match self.table.get(base.as_str()) {
            Some(def) => *def,
            None => ops::special(&base, &mut inst, self.target).ok_or(Refusal::Mnemonic)?,
        };
        if self.gfx9 && matches!(inst.mem, MemOp::Load { ext: Ext::D16Lo { .. } | Ext::D16Hi { .. }, .. }) {
            // With SRAM ECC, which gfx90a and gfx942 have, the other half is not kept.
            return Err(Refusal::Form);
        }
        inst.exec = def.exec;
        inst.cost = def.class.cost(self.target);
        inst.flags |= def.flags | if base.starts_with("v_") { flag::VALU } else { 0 };
        if def.class.ignores_operands() {
            inst.nops = 0;
            return Ok(inst);
        }
        let (operands, mods) = split::operands(rest);
        for text in operands {
            let src = self.operand(text, &mut inst)?;
            *inst.ops.get_mut(inst.nops as usize).ok_or(Refusal::Operand)? = src;
            inst.nops += 1;
        }
        let mut extra = Extra::default();
        for text in mods {
            modifiers::apply(&mut inst, &mut extra, text).ok_or(Refusal::Modifier)?;
        }
        self.shape(&mut inst, &base, &extra)?;
        if let Some(fix) = def.fix {
            fix(&mut inst, self.target).ok_or(Refusal::Form)?;
        }
        inst.counter = counter(&base, def.class, &inst);
        self.check(&inst, &def, &extra)?;
        destination(&inst, &base, def.class)?;
        self.wrap(&mut inst, &extra)?;
        inst.bounds = ops::bounds::bounds(&base, def.class, inst.imm);
        Ok(inst)
    }

    fn operand(&self, text: &str, inst: &mut Inst) -> Result<Src, Refusal> {
        if text.starts_with("hwreg(") {
            let (id, offset, size) =
                operand::hwreg(text, self.target.generation()).ok_or(Refusal::Operand)?;
            inst.imm = i64::from(id);
            inst.imm1 = i64::from(offset | size << 8);
            return Ok(Src::NONE);
        }
        if let Some(list) = text.strip_prefix("gpr_idx(").and_then(|t| t.strip_suffix(')')) {
            inst.imm = ops::indexed::modes(list).ok_or(Refusal::Operand)?;
            return Ok(Src::NONE);
        }
        if text.starts_with("sendmsg(") {
            inst.imm = ops::sys::message(text);
            return Ok(Src::NONE);
        }
        if let Some(list) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            let Some(Wrap::Image(plan)) = inst.wrap.as_deref_mut() else { return Err(Refusal::Operand) };
            let parts: Option<Vec<Src>> = list.split(',').map(|t| operand::parse(t, self.gfx9)).collect();
            let parts = parts.filter(|all| all.iter().all(Src::is_v)).ok_or(Refusal::Operand)?;
            plan.addresses = parts.iter().flat_map(|s| s.reg..s.reg + u16::from(s.n)).collect();
            return Ok(parts[0]);
        }
        operand::parse(text, self.gfx9).ok_or(Refusal::Operand)
    }

    /// Applies modifiers and the target to the operands.
    fn shape(&self, inst: &mut Inst, base: &str, extra: &Extra) -> Result<(), Refusal> {
        if inst.has(flag::CMPX) && !self.gfx9 {
            // Since gfx10 v_cmpx writes EXEC alone and names no destination.
            inst.ops.copy_within(0..5, 1);
            inst.ops[0] = Src::new(Kind::S, sreg::NULL, 1);
            inst.nops += 1;
        }
        if base.ends_with("_swap_b32") && extra.dpp.is_some() {
            // Here `fi` and `bound_ctrl` stand without a permutation.
            return Err(Refusal::ModifierHere);
        }
        let packed = inst.has(flag::PACKED);
        if !packed && !extra.op_sel.is_empty() && !base.starts_with("v_permlane") {
            let first = inst.ops[..inst.nops as usize]
                .iter()
                .position(Src::is_v)
                .map_or(1, |p| if base.starts_with("v_cmp") { 1 } else { p + 1 });
            for (k, &bit) in extra.op_sel.iter().enumerate() {
                if let Some(src) = inst.ops.get_mut(first + k).filter(|_| first + k < inst.nops as usize) {
                    src.hi |= bit != 0;
                }
            }
        }
        let sources = (inst.nops as usize).saturating_sub(1);
        let dst_hi = extra.op_sel.len() == sources + 1 && extra.op_sel.last() == Some(&1);
        inst.d16 = if dst_hi && !packed || inst.ops[0].half && inst.ops[0].hi {
            D16::Hi
        } else if self.gfx9 && !PRESERVES_ON_GFX9.contains(&base) {
            D16::Zero
        } else {
            D16::Lo
        };
        if packed && !extra.has_op_sel_hi && base.starts_with("v_fma_mix") {
            inst.op_sel_hi = 0;
        }
        Ok(())
    }

    /// Refuses modifiers that the semantics would ignore.
    fn check(&self, inst: &Inst, def: &Def, extra: &Extra) -> Result<(), Refusal> {
        let signs = inst.ops.iter().any(|s| s.neg || s.abs);
        let mods = def.class.modifiers();
        if signs && !mods.signs || inst.clamp && !mods.clamp || inst.omod != 0 && !mods.omod {
            return Err(Refusal::ModifierHere);
        }
        if (inst.neg_lo | inst.neg_hi) != 0 && !inst.has(flag::PACKED) {
            return Err(Refusal::ModifierHere);
        }
        let sext = inst.ops.iter().any(|s| s.sext);
        let byte = extra.byte_sel && def.class != Class::Narrow;
        if sext && extra.sdwa.is_none() || byte || inst.has(flag::TFE | flag::GDS) {
            return Err(Refusal::ModifierHere);
        }
        Ok(())
    }

    fn wrap(&self, inst: &mut Inst, extra: &Extra) -> Result<(), Refusal> {
        let wrap = match (extra.dpp, extra.sdwa) {
            (None, None) => return Ok(()),
            (Some(dpp), None) => Wrap::Dpp(dpp, inst.exec),
            (None, Some(sdwa)) => Wrap::Sdwa(sdwa, inst.exec),
            _ => return Err(Refusal::Modifier),
        };
        inst.exec = match wrap {
            Wrap::Dpp(..) => ops::wrap::dpp as Exec,
            _ => ops::wrap::sdwa,
        };
        inst.wrap = Some(Box::new(wrap));
        Ok(())
    }
}

/// Lane loops write vector registers: whatever names another destination is refused.
fn destination(inst: &Inst, base: &str, class: Class) -> Result<(), Refusal> {
    let scalar = ["v_cmp", "v_readlane", "v_readfirstlane", "v_s_"].iter().any(|p| base.starts_with(p));
    let vector = match (class, inst.mem) {
        (Class::Lds | Class::Vmem, MemOp::Load { .. }) => !inst.has(flag::LDS),
        (Class::Lds, MemOp::None) => true,
        _ => inst.has(flag::VALU) && !scalar,
    };
    let two = base.ends_with("swap_b32") && !inst.ops[1].is_v();
    if vector && !inst.ops[0].is_v() || two { Err(Refusal::Form) } else { Ok(()) }
}

/// 16-bit instructions of gfx9 that keep the upper half of their destination.
const PRESERVES_ON_GFX9: [&str; 10] = [
    "v_mad_f16",
    "v_fma_f16",
    "v_mad_u16",
    "v_mad_i16",
    "v_div_fixup_f16",
    "v_interp_p2_f16",
    "v_mad_mixlo_f16",
    "v_fma_mixlo_f16",
    "v_ashr_pk_i8_i32",
    "v_ashr_pk_u8_i32",
];

/// The part of the compute unit that it keeps busy.
fn counter(name: &str, class: Class, inst: &Inst) -> Counter {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    match class {
        Class::Trace => Counter::Trace,
        Class::Nop => Counter::Internal,
        Class::Smem => Counter::Smem,
        Class::Lds => Counter::Lds,
        Class::Vmem if starts(&["image_store"]) => Counter::VmemWrite,
        Class::Vmem => match inst.mem {
            MemOp::Store { .. } => Counter::VmemWrite,
            MemOp::Atomic { .. } if !inst.has(flag::RETURN) => Counter::VmemWrite,
            _ => Counter::VmemRead,
        },
        Class::Salu if starts(&["s_branch", "s_cbranch", "s_call", "s_setpc", "s_swappc"]) => Counter::Branch,
        Class::Salu if starts(&["s_sendmsg"]) => Counter::Message,
        Class::Salu if starts(&["s_barrier", "s_endpgm", "s_sleep", "s_sethalt"]) => Counter::Internal,
        Class::Salu => Counter::Salu,
        _ if starts(&["v_mfma", "v_smfmac", "v_wmma", "v_swmmac"]) => Counter::Matrix,
        _ => Counter::Valu,
    }
}
