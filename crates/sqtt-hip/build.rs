//! Names the library, and links the small ones that lead to it under HIP's names (see `libraries.rs`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Versions of symbols that programs may ask for: Debian's HIP and ROCm's have some of them.
const VERSIONS: [(u32, std::ops::RangeInclusive<u32>); 4] = [(4, 2..=5), (5, 0..=9), (6, 0..=9), (7, 0..=9)];

/// HIP's major versions.
const MAJORS: [u32; 3] = [5, 6, 7];

const LIBRARY: &str = "libsqtt_hip.so";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{LIBRARY}");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut script = String::new();
    let mut before = String::new();
    for (major, minors) in VERSIONS {
        for minor in minors {
            let version = format!("hip_{major}.{minor}");
            writeln!(script, "{version} {{ }} {before};")?;
            before = version;
        }
    }
    fs::write(out.join("versions.map"), script)?;
    // To be linked against: the real one is made after this.
    link(&out, LIBRARY, &[])?;
    let mut list = String::from("[");
    for (stem, has_versions) in [("libamdhip64.so", true), ("libhiprtc.so", false)] {
        for major in MAJORS {
            let name = format!("{stem}.{major}");
            let library = format!("-l:{LIBRARY}");
            let mut arguments = vec!["-Wl,--no-as-needed", "-L.", &library, "-Wl,-rpath,$ORIGIN"];
            if has_versions {
                arguments.push("-Wl,--version-script,versions.map");
            }
            link(&out, &name, &arguments)?;
            write!(list, "({name:?}, include_bytes!({:?})), ", out.join(&name))?;
        }
    }
    list.push(']');
    fs::write(out.join("aliases.rs"), list)?;
    Ok(())
}

/// Links a library without functions.
fn link(folder: &Path, name: &str, arguments: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    let compiler = cc::Build::new().cargo_warnings(false).try_get_compiler()?;
    let mut command: Command = compiler.to_command();
    command.current_dir(folder).args(["-shared", "-nostdlib", "-o", name]);
    command.arg(format!("-Wl,-soname,{name}")).args(["-x", "c", "/dev/null", "-x", "none"]).args(arguments);
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(())
}
