//! The products: row by row, each sum in the order of k, each step a multiply-add with one rounding.

use super::layout::{Line, Lines};
use crate::fp;
use crate::wave::Row;

/// The lanes of a line.
#[inline(always)]
fn line<T, const N: usize>(items: &[[T; 64]], line: Line) -> Option<&[T; N]> {
    items.get(usize::from(line.item))?.get(usize::from(line.lane)..)?.first_chunk()
}

/// `c[row] += a · b` for rows of all blocks. `step` is `a * b + c`. `TOGETHER` rows are computed at a time, so that the
/// host's multiply-adds do not wait for each other.
#[inline(always)]
pub(super) fn dense<T: Copy + Default, const N: usize, const TOGETHER: usize>(
    lines: &Lines,
    (m, k): (usize, usize),
    a: &[[T; 64]],
    b: &[[T; 64]],
    c: &mut [[T; N]],
    step: impl Fn(T, T, T) -> T + Copy,
) {
    let blocks = lines.a.chunks_exact(k).zip(lines.b.chunks_exact(k)).zip(c.chunks_exact_mut(m));
    for ((a_lines, b_lines), rows) in blocks {
        let (groups, _) = rows.as_chunks_mut::<TOGETHER>();
        for (group, sums) in groups.iter_mut().enumerate() {
            let mut acc = *sums;
            for (&la, &lb) in a_lines.iter().zip(b_lines) {
                let at = usize::from(la.lane) + group * TOGETHER;
                let column =
                    a.get(usize::from(la.item)).and_then(|item| item.get(at..)?.first_chunk::<TOGETHER>());
                let (Some(column), Some(row)) = (column, line::<T, N>(b, lb)) else { continue };
                for r in 0..TOGETHER {
                    for j in 0..N {
                        acc[r][j] = step(column[r], row[j], acc[r][j]);
                    }
                }
            }
            *sums = acc;
        }
    }
}

/// Multiplies like [`dense`] where of every four elements of a row of A two are stored; `positions` says which.
#[inline(always)]
pub(super) fn sparse<T: Copy, const N: usize>(
    lines: &Lines,
    a: &[[T; 64]],
    b: &[[T; 64]],
    positions: &Row,
    c: &mut [[T; N]],
    step: impl Fn(T, T, T) -> T + Copy,
) {
    for (i, sums) in c.iter_mut().enumerate() {
        for (group, index) in lines.index.iter().enumerate() {
            let bits = positions.get(usize::from(index.lane) + i).map_or(0, |row| row >> index.bit);
            for t in 0..2 {
                let from = lines.b.get(4 * group + (bits >> (2 * t) & 3) as usize);
                let place = lines.a.get(2 * group + t).copied();
                let value = place.and_then(|p| a.get(usize::from(p.item))?.get(usize::from(p.lane) + i));
                let (Some(&value), Some(row)) = (value, from.and_then(|&lb| line::<T, N>(b, lb))) else {
                    continue;
                };
                for j in 0..N {
                    sums[j] = step(value, row[j], sums[j]);
                }
            }
        }
    }
}

/// Scales of A's rows and B's columns, as bytes `[block of 32][row or column]`.
pub(super) type Scales = [Vec<[u8; 64]>; 2];

/// `f8f6f4`: each 32 products are summed in f64, scaled, and added with one rounding.
#[inline(always)]
pub(super) fn scaled<const N: usize>(
    lines: &Lines,
    a: &[[f32; 64]],
    b: &[[f32; 64]],
    scales: Option<&Scales>,
    c: &mut [[f32; N]],
) {
    let blocks = lines.a.chunks_exact(32).zip(lines.b.chunks_exact(32));
    for (block, (a_lines, b_lines)) in blocks.enumerate() {
        for (i, sums) in c.iter_mut().enumerate() {
            let mut dot = [0f64; N];
            for (&la, &lb) in a_lines.iter().zip(b_lines) {
                let value = a.get(usize::from(la.item)).and_then(|x| x.get(usize::from(la.lane) + i));
                let (Some(&value), Some(row)) = (value, line::<f32, N>(b, lb)) else { continue };
                for j in 0..N {
                    dot[j] += f64::from(value) * f64::from(row[j]);
                }
            }
            for j in 0..N {
                let scale =
                    scales.map_or(1.0, |[rows, columns]| power(rows[block][i]) * power(columns[block][j]));
                sums[j] = fp::add_odd(dot[j] * scale, f64::from(sums[j])) as f32;
            }
        }
    }
}

/// The value of an E8M0 scale.
fn power(code: u8) -> f64 {
    if code == 0xff { f64::NAN } else { f64::from_bits((u64::from(code) + 1023 - 127) << 52) }
}
