use serde_json::json;
use sqtt_decoder::RemarkKind;

use super::*;

struct Things;

impl Rows for Things {
    type Row<'a> = (&'a [u8], Option<u64>);
}

type Column = super::Column<Things>;

fn columns() -> Vec<Column> {
    let number = |name: &str| Column::new(name, Type::Unsigned, |(_, number)| (*number).into());
    vec![
        Column::new("name", Type::Text, |(name, _)| (*name).into()),
        number("one.cycles").unit(Unit::Cycles).width(12),
        Column::new("one.words", Type::List(&Type::Hex), |(_, number)| {
            number.map(|number| [Cell::Hex(number, 4), Cell::Empty].into_iter().collect::<Cell<'_>>()).into()
        }),
        number("other.number").optional(),
        Column::new("half", Type::Real, |(_, number)| number.map(|number| number as f64 / 2.0).into()),
    ]
}

fn written(mut table: Table<Things>, rows: &[(&[u8], Option<u64>)], losses: &Ledger) -> String {
    let mut out = Vec::new();
    table.set_losses(losses);
    table.begin(&mut out).unwrap();
    table.section(&mut out, "things:").unwrap();
    rows.iter().for_each(|row| table.row(&mut out, row).unwrap());
    table.end(&mut out, losses).unwrap();
    String::from_utf8(out).unwrap()
}

const ROWS: [(&[u8], Option<u64>); 2] = [(b"=a\"\n\xFF", Some(3)), (b"b", None)];

/// Nothing lost, and something.
fn losses() -> [Ledger; 2] {
    let mut lost = Ledger::new();
    lost.add(RemarkKind::UnmatchedExit, 1, "a wave");
    [Ledger::new(), lost]
}

#[test]
fn text() {
    let text = written(Table::text(columns(), 1, true), &ROWS, &losses()[1]);
    let lines = [
        "things:",
        "name   one.cycles one.words other.number  half",
        "=a\"\\n\\xff            3 0x0003  3  1.50",
        "b            - - -  -",
        "lost: 1 unmatched exits\n",
    ];
    assert_eq!(text, lines.join("\n"));
}

#[test]
fn csv() {
    let [sound, lost] = losses();
    let csv = written(Table::csv(columns()), &ROWS, &sound);
    let head = "name,one.cycles,one.words,other.number,half,losses\r\n";
    assert_eq!(csv, format!("{head}\"'=a\"\"\\n\\xff\",3,0x0003 ,3,1.5,\r\nb,,,,,\r\n"));
    let alone = written(Table::csv(columns()), &[], &lost);
    assert_eq!(alone, format!("{head},,,,,lost: 1 unmatched exits\r\n"));
}

#[test]
fn json() {
    let [sound, lost] = losses();
    let first = json!({
        "name": "=a\"\n\u{FFFD}", "one": {"cycles": 3, "words": ["0x0003", null]}, "other": {"number": 3}, "half": 1.5,
    });
    let second = json!({"name": "b", "one": null, "half": null});
    let lines = written(Table::json(columns(), JsonLayout::Lines { key: "event" }), &ROWS, &lost);
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[..2], [first.clone(), second.clone()]);
    assert_eq!(
        (&lines[2]["event"], &lines[2]["summary"]),
        (&json!("losses"), &json!("lost: 1 unmatched exits"))
    );
    for layout in [
        JsonLayout::Array { key: "event" },
        JsonLayout::Object { list: "rows" },
        JsonLayout::Indented { list: "rows", unit: "cycles" },
    ] {
        let read = |rows: &[_], losses| -> serde_json::Value {
            serde_json::from_str(&written(Table::json(columns(), layout), rows, losses)).unwrap()
        };
        let rows = |value: serde_json::Value| value.get("rows").unwrap_or(&value).clone();
        assert_eq!(rows(read(&ROWS, &sound)), json!([first, second]));
        assert!(read(&[], &lost).to_string().contains("unmatched_exit"));
    }
}

#[test]
fn columns_say_type_and_unit() {
    let table = Table::csv(columns());
    assert_eq!(table.columns().nth(1), Some(("one.cycles", Type::Unsigned, Unit::Cycles)));
    assert_eq!(table.columns().nth(2), Some(("one.words", Type::List(&Type::Hex), Unit::None)));
}
