//! `sqtt funcmap` on real code objects and host programs.

use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{self, Ran};
use crate::common::{self, MAP, assembled, code_object, host_library, host_object, host_program};

fn sqtt() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sqtt"))
}

fn funcmap(folder: &Path, args: &[&str]) -> Ran {
    command::sqtt(folder, &[&["funcmap"], args].concat())
}

/// A code object with functions `a` at the start of the code and `b` behind it, and this map.
fn with_map(folder: &Path, name: &str, a: &str, b: &str, map: &str) {
    let map = map.replace('\n', "\\n");
    let text = format!(
        ".section .sqtt_funcmap,\"a\"\n.asciz \"{map}\"\n.text\n.type {a},@function\n{a}: .fill 128,4,0xbf800000\n\
         .type {b},@function\n{b}: s_endpgm\n"
    );
    assembled(folder, name, &[&text]);
}

#[test]
fn the_first_table_of_the_specification() {
    let folder = tempfile::tempdir().unwrap();
    with_map(
        folder.path(),
        "my_app.co",
        "_Z8kernelAi",
        "_Z4syncv",
        "F:3:_Z4syncv@kernel.hip:42\nF:4:_Z12helper_funcv@helper.hpp:17\nK:_Z8kernelAi@kernel.hip:80\n\
         U:1:load_input\nU:2:compute_start\nP:5:barrier_signal\nP:6:barrier_wait\nP:7:barrier\n\
         P:8:vmem_load\nP:9:vmem_store\n",
    );
    let ran = funcmap(folder.path(), &["my_app.co"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let nm = String::from_utf8(common::llvm("llvm-nm", &["my_app.co"], folder.path())).unwrap();
    let address = |name: &str| {
        format!("0x{}", nm.lines().find(|line| line.ends_with(name)).unwrap().split(' ').next().unwrap())
    };
    let expected = "  Type        ID               Vaddr  Name
  ----       ---               -----  ----
kernel         -  {kernel}  _Z8kernelAi  @ kernel.hip:80
  user         1                   -  load_input
  user         2                   -  compute_start
  func         3  {sync}  _Z4syncv  @ kernel.hip:42
  func         4                   -  _Z12helper_funcv  @ helper.hpp:17  (inlined)
 point         5                   -  barrier_signal
 point         6                   -  barrier_wait
 point         7                   -  barrier
 point         8                   -  vmem_load
 point         9                   -  vmem_store
"
    .replace("{kernel}", &address("_Z8kernelAi"))
    .replace("{sync}", &address("_Z4syncv"));
    assert_eq!(ran.out, expected);
}

#[test]
fn the_second_table_of_the_specification() {
    let folder = tempfile::tempdir().unwrap();
    with_map(
        folder.path(),
        "my_app.co",
        "a",
        "b",
        "W:64\nP:2:addr_trace_load@kernel.hip:59\nR:2:extra_payload_count=130\n\
         P:1:addr_trace_load@hip_runtime.h:264 -> kernel.hip:59\nR:1:extra_payload_count=130\n",
    );
    let ran = funcmap(folder.path(), &["my_app.co"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let (head, rows) = ran.out.split_at(ran.out.find("  wave_size").unwrap());
    assert_eq!(head.lines().count(), 2);
    assert_eq!(
        rows,
        "  wave_size: 64
 point         1                   -  addr_trace_load  @ hip_runtime.h:264 -> kernel.hip:59
 point         2                   -  addr_trace_load  @ kernel.hip:59
"
    );
}

#[test]
fn a_packed_layout_has_its_line() {
    let folder = tempfile::tempdir().unwrap();
    with_map(folder.path(), "p.co", "a", "b", "M:shader_clock_bits=12;shader_clock_shift=4\nU:1:x\n");
    let ran = funcmap(folder.path(), &["p.co"]);
    assert!(
        ran.out.starts_with("marker_encoding: shader_clock_bits=12 shader_clock_shift=4\n  Type "),
        "{}",
        ran.out
    );
}

#[test]
fn json_has_the_specified_fields_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    with_map(
        folder.path(),
        "j.co",
        "_Z4workPi",
        "_Z6helperPi",
        "M:shader_clock_bits=12;shader_clock_shift=4\nF:1:_Z6helperPi@k.hip:9\nF:2:_Z7inlinedPi\nK:_Z4workPi\nU:3:a\nnonsense\n",
    );
    let ran = funcmap(folder.path(), &["--json", "--demangle", "j.co"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let vaddr = |index: usize| value[0]["entries"][index]["vaddr"].as_u64().unwrap();
    assert!(vaddr(2) > 0 && vaddr(0) > vaddr(2));
    let expected = r#"[{"code_object":"j.co","target":"gfx1030","wave_size":null,
        "marker_encoding":{"shader_clock_bits":12,"shader_clock_shift":4},"entries":[
        {"kind":"function","id":1,"name":"helper(int*)","source_loc":"k.hip:9","extra_payload_count":0,"vaddr":HELPER},
        {"kind":"function","id":2,"name":"inlined(int*)","source_loc":null,"extra_payload_count":0,"vaddr":null},
        {"kind":"kernel","id":null,"name":"work(int*)","source_loc":null,"extra_payload_count":0,"vaddr":WORK},
        {"kind":"user","id":3,"name":"a","source_loc":null,"extra_payload_count":0,"vaddr":null}],
        "config":null,"warnings":["WARNING"]}]"#
        .replace("HELPER", &vaddr(0).to_string())
        .replace("WORK", &vaddr(2).to_string())
        .replace("WARNING", value[0]["warnings"][0].as_str().unwrap().replace('"', "\\\"").as_str());
    let squeezed = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    assert_eq!(squeezed(&ran.out), squeezed(&expected));
    assert!(value[0]["warnings"][0].as_str().unwrap().contains("line 6: malformed row"), "{value}");
}

#[test]
fn json_of_wave_size_and_payload() {
    let folder = tempfile::tempdir().unwrap();
    with_map(folder.path(), "j.co", "a", "b", "W:32\nP:4:sum\nR:4:extra_payload_count=1\n");
    let value: serde_json::Value =
        serde_json::from_str(&funcmap(folder.path(), &["--json", "j.co"]).out).unwrap();
    assert_eq!(value[0]["wave_size"], 32);
    assert_eq!(value[0]["entries"][0]["extra_payload_count"], 1);
    assert_eq!(value[0]["entries"][0]["kind"], "point");
    assert_eq!(value[0]["marker_encoding"]["shader_clock_bits"], 0);
}

#[test]
fn a_host_program_has_a_heading_per_code_object() {
    let folder = tempfile::tempdir().unwrap();
    let targets = ["--offload-arch=gfx1030", "--offload-arch=gfx90a"];
    host_object(folder.path(), "a.o", &targets, Some(MAP));
    host_program(folder.path(), "app", &["a.o"]);
    let ran = funcmap(folder.path(), &["--demangle", "app"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let headings: Vec<&str> = ran.out.lines().filter(|line| line.ends_with(':')).collect();
    assert_eq!(
        headings,
        ["app#hipv4-amdgcn-amd-amdhsa--gfx1030 (gfx1030):", "app#hipv4-amdgcn-amd-amdhsa--gfx90a (gfx90a):"]
    );
    assert_eq!(ran.out.matches("  user         3                   -  load\n").count(), 2);
    assert!(ran.out.contains("  helper(int*)  @ k.hip:9\n"), "{}", ran.out);

    let value: serde_json::Value =
        serde_json::from_str(&funcmap(folder.path(), &["--json", "app"]).out).unwrap();
    assert_eq!(value.as_array().unwrap().len(), 2);
    assert_eq!(value[1]["code_object"], "app#hipv4-amdgcn-amd-amdhsa--gfx90a");
    assert_eq!(value[1]["target"], "gfx90a");
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let with = code_object(folder.path(), "with.co", "gfx1030", Some(MAP));
    code_object(folder.path(), "without.co", "gfx1030", None);
    let whole = std::fs::read(with).unwrap();
    std::fs::write(folder.path().join("cut.co"), &whole[..whole.len() / 2]).unwrap();
    std::fs::write(folder.path().join("empty"), "").unwrap();
    for (file, says) in [
        ("missing.co", "sqtt: error: missing.co: No such file or directory"),
        (".", "sqtt: error: .: is a directory"),
        ("empty", "sqtt: error: empty: at byte 0x0: the file is empty"),
        ("cut.co", "sqtt: error: cut.co: at byte 0x"),
        (
            "without.co",
            "sqtt: error: without.co: no funcmap: not compiled with the plugin, or without kernels",
        ),
        (env!("CARGO_BIN_EXE_sqtt"), ".llvm.offloading section"),
    ] {
        let ran = funcmap(folder.path(), &[file, "with.co"]);
        assert_eq!(ran.code, 1, "{file}");
        assert!(ran.err.contains(says) && ran.err.lines().count() == 1, "{file}: {}", ran.err);
        assert!(ran.out.starts_with("with.co (gfx1030):\n  Type"), "{file}: {}", ran.out);
        let ran = funcmap(folder.path(), &["--json", "with.co", file]);
        assert_eq!(ran.code, 1, "{file}");
        assert!(ran.err.contains(says), "{file}: {}", ran.err);
        let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(value[0]["entries"].as_array().unwrap().len(), 5);
    }
}

#[test]
fn a_library_where_one_code_object_has_no_map_is_read() {
    let folder = tempfile::tempdir().unwrap();
    host_object(folder.path(), "a.o", &["--offload-arch=gfx1030"], Some(MAP));
    host_object(folder.path(), "b.o", &["--offload-arch=gfx1201"], None);
    host_library(folder.path(), "ab.so", &["a.o", "b.o"]);
    let ran = funcmap(folder.path(), &["ab.so"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.starts_with("sqtt: warning: ab.so#hipv4-amdgcn-amd-amdhsa--gfx1201: no funcmap"),
        "{}",
        ran.err
    );
    assert!(ran.out.starts_with("ab.so#hipv4-amdgcn-amd-amdhsa--gfx1030 (gfx1030):\n"), "{}", ran.out);
}

#[test]
fn a_compressed_program_is_read() {
    let folder = tempfile::tempdir().unwrap();
    host_object(folder.path(), "a.o", &["--offload-arch=gfx1030", "--offload-compress"], Some(MAP));
    host_program(folder.path(), "app", &["a.o"]);
    assert!(std::fs::read(folder.path().join("app")).unwrap().windows(4).any(|window| window == b"CCOB"));
    let ran = funcmap(folder.path(), &["app"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("_Z6helperPi  @ k.hip:9"), "{}", ran.out);
}

#[test]
fn maps_that_a_linker_joined_have_a_table_each() {
    let folder = tempfile::tempdir().unwrap();
    let maps = b"W:32\nK:a\nU:1:loop\nP:2:signal\n\0W:64\nK:b\nU:1:loop\nP:2:wait\n\0";
    let text: String = maps.iter().map(|byte| format!(".byte {byte}\n")).collect();
    let text = format!(
        ".section .sqtt_funcmap,\"a\"\n{text}.text\n.type a,@function\na: .fill 64,4,0xbf800000\n.type b,@function\nb: s_endpgm\n"
    );
    let path = assembled(folder.path(), "two.co", &[&text]);
    let nm = String::from_utf8(common::llvm("llvm-nm", &["two.co"], folder.path())).unwrap();
    let address = |name: &str| {
        let line = nm.lines().find(|line| line.ends_with(&format!(" {name}"))).unwrap();
        format!("0x{}", line.split(' ').next().unwrap())
    };
    let ran = funcmap(folder.path(), &["two.co"]);
    assert_eq!(ran.code, 0);
    let table = |map: &str, wave: u32, kernel: &str, point: &str| {
        format!(
            "{map}:
  Type        ID               Vaddr  Name
  ----       ---               -----  ----
  wave_size: {wave}
kernel         -  {}  {kernel}
  user         1                   -  loop
 point         2                   -  {point}
",
            address(kernel)
        )
    };
    let expected = table("map 1 of 2, of kernel a", 32, "a", "signal")
        + &table("map 2 of 2, of kernel b", 64, "b", "wait");
    assert_eq!(ran.out, expected);
    for part in [
        "2 maps, and 1 id means different things in them (the first: 2 is \"signal\" and \"wait\")",
        "Remedy: compile with SQTT_ID_SPACE=unit, the default with -fgpu-rdc, or with SQTT_ID_SPACE=link",
    ] {
        assert!(ran.err.contains(part), "{}", ran.err);
    }
    let json: serde_json::Value =
        serde_json::from_str(&funcmap(folder.path(), &["--json", path.to_str().unwrap()]).out).unwrap();
    assert_eq!(json[0]["entries"].as_array().unwrap().len(), 6);
    for (map, kernel, wave, point) in [(0, "a", 32, "signal"), (1, "b", 64, "wait")] {
        let map = &json[0]["maps"][map];
        assert_eq!((&map["kernels"][0], &map["wave_size"]), (&kernel.into(), &wave.into()), "{map}");
        assert_eq!(map["entries"][2]["name"], point);
        assert_eq!(format!("{:#018x}", map["entries"][0]["vaddr"].as_u64().unwrap()), address(kernel));
    }
}

#[test]
fn warnings_go_to_stderr_and_end() {
    let folder = tempfile::tempdir().unwrap();
    let map = format!("U:1:x\n{}", "nonsense\n".repeat(1000));
    with_map(folder.path(), "w.co", "a", "b", &map);
    let ran = funcmap(folder.path(), &["w.co"]);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.out.lines().count(), 3);
    assert_eq!(ran.err.lines().count(), 21, "{}", ran.err);
    assert!(ran.err.starts_with("sqtt: warning: w.co: .sqtt_funcmap line 2: malformed row"), "{}", ran.err);
    assert!(ran.err.ends_with("w.co: and 980 more warnings, which --json prints\n"), "{}", ran.err);
    let value: serde_json::Value =
        serde_json::from_str(&funcmap(folder.path(), &["--json", "w.co"]).out).unwrap();
    assert_eq!(value[0]["warnings"].as_array().unwrap().len(), 1000);
}

#[test]
fn nothing_that_a_terminal_acts_on_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = sqtt_format::Funcmap::new();
    map.push(sqtt_format::Entry::user(1, "red \x1b[31m\nU:9:forged"));
    map.push(sqtt_format::Entry::point(2, "p").at("\x07\u{202e}.hip:1"));
    let section = [&map.to_bytes().unwrap()[..], b"\x1b[31m\n"].concat();
    code_object(folder.path(), "k.co", "gfx1030", Some(&section));
    let ran = funcmap(folder.path(), &["k.co", "\x1b[31m"]);
    assert!(
        ran.out.contains("  user         1                   -  red \\u{1b}[31m\\nU:9:forged\n"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains(" point         2                   -  p  @ \\u{7}\\u{202e}.hip:1\n"),
        "{}",
        ran.out
    );
    assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    let printed = format!("{}{}", ran.out, ran.err);
    assert!(!printed.contains(['\x1b', '\x07', '\u{202e}']), "{printed:?}");
    // JSON escapes by itself and gives the name as it is.
    let value: serde_json::Value =
        serde_json::from_str(&funcmap(folder.path(), &["--json", "k.co"]).out).unwrap();
    assert_eq!(value[0]["entries"][0]["name"], "red \x1b[31m\nU:9:forged");
}

#[test]
fn the_input_is_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    host_object(folder.path(), "a.o", &["--offload-arch=gfx1030"], Some(MAP));
    let program = host_program(folder.path(), "app", &["a.o"]);
    let state = || {
        let metadata = std::fs::metadata(&program).unwrap();
        let times = (metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec());
        (std::fs::read(&program).unwrap(), metadata.ino(), metadata.mode(), times)
    };
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    let (before, count) = (state(), files());
    for args in [&["app"][..], &["--json", "app"], &["--demangle", "app"]] {
        assert_eq!(funcmap(folder.path(), args).code, 0);
    }
    assert!(state() == before);
    assert_eq!(files(), count);
}

#[test]
fn a_pipe_is_read_like_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = code_object(folder.path(), "k.co", "gfx1030", Some(MAP));
    let mut child =
        sqtt().args(["funcmap", "/dev/stdin"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&std::fs::read(path).unwrap()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), funcmap(folder.path(), &["k.co"]).out);
}

#[test]
fn a_reader_that_stops_reading_ends_it_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (1..20_000).map(|id| format!("U:{id}:scope number {id}\n")).collect();
    with_map(folder.path(), "big.co", "a", "b", &rows);
    for args in [&["funcmap", "big.co"][..], &["funcmap", "--json", "big.co"]] {
        assert_eq!(command::sqtt_into_broken_pipe(folder.path(), args), (0, String::new()));
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    code_object(folder.path(), "k.co", "gfx1030", Some(MAP));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = sqtt().args(["funcmap", "k.co"]).current_dir(folder.path()).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("No space left on device"));
}

#[test]
fn arguments() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(funcmap(folder.path(), &[]).code, 2);
    assert_eq!(funcmap(folder.path(), &["--nonsense", "x"]).code, 2);
    let help = funcmap(folder.path(), &["--help"]);
    assert_eq!(help.code, 0);
    assert!(help.out.contains("Examples:\n  sqtt funcmap my_app"), "{}", help.out);
}

#[test]
#[ignore = "it reads the shared test data"]
fn the_example_trace_folder() {
    let folder = test_data::find("ui-example");
    let ran = funcmap(&folder, &["1234_gfx1200_code_object_id_7.out", "1234_gfx1200_code_object_id_8.out"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(
        ran.out.contains("kernel         -  0x0000000000001000  _Z6kernelPfi  @ /src/k.hip:40\n"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("\n\n1234_gfx1200_code_object_id_8.out (gfx1201):\nmarker_encoding:"),
        "{}",
        ran.out
    );
}
