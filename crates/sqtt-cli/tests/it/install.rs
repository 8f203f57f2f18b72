//! The tree that `cargo xtask install` makes, as other builds use it: CMake with make and Ninja, with hipcc and with the
//! language HIP; ccache; pkg-config. The programs run in the simulator.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use commands::{HIPCC_TARGET, Llvm, capture, hip_options, hipcc_variables, without_settings};

/// An installed tree, moved away from the place that it was installed to.
struct Installed {
    folder: tempfile::TempDir,
    /// The environment of hipcc.
    hipcc: [(&'static str, PathBuf); 3],
}

impl Installed {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("package");
        capture(install(Path::new("/opt/markers")).env("DESTDIR", &package)).unwrap();
        fs::rename(package.join("opt/markers"), folder.path().join("tree")).unwrap();
        let hipcc = hipcc_variables(&folder.path().join("llvm")).unwrap();
        Self { folder, hipcc }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// A program in the environment of hipcc, in the folder of the tree.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).envs(self.hipcc.iter().map(|(name, value)| (name, value)));
        // Messages are looked at.
        command.env("LC_ALL", "C").env("CCACHE_DIR", self.at("ccache"));
        without_settings(&mut command);
        command
    }

    /// Runs the installed `sqtt`.
    fn sqtt(&self, arguments: &[&str]) -> String {
        capture(self.command(self.at("tree/bin/sqtt")).args(arguments)).unwrap()
    }

    /// cmake that configures the project of three units. `options` are of the project.
    fn configure(&self, build: &str, options: &[&str]) -> Command {
        let mut cmake = self.command("cmake");
        cmake.arg("-S").arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/install")).args(["-B", build]);
        cmake.arg(format!("-DCMAKE_PREFIX_PATH={}", self.at("tree").display())).args(options);
        cmake
    }

    /// cmake that configures it for hipcc.
    fn hipcc(&self, build: &str, options: &[&str]) -> Command {
        let library = "-L/usr/lib/llvm-22/lib/clang/22/lib/linux";
        let flags =
            format!("--offload-arch={HIPCC_TARGET} {} {library}", hip_options(HIPCC_TARGET).join(" "));
        let mut cmake = self.configure(build, options);
        cmake.arg("-DCMAKE_CXX_COMPILER=/usr/bin/hipcc").arg(format!("-DCMAKE_CXX_FLAGS={flags}"));
        cmake
    }

    /// Configures for hipcc.
    fn with_hipcc(&self, build: &str, options: &[&str]) {
        capture(&mut self.hipcc(build, options)).unwrap();
    }

    /// Configures for clang, with the language HIP. Debian has the package that CMake asks for this elsewhere than CMake
    /// looks, and it wants clang 15.
    fn with_hip(&self, build: &str, options: &[&str]) {
        let package = self.at("rocm/lib/cmake/hip-lang");
        fs::create_dir_all(&package).unwrap();
        let text = "set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)\n\
                    if(NOT TARGET hip-lang::device)\n\
                    add_library(hip-lang::device INTERFACE IMPORTED)\n\
                    set_target_properties(hip-lang::device PROPERTIES INTERFACE_LINK_LIBRARIES amdhip64)\n\
                    endif()\n";
        fs::write(package.join("hip-lang-config.cmake"), text).unwrap();
        let mut cmake = self.configure(build, options);
        cmake
            .arg("-DWITH_HIP=ON")
            .arg(format!("-DCMAKE_HIP_COMPILER={}", Llvm::V22.tool("clang++").display()));
        cmake.arg(format!("-DCMAKE_HIP_COMPILER_ROCM_ROOT={}", self.at("rocm").display()));
        cmake.arg(format!("-DCMAKE_HIP_ARCHITECTURES={HIPCC_TARGET}"));
        cmake.arg(format!("-DCMAKE_HIP_FLAGS=--rocm-path=/usr {}", hip_options(HIPCC_TARGET).join(" ")));
        capture(&mut cmake).unwrap();
    }

    /// Builds. How many files were compiled.
    fn build(&self, build: &str) -> usize {
        let text = capture(self.command("cmake").args(["--build", build])).unwrap();
        text.matches("Building ").count()
    }

    /// Runs the program with a trace. The markers of its first wave, as the trace names them.
    fn markers(&self, build: &str) -> Vec<String> {
        let traces = format!("{build}/traces");
        let program = format!("{build}/app");
        let run = ["run", "--target", HIPCC_TARGET, "--trace", &traces, "--", &program];
        assert_eq!(self.sqtt(&run), "right\n");
        let printed = self.sqtt(&["print", &format!("{traces}/dispatch_00001__Z6kernelPi")]);
        fs::remove_dir_all(self.at(&traces)).unwrap();
        let of_wave = printed.lines().filter_map(|line| line.split_once("SE0/CU0/SIMD0/W0#0"));
        of_wave.map(|(_, marker)| marker.split("  closes").next().unwrap().trim().to_owned()).collect()
    }

    /// A setting that the program was compiled with.
    fn setting(&self, build: &str, name: &str) -> String {
        let text = self.sqtt(&["funcmap", &format!("{build}/app")]);
        let value = text.split_whitespace().find_map(|word| word.strip_prefix(&format!("{name}=")));
        value.unwrap_or_else(|| panic!("{name}: {text}")).to_owned()
    }
}

/// The command that installs what the tests have built.
fn install(prefix: &Path) -> Command {
    let mut xtask = Command::new(env!("CARGO"));
    xtask.current_dir(commands::root()).args(["run", "--quiet", "--package", "xtask", "--target-dir"]);
    xtask.arg(commands::target_dir().unwrap()).args(["--", "install", "--prefix"]).arg(prefix);
    xtask.arg("--plugin").arg(Llvm::V22.plugin());
    xtask.arg("--programs").arg(Path::new(env!("CARGO_BIN_EXE_sqtt")).parent().unwrap());
    // The variable is for the harness alone: cargo would build all anew with it.
    xtask.env_remove("DESTDIR").env_remove("RUSTC_BOOTSTRAP");
    xtask
}

const MARKERS: [&str; 6] =
    ["enter kernel unit", "enter first unit", "exit", "enter second unit", "exit", "exit"];

/// Output of a command that has to fail, with spaces for the ends of lines: CMake breaks lines where it likes.
fn failure(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!output.status.success(), "{text}");
    text
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let list = if entry.file_type().unwrap().is_dir() { &mut open } else { &mut files };
            list.push(entry.path());
        }
    }
    files
}

/// A tree that is not whole is not found, and no file of it is half there.
#[test]
fn an_install_that_fails_leaves_nothing_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("include/markers.hpp");
    fs::create_dir_all(place.join("in the way")).unwrap();
    let said = failure(&mut install(folder.path()));
    assert!(said.contains(&format!("{}: cannot be written", place.display())), "{said}");
    let mut names: Vec<String> = files(folder.path())
        .iter()
        .map(|file| file.strip_prefix(folder.path()).unwrap().display().to_string())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["bin/sqtt", "include/markers.h", "lib/libsqttinstrumentpass.so", "lib/sqtt/libsqtt_hip.so"]
    );
}

#[test]
fn the_tree_is_whole_and_can_be_moved() {
    let installed = Installed::new();
    // Over the one that is there.
    capture(&mut install(&installed.at("tree"))).unwrap();
    let files = files(&installed.at("tree"));
    let tree = installed.at("tree");
    let mut names: Vec<String> =
        files.iter().map(|file| file.strip_prefix(&tree).unwrap().display().to_string()).collect();
    names.sort();
    let hip = ["libamdhip64.so", "libhiprtc.so"]
        .map(|name| ["", ".5", ".6", ".7"].map(|version| format!("lib/sqtt/sqtt-hip/{name}{version}")));
    let mut expected: Vec<String> = hip.concat();
    expected.extend(
        [
            "bin/sqtt",
            "include/markers.h",
            "include/markers.hpp",
            "include/sqtt_markers.h",
            "lib/cmake/sqtt/sqttConfig.cmake",
            "lib/cmake/sqtt/sqttConfigVersion.cmake",
            "lib/cmake/sqtt/sqttInstrument.cmake",
            "lib/libsqttinstrumentpass.so",
            "lib/pkgconfig/sqtt.pc",
            "lib/sqtt/libsqtt_hip.so",
            "lib/sqtt/sqtt-hip/libsqtt_hip.so",
        ]
        .map(str::to_owned),
    );
    expected.sort();
    assert_eq!(names, expected);
    for file in &files {
        assert!(file.is_file(), "{}: a link to nothing", file.display());
        // Programs have the paths of their sources.
        let bytes = fs::read(file).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(bytes.starts_with(b"\x7fELF") || !text.contains("/opt/markers"), "{}", file.display());
    }
    // The plugin is found without being named.
    let doctor = installed.sqtt(&["doctor", "--clang", Llvm::V22.tool("clang").to_str().unwrap()]);
    assert!(doctor.contains("lib/libsqttinstrumentpass.so: version"), "{doctor}");
}

#[test]
fn cmake_builds_one_unit_with_hipcc_and_again_when_a_setting_changes() {
    let installed = Installed::new();
    // The environment's settings do not count, or a build would depend on the shell.
    installed.with_hipcc("one unit", &["-DRDC=OFF"]);
    let mut build = installed.command("cmake");
    capture(build.args(["--build", "one unit"]).env("SQTT_SCOPE_CU", "nonsense")).unwrap();
    assert_eq!(installed.markers("one unit"), MARKERS);
    assert_eq!(installed.setting("one unit", "SQTT_SCOPE_CU"), "0xffff");
    installed.with_hipcc("one unit", &[]);
    assert_eq!(installed.build("one unit"), 0);
    installed.with_hipcc("one unit", &["-DSQTT_SETTINGS=SQTT_INSTRUMENT_MEMORY=1:0"]);
    assert_eq!(installed.build("one unit"), 1);
    assert_eq!(installed.setting("one unit", "SQTT_INSTRUMENT_MEMORY"), "1:0");
    // An empty value is none, here and for the target's own.
    installed.with_hipcc("one unit", &["-DSQTT_SETTINGS=SQTT_SCOPE_CU="]);
    assert_eq!(installed.build("one unit"), 1);
    assert_eq!(installed.setting("one unit", "SQTT_SCOPE_CU"), "0x3");
    // Another plugin in the same place.
    let plugin = installed.at("tree/lib/libsqttinstrumentpass.so");
    let mut bytes = fs::read(&plugin).unwrap();
    bytes.push(0);
    fs::write(&plugin, bytes).unwrap();
    assert_eq!(installed.build("one unit"), 1);
}

#[test]
fn cmake_builds_three_units_with_hipcc_and_with_the_language_hip() {
    let installed = Installed::new();
    installed.with_hipcc("hipcc", &["-G", "Unix Makefiles"]);
    installed.build("hipcc");
    assert_eq!(installed.markers("hipcc"), MARKERS);
    assert_eq!(installed.build("hipcc"), 0);
    installed.with_hip("hip", &["-G", "Ninja"]);
    installed.build("hip");
    assert_eq!(installed.markers("hip"), MARKERS);
    installed.with_hip("hip", &["-DSQTT_SETTINGS=SQTT_INSTRUMENT_BARRIERS=1"]);
    installed.build("hip");
    assert_eq!(installed.setting("hip", "SQTT_INSTRUMENT_BARRIERS"), "1");
}

/// Ids that the link gives are small, and without the plugin there the link would fail.
#[test]
fn cmake_loads_the_plugin_at_the_link_when_ids_are_given_there() {
    let installed = Installed::new();
    let in_link = "-DSQTT_SETTINGS=SQTT_ID_SPACE=link";
    // Each with the other build tool.
    installed.with_hipcc("at link", &["-G", "Ninja", in_link]);
    installed.build("at link");
    installed.with_hip("hip at link", &["-G", "Unix Makefiles", in_link]);
    installed.build("hip at link");
    for build in ["at link", "hip at link"] {
        assert_eq!(installed.markers(build), MARKERS, "{build}");
        let map = installed.sqtt(&["funcmap", &format!("{build}/app")]);
        let ids = map.lines().filter_map(|line| line.trim().strip_prefix("user ")?.split_whitespace().next());
        let mut ids: Vec<u32> = ids.map(|id| id.parse().unwrap()).collect();
        ids.sort_unstable();
        assert_eq!(ids, [1, 2, 3], "{map}");
    }
}

#[test]
fn ccache_takes_no_result_of_other_settings() {
    let installed = Installed::new();
    let hits = || {
        let text = capture(installed.command("ccache").arg("--print-stats")).unwrap();
        let count = |name: &str| {
            let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u32>().ok());
            value.unwrap_or_else(|| panic!("{name}: {text}"))
        };
        (count("direct_cache_hit") + count("preprocessed_cache_hit"), count("cache_miss"))
    };
    let cases =
        [("-DSETTINGS=SQTT_SCOPE_CU=1", "0x1", (0, 1)), ("-DSETTINGS=SQTT_SCOPE_CU=2", "0x2", (0, 2))];
    // The first once more: the cache has it.
    for (setting, value, counts) in cases.into_iter().chain([(cases[0].0, cases[0].1, (1, 2))]) {
        installed.with_hipcc("cached", &["-DRDC=OFF", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", setting]);
        assert_eq!(installed.build("cached"), 1);
        assert_eq!((installed.setting("cached", "SQTT_SCOPE_CU").as_str(), hits()), (value, counts));
    }
}

#[test]
fn cmake_says_what_is_wrong_when_it_configures() {
    let installed = Installed::new();
    let hipcc = |build: &str, option: &str| failure(&mut installed.hipcc(build, &[option]));
    let unknown = hipcc("wrong", "-DSETTINGS=SQTT_SCOPE_CPU=1");
    let known = unknown.split("SQTT_SCOPE_CPU: unknown setting; known are ").nth(1);
    let known = known.unwrap_or_else(|| panic!("{unknown}"));
    let known = known.split(" Call Stack").next().unwrap();
    // The plugin names the same, and the variable that CMake uses itself.
    let mut clang = installed.command(Llvm::V22.tool("clang"));
    clang.args(["-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib", "--offload-arch=gfx1030", "-c"]);
    clang.args(["-o", "/dev/null", "/dev/null", &Llvm::V22.load_plugin()]).env("SQTT_SCOPE_CPU", "1");
    let said = failure(&mut clang);
    assert!(said.contains(&format!("known are {known}, SQTT_CONFIG")), "{known}\n{said}");

    let form = hipcc("wrong", "-DSETTINGS=SQTT_SCOPE_CU");
    assert!(form.contains("SETTINGS SQTT_SCOPE_CU: a setting is NAME=VALUE"), "{form}");
    let late = hipcc("late", "-DLATE_LAUNCHER=ccache");
    assert!(late.contains("CXX_COMPILER_LAUNCHER of the target was set after this call"), "{late}");
    for (compiler, says) in [
        (Llvm::V19.tool("clang++"), "the plugin is for LLVM 22, the compiler is LLVM 19"),
        ("/usr/bin/g++".into(), "(GNU), which has no plugins of LLVM"),
    ] {
        let name = compiler.display();
        let build = format!("with{}", name.to_string().replace('/', "-"));
        let mut cmake = installed.configure(&build, &[&format!("-DCMAKE_CXX_COMPILER={name}")]);
        let said = failure(&mut cmake);
        assert!(said.contains(says) && said.contains("sqtt_instrument(app)"), "{name}: {said}");
    }
    fs::remove_file(installed.at("tree/bin/sqtt")).unwrap();
    let broken = failure(&mut installed.hipcc("broken", &[]));
    assert!(broken.contains("tree/bin/sqtt is missing"), "{broken}");
}

#[test]
fn pkg_config_names_headers_and_plugin() {
    let installed = Installed::new();
    let pkg_config = |arguments: &[&str]| {
        let mut command = installed.command("pkg-config");
        command.env("PKG_CONFIG_PATH", installed.at("tree/lib/pkgconfig")).args(arguments).arg("sqtt");
        capture(&mut command).unwrap()
    };
    assert_eq!(pkg_config(&["--modversion"]).trim(), env!("CARGO_PKG_VERSION"));
    let (headers, instrument) = (pkg_config(&["--cflags"]), pkg_config(&["--variable=instrument"]));
    let source = installed.at("marked.hip");
    fs::write(
        &source,
        "#include <sqtt_markers.h>\n__attribute__((global)) void k() { SQTT_MARKER_POINT(\"here\"); }\n",
    )
    .unwrap();
    for (options, has_marker) in [(headers.clone(), false), (format!("{headers} {instrument}"), true)] {
        let mut clang = installed.command(Llvm::V22.tool("clang"));
        clang.args(["-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib"]);
        clang.args(["--offload-arch=gfx1100", "-O2"]).args(options.split_whitespace());
        capture(clang.arg(&source).args(["-o", "marked.co"])).unwrap();
        let output =
            installed.command(installed.at("tree/bin/sqtt")).args(["funcmap", "marked.co"]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.contains("here"), has_marker, "{options}: {text}");
    }
}
