//! Reads the assembly of a function and follows its control flow: can a wave reach a marker with EXEC = 0?
//!
//! The knowledge of EXEC at a point is whether some lane is on for certain. Structured control flow narrows EXEC and
//! gives it back: a narrowing pushes what was known onto a stack, the matching `s_or … exec` pops it. A narrowed mask
//! may be empty until a branch on `execz` (not taken) or `execnz` (taken) has told.

use std::collections::{BTreeMap, HashMap};

/// A marker that a wave without active lanes can reach, or what could not be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    /// The line of the assembly text, from 1.
    pub(crate) line: usize,
    pub(crate) what: String,
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) struct Inst {
    pub(crate) line: usize,
    pub(crate) op: String,
    pub(crate) operands: Vec<String>,
    /// The inline asm that it belongs to.
    pub(crate) asm: Option<usize>,
    /// The compiler's comment on it.
    pub(crate) comment: String,
}

impl Inst {
    pub(crate) fn operand(&self, index: usize) -> &str {
        self.operands.get(index).map_or("", String::as_str)
    }

    /// `s_ttracedata` or `s_ttracedata_imm`.
    pub(crate) fn is_record(&self) -> bool {
        self.op.starts_with("s_ttracedata")
    }
}

/// The instructions of a function, in order, with the labels that stand before them.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) insts: Vec<Inst>,
    labels: HashMap<String, usize>,
}

impl Body {
    /// Finds a function in an assembly file.
    pub(crate) fn of(assembly: &str, function: &str) -> Self {
        let mut body = Self { insts: Vec::new(), labels: HashMap::new() };
        let mut inside = false;
        let mut asm = None;
        for (index, line) in assembly.lines().enumerate() {
            if line.contains("#ASMSTART") {
                asm = Some(index);
            } else if line.contains("#ASMEND") {
                asm = None;
            }
            let code = line.split(';').next().unwrap_or_default().trim();
            if code == format!("{function}:") {
                inside = true;
            } else if inside && code.starts_with(".Lfunc_end") {
                return body;
            } else if let Some(label) = code.strip_suffix(':').filter(|_| inside) {
                body.labels.insert(label.to_owned(), body.insts.len());
            } else if inside && !code.is_empty() && !code.starts_with('.') {
                let (op, rest) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
                let operands = rest.split(',').map(|operand| operand.trim().to_owned()).collect();
                // The encodings of one operation differ by suffix only.
                let op = op.trim_end_matches("_e32").trim_end_matches("_e64").to_owned();
                let comment = line.split_once(';').map_or("", |(_, comment)| comment.trim()).to_owned();
                body.insts.push(Inst { line: index + 1, op, operands, asm, comment });
            }
        }
        panic!("no function {function} with an end in:\n{assembly}");
    }

    /// The instructions to which control goes from one.
    pub(crate) fn successors(&self, at: usize) -> Vec<usize> {
        let inst = &self.insts[at];
        let target = || *self.labels.get(inst.operand(0)).unwrap_or_else(|| panic!("no label for {inst:?}"));
        match inst.op.as_str() {
            "s_endpgm" | "s_setpc_b64" | "s_trap" => Vec::new(),
            "s_branch" => vec![target()],
            op if op.starts_with("s_cbranch") => vec![target(), at + 1],
            _ => vec![at + 1],
        }
    }

    /// Number of records that the function holds.
    pub(crate) fn records(&self) -> usize {
        self.insts.iter().filter(|inst| inst.is_record()).count()
    }

    /// Every marker that a wave with EXEC = 0 can reach.
    pub(crate) fn phantoms(&self) -> Vec<Finding> {
        let mut findings = BTreeMap::new();
        let mut known: HashMap<usize, State> = HashMap::new();
        let mut open = vec![(0, State::default())];
        while let Some((start, incoming)) = open.pop() {
            let state = match known.get(&start) {
                Some(before) => match before.join(&incoming) {
                    Ok(joined) if joined == *before => continue,
                    Ok(joined) => joined,
                    Err(what) => {
                        findings.insert(start, what);
                        continue;
                    }
                },
                None => incoming,
            };
            known.insert(start, state.clone());
            open.extend(self.step(start, state, &mut findings));
        }
        findings.into_iter().map(|(at, what)| Finding { line: self.insts[at].line, what }).collect()
    }

    /// Runs one instruction; where control goes on, and with what known.
    fn step(
        &self,
        at: usize,
        mut state: State,
        findings: &mut BTreeMap<usize, String>,
    ) -> Vec<(usize, State)> {
        let Some(inst) = self.insts.get(at) else { return Vec::new() };
        if inst.is_record() && !state.some_lane {
            findings.insert(at, format!("{} can be reached with EXEC = 0", inst.op));
        }
        let target = || *self.labels.get(inst.operand(0)).unwrap_or_else(|| panic!("no label for {inst:?}"));
        let with = |some_lane| State { some_lane, ..state.clone() };
        match inst.op.as_str() {
            "s_endpgm" | "s_setpc_b64" | "s_trap" => Vec::new(),
            "s_branch" => vec![(target(), state)],
            "s_cbranch_execz" => vec![(target(), with(false)), (at + 1, with(true))],
            "s_cbranch_execnz" => vec![(target(), with(true)), (at + 1, with(false))],
            op if op.starts_with("s_cbranch") => vec![(target(), state.clone()), (at + 1, state)],
            _ => {
                if let Err(what) = state.run(inst) {
                    findings.insert(at, what);
                }
                vec![(at + 1, state)]
            }
        }
    }
}

/// The knowledge at a point.
#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    /// Some lane is on for certain.
    some_lane: bool,
    /// Answers of that kind for the masks around this one.
    around: Vec<bool>,
    /// The origins of the scalar registers that masks pass through.
    made: BTreeMap<String, Made>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Made {
    /// A copy of EXEC.
    Copy,
    /// EXEC and something: a narrowed mask.
    Narrowed,
    /// Lanes that left a loop, which was entered with this known.
    Left(bool),
}

impl Default for State {
    fn default() -> Self {
        Self { some_lane: true, around: Vec::new(), made: BTreeMap::new() }
    }
}

impl State {
    fn join(&self, other: &Self) -> Result<Self, String> {
        if self.around.len() != other.around.len() {
            return Err(format!("the masks do not nest: {self:?} meets {other:?}"));
        }
        let around = self.around.iter().zip(&other.around).map(|(left, right)| *left && *right).collect();
        let made = self
            .made
            .iter()
            .filter(|(register, made)| other.made.get(*register) == Some(made))
            .map(|(register, made)| (register.clone(), *made))
            .collect();
        Ok(Self { some_lane: self.some_lane && other.some_lane, around, made })
    }

    fn narrow(&mut self) {
        self.around.push(self.some_lane);
        self.some_lane = false;
    }

    fn give_back(&mut self) -> Result<(), String> {
        self.some_lane = self.around.pop().ok_or("EXEC is given back that was not narrowed")?;
        Ok(())
    }

    /// The effect of an instruction that is no branch.
    fn run(&mut self, inst: &Inst) -> Result<(), String> {
        let to = inst.operand(0).to_owned();
        let op = inst.op.trim_end_matches("_b64").trim_end_matches("_b32");
        let writes_exec = is_exec(&to);
        match op {
            "s_and_saveexec" => self.narrow(),
            _ if op.starts_with("v_cmpx") => self.narrow(),
            // Whole-wave mode, around spills.
            "s_or_saveexec" | "s_xor_saveexec" if inst.operand(1) == "-1" => {
                self.around.push(self.some_lane);
                self.some_lane = true;
                self.made.insert(to, Made::Copy);
            }
            // To the else arm: all lanes of the arm before and of this one, then without the former.
            "s_or_saveexec" => self.some_lane = self.around.last().copied().unwrap_or(false),
            "s_andn2_saveexec" | "s_and_not1_saveexec" => self.some_lane = false,
            "s_or" if writes_exec => match self.made.get(inst.operand(2)) {
                Some(Made::Left(entered)) => self.some_lane = *entered,
                _ => self.give_back()?,
            },
            "s_mov" if writes_exec => match self.made.get(inst.operand(1)) {
                Some(Made::Narrowed) => self.narrow(),
                Some(Made::Copy) => self.give_back()?,
                _ if inst.operand(1) == "-1" => self.some_lane = true,
                made => return Err(format!("EXEC is set from {made:?}: {inst:?}")),
            },
            // The other arm, or the lanes that stay in a loop.
            "s_xor" | "s_andn2" | "s_and_not1" | "s_and" if writes_exec => self.some_lane = false,
            _ if writes_exec => {
                return Err(format!("EXEC is written in a way this test does not know: {inst:?}"));
            }
            "s_mov" if is_exec(inst.operand(1)) => {
                self.made.insert(to, Made::Copy);
            }
            "s_mov" if inst.operand(1) == "0" => {
                self.made.insert(to, Made::Left(self.some_lane));
            }
            "s_mov" => match self.made.get(inst.operand(1)).copied() {
                Some(made) => {
                    self.made.insert(to, made);
                }
                None => self.forget(&to),
            },
            "s_and" => {
                self.made.insert(to, Made::Narrowed);
            }
            // Lanes join those that left a loop.
            "s_or" if inst.operands[1..].contains(&to) => {}
            _ => self.forget(&to),
        }
        Ok(())
    }

    /// A register was written: whatever was known of it, and of pairs that it is half of, holds no more.
    fn forget(&mut self, written: &str) {
        let Some((low, high)) = scalars(written) else { return };
        self.made
            .retain(|register, _| scalars(register).is_none_or(|(first, last)| last < low || high < first));
    }
}

/// The first and the last scalar register that `s4` or `s[4:5]` names.
fn scalars(register: &str) -> Option<(u32, u32)> {
    let numbers = register.strip_prefix('s')?;
    match numbers.strip_prefix('[').and_then(|pair| pair.strip_suffix(']')) {
        Some(pair) => {
            let (low, high) = pair.split_once(':')?;
            Some((low.parse().ok()?, high.parse().ok()?))
        }
        None => numbers.parse().ok().map(|number| (number, number)),
    }
}

fn is_exec(register: &str) -> bool {
    matches!(register, "exec" | "exec_lo")
}
