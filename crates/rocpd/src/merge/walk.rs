//! One walk over a native guid's counter values, each brought to its place or counted as unmatched.

use std::path::Path;

use rusqlite::{Row, Rows, Statement};

use super::dispatch::Place;
use super::maps::{Maps, Matched};
use super::report::Unmatched;
use crate::database::Database;
use crate::error::{Result, SqliteContext as _};

/// A value and its place: the target's index in the maps, then event and counter there.
pub(super) struct Placed {
    pub(super) target: usize,
    pub(super) event: i64,
    pub(super) counter: i64,
    pub(super) value: Option<f64>,
}

const READING: &str = "read the counter values";

/// Hands on every value that has a place, and counts the others by the first step that fails.
pub(super) fn walk(
    db: &Database,
    matched: &Matched,
    native: usize,
    maps: &Maps,
    mut each: impl FnMut(Placed) -> Result<()>,
) -> Result<Unmatched> {
    let (path, tables) = (matched.path.as_path(), &matched.guids[native]);
    let mut values = db
        .connection
        .prepare(&format!(
            "SELECT n.event_id, n.pmc_id, n.value FROM {} n {} ORDER BY n.id",
            tables.table(&matched.schema, "pmc_event"),
            tables.counters_only("WHERE", "n")
        ))
        .at(path, READING)?;
    let mut follow = db
        .connection
        .prepare(&format!(
            "SELECT id, correlation_id FROM {} WHERE id >= ?1 ORDER BY id",
            tables.table(&matched.schema, "event")
        ))
        .at(path, READING)?;
    let mut rows = values.query([]).at(path, READING)?;
    let mut unmatched = Unmatched::default();
    // Values come in the order of their events, several to an event or one: so a second cursor follows along
    // the events and seldom has to seek.
    let mut events = seek(&mut follow, i64::MAX, path)?;
    let mut event: Option<(i64, Option<i64>)> = None;
    let mut last = None;
    while let Some(row) = rows.next().at(path, READING)? {
        let Some(wanted) = row.get::<_, Option<i64>>(0).at(path, READING)? else {
            unmatched.without_event += 1;
            continue;
        };
        if event.is_none_or(|(id, _)| id != wanted) {
            event = events.next().at(path, READING)?.map(|row| read_event(row, path)).transpose()?;
            if event.is_none_or(|(id, _)| id != wanted) {
                drop(events);
                events = seek(&mut follow, wanted, path)?;
                event = events.next().at(path, READING)?.map(|row| read_event(row, path)).transpose()?;
            }
        }
        let Some((_, dispatch)) = event.filter(|(id, _)| *id == wanted) else {
            unmatched.without_event += 1;
            continue;
        };
        let counter: i64 = row.get(1).at(path, READING)?;
        if let Some((target, event, counter)) = place(maps, dispatch, counter, &mut last, &mut unmatched) {
            let value = row.get(2).at(path, READING)?;
            each(Placed { target, event, counter, value })?;
        }
    }
    Ok(unmatched)
}

fn seek<'a>(statement: &'a mut Statement<'_>, from: i64, path: &Path) -> Result<Rows<'a>> {
    statement.query([from]).at(path, READING)
}

fn read_event(row: &Row<'_>, path: &Path) -> Result<(i64, Option<i64>)> {
    Ok((row.get(0).at(path, READING)?, row.get(1).at(path, READING)?))
}

/// A dispatch of a process of a target, and its place.
type Known = ((usize, usize), i64, Place);

fn place(
    maps: &Maps,
    dispatch: Option<i64>,
    counter: i64,
    last: &mut Option<Known>,
    unmatched: &mut Unmatched,
) -> Option<(usize, i64, i64)> {
    let Some(counter) = maps.counters.get(&counter) else {
        unmatched.without_counter_row += 1;
        return None;
    };
    let Some(process) = counter.process else {
        unmatched.unknown_process += 1;
        return None;
    };
    let Some(dispatch) = dispatch else {
        unmatched.without_dispatch_id += 1;
        return None;
    };
    let place = match *last {
        Some((of, number, place)) if number == dispatch && of == process => place,
        _ => {
            let Some(place) = maps.dispatches(process).and_then(|dispatches| dispatches.get(dispatch)) else {
                unmatched.unknown_dispatch += 1;
                return None;
            };
            *last = Some((process, dispatch, place));
            place
        }
    };
    let Some(event) = place.event() else {
        unmatched.dispatch_without_event += 1;
        return None;
    };
    let Some(counter) = counter.on_agent(place.agent()) else {
        unmatched.unknown_counter += 1;
        return None;
    };
    Some((process.0, event, counter))
}

impl std::ops::AddAssign for Unmatched {
    fn add_assign(&mut self, other: Self) {
        self.without_event += other.without_event;
        self.without_counter_row += other.without_counter_row;
        self.unknown_process += other.unknown_process;
        self.without_dispatch_id += other.without_dispatch_id;
        self.unknown_dispatch += other.unknown_dispatch;
        self.dispatch_without_event += other.dispatch_without_event;
        self.unknown_counter += other.unknown_counter;
    }
}
