//! `cargo xtask install`: a tree of programs, plugin, headers, and the files by which CMake and pkg-config find them.
//!
//! No file has a path of this machine in it: the tree may be moved. A file takes its name when it is whole, and the one
//! that CMake looks for comes last.

use crate::shell::{self, announce, say};
use crate::workspace::{PLUGIN, cargo, root, target_dir};
use anyhow::{Context as _, Result, ensure};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
DESTDIR in the environment goes before DIR, as packages want it. Without --plugin, the plugin is built for LLVM 22; README.md
says how to build one for another version.")]
pub(crate) struct Args {
    /// Folder of the tree
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
    /// A plugin that is built already, of whatever LLVM
    #[arg(long, value_name = "FILE")]
    plugin: Option<PathBuf>,
    /// Cargo's folder in which `sqtt` and `libsqtt_hip.so` are built already
    #[arg(long, value_name = "FOLDER")]
    programs: Option<PathBuf>,
}

/// Folder of the files for CMake, below the prefix.
const CMAKE: &str = "lib/cmake/sqtt";

/// The name of the section by which a plugin says what it is.
const IDENTITY: &[u8] = b".sqtt_plugin\0";

/// Builds, and installs.
pub(crate) fn run(args: &Args) -> Result<()> {
    let prefix = destination(&args.prefix, std::env::var_os("DESTDIR").map(PathBuf::from).as_deref())?;
    let text = prefix.display().to_string();
    // The loader separates the libraries that `sqtt run` gives it by these.
    ensure!(!text.contains([' ', ':']), "{text}: a prefix without spaces and colons is needed");
    if let Some(plugin) = &args.plugin {
        let bytes = fs::read(plugin).with_context(|| format!("{}: cannot be read", plugin.display()))?;
        let is_plugin = bytes.windows(IDENTITY.len()).any(|part| part == IDENTITY);
        ensure!(is_plugin, "{}: is no plugin of this project", plugin.display());
    }
    let built = build(args)?;
    let plugin = args.plugin.clone().unwrap_or_else(|| built.join(PLUGIN));
    let programs = args.programs.as_deref().unwrap_or(&built);
    // The one among the dependencies is that of the tests; `sqtt run` looks there first, too.
    let libraries = ["deps", ""].map(|place| programs.join(place).join("libsqtt_hip.so"));
    let library = libraries.iter().find(|path| path.is_file()).unwrap_or(&libraries[1]);
    announce(&format!("installing into {}", prefix.display()));
    let tree = Tree(prefix);
    tree.copy(&programs.join("sqtt"), "bin/sqtt", 0o755)?;
    tree.copy(&plugin, &format!("lib/{PLUGIN}"), 0o755)?;
    tree.copy(library, "lib/sqtt/libsqtt_hip.so", 0o755)?;
    for header in ["markers.h", "markers.hpp", "sqtt_markers.h"] {
        tree.copy(&root().join("include").join(header), &format!("include/{header}"), 0o644)?;
    }
    tree.fill("sqtt.pc", "lib/pkgconfig")?;
    tree.copy(&root().join("cmake/sqttInstrument.cmake"), &format!("{CMAKE}/sqttInstrument.cmake"), 0o644)?;
    // `sqtt run` makes the names under which programs look for HIP; later, its user may not write here.
    shell::capture(
        commands::without_settings(&mut Command::new(tree.0.join("bin/sqtt"))).args(["run", "--", "true"]),
    )?;
    tree.fill("sqttConfigVersion.cmake", CMAKE)?;
    tree.fill("sqttConfig.cmake", CMAKE)?;
    say(&format!("find_package(sqtt) finds it with -DCMAKE_PREFIX_PATH={}", args.prefix.display()));
    Ok(())
}

/// The folder to write to: the prefix, or where a package is put together.
fn destination(prefix: &Path, destdir: Option<&Path>) -> Result<PathBuf> {
    let prefix = std::path::absolute(prefix)?;
    match destdir.filter(|destdir| !destdir.as_os_str().is_empty()) {
        Some(destdir) => Ok(std::path::absolute(destdir)?.join(prefix.strip_prefix("/").unwrap_or(&prefix))),
        None => Ok(prefix),
    }
}

/// Builds what is not built already. Cargo's folder with it.
fn build(args: &Args) -> Result<PathBuf> {
    let plugin: &[&str] = if args.plugin.is_none() { &["sqttinstrumentpass"] } else { &[] };
    let programs: &[&str] = if args.programs.is_none() { &["sqtt-cli", "sqtt-hip"] } else { &[] };
    let packages = [plugin, programs].concat();
    if !packages.is_empty() {
        announce(&format!("building {}", packages.join(", ")));
        let mut cargo = cargo()?;
        // Here the caller's LLVM counts.
        cargo.envs(std::env::var_os("LLVM_CONFIG").map(|path| ("LLVM_CONFIG", path)));
        cargo.args(["build", "--release"]).args(packages.iter().flat_map(|name| ["--package", name]));
        shell::run(&mut cargo)?;
    }
    Ok(target_dir()?.join("release"))
}

/// The tree that is written.
struct Tree(PathBuf);

impl Tree {
    /// Copies a file to a place below the prefix.
    fn copy(&self, from: &Path, to: &str, mode: u32) -> Result<()> {
        let bytes = fs::read(from).with_context(|| format!("{}: cannot be read", from.display()))?;
        self.write(to, &bytes, mode)
    }

    /// Puts the file that `cmake/NAME.in` describes into a folder below the prefix.
    fn fill(&self, name: &str, folder: &str) -> Result<()> {
        let template = root().join("cmake").join(format!("{name}.in"));
        let text = fs::read_to_string(&template)
            .with_context(|| format!("{}: cannot be read", template.display()))?;
        self.write(&format!("{folder}/{name}"), filled(&text)?.as_bytes(), 0o644)
    }

    /// Writes a file under another name first.
    fn write(&self, to: &str, bytes: &[u8], mode: u32) -> Result<()> {
        let place = self.0.join(to);
        let cannot = || format!("{}: cannot be written", place.display());
        let mut name = place.file_name().with_context(cannot)?.to_owned();
        name.push(format!(".{}", std::process::id()));
        let new = place.with_file_name(name);
        fs::create_dir_all(place.parent().with_context(cannot)?).with_context(cannot)?;
        let written = fs::write(&new, bytes)
            .and_then(|()| fs::set_permissions(&new, fs::Permissions::from_mode(mode)))
            .and_then(|()| fs::rename(&new, &place));
        if written.is_err() {
            // It says why in any case.
            let _ = fs::remove_file(&new);
        }
        written.with_context(cannot)?;
        say(&place.display().to_string());
        Ok(())
    }
}

/// A template with its values.
fn filled(template: &str) -> Result<String> {
    let version = env!("CARGO_PKG_VERSION");
    let minor = version.rsplit_once('.').context("a version has three numbers")?.0;
    let text = template.replace("@VERSION@", version).replace("@MINOR@", minor);
    Ok(text.replace("@SETTINGS@", &settings()?.join(" ")))
}

/// The plugin's settings, as its source has them; a test compares them with those that the plugin names.
fn settings() -> Result<Vec<&'static str>> {
    let lines = include_str!("../../src/config/mod.rs").lines();
    let name = |line: &'static str| line.trim().strip_prefix("name: \"")?.strip_suffix("\",");
    let names: Vec<&str> = lines.filter_map(name).collect();
    ensure!(names.contains(&"SQTT_SCOPE_CU"), "src/config/mod.rs: the table of settings looks different");
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destdir_goes_before_the_prefix() {
        let to = |prefix: &str, destdir: Option<&str>| {
            destination(Path::new(prefix), destdir.map(Path::new)).expect("an absolute path")
        };
        assert_eq!(to("/usr/local", None), Path::new("/usr/local"));
        assert_eq!(to("/usr/local", Some("")), Path::new("/usr/local"));
        assert_eq!(to("/usr/local", Some("/tmp/package")), Path::new("/tmp/package/usr/local"));
    }

    #[test]
    fn nothing_of_a_template_is_left_over() {
        for name in ["sqtt.pc", "sqttConfig.cmake", "sqttConfigVersion.cmake"] {
            let template =
                fs::read_to_string(root().join("cmake").join(format!("{name}.in"))).expect("a template");
            let text = filled(&template).expect("its values");
            assert!(template.contains('@') && !text.contains('@'), "{name}:\n{text}");
        }
    }
}
