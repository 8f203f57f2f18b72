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
        let (out, err) = Program::build("services.hip", target).run_to_fault(&[]);
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
        // The others are errors of a call, or end with `hipDeviceReset`.
        let is_left = matches!(mistake, "freed" | "host");
        let (out, err) = if is_left { program.run_to_fault(&[mistake]) } else { program.run(&[mistake]) };
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

#[test]
fn kernels_are_compiled_at_run_time() {
    let (out, err) = Program::build("rtc.hip", "gfx90a").run(&[]);
    assert_eq!(out, "all right\n", "{err}");
    let messages: Vec<&str> = err.lines().collect();
    assert_eq!(messages.len(), 2, "{err}");
    assert!(messages[0].contains("hipModuleLoadData: neither an offload bundle nor an ELF file"), "{err}");
    assert!(messages[1].contains("hipModuleLoad: no such file.co: "), "{err}");
}

/// Compiles with the headers of HIP 5 that Debian has.
#[test]
fn structures_have_the_layout_of_hip_5() {
    let (out, err) = Program::build("layout.hip", "gfx90a").run(&[]);
    assert_eq!((out.as_str(), err.as_str()), ("all right\n", ""));
}

/// Kernels compile with the text that stands in for HIP's headers.
#[test]
fn the_prelude_is_enough_for_a_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let source = "__shared__ float part[64];
        __global__ void __launch_bounds__(64) kernel(float* out, int n) {
            const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            part[threadIdx.x] = out[i];
            __syncthreads();
            if (i < n && gridDim.y == 1) atomicAdd(&out[0], part[63 - threadIdx.x]);
        }";
    std::fs::write(folder.path().join("kernel.hip"), source).unwrap();
    let prelude = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rtc/prelude.h");
    for target in ["gfx90a", "gfx942", "gfx1030", "gfx1201"] {
        let mut clang = std::process::Command::new("/usr/lib/llvm-22/bin/clang++");
        clang.current_dir(folder.path()).args([
            "-x",
            "hip",
            "--cuda-device-only",
            "-nogpuinc",
            "-nogpulib",
            "-Werror",
        ]);
        clang.arg(format!("--offload-arch={target}")).arg("-include").arg(&prelude).args([
            "kernel.hip",
            "-o",
            "out",
        ]);
        crate::support::succeed(&mut clang);
    }
}

#[test]
fn reads_of_what_nothing_wrote_are_found_on_request() {
    let program = Program::build("mistakes.hip", "gfx90a");
    let mut command = program.command(&["unwritten"]);
    let output = command.env("SQTT_RUN_CHECK_UNINITIALIZED", "1").output().unwrap();
    let (out, err) = crate::support::texts(&output);
    assert_eq!(out, "found\n", "{err}");
    assert!(
        err.contains("by lane 32: byte 128 of memory of hipMalloc") && err.contains("was never written"),
        "{err}"
    );
    assert_eq!(program.command(&["unwritten"]).output().unwrap().status.code(), Some(3));
}

#[test]
fn every_dispatch_has_a_trace_folder() {
    let program = Program::build("work.hip", "gfx1030");
    let folder = tempfile::tempdir().unwrap();
    let traces = folder.path().join("a/b");
    let output = program.command(&[]).env("SQTT_RUN_TRACE", &traces).output().unwrap();
    assert_eq!(crate::support::texts(&output), ("all right\n".to_owned(), String::new()));
    let mut names: Vec<String> = std::fs::read_dir(&traces)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    // Two in streams, three times three of a capture, two of a graph, four threads with twenty each.
    assert_eq!(names.len(), 2 + 9 + 2 + 80);
    assert_eq!(names[0], "dispatch_00001__Z3addPii");
    let first = traces.join(&names[0]);
    assert!(
        first.join("ui_output_agent_1_dispatch_1").is_dir()
            && first.join("sim_shader_engine_0_1.att").is_file()
    );
}

#[test]
fn devices_share_what_they_are_given() {
    let program = Program::build("devices.hip", "gfx90a");
    let output = program.command(&[]).env("SQTT_RUN_DEVICES", "2").output().unwrap();
    let (out, err) = crate::support::texts(&output);
    assert_eq!(out, "all right\n", "{err}");
    let lines: Vec<&str> = err.lines().collect();
    assert!(
        lines.len() == 2 && lines[0].contains("device 1, launched at ") && lines[0].contains("_Z4bumpPi"),
        "{err}"
    );
    assert!(lines[0].contains("memory of device 0, which hipDeviceEnablePeerAccess"), "{err}");
}

#[test]
fn textures_are_sampled_and_surfaces_written() {
    let (out, err) = Program::build("textures.hip", "gfx1030").run(&[]);
    assert_eq!((out.as_str(), err.as_str()), ("all right\n", ""));
}

#[test]
fn targets_without_images_say_so() {
    let (out, err) = Program::build("textures.hip", "gfx90a").run(&[]);
    assert_eq!(out, "no images\n");
    assert!(err.contains("hipCreateTextureObject at ") && err.contains("textures.hip:"), "{err}");
}
