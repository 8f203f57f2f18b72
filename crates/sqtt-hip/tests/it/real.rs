//! Real programs: AMD's rocm-examples, compiled with the headers of HIP 6.3, linked as ROCm's compiler does.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sqtt_hip::Settings;
use tempfile::TempDir;

use crate::support::{compiler, link_with, stub, succeed, texts, under};

/// Programs with arguments that keep them small, and a part of what they print.
pub(crate) const PROGRAMS: &[(&str, &[&str], &str)] = &[
    ("Applications/bitonic_sort", &["-l", "8"], "Validation passed."),
    ("Applications/convolution", &["-x", "64", "-y", "64", "-i", "1"], "root-mean-square error"),
    ("Applications/floyd_warshall", &["-n", "32", "-i", "1"], "Validation passed."),
    ("Applications/histogram", &[], "Validation passed."),
    ("Applications/prefix_sum", &[], "Validation passed."),
    // Copies of 4 KiB, two of each kind.
    (
        "HIP-Basic/bandwidth",
        &["-start", "4096", "-end", "8192", "-stride", "4096", "-trials", "2"],
        "Bandwidth Device to Device",
    ),
    ("HIP-Basic/assembly_to_executable", &[], "PASSED!"),
    ("HIP-Basic/bit_extract", &[], "Validation passed."),
    ("HIP-Basic/cooperative_groups", &[], "Validation passed."),
    ("HIP-Basic/device_globals", &[], "Validation passed."),
    ("HIP-Basic/device_query", &[], "gcnArchName"),
    ("HIP-Basic/dynamic_shared", &[], "Validation passed."),
    ("HIP-Basic/events", &[], "Validation passed."),
    ("HIP-Basic/gpu_arch", &[], "Validation passed."),
    ("HIP-Basic/hello_world", &[], "Hello world from device kernel block 1 thread 1!"),
    ("HIP-Basic/hello_world_cuda", &[], "Hello, World!"),
    ("HIP-Basic/inline_assembly", &[], "Validation passed."),
    ("HIP-Basic/llvm_ir_to_executable", &[], "PASSED!"),
    (
        "HIP-Basic/matrix_multiplication",
        &["--A_rows", "64", "--A_cols", "64", "--B_cols", "64"],
        "Validation passed.",
    ),
    ("HIP-Basic/module_api", &[], "Validation passed."),
    ("HIP-Basic/moving_average", &[], "Validation passed."),
    ("HIP-Basic/multi_gpu_data_transfer", &[], "Validation passed."),
    ("HIP-Basic/occupancy", &[], "Theoretical Occupancy is"),
    ("HIP-Basic/runtime_compilation", &[], "[ 7.1, 14.2, 21.3, 28.4,"),
    ("HIP-Basic/saxpy", &[], "[ 3, 5, 7, 9, 11, 13, 15, 17, 19, 21 ]"),
    ("HIP-Basic/shared_memory", &[], "Validation passed."),
    ("HIP-Basic/static_device_library", &[], "Validation passed."),
    ("HIP-Basic/static_host_library", &[], "Validation passed."),
    ("HIP-Basic/streams", &[], "streams completed!"),
    ("HIP-Basic/texture_management", &[], "Texture functions are not supported on device 0."),
    ("HIP-Basic/warp_shuffle", &[], "Validation passed."),
];

pub(crate) struct Archive {
    folder: TempDir,
}

impl Archive {
    pub(crate) fn open() -> Archive {
        let folder = test_data::unpack("hip-programs.tgz");
        stub(folder.path(), "libamdhip64.so.6", true);
        Archive { folder }
    }

    /// The folder that has a folder of that name.
    fn find(&self, name: &str) -> PathBuf {
        let inside = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut places = inside.chain([self.folder.path().to_owned()]).map(|place| place.join(name));
        places.find(|place| place.is_dir()).unwrap_or_else(|| panic!("no {name} in the archive"))
    }

    pub(crate) fn isa(&self, target: &str) -> PathBuf {
        let isa = self.folder.path().join(format!("{target}.bc"));
        let mut assembler = Command::new("/usr/lib/llvm-22/bin/llvm-as");
        succeed(assembler.arg(self.find("device").join(format!("isa_{target}.ll"))).arg("-o").arg(&isa));
        isa
    }

    fn build(&self, name: &str, target: &str, isa: &Path) -> PathBuf {
        self.build_with(name, target, isa, None, &[])
    }

    /// Builds with the plugin that an option loads, and its settings.
    pub(crate) fn build_with(
        &self,
        name: &str,
        target: &str,
        isa: &Path,
        plugin: Option<&str>,
        settings: &[(&str, &str)],
    ) -> PathBuf {
        let examples = self.find("rocm-examples");
        let (own, headers) = (examples.join(name), self.find("hip-6.3").join("include"));
        let program = self.folder.path().join(name.replace('/', "_"));
        let start = || {
            let mut clang = compiler(target, Some(&headers), Some(isa));
            clang.arg("-I").arg(examples.join("Common")).arg("-I").arg(own.join("library"));
            clang.args(plugin).envs(settings.iter().copied());
            clang
        };
        let module = own.join("module.hip");
        if module.is_file() {
            let mut clang = start();
            clang.args(["--cuda-device-only", "--no-gpu-bundle-output"]).arg(module);
            succeed(clang.arg("-o").arg(self.folder.path().join("module.co")));
        }
        let mut clang = start();
        if name.ends_with("static_device_library") {
            clang.arg("-fgpu-rdc");
        }
        let sources = ["main.hip", "main.cpp", "library/library.hip"].map(|source| own.join(source));
        clang.args(sources.iter().filter(|source| source.is_file()));
        clang.arg("-o").arg(&program);
        link_with(&mut clang, &self.folder.path().join("libamdhip64.so.6"));
        succeed(&mut clang);
        program
    }
}

/// Runs a program for a number of devices.
fn run(program: &Path, arguments: &[&str], target: &str, devices: usize) -> std::process::Output {
    let mut settings = Settings::default();
    settings.target = target.parse().unwrap();
    settings.devices = devices;
    start(program, arguments, &settings)
}

/// Runs a program with a limit of time, that no machine comes near.
pub(crate) fn start(program: &Path, arguments: &[&str], settings: &Settings) -> std::process::Output {
    let seconds = Duration::from_secs(600).as_secs().to_string();
    let mut command = under(Path::new("/usr/bin/timeout"), settings);
    command.current_dir(program.parent().unwrap());
    command.arg(seconds).arg(program).args(arguments).output().unwrap()
}

#[test]
#[ignore = "reads the shared test data"]
fn rocm_examples_run() {
    let archive = Archive::open();
    let target = "gfx942";
    let isa = archive.isa(target);
    let mut failed = Vec::new();
    for (name, arguments, expected) in PROGRAMS {
        let output = run(&archive.build(name, target, &isa), arguments, target, 2);
        let (out, err) = texts(&output);
        if !output.status.success() || !out.contains(expected) || !err.is_empty() {
            failed.push(format!("{name}: {}\n{out}\n{err}", output.status));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
#[ignore = "reads the shared test data"]
fn the_example_with_a_texture_runs_where_there_are_images() {
    let archive = Archive::open();
    for target in ["gfx1030", "gfx1100", "gfx1201"] {
        let program = archive.build("HIP-Basic/texture_management", target, &archive.isa(target));
        let (out, err) = texts(&run(&program, &[], target, 1));
        // Bins of 37 values, the last one of 34, each of them 4096 times.
        assert!(out.contains("bin[5] = 151552, bin[6] = 139264\nsum of bins: 1048576\n"), "{target}: {out}");
        assert_eq!(err, "", "{target}");
    }
}

/// The programs that check themselves, compiled with the headers of HIP 6: structures and numbers have its layout.
#[test]
#[ignore = "reads the shared test data"]
fn programs_of_hip_6_have_its_layout() {
    let archive = Archive::open();
    let programs = [
        ("layout", "gfx90a"),
        ("memory", "gfx90a"),
        ("work", "gfx90a"),
        ("textures", "gfx1030"),
        ("textures", "gfx1100"),
        ("textures", "gfx1201"),
    ];
    for (name, target) in programs {
        let (name, isa) = (format!("{name}.hip"), archive.isa(target));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/programs").join(&name);
        let program = archive.folder.path().join(name.replace('.', "_"));
        let mut clang = compiler(target, Some(&archive.find("hip-6.3").join("include")), Some(&isa));
        clang.arg(source).arg("-o").arg(&program);
        link_with(&mut clang, &archive.folder.path().join("libamdhip64.so.6"));
        succeed(&mut clang);
        let output = run(&program, &[], target, 1);
        assert_eq!(texts(&output), ("all right\n".to_owned(), String::new()), "{name}");
    }
}
