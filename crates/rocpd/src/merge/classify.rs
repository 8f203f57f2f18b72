//! Why counter values found no place. Runs only when some did not.

use super::maps::{Loaded, Matched};
use super::report::Unmatched;
use crate::database::Database;
use crate::error::{Result, SqliteContext as _};

/// Counts the values of a native guid that the loaded maps leave out, by the first step that fails.
pub(super) fn unmatched(
    db: &Database,
    matched: &Matched,
    native: usize,
    loaded: &Loaded,
) -> Result<Unmatched> {
    let tables = &matched.guids[native];
    let (join, spmc) = if loaded.by_agent {
        ("LEFT JOIN temp.rocpd_merge_counter_agent p ON p.npmc = c.npmc AND p.agent = d.agent_id", "p.spmc")
    } else {
        ("", "c.spmc")
    };
    // Each condition holds only where those before it do not: CASE takes the first.
    let sql = format!(
        "SELECT CASE WHEN e.id IS NULL THEN 0 WHEN c.npmc IS NULL THEN 1 WHEN c.sdk IS NULL THEN 2 \
         WHEN e.correlation_id IS NULL THEN 3 WHEN d.dispatch_id IS NULL THEN 4 \
         WHEN d.event_id IS NULL THEN 5 WHEN {spmc} IS NULL THEN 6 ELSE 7 END AS reason, count(*) \
         FROM {} n LEFT JOIN {} e ON e.id = n.event_id \
         LEFT JOIN temp.rocpd_merge_counter c ON c.npmc = n.pmc_id \
         LEFT JOIN temp.rocpd_merge_dispatch d ON d.npid = c.npid AND d.dispatch_id = e.correlation_id \
         {join} {} GROUP BY reason",
        tables.table(&matched.schema, "pmc_event"),
        tables.table(&matched.schema, "event"),
        tables.counters_only("WHERE", "n")
    );
    let doing = "classify unmatched counter values";
    let mut statement = db.connection.prepare(&sql).at(&matched.path, doing)?;
    let mut rows = statement.query([]).at(&matched.path, doing)?;
    let mut found = Unmatched::default();
    while let Some(row) = rows.next().at(&matched.path, doing)? {
        let rows: i64 = row.get(1).at(&matched.path, doing)?;
        let place = match row.get::<_, i64>(0).at(&matched.path, doing)? {
            0 => &mut found.without_event,
            1 => &mut found.without_counter_row,
            2 => &mut found.unknown_process,
            3 => &mut found.without_dispatch_id,
            4 => &mut found.unknown_dispatch,
            5 => &mut found.dispatch_without_event,
            6 => &mut found.unknown_counter,
            _ => continue,
        };
        *place += rows.cast_unsigned();
    }
    Ok(found)
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
