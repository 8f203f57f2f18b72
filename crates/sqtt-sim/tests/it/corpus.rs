//! The 60 code objects of the corpus give exactly their outputs and marker streams, also as traces.

use serde_json::Value;
use sqtt_sim::{Arg, Launch, Options, Program, run};

fn words(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|v| u32::try_from(v.as_u64().unwrap()).unwrap()).collect()
}

/// Every pc and value, per workgroup and wave.
type Streams = Vec<(u64, u64, Vec<(u64, u64)>)>;

fn expected_streams(target: &Value) -> Streams {
    let number = |v: &Value| v.as_u64().unwrap();
    let wave = |w: &Value| {
        let markers =
            w["markers"].as_array().unwrap().iter().map(|m| (number(&m[0]), number(&m[1]))).collect();
        (number(&w["wg"]), number(&w["wave"]), markers)
    };
    target["waves"].as_array().unwrap().iter().map(wave).collect()
}

#[test]
#[ignore = "it reads the shared test data"]
fn all_code_objects_give_their_outputs_and_streams() {
    let folder = test_data::unpack("sim-corpus.tgz");
    let folder = folder.path().join("sim-corpus");
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap();
    let mut checked = 0;
    let mut failures = Vec::new();
    for kernel in expected.as_array().unwrap() {
        let input = words(&kernel["input"]);
        for (name, target) in kernel["targets"].as_object().unwrap() {
            let file = target["co"].as_str().unwrap();
            let output = words(&target["output"]);
            let number = |key: &str| u32::try_from(kernel[key].as_u64().unwrap()).unwrap();
            let args = vec![Arg::words(&input), Arg::words(&vec![0; output.len()]), Arg::u32(number("n"))];
            let launch =
                Launch::new(kernel["kernel"].as_str().unwrap(), number("grid"), number("block"), args);
            let bytes = std::fs::read(folder.join(file)).unwrap();
            let program = Program::load(&bytes).unwrap();
            assert_eq!(program.target().name(), name);
            let result = match run(&program, &launch, &Options::default().threads(2)) {
                Ok(result) => result,
                Err(error) => {
                    failures.push(format!("{file}: {error}"));
                    continue;
                }
            };
            crate::trace::round_trip(&bytes, &program, &launch.kernel, &result);
            let streams: Streams = result
                .waves
                .iter()
                .map(|w| {
                    let markers = w.markers.iter().map(|m| (m.pc, u64::from(m.value))).collect();
                    (u64::from(w.workgroup[0]), u64::from(w.wave), markers)
                })
                .collect();
            if result.buffers[1].words() != output {
                failures.push(format!("{file}: output differs"));
            }
            if streams != expected_streams(target) {
                failures.push(format!("{file}: streams differ"));
            }
            checked += 1;
        }
    }
    assert!(failures.is_empty(), "{} of the corpus failed:\n{}", failures.len(), failures.join("\n"));
    assert_eq!(checked, 60);
}
