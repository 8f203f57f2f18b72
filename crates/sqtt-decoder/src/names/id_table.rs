//! Values by marker id, found in a few instructions wherever the ids are in their 30 bits.
//!
//! The ids of one unit are near each other, and those of several units far apart. Ids that are near each other are a run:
//! an array. The run of an id is found by bisection, or at once where there is one.

/// Distance of two ids of a run at most: no more than so many cells are taken for a value.
const REACH: u32 = 4;

/// Values by marker id.
#[derive(Debug)]
pub(super) struct IdTable<T> {
    runs: Vec<Run>,
    cells: Vec<Option<T>>,
}

#[derive(Debug)]
struct Run {
    first: u32,
    last: u32,
    /// Index of the first id's cell.
    at: usize,
}

impl<T: Copy> IdTable<T> {
    /// The last value of an id is the one that counts.
    pub(super) fn new(mut values: Vec<(u32, T)>) -> Self {
        values.sort_by_key(|&(id, _)| id);
        let mut table = Self { runs: Vec::new(), cells: Vec::new() };
        for (id, value) in values {
            match table.runs.last_mut() {
                Some(run) if id - run.last <= REACH => run.last = id,
                _ => table.runs.push(Run { first: id, last: id, at: table.cells.len() }),
            }
            if let Some(run) = table.runs.last() {
                table.cells.resize(run.at + (id - run.first) as usize + 1, None);
            }
            if let Some(cell) = table.cells.last_mut() {
                *cell = Some(value);
            }
        }
        table
    }

    #[inline]
    pub(super) fn get(&self, id: u32) -> Option<T> {
        let run = match self.runs.as_slice() {
            [run] => run,
            runs => runs.get(runs.partition_point(|run| run.last < id))?,
        };
        let index = id.checked_sub(run.first)?;
        if id > run.last { None } else { self.cells.get(run.at + index as usize).copied().flatten() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn tables_agree_with_a_map_and_take_no_room_for_ids_between() {
        let bases = [0, 1 << 16, 0x2ABC_0000, (1 << 30) - 40, u32::MAX - 42];
        for runs in 0..=bases.len() {
            for step in 1..=REACH + 2 {
                // From the last to the first, and some twice.
                let ids =
                    bases[..runs].iter().rev().flat_map(|base| (0..8).rev().map(move |at| base + at * step));
                let ids: Vec<u32> = ids.collect();
                let again = ids.iter().step_by(3).copied();
                let values: Vec<(u32, usize)> =
                    ids.iter().copied().chain(again).enumerate().map(|(at, id)| (id, at)).collect();
                let known: HashMap<u32, usize> = values.iter().copied().collect();
                let table = IdTable::new(values);
                assert!(table.cells.len() <= REACH as usize * known.len());
                assert_eq!(table.runs.len(), if step > REACH { known.len() } else { runs });
                let near =
                    bases.iter().flat_map(|base| (0..60).map(|at| base.saturating_sub(2).saturating_add(at)));
                for id in near.chain([u32::MAX, 70_000]) {
                    assert_eq!(table.get(id), known.get(&id).copied(), "{id} of {ids:?}");
                }
            }
        }
    }
}
