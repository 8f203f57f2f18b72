//! Every SQL statement in the documentation runs, and finds something.

use rocpd::{MergeOptions, merge};
use rocpd_samples::Sample;
use rusqlite::Connection;

use crate::support::{Folder, quiet};

#[test]
fn the_sql_in_the_documentation_runs() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rocpd.md")).unwrap();
    let folder = Folder::new();
    let (sdk, native) = folder.pair(&Sample::default());
    merge(&sdk, &native, MergeOptions::default(), &mut quiet()).unwrap();
    let db = Connection::open(sdk).unwrap();
    let mut statements = 0;
    for block in text.split("```sql\n").skip(1) {
        let sql = block.split("```").next().unwrap();
        let mut statement = db.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        assert!(statement.exists([]).unwrap(), "no rows: {sql}");
        statements += 1;
    }
    assert_eq!(statements, 4);
}
