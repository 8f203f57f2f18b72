//! The tables, described as data: the writer's DDL and the reader's checks come from the same lines.

/// A column of a table, besides `id`, `guid` and `extdata`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Type and constraints in SQL.
    pub sql: &'static str,
    /// The table (without prefix) whose `id` it holds.
    pub references: Option<&'static str>,
}

/// One physical table, `rocpd_<name><suffix>`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Table {
    /// Name without the prefix `rocpd_` and without the suffix.
    pub name: &'static str,
    /// True where rows carry the `guid` column (all but the metadata).
    pub guid: bool,
    /// The declaration of `extdata`, where the table has one.
    pub extdata: Option<&'static str>,
    /// The columns of its own, in order.
    pub columns: &'static [Column],
}

const fn col(name: &'static str, sql: &'static str) -> Column {
    Column { name, sql, references: None }
}

const fn key(name: &'static str, sql: &'static str, table: &'static str) -> Column {
    Column { name, sql, references: Some(table) }
}

const fn table(name: &'static str, columns: &'static [Column]) -> Table {
    Table { name, guid: true, extdata: Some(EXTDATA), columns }
}

const fn bare(name: &'static str, guid: bool, columns: &'static [Column]) -> Table {
    Table { name, guid, extdata: None, columns }
}

const INT: &str = "INTEGER";
const INT_NN: &str = "INTEGER NOT NULL";
const BIG: &str = "BIGINT";
const BIG_NN: &str = "BIGINT NOT NULL";
const TEXT: &str = "TEXT";
const TEXT_NN: &str = "TEXT NOT NULL";
const TEXT_EMPTY: &str = "TEXT DEFAULT ''";
const JSON: &str = "JSONB DEFAULT '{}' NOT NULL";
const EXTDATA: &str = JSON;
const NID: Column = key("nid", INT_NN, "info_node");
const PID: Column = key("pid", INT_NN, "info_process");
const TID: Column = key("tid", INT, "info_thread");
const EVENT: Column = key("event_id", INT, "event");
const START: Column = col("start", BIG_NN);
const END: Column = col("end", BIG_NN);

/// All tables of schema 3.0.0 and 3.0.1, referenced ones first.
pub const TABLES: &[Table] = &[
    bare("metadata", false, &[col("tag", TEXT_NN), col("value", TEXT_NN)]),
    bare("string", true, &[col("string", "TEXT NOT NULL UNIQUE ON CONFLICT ABORT")]),
    bare(
        "info_node",
        true,
        &[
            col("hash", "BIGINT NOT NULL UNIQUE"),
            col("machine_id", "TEXT NOT NULL UNIQUE"),
            col("system_name", TEXT),
            col("hostname", TEXT),
            col("release", TEXT),
            col("version", TEXT),
            col("hardware_name", TEXT),
            col("domain_name", TEXT),
        ],
    ),
    table(
        "info_process",
        &[
            NID,
            col("ppid", INT),
            col("pid", INT_NN),
            col("init", BIG),
            col("fini", BIG),
            col("start", BIG),
            col("end", BIG),
            col("command", TEXT),
            col("environment", JSON),
        ],
    ),
    table(
        "info_thread",
        &[
            NID,
            col("ppid", INT),
            PID,
            col("tid", INT_NN),
            col("name", TEXT),
            col("start", BIG),
            col("end", BIG),
        ],
    ),
    table(
        "info_agent",
        &[
            NID,
            PID,
            col("type", "TEXT CHECK (\"type\" IN ({agent_types}))"),
            col("absolute_index", INT),
            col("logical_index", INT),
            col("type_index", INT),
            col("uuid", INT),
            col("name", TEXT),
            col("model_name", TEXT),
            col("vendor_name", TEXT),
            col("product_name", TEXT),
            col("user_name", TEXT),
        ],
    ),
    table("info_queue", &[NID, PID, col("name", TEXT)]),
    table("info_stream", &[NID, PID, col("name", TEXT)]),
    table(
        "info_pmc",
        &[
            NID,
            PID,
            key("agent_id", INT, "info_agent"),
            col("target_arch", "TEXT CHECK (\"target_arch\" IN ({agent_types}))"),
            col("event_code", INT),
            col("instance_id", INT),
            col("name", TEXT_NN),
            col("symbol", TEXT_NN),
            col("description", TEXT),
            col("long_description", TEXT_EMPTY),
            col("component", TEXT),
            col("units", TEXT_EMPTY),
            col("value_type", "TEXT CHECK (\"value_type\" IN ('ABS', 'ACCUM', 'RELATIVE'))"),
            col("block", TEXT),
            col("expression", TEXT),
            col("is_constant", INT),
            col("is_derived", INT),
        ],
    ),
    table(
        "info_code_object",
        &[
            NID,
            PID,
            key("agent_id", INT, "info_agent"),
            col("uri", TEXT),
            col("load_base", BIG),
            col("load_size", BIG),
            col("load_delta", BIG),
            col("storage_type", "TEXT CHECK (\"storage_type\" IN ('FILE', 'MEMORY'))"),
        ],
    ),
    table(
        "info_kernel_symbol",
        &[
            NID,
            PID,
            key("code_object_id", INT_NN, "info_code_object"),
            col("kernel_name", TEXT),
            col("display_name", TEXT),
            col("kernel_object", INT),
            col("kernarg_segment_size", INT),
            col("kernarg_segment_alignment", INT),
            col("group_segment_size", INT),
            col("private_segment_size", INT),
            col("sgpr_count", INT),
            col("arch_vgpr_count", INT),
            col("accum_vgpr_count", INT),
        ],
    ),
    table("track", &[NID, key("pid", INT, "info_process"), TID, key("name_id", INT, "string")]),
    table(
        "event",
        &[
            key("category_id", INT, "string"),
            col("stack_id", INT),
            col("parent_stack_id", INT),
            col("correlation_id", INT),
            col("call_stack", JSON),
            col("line_info", JSON),
        ],
    ),
    table(
        "arg",
        &[
            key("event_id", INT_NN, "event"),
            col("position", INT_NN),
            col("type", TEXT_NN),
            col("name", TEXT_NN),
            col("value", TEXT),
        ],
    ),
    Table {
        name: "pmc_event",
        guid: true,
        extdata: Some("JSONB DEFAULT '{}'"),
        columns: &[EVENT, key("pmc_id", INT_NN, "info_pmc"), col("value", "REAL DEFAULT 0.0")],
    },
    table(
        "region",
        &[NID, PID, key("tid", INT_NN, "info_thread"), START, END, key("name_id", INT_NN, "string"), EVENT],
    ),
    table("sample", &[key("track_id", INT_NN, "track"), col("timestamp", BIG_NN), EVENT]),
    table(
        "kernel_dispatch",
        &[
            NID,
            PID,
            TID,
            key("agent_id", INT_NN, "info_agent"),
            key("kernel_id", INT_NN, "info_kernel_symbol"),
            col("dispatch_id", INT_NN),
            key("queue_id", INT_NN, "info_queue"),
            key("stream_id", INT_NN, "info_stream"),
            START,
            END,
            col("private_segment_size", INT),
            col("group_segment_size", INT),
            col("workgroup_size_x", INT_NN),
            col("workgroup_size_y", INT_NN),
            col("workgroup_size_z", INT_NN),
            col("grid_size_x", INT_NN),
            col("grid_size_y", INT_NN),
            col("grid_size_z", INT_NN),
            key("region_name_id", INT, "string"),
            EVENT,
        ],
    ),
    table(
        "memory_copy",
        &[
            NID,
            PID,
            TID,
            START,
            END,
            key("name_id", INT_NN, "string"),
            key("dst_agent_id", INT, "info_agent"),
            col("dst_address", INT),
            key("src_agent_id", INT, "info_agent"),
            col("src_address", INT),
            col("size", INT_NN),
            key("queue_id", INT, "info_queue"),
            key("stream_id", INT, "info_stream"),
            key("region_name_id", INT, "string"),
            EVENT,
        ],
    ),
    table(
        "memory_allocate",
        &[
            NID,
            PID,
            TID,
            key("agent_id", INT, "info_agent"),
            col("type", "TEXT CHECK (\"type\" IN ('ALLOC', 'FREE', 'REALLOC', 'RECLAIM'))"),
            col("level", "TEXT CHECK (\"level\" IN ('REAL', 'VIRTUAL', 'SCRATCH'))"),
            START,
            END,
            col("address", INT),
            col("size", INT_NN),
            key("queue_id", INT, "info_queue"),
            key("stream_id", INT, "info_stream"),
            EVENT,
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::TABLES;

    #[test]
    fn references_point_backwards_to_existing_tables() {
        assert_eq!(TABLES.len(), 20);
        for (index, table) in TABLES.iter().enumerate() {
            for target in table.columns.iter().filter_map(|column| column.references) {
                assert!(TABLES[..index].iter().any(|t| t.name == target), "{} -> {target}", table.name);
            }
        }
    }
}
