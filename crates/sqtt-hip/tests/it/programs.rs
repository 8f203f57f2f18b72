//! Programs that check themselves.

use crate::support::Program;

#[test]
fn memory_is_allocated_copied_and_told_about() {
    for target in ["gfx90a", "gfx1030"] {
        let (out, err) = Program::build("memory.hip", target).run(&[]);
        assert_eq!((out.as_str(), err.as_str()), ("all right\n", ""), "{target}");
    }
}

#[test]
fn work_is_ordered_captured_and_replayed() {
    let (out, err) = Program::build("work.hip", "gfx1030").run(&[]);
    assert_eq!((out.as_str(), err.as_str()), ("all right\n", ""));
}

#[test]
fn kernels_print_assert_and_allocate() {
    for target in ["gfx90a", "gfx1030"] {
        let (out, err) = Program::build("services.hip", target).run(&[]);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(
            lines,
            [
                "before",
                "thread 0 of block:  0.00 10000000000",
                "thread 1 of block:  0.50 10000000000",
                "thread 2 of block:  1.00 10000000000",
                "after",
                "memory"
            ],
            "{target}"
        );
        assert_eq!(err.matches("Device-side assertion `threadIdx.x < limit' failed").count(), 2, "{err}");
        assert!(err.contains("trap 2"), "{err}");
    }
}

#[test]
fn mistakes_are_found_with_their_place() {
    let program = Program::build("mistakes.hip", "gfx90a");
    let allocated = "that hipMalloc gave at ";
    let cases: [(&str, &[&str]); 8] = [
        (
            "beyond",
            &[
                "kernel _Z6beyondPii, workgroup 0,0,0, wave 0",
                "global store of 4 bytes",
                "by lane 63",
                "mistakes.hip:4 (",
                "0 bytes after the end of the 256 bytes",
                allocated,
                "mistakes.hip:9)",
                "launched at ",
                "mistakes.hip:18",
            ],
        ),
        ("freed", &["global load", "by lane 0", "which hipFree freed at ", "mistakes.hip:25"]),
        ("host", &["no memory that devices can see"]),
        ("twice", &["hipFree at ", "mistakes.hip:34", "which hipFree freed at ", "mistakes.hip:33"]),
        ("inside", &["is byte 4 of the 256 bytes", "an allocation is freed by its first byte"]),
        ("pinned", &["hipHostFree at ", "which it is not for"]),
        ("copy", &["400 bytes from byte 0 of the 256 bytes", "hipMemset at ", "256 bytes from byte 4"]),
        ("block", &[]),
    ];
    for (mistake, parts) in cases {
        let (out, err) = program.run(&[mistake]);
        assert_eq!(out, "found\n", "{mistake}");
        for part in parts {
            assert!(err.contains(part), "{mistake}: {part:?} is not in {err}");
        }
        assert_eq!(parts.is_empty(), err.is_empty(), "{mistake}: {err}");
    }
}

#[test]
fn code_for_other_targets_is_listed() {
    let program = Program::build("mistakes.hip", "gfx90a");
    let output = program.command(&["beyond"]).env("SQTT_RUN_TARGET", "gfx1100").output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("no code for gfx1100 in ") && err.contains("has code for: gfx90a."), "{err}");
    assert!(err.contains("gives hipErrorNoBinaryForGpu"), "{err}");
}
