//! Whole words of vector registers, loaded and stored: what most memory instructions do.

use super::access::{Lanes, Space, active, lds_error, resolve, scratch_error};
use crate::env::Env;
use crate::inst::Src;
use crate::memory::op::MemOp;
use crate::wave::{Row, Wave};

/// A lane's access that was refused, and why.
pub(super) type Refusal = (usize, String);

/// Loads or stores whole words. False where the instruction does something else, or where its lanes have to be
/// looked at one by one.
pub(super) fn whole(
    w: &mut Wave,
    e: &mut Env<'_>,
    op: MemOp,
    space: Space,
    lanes: &Lanes,
    (dst, data): (&Src, &Src),
) -> Result<bool, Refusal> {
    let (row, bytes) = match op {
        MemOp::Load { bytes, .. } => (dst.reg as usize, bytes),
        MemOp::Store { bytes, high: false } if data.is_v() && !data.half => (data.reg as usize, bytes),
        _ => return Ok(false),
    };
    if bytes < 4 {
        return Ok(false);
    }
    let Some(space) = settled(space, lanes) else { return Ok(false) };
    let loads = matches!(op, MemOp::Load { .. });
    match (loads, bytes / 4) {
        (true, 1) => load::<1>(w, e, space, lanes, row),
        (true, 2) => load::<2>(w, e, space, lanes, row),
        (true, 3) => load::<3>(w, e, space, lanes, row),
        (true, _) => load::<4>(w, e, space, lanes, row),
        (false, 1) => store::<1>(w, e, space, lanes, row),
        (false, 2) => store::<2>(w, e, space, lanes, row),
        (false, 3) => store::<3>(w, e, space, lanes, row),
        (false, _) => store::<4>(w, e, space, lanes, row),
    }?;
    Ok(true)
}

/// The one space that all active lanes lead to. In scratch, words of all lanes have to be whole ones there.
fn settled(space: Space, lanes: &Lanes) -> Option<Space> {
    let mut spaces = active(lanes.active).map(|l| resolve(space, lanes.address[l]).0);
    let first = match space {
        Space::Flat => spaces.next().filter(|&first| spaces.all(|other| other == first))?,
        _ => resolve(space, 0).0,
    };
    let is_whole = |l: usize| lanes.address[l].is_multiple_of(4);
    (first != Space::Scratch || active(lanes.active).all(is_whole)).then_some(first)
}

fn load<const N: usize>(
    w: &mut Wave,
    e: &mut Env<'_>,
    space: Space,
    lanes: &Lanes,
    row: usize,
) -> Result<(), Refusal> {
    let (n, all) = (w.n, lanes.active == w.full);
    let Wave { v, scratch, .. } = w;
    let rows = &mut v[row..row + N];
    match space {
        Space::Lds if all && fits(lanes, n, 4 * N, e.lds.len()) => {
            let at = |l: usize| lanes.address[l] as u32 as usize;
            // All lanes read the same words, as of a tile's row.
            let is_one = lanes.address[..n].iter().fold(0, |differ, a| differ | a ^ lanes.address[0]) == 0;
            for (k, row) in rows.iter_mut().enumerate() {
                if is_one {
                    row[..n].fill(word(&e.lds, at(0) + 4 * k));
                } else {
                    row[..n].iter_mut().enumerate().for_each(|(l, to)| *to = word(&e.lds, at(l) + 4 * k));
                }
            }
            Ok(())
        }
        Space::Lds => each(lanes, n, all, |l, at| {
            let bytes = e.lds.get(lds_range(at, 4 * N)).ok_or_else(|| lds_error(e.lds.len()))?;
            for (k, row) in rows.iter_mut().enumerate() {
                row[l] = u32::from_le_bytes(std::array::from_fn(|b| bytes[4 * k + b]));
            }
            Ok(())
        }),
        Space::Scratch => each(lanes, n, all, |l, at| {
            for (k, row) in rows.iter_mut().enumerate() {
                row[l] = *scratch_word(scratch, n, l, at, k)?;
            }
            Ok(())
        }),
        _ if all && e.mem.load_rows(&lanes.address, n, rows) => Ok(()),
        _ => each(lanes, n, all, |l, at| {
            for (row, word) in rows.iter_mut().zip(e.mem.words::<N>(at)?) {
                row[l] = word;
            }
            Ok(())
        }),
    }
}

fn store<const N: usize>(
    w: &mut Wave,
    e: &mut Env<'_>,
    space: Space,
    lanes: &Lanes,
    row: usize,
) -> Result<(), Refusal> {
    let (n, all) = (w.n, lanes.active == w.full);
    let Wave { v, scratch, .. } = w;
    let rows: &[Row] = &v[row..row + N];
    match space {
        Space::Lds => {
            let lds = &mut e.lds;
            each(lanes, n, all, |l, at| {
                let len = lds.len();
                let bytes = lds.get_mut(lds_range(at, 4 * N)).ok_or_else(|| lds_error(len))?;
                for (k, row) in rows.iter().enumerate() {
                    bytes[4 * k..4 * k + 4].copy_from_slice(&row[l].to_le_bytes());
                }
                Ok(())
            })
        }
        Space::Scratch => each(lanes, n, all, |l, at| {
            for (k, row) in rows.iter().enumerate() {
                *scratch_word(scratch, n, l, at, k)? = row[l];
            }
            Ok(())
        }),
        _ if all && e.mem.store_rows(&lanes.address, n, rows) => Ok(()),
        _ => each(lanes, n, all, |l, at| {
            let mut bytes = [[0; 4]; N];
            bytes.iter_mut().zip(rows).for_each(|(bytes, row)| *bytes = row[l].to_le_bytes());
            e.mem.write(at, bytes.as_flattened())
        }),
    }
}

/// Calls `f` with each active lane and its address, in order.
#[inline(always)]
fn each(
    lanes: &Lanes,
    n: usize,
    all: bool,
    mut f: impl FnMut(usize, u64) -> Result<(), String>,
) -> Result<(), Refusal> {
    if all {
        for (l, &address) in lanes.address[..n].iter().enumerate() {
            f(l, address).map_err(|why| (l, why))?;
        }
    } else {
        for l in active(lanes.active) {
            f(l, lanes.address[l]).map_err(|why| (l, why))?;
        }
    }
    Ok(())
}

fn word(lds: &[u8], at: usize) -> u32 {
    let bytes = &lds[at..at + 4];
    u32::from_le_bytes(std::array::from_fn(|k| bytes[k]))
}

/// True where all lanes' accesses are inside of LDS.
fn fits(lanes: &Lanes, n: usize, len: usize, size: usize) -> bool {
    let highest = lanes.address[..n].iter().fold(0, |high, &at| high.max(at as u32));
    highest as usize + len <= size
}

/// The bytes of an address in LDS; through the aperture the address has more than 32 bits.
fn lds_range(address: u64, len: usize) -> std::ops::Range<usize> {
    let at = address as u32 as usize;
    at..at + len
}

/// The `k`-th word behind an address in a lane's scratch; through the aperture the address has more than 32 bits.
fn scratch_word(
    scratch: &mut [u32],
    n: usize,
    lane: usize,
    address: u64,
    k: usize,
) -> Result<&mut u32, String> {
    let bytes = (scratch.len() / n * 4) as u64;
    let index = (address as u32 as usize / 4 + k) * n + lane;
    scratch.get_mut(index).ok_or_else(|| scratch_error(bytes))
}
