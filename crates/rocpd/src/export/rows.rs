//! One guid's rows of `pmc_perf.csv`: the dispatches that the view `counters_collection` shows, each with its
//! counters by name.

use std::collections::BTreeMap;
use std::io::Write;

use sqtt_format::push_csv_field;

use super::format::{LINE_END, push_float, push_value};
use super::sorter::{Key, Sorter};
use super::{Columns, Numbers};
use crate::database::{Database, GuidTables, Needed};
use crate::error::{Error, Result, SqliteContext as _};
use crate::hashing::NumberMap;

/// Tables and columns that an export reads of a guid.
pub(super) const NEEDS: &[Needed] = &[
    ("info_process", &["id", "guid", "pid"]),
    ("info_thread", &["id", "guid"]),
    ("info_agent", &["id", "guid"]),
    (
        "info_kernel_symbol",
        &["id", "guid", "display_name", "arch_vgpr_count", "accum_vgpr_count", "sgpr_count"],
    ),
    ("info_pmc", &["id", "guid", "name"]),
    ("event", &["id", "guid", "stack_id"]),
    (
        "kernel_dispatch",
        &[
            "id",
            "guid",
            "pid",
            "tid",
            "agent_id",
            "kernel_id",
            "dispatch_id",
            "event_id",
            "start",
            "end",
            "private_segment_size",
            "group_segment_size",
            "workgroup_size_x",
            "workgroup_size_y",
            "workgroup_size_z",
            "grid_size_x",
            "grid_size_y",
            "grid_size_z",
        ],
    ),
    ("pmc_event", &["id", "guid", "event_id", "pmc_id", "value"]),
];

/// The way of counter values: the dispatch of each event, the name of each counter.
#[derive(Debug)]
pub(super) struct Places {
    /// Event and place of its dispatch, sorted.
    events: Vec<(i64, u32)>,
    counters: NumberMap<i64, u32>,
    /// Names of counters, as fields, in order.
    names: Vec<Vec<u8>>,
    /// Dispatches that the view leaves out.
    pub(super) hidden_dispatches: u64,
    /// Values whose dispatch or counter the view leaves out.
    pub(super) hidden_values: u64,
    last: Option<(i64, usize)>,
}

/// The tables behind a dispatch, joined as in the view. `CROSS JOIN` fixes the order: dispatches first.
fn joins(tables: &GuidTables) -> String {
    format!(
        "FROM {} K CROSS JOIN {} A ON A.id = K.agent_id AND A.guid = K.guid \
         CROSS JOIN {} E ON E.id = K.event_id AND E.guid = K.guid \
         CROSS JOIN {} S ON S.id = K.kernel_id AND S.guid = K.guid \
         CROSS JOIN {} P ON P.id = K.pid AND P.guid = K.guid \
         CROSS JOIN {} T ON T.id = K.tid AND T.guid = K.guid \
         ORDER BY K.dispatch_id, P.pid, K.id",
        tables.table("main", "kernel_dispatch"),
        tables.table("main", "info_agent"),
        tables.table("main", "event"),
        tables.table("main", "info_kernel_symbol"),
        tables.table("main", "info_process"),
        tables.table("main", "info_thread"),
    )
}

impl Places {
    /// Reads the dispatches and counters of a guid.
    pub(super) fn read(db: &Database, tables: &GuidTables) -> Result<Self> {
        let (path, doing) = (db.path(), "read the dispatches");
        db.require("main", path, tables, NEEDS)?;
        let sql = format!("SELECT K.event_id, K.dispatch_id, P.pid {}", joins(tables));
        let mut statement = db.connection.prepare(&sql).at(path, doing)?;
        let mut rows = statement.query([]).at(path, doing)?;
        let mut events: Vec<(i64, u32)> = Vec::new();
        let mut last: Option<(i64, i64)> = None;
        while let Some(row) = rows.next().at(path, doing)? {
            let dispatch: (i64, i64) = (row.get(1).at(path, doing)?, row.get(2).at(path, doing)?);
            if last == Some(dispatch) {
                let detail = format!(
                    "guid {}: dispatch {} of process {} is there more than once",
                    tables.guid, dispatch.0, dispatch.1
                );
                return Err(Error::ambiguous(path, detail));
            }
            last = Some(dispatch);
            let place = u32::try_from(events.len())
                .map_err(|_| Error::schema(path, "more than 2^32 dispatches under one guid"))?;
            events.push((row.get(0).at(path, doing)?, place));
        }
        let all: i64 = db
            .connection
            .query_row(
                &format!("SELECT count(*) FROM {}", tables.table("main", "kernel_dispatch")),
                [],
                |row| row.get(0),
            )
            .at(path, doing)?;
        let hidden_dispatches = all.cast_unsigned().saturating_sub(events.len() as u64);
        events.sort_unstable();
        let (counters, names) = read_counters(db, tables)?;
        Ok(Self { events, counters, names, hidden_dispatches, hidden_values: 0, last: None })
    }

    /// Puts a value where it belongs; the view shows the values of an event in each of its dispatches.
    pub(super) fn put(
        &mut self,
        sorter: &mut Sorter,
        event: Option<i64>,
        counter: i64,
        value: Option<f64>,
    ) -> std::io::Result<()> {
        let found = event.and_then(|event| Some((event, *self.counters.get(&counter)?)));
        let Some((event, counter)) = found else {
            self.hidden_values += 1;
            return Ok(());
        };
        // Neighbouring values mostly belong to one dispatch.
        let first = match self.last {
            Some((last, first)) if last == event => first,
            _ => self.events.partition_point(|(known, _)| *known < event),
        };
        self.last = Some((event, first));
        let before = first;
        let mut index = first;
        while let Some(&(_, dispatch)) = self.events.get(index).filter(|(known, _)| *known == event) {
            sorter.push(Key { dispatch, counter }, value)?;
            index += 1;
        }
        self.hidden_values += u64::from(index == before);
        Ok(())
    }

    /// Puts all values of the guid's own table.
    pub(super) fn put_own(
        &mut self,
        db: &Database,
        tables: &GuidTables,
        sorter: &mut Sorter,
        mut each: impl FnMut(u64) -> Result<()>,
    ) -> Result<()> {
        let (path, doing) = (db.path(), "read the counter values");
        let sql = format!(
            "SELECT V.event_id, V.pmc_id, V.value FROM {} V {}",
            tables.table("main", "pmc_event"),
            tables.counters_only("WHERE", "V")
        );
        let mut statement = db.connection.prepare(&sql).at(path, doing)?;
        let mut rows = statement.query([]).at(path, doing)?;
        let mut done = 0;
        while let Some(row) = rows.next().at(path, doing)? {
            let (event, counter) = (row.get(0).at(path, doing)?, row.get(1).at(path, doing)?);
            self.put(sorter, event, counter, row.get(2).at(path, doing)?)
                .map_err(Error::io(path, "sort the counter values of"))?;
            done += 1;
            if done % (1 << 18) == 0 {
                each(done)?;
            }
        }
        Ok(())
    }

    /// Writes the rows, and says how many.
    pub(super) fn write(
        &self,
        db: &Database,
        tables: &GuidTables,
        sorter: Sorter,
        columns: Columns,
        numbers: &mut Numbers,
        out: &mut dyn Write,
    ) -> Result<u64> {
        let (path, doing) = (db.path(), "read the dispatches");
        let sql = format!(
            "SELECT K.agent_id, E.stack_id, K.dispatch_id, K.grid_size_x * K.grid_size_y * K.grid_size_z, \
             K.workgroup_size_x * K.workgroup_size_y * K.workgroup_size_z, K.group_segment_size, \
             K.private_segment_size, S.arch_vgpr_count, S.accum_vgpr_count, S.sgpr_count, S.display_name, \
             K.start, K.\"end\", K.kernel_id, P.pid {}",
            joins(tables)
        );
        let mut statement = db.connection.prepare(&sql).at(path, doing)?;
        let mut dispatches = statement.query([]).at(path, doing)?;
        let mut next = 0_u64;
        let mut current = None;
        let mut prefix = Vec::new();
        let mut line = Vec::new();
        let mut written = 0;
        sorter
            .finish(|key, sum| -> std::result::Result<(), Failure> {
                if current != Some(key.dispatch) {
                    while next <= u64::from(key.dispatch) {
                        let row = dispatches.next().at(path, doing)?;
                        next += 1;
                        if next > u64::from(key.dispatch) {
                            let row =
                                row.ok_or_else(|| Error::schema(path, "dispatches vanished while reading"))?;
                            prefix.clear();
                            start_of_line(&mut prefix, row, &tables.guid, columns, numbers).map_err(
                                |problem| Error::schema(path, format!("guid {}: {problem}", tables.guid)),
                            )?;
                        }
                    }
                    current = Some(key.dispatch);
                }
                line.clear();
                line.extend_from_slice(&prefix);
                line.extend_from_slice(&self.names[key.counter as usize]);
                line.push(b',');
                if let Some(sum) = sum.value() {
                    push_float(&mut line, sum);
                }
                line.extend_from_slice(LINE_END);
                out.write_all(&line)?;
                written += 1;
                Ok(())
            })
            .map_err(|failure| match failure {
                Failure::Ours(error) => error,
                Failure::Io(source) => Error::Write { source },
            })?;
        Ok(written)
    }
}

enum Failure {
    Ours(Error),
    Io(std::io::Error),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Ours(error)
    }
}

/// The place of each counter's name by its key, and the names in order, as fields that a comma follows.
type Counters = (NumberMap<i64, u32>, Vec<Vec<u8>>);

fn read_counters(db: &Database, tables: &GuidTables) -> Result<Counters> {
    let (path, doing) = (db.path(), "read the counters' descriptions");
    let sql = format!("SELECT id, CAST(name AS BLOB) FROM {}", tables.table("main", "info_pmc"));
    let mut statement = db.connection.prepare(&sql).at(path, doing)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).at(path, doing)?;
    let ids: Vec<(i64, Vec<u8>)> = rows.collect::<rusqlite::Result<_>>().at(path, doing)?;
    let mut order: BTreeMap<&[u8], u32> = ids.iter().map(|(_, name)| (name.as_slice(), 0)).collect();
    let mut names = Vec::with_capacity(order.len());
    for (place, (name, slot)) in (0..).zip(order.iter_mut()) {
        *slot = place;
        let mut field = Vec::new();
        push_csv_field(&mut field, name);
        names.push(field);
    }
    let counters = ids.iter().map(|(id, name)| (*id, order[name.as_slice()])).collect();
    Ok((counters, names))
}

/// The fields before the counter's name, each with its comma.
fn start_of_line(
    out: &mut Vec<u8>,
    row: &rusqlite::Row<'_>,
    guid: &str,
    columns: Columns,
    numbers: &mut Numbers,
) -> std::result::Result<(), String> {
    let field = |out: &mut Vec<u8>, index: usize| -> std::result::Result<(), String> {
        let value = row.get_ref(index).map_err(|error| error.to_string())?;
        push_value(out, value).map_err(|problem| format!("a dispatch's column {index} is {problem}"))?;
        out.push(b',');
        Ok(())
    };
    field(out, 0)?;
    let renumbered = match columns {
        Columns::Fifteen => None,
        Columns::Seventeen => {
            push_csv_field(out, guid.as_bytes());
            out.push(b',');
            field(out, 1)?;
            let mut kernel = Vec::new();
            for index in [10, 3, 4, 5] {
                field(&mut kernel, index)?;
            }
            let mut dispatch = Vec::new();
            for index in [14, 11, 12] {
                field(&mut dispatch, index)?;
            }
            Some(numbers.of(kernel, &dispatch))
        }
    };
    match renumbered {
        None => field(out, 2)?,
        Some((dispatch, _)) => out.extend_from_slice(format!("{dispatch},").as_bytes()),
    }
    for index in 3..=12 {
        field(out, index)?;
    }
    match renumbered {
        None => field(out, 13)?,
        Some((_, kernel)) => out.extend_from_slice(format!("{kernel},").as_bytes()),
    }
    Ok(())
}
