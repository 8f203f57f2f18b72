//! A workgroup: its waves run side by side between barriers.

use super::Memory;
use super::eval::eval;
use super::exec::{Exec, named_point};
use super::frame::{Frame, Place, lanes};
use crate::ast::{Expr, Kernel, Stmt};
use crate::events::{Event, Node};
use sqtt_format::SystemPoint;
use std::cell::Cell;

const BARRIER: Node = Node::System(SystemPoint::Barrier);

struct Wave<'k> {
    place: Place<'k>,
    mask: u64,
    frame: Frame,
    nodes: Vec<Node>,
}

/// Runs one workgroup; gives what its waves trace.
pub(super) fn run(kernel: &Kernel, group: u32, wave_size: u32, memory: &mut Memory) -> Vec<Vec<Node>> {
    let mut waves: Vec<Wave<'_>> = (0..kernel.block.div_ceil(wave_size))
        .map(|k| {
            let first = k * wave_size;
            let count = wave_size.min(kernel.block - first);
            Wave {
                place: Place { kernel, group, first, m0: Cell::new(0) },
                mask: if count == 64 { u64::MAX } else { (1 << count) - 1 },
                frame: Frame::new(&kernel.main),
                nodes: Vec::new(),
            }
        })
        .collect();
    // Behind the last barrier every wave goes its own way, and may leave.
    let body = &kernel.main.body;
    let shared = body.iter().rposition(has_barrier).map_or(0, |last| last + 1);
    together(&mut waves, &body[..shared], memory);
    alone(&mut waves, &body[shared..], memory);
    waves.into_iter().map(|wave| wave.nodes).collect()
}

/// True for a statement that synchronizes the workgroup.
pub(crate) fn has_barrier(stmt: &Stmt) -> bool {
    let any = |block: &[Stmt]| block.iter().any(has_barrier);
    match stmt {
        Stmt::Exchange { .. } | Stmt::Reduce(..) => true,
        Stmt::Loop { body, .. } | Stmt::Scope(_, _, body) => any(body),
        Stmt::If(_, then, otherwise) => any(then) || any(otherwise),
        Stmt::Chain(parts) => parts.iter().any(|(_, body)| any(body)),
        _ => false,
    }
}

/// Statements without barriers.
fn alone(waves: &mut [Wave<'_>], block: &[Stmt], memory: &mut Memory) {
    for wave in waves {
        let mut exec = Exec { place: &wave.place, memory };
        exec.block(block, wave.mask, &mut wave.frame, &mut wave.nodes);
    }
}

/// Statements with barriers, in uniform control flow.
fn together(waves: &mut [Wave<'_>], block: &[Stmt], memory: &mut Memory) {
    for stmt in block {
        if !has_barrier(stmt) {
            alone(waves, std::slice::from_ref(stmt), memory);
            continue;
        }
        match stmt {
            Stmt::Exchange { dst, value, shift, points } => {
                reads(waves, memory, &[value]);
                for point in points {
                    each(waves, |wave| {
                        wave.nodes.extend(point.iter().map(|name| named_point(name)));
                        wave.nodes.push(BARRIER);
                    });
                }
                let lds: Vec<u64> = waves.iter().flat_map(|wave| values(wave, value)).collect();
                each(waves, |wave| {
                    for lane in lanes(wave.mask) {
                        wave.frame.vars[*dst][lane] =
                            lds[(wave.place.first as usize + lane + shift) % lds.len()];
                    }
                });
            }
            Stmt::Reduce(dst, index, value) => {
                each(waves, |wave| wave.nodes.push(BARRIER));
                reads(waves, memory, &[index, value]);
                each(waves, |wave| wave.nodes.push(BARRIER));
                reads(waves, memory, &[index]);
                each(waves, |wave| wave.nodes.push(BARRIER));
                let mut sums = [0_u32; 8];
                for wave in waves.iter() {
                    for (index, value) in values(wave, index).zip(values(wave, value)) {
                        let sum = &mut sums[index as usize & 7];
                        *sum = sum.wrapping_add(value as u32);
                    }
                }
                each(waves, |wave| {
                    let row: Vec<u64> =
                        values(wave, index).map(|index| sums[index as usize & 7].into()).collect();
                    for (lane, value) in lanes(wave.mask).zip(row) {
                        wave.frame.vars[*dst][lane] = value;
                    }
                });
            }
            Stmt::Loop { shape, counter, bound, body } => {
                reads(waves, memory, &[bound]);
                let bound = uniform(waves, bound);
                for k in 0..shape.iterations(bound) {
                    each(waves, |wave| wave.frame.vars[*counter].fill(shape.counter(k).into()));
                    together(waves, body, memory);
                }
            }
            Stmt::If(c, then, otherwise) => {
                reads(waves, memory, &[c]);
                let arm = if uniform(waves, c) != 0 { then } else { otherwise };
                together(waves, arm, memory);
            }
            Stmt::Scope(_, name, body) => {
                let values: Vec<&Expr> = name.values().collect();
                reads(waves, memory, &values);
                each(waves, |wave| {
                    let exec = Exec { place: &wave.place, memory };
                    let label = exec.label(name, wave.mask, &wave.frame);
                    wave.nodes.push(Node::Event(Event::Enter(label)));
                });
                together(waves, body, memory);
                each(waves, |wave| wave.nodes.push(Node::Event(Event::Exit)));
            }
            Stmt::Chain(parts) => {
                for (k, (name, body)) in parts.iter().enumerate() {
                    each(waves, |wave| wave.nodes.push(super::exec::chain_enter(name, k)));
                    together(waves, body, memory);
                }
                each(waves, |wave| wave.nodes.push(Node::Event(Event::Exit)));
            }
            _ => {}
        }
    }
}

fn each<'k>(waves: &mut [Wave<'k>], mut action: impl FnMut(&mut Wave<'k>)) {
    for wave in waves {
        action(wave);
    }
}

/// Notes the loads of expressions that all waves evaluate.
fn reads(waves: &mut [Wave<'_>], memory: &mut Memory, expressions: &[&Expr]) {
    for wave in waves {
        let exec = Exec { place: &wave.place, memory };
        exec.reads(expressions.iter().copied(), wave.mask, &wave.frame, &mut wave.nodes);
    }
}

fn values<'a>(wave: &'a Wave<'_>, value: &'a Expr) -> impl Iterator<Item = u64> + 'a {
    lanes(wave.mask).map(move |lane| eval(value, &wave.place, &wave.frame, lane))
}

/// The value of an expression that is the same in the whole workgroup.
fn uniform(waves: &[Wave<'_>], value: &Expr) -> u32 {
    waves.first().map_or(0, |wave| eval(value, &wave.place, &wave.frame, 0) as u32)
}
