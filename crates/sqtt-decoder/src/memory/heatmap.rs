//! Accesses by address and time: a grid that grows coarser instead of larger.

use std::collections::BTreeMap;

use super::{Operation, Space};

/// Accesses of lanes by address and time, one panel per folder and kind of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Heatmap {
    /// Panels that have accesses, in the order of folders.
    pub panels: Vec<Panel>,
    /// Operations without addresses; they have no place.
    pub without_address: u64,
}

/// A grid. Rows are blocks of addresses, and only blocks that were accessed; columns are equal times.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Panel {
    /// The trace folder.
    pub folder: String,
    /// Space of the addresses.
    pub space: Space,
    /// Bytes of a row, as a power of two.
    pub row_shift: u32,
    /// Cycles of a column, as a power of two.
    pub column_shift: u32,
    /// Time of the first column.
    pub begin: i64,
    /// Number of the block (address shifted right by `row_shift`) to the accesses of each column.
    pub rows: BTreeMap<u64, Vec<u64>>,
}

impl Panel {
    /// The most rows.
    pub const ROWS: usize = 128;
    /// The most columns.
    pub const COLUMNS: usize = 160;

    /// Rows start with 64 bytes, a sector of most caches, and half of the banks of LDS.
    const LEAST_ROW: u32 = 6;

    fn new(folder: &str, space: Space, begin: i64) -> Self {
        Self {
            folder: folder.to_owned(),
            space,
            row_shift: Self::LEAST_ROW,
            column_shift: 0,
            begin,
            rows: BTreeMap::new(),
        }
    }

    fn add(&mut self, time: i64, address: u64) {
        let since = time.saturating_sub(self.begin).max(0).cast_unsigned();
        while since >> self.column_shift >= Self::COLUMNS as u64 {
            self.column_shift += 1;
            for row in self.rows.values_mut() {
                *row = row.chunks(2).map(|pair| pair.iter().sum()).collect();
            }
        }
        let column = (since >> self.column_shift) as usize;
        let row = self.rows.entry(address >> self.row_shift).or_default();
        if row.len() <= column {
            row.resize(column + 1, 0);
        }
        row[column] += 1;
        while self.rows.len() > Self::ROWS {
            self.row_shift += 1;
            for (block, row) in std::mem::take(&mut self.rows) {
                let wider = self.rows.entry(block >> 1).or_default();
                if wider.len() < row.len() {
                    wider.resize(row.len(), 0);
                }
                wider.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
            }
        }
    }

    /// The most accesses of a cell.
    #[must_use]
    pub fn hottest(&self) -> u64 {
        self.rows.values().flatten().copied().max().unwrap_or_default()
    }

    /// Columns up to the last with an access.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.rows.values().map(Vec::len).max().unwrap_or_default()
    }
}

impl Heatmap {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an operation of a folder. Operations of a folder come by time, folders one after the other.
    pub fn add(&mut self, folder: &str, time: i64, operation: &Operation<'_>) {
        let space = operation.space();
        if space == Space::Lanes {
            return;
        }
        if operation.no_address().is_some() {
            self.without_address += 1;
            return;
        }
        for address in operation.lanes().filter_map(|lane| lane.address) {
            let panel = |panel: &Panel| panel.space == space && panel.folder == folder;
            let index = self.panels.iter().rposition(panel).unwrap_or_else(|| {
                self.panels.push(Panel::new(folder, space, time));
                self.panels.len() - 1
            });
            self.panels[index].add(time, address);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_access_is_lost_and_the_grid_stays_small(
            accesses in prop::collection::vec((any::<u32>(), any::<u64>()), 1..400),
            shift in 0_u32..31,
            far in 0_u32..60,
        ) {
            let mut panel = Panel::new("f", Space::Memory, -7);
            let mut now = -7_i64;
            let mut all = 0_u64;
            for &(step, address) in &accesses {
                now = now.saturating_add(i64::from(step) << shift >> 20);
                panel.add(now, address >> far);
                all += 1;
                prop_assert!(panel.rows.len() <= Panel::ROWS && panel.columns() <= Panel::COLUMNS);
            }
            prop_assert_eq!(panel.rows.values().flatten().sum::<u64>(), all);
            let (_, last) = accesses[accesses.len() - 1];
            let column = (now + 7) as usize >> panel.column_shift;
            prop_assert!(panel.rows[&(last >> far >> panel.row_shift)][column] > 0);
        }
    }
}
