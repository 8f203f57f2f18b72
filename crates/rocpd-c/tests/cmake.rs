//! The library as C and C++ see it: built by CMake through one ExternalProject call, linked both ways, run.
#![expect(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn run(command: &mut Command) -> (String, String) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{out}\n{err}", output.status);
    (out, err)
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Builds the example project once, with this test's own cargo target folder and profile.
fn build(folder: &Path) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let args = format!(
        "-DROCPD_ARGS=-DROCPD_CARGO_PROFILE=dev;-DROCPD_CARGO_TARGET_DIR={};-DCARGO={}",
        target.display(),
        env!("CARGO")
    );
    let build = folder.join("build");
    run(Command::new("cmake").arg("-S").arg(here().join("examples")).arg("-B").arg(&build).arg(args));
    // The variable is for the harness alone: cargo would build all anew with it.
    run(Command::new("cmake").arg("--build").arg(&build).env_remove("RUSTC_BOOTSTRAP"));
    build
}

const RECORDS: &str = "agent 1234 2 gfx942\ncounter 77 SQ_WAVES SQ\ncounter 78 GRBM_COUNT GRBM\n\
                       record 1 1234 12 0 77 16384\nrecord 1 1234 12 0 77 1\nrecord 1 1234 12 0 78 2529949\n\
                       record 2 1234 12 0 77 0.1\n";

#[test]
fn the_example_tool_is_built_by_cmake_and_its_files_are_right() {
    let folder = tempfile::tempdir().unwrap();
    let build = build(folder.path());
    let prefix = build.join("rocpd");
    let records = folder.path().join("records.txt");
    std::fs::write(&records, RECORDS).unwrap();
    for tool in ["counter_tool_static", "counter_tool_shared"] {
        for (form, events) in [("db", 2), ("events", 4), ("csv", 0)] {
            let output = folder.path().join(format!("{tool}-{form}"));
            std::fs::create_dir(&output).unwrap();
            let (text, _) = run(Command::new(build.join(tool)).arg(&output).arg(&records).arg(form));
            let path = PathBuf::from(text.trim());
            assert_eq!(path.parent(), Some(output.as_path()));
            if form == "csv" {
                let csv = std::fs::read_to_string(path).unwrap();
                assert!(
                    csv.ends_with("1,1234,12,0,78,GRBM_COUNT,2529949\n2,1234,12,0,77,SQ_WAVES,0.1\n"),
                    "{csv}"
                );
                continue;
            }
            let db = rusqlite::Connection::open(path).unwrap();
            let rows: String = db
                .query_row(
                    "SELECT group_concat(correlation_id || ' ' || symbol || ' ' || target_arch || ' ' || block || ' ' || \
                     absolute_index || ' ' || value, ';') FROM (SELECT * FROM rocpd_pmc_event V \
                     JOIN rocpd_event E ON E.id = V.event_id JOIN rocpd_info_pmc I ON I.id = V.pmc_id \
                     JOIN rocpd_info_agent A ON A.id = I.agent_id ORDER BY V.id)",
                    [],
                    |row| row.get(0),
                )
                .unwrap();
            assert_eq!(
                rows,
                "1 SQ_WAVES GPU SQ 2 16384.0;1 SQ_WAVES GPU SQ 2 1.0;1 GRBM_COUNT GPU GRBM 2 2529949.0;2 SQ_WAVES GPU SQ 2 0.1"
            );
            let count: i64 = db.query_row("SELECT count(*) FROM rocpd_event", [], |row| row.get(0)).unwrap();
            assert_eq!(count, events);
        }
    }
    // The static library defines what rocpd.h declares, and nothing else that could clash.
    let header = std::fs::read_to_string(here().join("include/rocpd.h")).unwrap();
    let mut declared: Vec<&str> = header
        .lines()
        .filter(|line| line.starts_with("ROCPD_API "))
        .filter_map(|line| line.split('(').next()?.rsplit([' ', '*']).next())
        .collect();
    declared.sort_unstable();
    for (library, flags) in [("lib/librocpd.a", "-g"), ("lib/librocpd.so", "-D")] {
        let (symbols, _) = run(Command::new("nm").args([flags, "--defined-only"]).arg(prefix.join(library)));
        let mut defined: Vec<&str> = symbols
            .lines()
            .filter_map(|line| match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                [_, kind, name] if *kind != "A" => Some(*name),
                _ => None,
            })
            .collect();
        defined.sort_unstable();
        assert_eq!(defined, declared, "{library}");
    }
    let program = folder.path().join("all_calls");
    let pkg_config = |args: &[&str]| -> Vec<String> {
        let mut command = Command::new("pkg-config");
        let (text, _) =
            run(command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args(args).arg("rocpd"));
        text.split_whitespace().map(str::to_owned).collect()
    };
    let mut compile = Command::new("cc");
    compile
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(here().join("tests/all_calls.c"));
    run(compile.args(pkg_config(&["--cflags", "--libs"])).arg("-lm"));
    let output = folder.path().join("calls");
    std::fs::create_dir(&output).unwrap();
    let (version, reported) =
        run(Command::new(&program).arg(&output).env("LD_LIBRARY_PATH", prefix.join("lib")));
    assert_eq!(version.trim(), env!("CARGO_PKG_VERSION"));
    assert_eq!(reported.matches("dropped without finish()").count(), 1, "{reported}");
    let csv = std::fs::read_to_string(output.join("pmc_perf.csv")).unwrap();
    let line = "2,01890a5d-ac96-774b-bcce-b302099a8057,6,0,1024,128,512,,4,8,16,\"k(int, int)\",10,20,0,SQ_WAVES,1.5\r\n";
    assert!(csv.ends_with(line), "{csv}");
    package_is_found(folder.path(), &prefix);
}

/// `find_package(rocpd)` gives both targets.
fn package_is_found(folder: &Path, prefix: &Path) {
    let source = folder.join("consumer");
    std::fs::create_dir(&source).unwrap();
    let text = format!(
        "cmake_minimum_required(VERSION 3.16)\nproject(consumer LANGUAGES C)\nfind_package(rocpd 0.1 REQUIRED)\n\
         foreach(form rocpd static)\n  add_executable(calls_${{form}} {0})\n  \
         target_link_libraries(calls_${{form}} rocpd::${{form}} m)\nendforeach()\n",
        here().join("tests/all_calls.c").display()
    );
    std::fs::write(source.join("CMakeLists.txt"), text).unwrap();
    let build = source.join("build");
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
    run(Command::new("cmake").arg("-S").arg(&source).arg("-B").arg(&build).arg(prefix));
    // The variable is for the harness alone: cargo would build all anew with it.
    run(Command::new("cmake").arg("--build").arg(&build).env_remove("RUSTC_BOOTSTRAP"));
    for form in ["rocpd", "static"] {
        let output = folder.join(format!("calls-{form}"));
        std::fs::create_dir(&output).unwrap();
        run(Command::new(build.join(format!("calls_{form}"))).arg(&output));
    }
}
