//! Units of a program, linked in every way: each wave traces exactly what the source says, by the names that readers give
//! it, and the map has all rows of the code that was kept.

use sqtt_decoder::Filter;
mod identity;
mod mixtures;
mod refusals;
mod ways;

use sqtt_decoder::codeobj::Binary;
use sqtt_decoder::names::{Catalog, demangle};
use sqtt_decoder::stream::EventKind;
use sqtt_decoder::trace::{LoadOptions, discover};
use sqtt_decoder::write::NewFolder;
use sqtt_format::EntryKind;
use sqtt_kernelgen::toolchain::Llvm;
use sqtt_sim::{Arg, Launch, Options, Program, Target, write_trace};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// One LLVM and GPU, and a folder with what was compiled by it.
struct Bench {
    llvm: Llvm,
    target: Target,
    folder: TempDir,
}

/// The file that was made, or the tool's error.
type Done = Result<PathBuf, String>;

const SETTINGS: [(&str, &str); 3] =
    [("SQTT_SCOPE_CU", "-1"), ("SQTT_INSTRUMENT_FUNCTIONS", "1"), ("SQTT_INSTRUMENT_BARRIERS", "1")];

impl Bench {
    fn new(llvm: Llvm, target: Target) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("script"), "{ global: k*; local: *; };").expect("a file");
        Self { llvm, target, folder }
    }

    /// Each LLVM, and lanes of both sizes.
    fn all() -> impl Iterator<Item = Self> {
        let targets = [Target::Gfx1100, Target::Gfx942];
        Llvm::ALL.into_iter().flat_map(move |llvm| targets.map(|target| Self::new(llvm, target)))
    }

    /// Each LLVM.
    fn both() -> impl Iterator<Item = Self> {
        Llvm::ALL.into_iter().map(|llvm| Self::new(llvm, Target::Gfx1100))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn tool(&self, name: &str) -> Command {
        let mut command = commands::command(self.llvm.tool(name));
        command.envs(SETTINGS);
        command
    }

    /// clang for a unit in a mode.
    fn clang(&self, mode: &str) -> Command {
        let mut clang = self.tool("clang");
        clang.args(["-x", "hip", "-nogpuinc", "-nogpulib", "-w", "-O2", "-fgpu-rdc", "-c", "-fPIC"]);
        clang.arg(format!("--offload-arch={}", self.target)).arg("-I").arg(commands::root().join("include"));
        clang.arg("-I").arg(commands::root().join("lit/Inputs")).arg("-I").arg(tests());
        match mode {
            "bare" => clang.arg("-DSQTT_ENABLED=1"),
            "off" => clang.arg("-DSQTT_ENABLED=0"),
            _ => clang.arg("-DSQTT_ENABLED=1").arg(self.llvm.load_plugin()).env("SQTT_ID_SPACE", mode),
        };
        clang
    }

    /// A unit of the folder `units/`, compiled in a mode, with more options and variables, to a file whose name has `tag`.
    fn compile(&self, unit: &str, mode: &str, tag: &str, more: &[&str]) -> Done {
        let out = self.path(&format!("{unit}.{mode}.{tag}"));
        if out.is_file() {
            return Ok(out);
        }
        let mut clang = self.clang(mode);
        self.apply(&mut clang, more).arg(tests().join(unit).with_extension("hip"));
        done(&mut clang, out)
    }

    /// Gives a command options, variables, and what words stand for.
    fn apply<'a>(&self, command: &'a mut Command, words: &[&str]) -> &'a mut Command {
        for word in words {
            match (*word, word.split_once('=')) {
                (SCRIPT, _) => command.arg(format!("--version-script={}", self.path("script").display())),
                (PLUGIN, _) => command.arg(format!("--load-pass-plugin={}", self.llvm.plugin().display())),
                (_, Some((variable, value))) if variable.starts_with("SQTT_") => command.env(variable, value),
                (option, _) => command.arg(option),
            };
        }
        command
    }

    fn bitcode(&self, mode: &str) -> [PathBuf; 3] {
        UNITS.map(|unit| self.unit(unit, mode, "bc", &[]))
    }

    /// A unit's bitcode.
    fn unit(&self, unit: &str, mode: &str, tag: &str, more: &[&str]) -> PathBuf {
        let words: Vec<&str> = DEVICE.iter().chain(more).copied().collect();
        self.compile(unit, mode, tag, &words).unwrap_or_else(|said| panic!("{said}"))
    }

    fn objects(&self, bitcode: &[PathBuf]) -> Vec<PathBuf> {
        bitcode.iter().map(|file| self.object(file).unwrap_or_else(|said| panic!("{said}"))).collect()
    }

    fn object(&self, bitcode: &Path) -> Done {
        let out = bitcode.with_extension("o");
        let mut llc = self.tool("llc");
        llc.args(["-filetype=obj", "-O2", "-relocation-model=pic"]).arg(format!("-mcpu={}", self.target));
        done(llc.arg(bitcode), out)
    }

    /// Links as clang does.
    fn link(&self, name: &str, inputs: &[PathBuf], options: &[&str]) -> Done {
        let mut lld = self.tool("ld.lld");
        lld.args(["-m", "elf64_amdgpu", "--no-undefined", "-plugin-opt=-amdgpu-internalize-symbols"]);
        lld.args(["-plugin-opt=O3", "--lto-CGO3"]).arg(format!("-plugin-opt=mcpu={}", self.target));
        if !options.contains(&"-r") {
            lld.arg("-shared");
        }
        self.apply(&mut lld, options);
        done(lld.args(inputs), self.path(name))
    }

    /// Links the device code and the host's as a user does, to a library for want of HIP's runtime.
    fn program(&self, inputs: &[PathBuf], options: &[&str], plugin: bool) -> Done {
        let mut clang = self.tool("clang");
        clang.args(["--hip-link", "-fgpu-rdc", "-no-hip-rt", "-shared", "-fPIC", "-nostdlib", "-w"]);
        clang.arg(format!("--offload-arch={}", self.target)).args(options).args(inputs);
        if plugin {
            let path = self.llvm.plugin().display();
            // The wrapper of LLVM 19's linker makes code itself, and gives the device's linker no bitcode.
            if self.llvm == Llvm::V19 && options.contains(&DRIVERS[0]) {
                clang.arg(format!("-Wl,--offload-opt=-load-pass-plugin={path}"));
            } else {
                clang.args(["-Xoffload-linker".to_owned(), format!("--load-pass-plugin={path}")]);
            }
        }
        done(&mut clang, self.path("linked.so"))
    }

    fn archive(&self, name: &str, members: &[PathBuf]) -> PathBuf {
        let out = self.path(name);
        let _ = std::fs::remove_file(&out);
        let mut ar = self.tool("llvm-ar");
        commands::capture(ar.arg("rcs").arg(&out).args(members)).unwrap_or_else(|error| panic!("{error:#}"));
        out
    }

    fn run(&self, object: &[u8], kernel: &str, what: &str) -> Streams {
        let fault = |error: &dyn std::fmt::Display| -> ! { panic!("{what}: {kernel}: {error}") };
        let program = Program::load(object).unwrap_or_else(|error| fault(&error));
        let args = vec![Arg::words(&[0; 128]), Arg::u32(N)];
        let launch = Launch::new(kernel, 2, 2 * self.wave(), args);
        let options = Options::default().threads(1);
        let result = sqtt_sim::run(&program, &launch, &options).unwrap_or_else(|error| fault(&error));
        let root = tempfile::tempdir().expect("a temporary folder");
        let traced = root.path().join("traced");
        let folder = NewFolder::create(&traced).unwrap_or_else(|error| fault(&error));
        write_trace(folder, object, &program, kernel, &result).unwrap_or_else(|error| fault(&error));
        let found = discover(&[traced]).unwrap_or_else(|error| fault(&error));
        let catalog = Catalog::read(&found.code_objects);
        let source = found.traces().next().unwrap_or_else(|| panic!("{what}: no trace"));
        let mut streams = Vec::new();
        source.load(&catalog, LoadOptions::default()).decode(&Filter::default(), |_, stream| {
            let mut events: Vec<String> = Vec::new();
            while let Some(event) = stream.next() {
                if event.raw.is_none() {
                    events.push("open".to_owned());
                    continue;
                }
                let name = event.entry.map_or_else(
                    || event.marker.id.to_string(),
                    |entry| {
                        let name = String::from_utf8_lossy(entry.name());
                        if entry.kind() == EntryKind::Function {
                            in_source(&name)
                        } else {
                            name.replace(' ', "_")
                        }
                    },
                );
                let values: String = event.payload.iter().map(|word| format!(":{word}")).collect();
                events.push(match event.kind {
                    EventKind::Enter => format!("+{name}"),
                    EventKind::Exit => "-".to_owned(),
                    EventKind::ExitEnter => format!("-+{name}"),
                    EventKind::Point => format!("{name}{values}"),
                    EventKind::Reserved | EventKind::Undecoded => format!("{:?}", event.kind),
                });
            }
            streams.push(events.join(" "));
        });
        streams.sort();
        let first = result.buffers[0].bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        Streams { streams, first }
    }

    fn wave(&self) -> u32 {
        if self.target.generation() == 9 { 64 } else { 32 }
    }
}

/// A function's name in the source, with "()".
fn in_source(symbol: &str) -> String {
    let name = demangle(symbol.as_bytes()).unwrap_or_else(|| symbol.to_owned());
    let name = name.split('(').next().unwrap_or_default();
    let name = name.split('<').next().unwrap_or_default();
    format!("{}()", name.rsplit(' ').next().unwrap_or_default())
}

/// The traces of a kernel's waves.
#[derive(PartialEq, Debug)]
struct Streams {
    /// One text per wave, sorted.
    streams: Vec<String>,
    /// The value that the first lane stored.
    first: u32,
}

/// The events of a kernel's waves, after the source; a function's name has "()".
fn expected(bench: &Bench, kernel: &str, functions: bool) -> Streams {
    let of_b = "+of_b() +of_b +local() +local_of_b - - +twice() +twice - - - -";
    let of_c = "+of_c() +of_c c_value:71 +header() +header - - - -";
    let header = "+header() +header - -";
    let (text, first) = match kernel {
        "ka" => (
            format!(
                "+ka a_point 7 {of_b} {of_c} +local() +local_of_a - - +twice() +twice - - {header} \
                 barrier +odd() +odd - - a_lane:LANE -"
            ),
            227_u32,
        ),
        _ => (format!("+kb {of_b} barrier b_value:{N} {of_c} {header} -"), 71),
    };
    let without_header = |text: String| match functions {
        true => text,
        // Inlined before the link, where functions are marked.
        false => text.replace("+header() +header - -", "+header -"),
    };
    let text = without_header(text);
    let lanes = [0, bench.wave()].into_iter().flat_map(|lane| [lane; 2]);
    let mut streams: Vec<String> = lanes.map(|lane| text.replace("LANE", &lane.to_string())).collect();
    streams.sort();
    Streams { streams, first }
}

const UNITS: [&str; 3] = ["a", "b", "c"];
/// Stands for the option that loads the plugin.
const PLUGIN: &str = "PLUGIN";
/// Stands for the option with a version script that leaves kernels alone visible.
const SCRIPT: &str = "SCRIPT";
const PARTS: &str = "--lto-partitions=8";
const DEVICE: [&str; 1] = ["--cuda-device-only"];
const N: u32 = 5;
/// The two ways in which clang goes about a program.
const DRIVERS: [&str; 2] = ["--offload-new-driver", "--no-offload-new-driver"];

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/units")
}

fn done(command: &mut Command, out: PathBuf) -> Done {
    command.arg("-o").arg(&out);
    commands::capture(command).map(|_| out).map_err(|error| format!("{error:#}"))
}

impl Bench {
    /// Runs the kernels of a result, and looks at its map, before and after it is stripped.
    fn check(&self, what: &str, linked: &Done, rows: Rows) {
        let what = format!("LLVM {} {} {what}", self.llvm.major(), self.target);
        let linked = linked.as_ref().unwrap_or_else(|said| panic!("{what}: {said}"));
        let object = code_object(linked);
        for kernel in ["ka", "kb"] {
            let wanted = expected(self, kernel, rows != Rows::AtLink);
            assert_eq!(self.run(&object, kernel, &what), wanted, "{what}: {kernel}");
        }
        let plain = self.path("plain.co");
        std::fs::write(&plain, &object).expect("a file");
        let kept = self.rows(&plain, &what);
        assert_eq!(kept, rows.expected(), "{what}");
        for (tool, options) in [("llvm-strip", &[][..]), ("llvm-objcopy", &["--strip-all"])] {
            let stripped = self.path("stripped.co");
            let mut strip = self.tool(tool);
            strip.args(options).arg(&plain);
            if tool == "llvm-strip" {
                strip.arg("-o");
            }
            commands::capture(strip.arg(&stripped)).unwrap_or_else(|error| panic!("{what}: {error:#}"));
            assert_eq!(self.rows(&stripped, &what), kept, "{what}: {tool}");
            if tool == "llvm-strip" {
                continue;
            }
            let ran = self.run(&std::fs::read(&stripped).expect("a file"), "ka", &what);
            assert_eq!(ran, expected(self, "ka", rows != Rows::AtLink), "{what}: {tool}");
        }
    }

    /// The rows of a map, sorted, after their addresses were compared with the symbols.
    fn rows(&self, file: &Path, what: &str) -> Vec<String> {
        let symbols = commands::capture(self.tool("llvm-nm").arg(file)).unwrap_or_default();
        let symbols: Vec<(u64, &str)> = symbols
            .lines()
            .filter_map(|line| {
                let mut words = line.split_whitespace();
                let address = u64::from_str_radix(words.next()?, 16).ok()?;
                Some((address, words.nth(1)?))
            })
            .collect();
        let funcmaps = Binary::open(file).expect("a file").funcmaps();
        let [map] = &funcmaps.maps[..] else { panic!("{what}: {funcmaps:?}") };
        assert_eq!(map.warnings, [], "{what}");
        let mut rows = Vec::new();
        for (entry, address) in map.entries() {
            let name = String::from_utf8_lossy(entry.name()).into_owned();
            let has_code = matches!(entry.kind(), EntryKind::Function | EntryKind::Kernel);
            let at: Vec<u64> =
                symbols.iter().filter(|(_, symbol)| *symbol == name).map(|(at, _)| *at).collect();
            // Static functions of two units, which a link numbers or leaves as they are.
            let others = symbols.iter().filter(|(_, symbol)| symbol.starts_with(&format!("{name}.")));
            let is_static = name.starts_with("_ZL");
            let is_doubtful = is_static && at.len() + others.count() > 1;
            match address {
                _ if symbols.is_empty() => (),
                Some(address) => {
                    let is_right = has_code && at.contains(&address) && !is_doubtful;
                    assert!(is_right, "{what}: {name} {address:x} {at:x?}");
                }
                None => assert!(!has_code || is_static || at.is_empty(), "{what}: {name}: {at:x?}"),
            }
            rows.push(match entry.kind() {
                EntryKind::Function => in_source(&name),
                EntryKind::Kernel => format!("kernel {name}"),
                _ => name,
            });
        }
        rows.sort();
        rows
    }
}

/// The rows of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rows {
    /// All rows of each unit, also those of dropped code.
    PerUnit,
    /// Rows of the code that was kept, one for each name.
    Kept,
    /// Rows of code whose functions were first marked at the link.
    AtLink,
}

impl Rows {
    fn expected(self) -> Vec<String> {
        let once = "kernel ka|kernel kb|ka|a point|a lane|local of a|of_b|local of b|kb|b value|even|odd|of_c|c value|\
                    local()|local()|of_b()|even()|odd()|of_c()";
        let more = match self {
            Self::PerUnit => {
                "in none|dropped()|twice|twice|twice()|twice()|header|header|header|header()|header()|header()|\
                 barrier|barrier"
            }
            Self::Kept => "twice|twice()|header|header()|barrier",
            Self::AtLink => "twice|twice()|header|barrier",
        };
        let mut rows: Vec<String> = once.split('|').chain(more.split('|')).map(str::to_owned).collect();
        rows.sort();
        rows
    }
}

/// The code object in a file, in whatever wrapping.
fn code_object(file: &Path) -> Vec<u8> {
    let binary = Binary::open(file).unwrap_or_else(|error| panic!("{error}"));
    let contents = binary.contents();
    let [object] = &contents.code_objects[..] else { panic!("{}: {contents:?}", file.display()) };
    object.bytes().to_vec()
}
