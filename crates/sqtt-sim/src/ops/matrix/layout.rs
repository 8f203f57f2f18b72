//! Places of the elements of matrices: registers and lanes of each generation.
//!
//! In every layout a run of neighbouring lanes holds a row of B, C or D, or a column of A: a [`Line`]. So a layout
//! is a list of lines. The facts are those of AMD's ISA documents and of its matrix instruction calculator; the
//! `f8f6f4` formats of gfx950 are those of its notes on matrix cores.

use super::shape::{Element, Shape};

/// A column of A, or a row of B, C or D.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    /// Element within a lane's registers: `bit / width`.
    pub(crate) item: u8,
    /// First lane.
    pub(crate) lane: u8,
}

impl Line {
    fn new(item: usize, lane: usize) -> Line {
        Line { item: item as u8, lane: lane as u8 }
    }
}

/// The two 2-bit positions of a group of four elements of a sparse row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Index {
    /// Lane of row 0.
    pub(crate) lane: u8,
    /// Lowest of the four bits.
    pub(crate) bit: u8,
}

/// The lines of an instruction. Those of A, B and D are in the order of blocks, then of k or of rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines {
    pub(crate) a: Vec<Line>,
    pub(crate) b: Vec<Line>,
    pub(crate) d: Vec<Line>,
    pub(crate) index: Vec<Index>,
}

/// MFMA and SMFMAC, wave64. `broadcast` is CBSZ and ABID: block ABID of each 2^CBSZ blocks stands for all.
pub(crate) fn gfx9(s: &Shape, blocks: usize, broadcast: (u8, u8)) -> Option<Lines> {
    let (m, n, k) = (s.m, s.n, s.k);
    let stored = if s.sparse { k / 2 } else { k };
    // Lanes of all blocks hold `per` consecutive k; the next lanes hold the following ones.
    let column = |size: usize, extent: usize, block: usize, k: usize, element: Element| {
        if s.open {
            return Some(open(size, k, element));
        }
        let per = (extent * size * blocks).checked_div(64).filter(|&per| per > 0)?;
        Some(Line::new(k % per, block * size + k / per * size * blocks))
    };
    let mut lines = Lines::default();
    for block in 0..blocks {
        let from = if s.sparse || s.open {
            block
        } else {
            (block >> broadcast.0 << broadcast.0) + usize::from(broadcast.1)
        };
        if from >= blocks {
            return None;
        }
        for k in 0..stored {
            lines.a.push(column(m, stored, from, k, s.a)?);
        }
        for k in 0..k {
            lines.b.push(column(n, s.k, block, k, s.b)?);
        }
        // Results stand in tiles of four rows (one, in f64): first side by side, then in the next registers.
        let height: usize = if s.d == Element::F64 { 1 } else { 4 };
        let across = 64 / n;
        let blocks_across = (64 * height).div_ceil(n * m);
        for i in 0..m {
            let item = block * (m * n / 64) + i / (height * across) * height + i % height;
            let lane = block % blocks_across * n + i / height % across * blocks_across * n;
            lines.d.push(Line::new(item, lane));
        }
    }
    if s.sparse {
        let per = stored * m / 64;
        // The sets of indices that fit into a register; CBSZ other than 0 selects the first.
        let (set, sets) = (2 * per, 32 / (2 * per));
        let abid = usize::from(if broadcast.0 == 0 { broadcast.1 } else { 0 });
        if abid >= sets {
            return None;
        }
        for group in 0..k / 4 {
            let first = 2 * group;
            let bit = abid * set + 2 * (first % per);
            lines.index.push(Index { lane: (first / per * m) as u8, bit: bit as u8 });
        }
    }
    Some(lines)
}

/// `f8f6f4`: 32 elements in a lane. Those of 8 bits come in two halves of 16, narrower ones in one run.
fn open(size: usize, k: usize, element: Element) -> Line {
    if element.bits() < 8 {
        return Line::new(k % 32, k / 32 * size);
    }
    let groups = 64 / size;
    Line::new(k % 16 + k / (16 * groups) * 16, k / 16 % groups * size)
}

/// WMMA of gfx11: every 16 lanes hold all of A and B; rows of the result alternate between them.
pub(crate) fn gfx11(s: &Shape, lanes: usize, high: bool) -> Lines {
    let across = lanes / 16;
    let halves = if s.d.bits() == 16 { 2 } else { 1 };
    Lines {
        a: (0..s.k).map(|k| Line::new(k, 0)).collect(),
        b: (0..s.k).map(|k| Line::new(k, 0)).collect(),
        d: (0..s.m).map(|i| Line::new(i / across * halves + usize::from(high), i % across * 16)).collect(),
        index: Vec::new(),
    }
}

/// WMMA and SWMMAC of gfx12; `key` selects the set of indices.
pub(crate) fn gfx12(s: &Shape, lanes: usize, key: u8) -> Option<Lines> {
    let bits = s.a.bits();
    let per = 32 / bits;
    let dense = |k: usize| {
        let (register, half) =
            if s.sparse { sparse_b(lanes, bits, s.k, k) } else { dense(lanes, bits, s.k, k) };
        Line::new(register * per + k % per, 16 * half)
    };
    let mut lines = Lines { b: (0..s.k).map(dense).collect(), ..Lines::default() };
    if s.sparse {
        let sets = match (lanes, bits, s.k) {
            (32, 4, 64) => 1,
            (32, ..) | (_, 4, _) => 2,
            _ => 4,
        };
        if usize::from(key) >= sets {
            return None;
        }
        for group in 0..s.k / 4 {
            let (item, sixteenth, index) = sparse_a(lanes, bits, s.k, 4 * group);
            lines.a.extend([0, 1].map(|t| Line::new(item + t, 16 * sixteenth)));
            let bit = index + usize::from(key) * (32 / sets);
            lines.index.push(Index { lane: (16 * sixteenth) as u8, bit: bit as u8 });
        }
    } else {
        lines.a.clone_from(&lines.b);
    }
    // Eight rows (wave64: four) in a lane, then the next lanes.
    lines.d = (0..s.m)
        .map(|i| match lanes {
            32 => Line::new(i % 8, 16 * (i / 8)),
            _ => Line::new(i % 4, 32 * (i / 4 % 2) + 16 * (i / 8)),
        })
        .collect();
    Some(lines)
}

/// Register, and which sixteen lanes, of row `k` of a dense matrix.
fn dense(lanes: usize, bits: usize, extent: usize, k: usize) -> (usize, usize) {
    match (lanes, bits, extent) {
        (32, 16, _) => (2 * (k / 8) + k / 2 % 2, k / 4 % 2),
        (32, 8, _) => (k / 4 % 2, k / 8),
        (32, _, 32) => (k / 8 % 2, k / 16),
        (_, 16, _) => (k / 2 % 2, 2 * (k / 8 % 2) + k / 4 % 2),
        (_, 8, _) => (0, 2 * (k / 4 % 2) + k / 8 % 2),
        (64, _, 32) => (0, 2 * (k / 8 % 2) + k / 16 % 2),
        _ => (0, k / 8),
    }
}

/// Register and lanes of row `k` of B of a sparse instruction.
fn sparse_b(lanes: usize, bits: usize, extent: usize, k: usize) -> (usize, usize) {
    match (lanes, bits, extent) {
        (32, 16, _) => (4 * (k / 16) + k / 2 % 4, k / 8 % 2),
        (32, 8, _) => (k / 4 % 4, k / 16),
        (32, _, 32) => (k / 8 % 2, k / 16),
        (32, ..) => (k / 8 % 4, k / 32),
        (_, 16, _) => (k / 2 % 4, k / 8),
        (_, 8, _) => (k / 4 % 2, 2 * (k / 8 % 2) + k / 16),
        (_, _, 32) => (0, 2 * (k / 8 % 2) + k / 16),
        _ => (k / 8 % 2, 2 * (k / 16 % 2) + k / 32),
    }
}

/// First stored element, which sixteen lanes, and the bit of the indices, of the group of four at column `k` of a
/// sparse A.
fn sparse_a(lanes: usize, bits: usize, extent: usize, k: usize) -> (usize, usize, usize) {
    match (lanes, bits, extent) {
        (32, 16, _) => (2 * (2 * (k / 16) + k / 4 % 2), k / 8 % 2, 8 * (k / 16) + 4 * (k / 4 % 2)),
        (32, 8, _) => (4 * (k / 8 % 2) + 2 * (k / 4 % 2), k / 16, 4 * (k / 4 % 4)),
        (32, _, 32) => (2 * (k / 4 % 4), k / 16, 4 * (k / 4 % 4)),
        (32, ..) => (8 * (k / 16 % 2) + 2 * (k / 4 % 4), k / 32, 4 * (k / 4 % 8)),
        (_, 16, _) => (2 * (k / 4 % 2), k / 8, 4 * (k / 4 % 2)),
        (_, 8, _) => (2 * (k / 4 % 2), 2 * (k / 8 % 2) + k / 16, 4 * (k / 4 % 2)),
        (_, _, 32) => (2 * (k / 4 % 4), k / 16, 4 * (k / 4 % 4)),
        _ => (2 * (k / 4 % 4), 2 * (k / 16 % 2) + k / 32, 4 * (k / 4 % 4)),
    }
}
