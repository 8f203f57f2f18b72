//! The rows of a guid: identity, references, JSON, numbering.

use super::{Findings, Severity};
use crate::database::{Database, GuidTables};
use crate::error::{Result, SqliteContext as _};
use crate::schema::{TABLES, Table, quoted};

struct Rows<'a> {
    db: &'a Database,
    tables: &'a GuidTables,
    findings: &'a mut Findings,
}

/// Checks all rows of a guid whose tables are complete.
pub(super) fn check(db: &Database, tables: &GuidTables, findings: &mut Findings) -> Result<()> {
    let mut rows = Rows { db, tables, findings };
    for table in TABLES {
        rows.identity(table)?;
        rows.references(table)?;
        rows.json(table)?;
        rows.machine(table)?;
    }
    rows.processes()?;
    rows.dispatches()?;
    rows.regions()
}

impl Rows<'_> {
    fn count(&self, sql: &str) -> Result<i64> {
        let count: Option<i64> =
            self.db.connection.query_row(sql, [], |row| row.get(0)).at(self.db.path(), "check the rows")?;
        Ok(count.unwrap_or(0))
    }

    fn table(&self, name: &str) -> String {
        self.tables.table("main", name)
    }

    fn report(&mut self, severity: Severity, count: i64, what: impl FnOnce(i64) -> String) {
        if count > 0 {
            self.findings.add(severity, Some(&self.tables.guid), what(count));
        }
    }

    /// Every row carries its file's guid.
    fn identity(&mut self, table: &Table) -> Result<()> {
        if table.guid {
            let guid = crate::schema::literal(&self.tables.guid);
            let count = self.count(&format!(
                "SELECT count(*) FROM {} WHERE guid IS NOT {guid}",
                self.table(table.name)
            ))?;
            self.report(Severity::Error, count, |n| {
                format!("{n} rows of {} carry another guid: joins do not find them", table.name)
            });
        }
        Ok(())
    }

    /// Checks that the rows which others refer to are there. Files of the profiler are written unchecked, and views skip
    /// rows without them.
    fn references(&mut self, table: &Table) -> Result<()> {
        for column in table.columns {
            let Some(target) = column.references else { continue };
            let name = quoted(column.name);
            let count = self.count(&format!(
                "SELECT count(*) FROM {} R LEFT JOIN {} T ON T.id = R.{name} WHERE R.{name} IS NOT NULL AND T.id IS NULL",
                self.table(table.name),
                self.table(target)
            ))?;
            self.report(Severity::Warning, count, |n| {
                format!("{n} rows of {} refer by {} to a {target} that is not there", table.name, column.name)
            });
        }
        Ok(())
    }

    /// JSON columns hold JSON: one bad cell makes `json_extract` fail for a whole view.
    fn json(&mut self, table: &Table) -> Result<()> {
        let own =
            table.columns.iter().filter(|column| column.sql.starts_with("JSONB")).map(|column| column.name);
        for column in own.chain(table.extdata.map(|_| "extdata")) {
            let name = quoted(column);
            let count = self.count(&format!(
                "SELECT count(*) FROM {} WHERE {name} IS NOT NULL AND {name} <> '{{}}' AND NOT json_valid({name}, 6)",
                self.table(table.name)
            ))?;
            self.report(Severity::Error, count, |n| {
                format!(
                    "{n} rows of {} have a {column} that is not JSON: views that look into it fail",
                    table.name
                )
            });
        }
        Ok(())
    }

    /// Rows of a process carry its machine: readers select by both.
    fn machine(&mut self, table: &Table) -> Result<()> {
        let has = |name: &str| {
            table.columns.iter().any(|column| column.name == name && column.references.is_some())
        };
        if has("nid") && has("pid") {
            let count = self.count(&format!(
                "SELECT count(*) FROM {} R JOIN {} P ON P.id = R.pid WHERE R.nid <> P.nid",
                self.table(table.name),
                self.table("info_process")
            ))?;
            self.report(Severity::Error, count, |n| {
                format!("{n} rows of {} have another node than their process", table.name)
            });
        }
        Ok(())
    }

    fn processes(&mut self) -> Result<()> {
        let table = self.table("info_process");
        let count = self.count(&format!("SELECT count(*) FROM {table}"))?;
        if count == 0 {
            self.findings.add(Severity::Error, Some(&self.tables.guid), "there is no process");
        }
        let count =
            self.count(&format!("SELECT count(*) FROM {table} WHERE start IS NULL OR fini IS NULL"))?;
        self.report(Severity::Warning, count, |n| {
            format!("{n} processes have no start or fini: readers take a trace's length from them")
        });
        Ok(())
    }

    fn dispatches(&mut self) -> Result<()> {
        let dispatches = self.table("kernel_dispatch");
        let count = self.count(&format!(
            "SELECT count(*) FROM (SELECT 1 FROM {dispatches} GROUP BY pid, dispatch_id HAVING count(*) > 1)"
        ))?;
        self.report(Severity::Error, count, |n| {
            format!("{n} dispatch numbers of a process are used more than once")
        });
        let count = self.count(&format!(
            "SELECT count(*) FROM (SELECT 1 FROM {dispatches} GROUP BY dispatch_id HAVING count(DISTINCT pid) > 1)"
        ))?;
        self.report(Severity::Warning, count, |n| {
            format!(
                "{n} dispatch numbers are used by several processes: counters_collection adds their values up"
            )
        });
        let count = self.count(&format!(
            "SELECT count(*) FROM (SELECT 1 FROM {dispatches} WHERE event_id IS NOT NULL GROUP BY event_id \
             HAVING count(*) > 1)"
        ))?;
        self.report(Severity::Error, count, |n| {
            format!("{n} events belong to several dispatches, which all show their counters")
        });
        let count = self.count(&format!(
            "SELECT count(*) FROM {dispatches} K LEFT JOIN {} T ON T.id = K.tid LEFT JOIN {} E ON E.id = K.event_id \
             LEFT JOIN {} S ON S.id = K.kernel_id LEFT JOIN {} A ON A.id = K.agent_id \
             WHERE T.id IS NULL OR E.id IS NULL OR S.id IS NULL OR A.id IS NULL",
            self.table("info_thread"),
            self.table("event"),
            self.table("info_kernel_symbol"),
            self.table("info_agent")
        ))?;
        self.report(Severity::Warning, count, |n| {
            format!(
                "{n} dispatches lack thread, event, kernel or agent: counters_collection does not show them"
            )
        });
        let count = self.count(&format!(
            "SELECT count(*) FROM {dispatches} K LEFT JOIN {} R ON R.id = K.region_name_id WHERE R.id IS NULL",
            self.table("string")
        ))?;
        self.report(Severity::Warning, count, |n| {
            format!(
                "{n} dispatches have no region name (the empty one is a name): the view kernels skips them"
            )
        });
        Ok(())
    }

    fn regions(&mut self) -> Result<()> {
        for table in ["region", "kernel_dispatch", "memory_copy", "memory_allocate"] {
            let name = self.table(table);
            let count = self.count(&format!("SELECT count(*) FROM {name} WHERE \"end\" < start"))?;
            self.report(Severity::Error, count, |n| format!("{n} rows of {table} end before they start"));
        }
        let name = self.table("region");
        let count = self.count(&format!("SELECT count(*) FROM {name} WHERE \"end\" = start"))?;
        self.report(Severity::Warning, count, |n| format!("{n} regions have no length"));
        Ok(())
    }
}
