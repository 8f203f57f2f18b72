//! Fidelity of the instructions of a code object.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use sqtt_format::Printable;

use crate::program::Program;

/// The fidelity of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fidelity {
    /// Bit for bit what AMD's documents say; payloads of NaNs may differ.
    Exact,
    /// Within bounds, which the text says.
    Bounded(&'static str),
    /// Executing it is an error; the text says why.
    Refused(&'static str),
}

impl Fidelity {
    /// The name of the class: `exact`, `bounded` or `refused`.
    pub fn name(self) -> &'static str {
        match self {
            Fidelity::Exact => "exact",
            Fidelity::Bounded(_) => "bounded",
            Fidelity::Refused(_) => "refused",
        }
    }

    /// The bounds, or the reason of the refusal.
    pub fn text(self) -> &'static str {
        match self {
            Fidelity::Exact => "",
            Fidelity::Bounded(text) | Fidelity::Refused(text) => text,
        }
    }
}

/// An instruction of a code object, and how it is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CoveredInstruction<'a> {
    /// The kernel or device function that it is in.
    pub function: Option<&'a str>,
    /// Its virtual address.
    pub pc: u64,
    /// Its disassembly.
    pub line: &'a str,
    /// Its fidelity; of a pair (`v_dual_*`), the lesser of both.
    pub fidelity: Fidelity,
}

impl CoveredInstruction<'_> {
    /// The mnemonic, that of a pair's first half.
    pub fn mnemonic(&self) -> &str {
        self.line.split(char::is_whitespace).next().unwrap_or(self.line)
    }
}

impl Program {
    /// Every instruction with its fidelity, in the order of addresses.
    pub fn coverage(&self) -> impl Iterator<Item = CoveredInstruction<'_>> {
        let mut functions: Vec<_> = self.image.symbols.iter().filter(|s| s.size > 0).collect();
        functions.sort_by_key(|s| s.address);
        let all = self.code.insts.iter().zip(&self.code.lines);
        all.map(move |(inst, line)| {
            let before = functions.partition_point(|s| s.address <= line.pc);
            let inside = functions[..before].last().filter(|s| line.pc - s.address < s.size);
            let fidelity = match (inst.refusal, inst.bounds) {
                (Some(why), _) => Fidelity::Refused(why.text()),
                (_, Some(bounds)) => Fidelity::Bounded(bounds),
                _ => Fidelity::Exact,
            };
            let function = inside.map(|s| s.name.as_str());
            CoveredInstruction { function, pc: line.pc, line: &line.text, fidelity }
        })
    }
}

/// Numbers of a function: instructions that are exact, bounded, refused.
type Numbers = [u64; 3];

/// Function → numbers, and (fidelity, mnemonic) → number.
type Summary<'a> = (BTreeMap<&'a str, Numbers>, BTreeMap<(Fidelity, &'a str), u64>);

fn summary<'a>(instructions: &[CoveredInstruction<'a>]) -> Summary<'a> {
    let (mut functions, mut kinds) = (BTreeMap::<_, Numbers>::new(), BTreeMap::new());
    for instruction in instructions {
        let class = match instruction.fidelity {
            Fidelity::Exact => 0,
            Fidelity::Bounded(_) => 1,
            Fidelity::Refused(_) => 2,
        };
        functions.entry(instruction.function.unwrap_or("")).or_default()[class] += 1;
        let mnemonic = instruction.line.split(char::is_whitespace).next().unwrap_or(instruction.line);
        *kinds.entry((instruction.fidelity, mnemonic)).or_default() += 1;
    }
    (functions, kinds)
}

/// The instructions of one function, or all.
fn selected<'a>(program: &'a Program, function: Option<&str>) -> Vec<CoveredInstruction<'a>> {
    program.coverage().filter(|i| function.is_none() || i.function == function).collect()
}

/// Writes numbers by function, then the mnemonics that are not exact, with the bounds or the reason of the refusal.
///
/// # Errors
/// The errors of `out`.
pub fn write_coverage(out: &mut dyn Write, program: &Program, function: Option<&str>) -> io::Result<()> {
    let instructions = selected(program, function);
    let (functions, kinds) = summary(&instructions);
    writeln!(out, "{} instructions for {}", instructions.len(), program.target())?;
    writeln!(out, "{:>10}{:>10}{:>10}  function", "exact", "bounded", "refused")?;
    for (name, [exact, bounded, refused]) in &functions {
        let name = if name.is_empty() { "(outside of functions)" } else { name };
        writeln!(out, "{exact:>10}{bounded:>10}{refused:>10}  {}", Printable(name.as_bytes()))?;
    }
    for class in ["bounded", "refused"] {
        let mut texts = BTreeMap::<_, Vec<_>>::new();
        for ((fidelity, mnemonic), number) in
            kinds.iter().filter(|((fidelity, _), _)| fidelity.name() == class)
        {
            texts.entry(fidelity.text()).or_default().push(format!("{mnemonic} {number}"));
        }
        for (text, mnemonics) in texts {
            writeln!(out, "{class}: {text}\n  {}", mnemonics.join(", "))?;
        }
    }
    Ok(())
}

/// Coverage as JSON, with every instruction that is not exact.
pub fn coverage_json(program: &Program, function: Option<&str>) -> Value {
    let instructions = selected(program, function);
    let (functions, kinds) = summary(&instructions);
    let functions: Vec<_> = functions
        .iter()
        .map(|(name, [exact, bounded, refused])| {
            json!({ "function": name, "exact": exact, "bounded": bounded, "refused": refused })
        })
        .collect();
    let mnemonics: Vec<_> = kinds
        .iter()
        .map(|((fidelity, mnemonic), number)| {
            json!({
                "mnemonic": mnemonic,
                "fidelity": fidelity.name(),
                "text": fidelity.text(),
                "instructions": number,
            })
        })
        .collect();
    let lines: Vec<_> = instructions
        .iter()
        .filter(|i| i.fidelity != Fidelity::Exact)
        .map(|i| json!({ "function": i.function, "pc": i.pc, "line": i.line, "fidelity": i.fidelity.name() }))
        .collect();
    json!({
        "target": program.target().name(),
        "functions": functions,
        "mnemonics": mnemonics,
        "instructions": lines,
    })
}
