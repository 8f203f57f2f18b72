//! `sqtt payloads` on trace folders.

use crate::command::{golden, sqtt, sqtt_into_broken_pipe};
use crate::traces::Trace;
use serde_json::{Value, json};
use sqtt_decoder::generate::{Plan, write};

/// A marker with one word, one with two words, one of a function with a word, a traced operation.
fn small() -> Trace {
    let mut trace = Trace::of_one_wave(
        "P:1:it\"e,m;<&\nR:1:extra_payload_count=1\nP:2:pair@k.hip:3\nR:2:extra_payload_count=2\n\
         P:3:addr_trace_lds_load\nR:3:extra_payload_count=34\nU:4:scope\n",
    );
    trace.words(&[4, 0xFFFF_FFFE, 18, 8, 0x3FC0_0000, 0x7FC0_0000, 1, 4, 3]);
    let words: Vec<u32> = [12, 1, 0].into_iter().chain(0..32).collect();
    words.iter().zip(300..).for_each(|(&word, time)| trace.record(time, word, 0));
    trace.write();
    trace
}

#[test]
fn every_form() {
    let trace = small();
    let root = trace.root.path();
    let ran = sqtt(root, &["payloads", "."]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    golden("payloads/small.txt", &ran.out);
    golden("payloads/small.csv", &sqtt(root, &["payloads", "--csv", "--as", "i32", "."]).out);
    let ran = sqtt(root, &["payloads", "--json", "--as", "f32", "."]);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    golden("payloads/small.json", &ran.out);
    assert_eq!(value["values"][1]["values"], json!([1.5, null]));
    assert_eq!(value["values"][1]["words"], json!([0x3FC0_0000, 0x7FC0_0000]));
    golden("payloads/small-histogram.txt", &sqtt(root, &["payloads", "--histogram", "."]).out);
    golden("payloads/small-histogram.csv", &sqtt(root, &["payloads", "--histogram", "--csv", "."]).out);
    let ran = sqtt(root, &["payloads", "--histogram", "--json", "--as", "f32", "."]);
    serde_json::from_str::<Value>(&ran.out).unwrap();
    golden("payloads/small-histogram.json", &ran.out);
    let ran = sqtt(root, &["payloads", "--csv", "--as", "u64", "."]).out;
    let values = ran.lines().skip(1).map(|line| line.rsplit(',').nth(1).unwrap());
    assert_eq!(values.collect::<Vec<_>>(), ["4294967294", "9205357639414841344", "3"]);
    let bad = sqtt(root, &["payloads", "--as", "f16", "."]);
    assert!(bad.code == 2 && bad.err.contains("none of u32, i32, f32, u64, i64, f64, hex"), "{}", bad.err);
}

#[test]
#[ignore = "it reads the shared test data"]
fn the_example_has_one_value() {
    let data = test_data::find("ui-example");
    let ran = sqtt(data.parent().unwrap(), &["payloads", "--json", "ui-example"]);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    let values = value["values"].as_array().unwrap();
    assert_eq!(values.len(), 1);
    assert_eq!((&values[0]["name"], &values[0]["values"]), (&json!("item"), &json!([13])));
    assert_eq!(value["losses"]["truncated_block"]["count"], 1);
}

#[test]
fn all_values_of_a_generated_trace() {
    let root = tempfile::tempdir().unwrap();
    let plan = Plan { records: 6000, truth: true, ..Plan::default() };
    let truth = write(&root.path().join("trace"), &plan).unwrap();
    let done = truth.waves.iter().flat_map(|wave| &wave.done);
    let mut expected: Vec<u32> =
        done.filter(|done| done.payload.len() == 1).map(|done| done.payload[0]).collect();
    expected.sort_unstable();
    let csv = sqtt(root.path(), &["payloads", "--csv", "trace"]).out;
    let mut got: Vec<u32> =
        csv.lines().skip(1).map(|line| line.rsplit(',').nth(1).unwrap().parse().unwrap()).collect();
    got.sort_unstable();
    assert!(got.len() > 200);
    assert_eq!(got, expected);
    let json = sqtt(root.path(), &["payloads", "--histogram", "--json", "trace"]).out;
    let value: Value = serde_json::from_str(&json).unwrap();
    let histogram = &value["histograms"][0];
    assert_eq!(histogram["count"], expected.len());
    assert_eq!(histogram["summary"]["median"], f64::from(expected[expected.len().div_ceil(2) - 1]));
    let bins = histogram["bins"].as_array().unwrap();
    assert_eq!(bins.iter().map(|bin| bin["count"].as_u64().unwrap()).sum::<u64>(), expected.len() as u64);
    let one = sqtt(root.path(), &["payloads", "--histogram", "--json", "-j", "1", "trace"]).out;
    assert_eq!(one, json);
}

#[test]
fn no_values_and_closed_pipes() {
    let mut trace = Trace::of_one_wave("U:1:a\n");
    trace.words(&[6, 1]);
    trace.write();
    let root = trace.root.path();
    assert_eq!(sqtt(root, &["payloads", "."]).out.lines().count(), 1);
    assert_eq!(sqtt(root, &["payloads", "--csv", "."]).out.lines().count(), 1);
    let value: Value = serde_json::from_str(&sqtt(root, &["payloads", "--json", "."]).out).unwrap();
    assert_eq!(value, json!({"values": [], "losses": {}}));
    assert_eq!(sqtt(root, &["payloads", "--histogram", "."]).out, "no data markers\n");

    let root = tempfile::tempdir().unwrap();
    write(&root.path().join("trace"), &Plan { records: 40_000, ..Plan::default() }).unwrap();
    for form in ["--json", "--csv"] {
        assert_eq!(sqtt_into_broken_pipe(root.path(), &["payloads", form, "trace"]), (0, String::new()));
    }
}
