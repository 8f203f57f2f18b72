//! The symbols that the plugin takes from its host and gives to it.

use crate::compile::{stdout, text};
use commands::{Llvm, command};
use object::{Object, ObjectSymbol};
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

const HOSTS: [&str; 3] = ["clang", "opt", "ld.lld"];

#[test]
fn needs_no_llvm_library() {
    for llvm in Llvm::ALL {
        let dynamic = stdout(command(Llvm::V22.tool("llvm-readelf")).arg("-d").arg(llvm.plugin()));
        let needed: Vec<&str> = dynamic.lines().filter(|line| line.contains("(NEEDED)")).collect();
        assert!(!needed.is_empty(), "no NEEDED rows in:\n{dynamic}");
        for row in needed {
            assert!(!row.to_lowercase().contains("llvm") && !row.contains("clang"), "{row}");
        }
    }
}

#[test]
fn exports_one_symbol() {
    for llvm in Llvm::ALL {
        let exported: Vec<String> = exports(llvm.plugin()).into_iter().collect();
        assert_eq!(exported, ["llvmGetPassPluginInfo"], "LLVM {}", llvm.major());
    }
}

/// Every LLVM symbol that the plugin leaves open is one that each host has, itself or in a library it loads.
#[test]
fn hosts_export_what_the_plugin_needs() {
    for llvm in Llvm::ALL {
        let (open, own) = (undefined(llvm.plugin()), libraries(llvm.plugin()));
        let own: HashSet<String> = own.iter().flat_map(|library| exports(library)).collect();
        let of_llvm: BTreeSet<&String> = open.iter().filter(|symbol| is_of_llvm(symbol)).collect();
        assert!(of_llvm.len() > 50, "only {} LLVM symbols are open: is this the plugin?", of_llvm.len());
        for host in HOSTS {
            let binary = llvm.tool(host).canonicalize().expect("the host exists");
            let mut given = exports(&binary);
            given.extend(libraries(&binary).iter().flat_map(|library| exports(library)));
            let missing: Vec<_> = of_llvm.iter().filter(|symbol| !given.contains(**symbol)).collect();
            assert!(missing.is_empty(), "{host} of LLVM {} has no {missing:?}", llvm.major());
            let missing: Vec<_> =
                open.iter().filter(|symbol| !given.contains(*symbol) && !own.contains(*symbol)).collect();
            assert!(missing.is_empty(), "neither {host} nor the plugin's libraries have {missing:?}");
        }
    }
}

#[test]
fn other_llvm_refuses_the_plugin() {
    for (host, plugin) in [(Llvm::V19, Llvm::V22), (Llvm::V22, Llvm::V19)] {
        let mut opt = command(host.tool("opt"));
        opt.arg("-load-pass-plugin").arg(plugin.plugin());
        opt.args(["-passes=no-op-module", "-S", "-o", "-", "/dev/null"]);
        let output = crate::compile::run(&mut opt);
        let said = text(&output.stderr);
        assert!(!output.status.success() && output.status.code().is_some(), "{said}");
        assert!(said.contains("Wrong API version on plugin"), "{said}");
        assert!(said.to_lowercase().contains("supported version is"), "{said}");
    }
}

fn is_of_llvm(symbol: &str) -> bool {
    symbol.starts_with("LLVM") || symbol.contains("4llvm")
}

fn exports(path: &Path) -> HashSet<String> {
    dynamic_symbols(path, |symbol| !symbol.is_undefined())
}

/// Symbols that have to be found when the plugin is loaded; a weak one may stay without an address.
fn undefined(path: &Path) -> HashSet<String> {
    dynamic_symbols(path, |symbol| symbol.is_undefined() && !symbol.is_weak())
}

fn dynamic_symbols(path: &Path, wanted: impl Fn(&object::Symbol<'_, '_>) -> bool) -> HashSet<String> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = object::File::parse(&*bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    file.dynamic_symbols()
        .filter(|symbol| wanted(symbol))
        .filter_map(|symbol| symbol.name().ok().filter(|name| !name.is_empty()).map(str::to_owned))
        .collect()
}

/// The shared libraries that the dynamic linker loads with a program.
fn libraries(path: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = stdout(command("ldd").arg(path))
        .lines()
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with('/')))
        .map(PathBuf::from)
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} loads no library", path.display());
    paths
}
