//! Function markers in real kernels: no change where none is left, and none of what is inlined.

use crate::compile::stdout;
use commands::{Llvm, command};
use object::{Object as _, ObjectSection as _, ObjectSymbol, SectionFlags, SymbolKind, elf};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The kernels' bitcode, which this LLVM made.
const LLVM: Llvm = Llvm::V22;

/// Compiles bitcode named `NAME.TARGET.bc`, as its program's build did. `None`: without the plugin.
fn compile(bitcode: &Path, functions: Option<&str>, folder: &Path) -> Vec<u8> {
    let target = bitcode.file_stem().and_then(|stem| Path::new(stem).extension()).expect("a target");
    let object = folder.join("out.o");
    let mut clang = command(LLVM.tool("clang"));
    clang.args(["--target=amdgcn-amd-amdhsa", "-nogpulib", "-x", "ir", "-O3", "-w", "-c"]);
    clang.args(["-mllvm", "-amdgpu-internalize-symbols"]).arg(format!("-mcpu={}", target.display()));
    if let Some(functions) = functions {
        clang.arg(LLVM.load_plugin()).env("SQTT_INSTRUMENT_FUNCTIONS", functions);
        clang.env("SQTT_SCOPE_FORM", "asm");
    }
    stdout(clang.arg(bitcode).arg("-o").arg(&object));
    std::fs::read(object).expect("what clang wrote")
}

/// The four kernels; none, and the test counts as skipped, where there is no test data.
fn each_kernel(mut look: impl FnMut(&Path, &Path)) {
    let folder = test_data::unpack("real-bitcode.tgz");
    let entries =
        std::fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|suffix| suffix == "bc")).collect();
    files.sort();
    assert_eq!(files.len(), 4, "{files:?}");
    for file in &files {
        look(file, folder.path());
    }
}

/// The sections that are loaded onto the GPU, but for the plugin's own.
fn loaded(object: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let file = object::File::parse(object).expect("an ELF file");
    let is_loaded =
        |flags| matches!(flags, SectionFlags::Elf { sh_flags } if sh_flags & u64::from(elf::SHF_ALLOC) != 0);
    file.sections()
        .filter(|section| is_loaded(section.flags()))
        .map(|section| (section.name().expect("a name").to_owned(), section.data().expect("bytes").to_vec()))
        .filter(|(name, _)| !name.starts_with(".sqtt_"))
        .collect()
}

/// The functions, and the bytes of scratch that a lane of each kernel has.
fn functions_and_scratch(object: &[u8]) -> (Vec<String>, BTreeMap<String, u32>) {
    let file = object::File::parse(object).expect("an ELF file");
    let mut functions = Vec::new();
    let mut scratch = BTreeMap::new();
    for symbol in file.symbols().filter(ObjectSymbol::is_definition) {
        let name = symbol.name().expect("a name").to_owned();
        if let Some(kernel) = name.strip_suffix(".kd") {
            let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
            let data = section.expect("a section").data().expect("bytes");
            let at = usize::try_from(symbol.address()).expect("an offset") + 4;
            let bytes = data[at..at + 4].try_into().expect("four bytes");
            scratch.insert(kernel.to_owned(), u32::from_le_bytes(bytes));
        } else if symbol.kind() == SymbolKind::Text {
            functions.push(name);
        }
    }
    functions.sort();
    (functions, scratch)
}

#[test]
fn where_no_function_is_large_enough_the_code_is_that_without_the_plugin() {
    each_kernel(|kernel, folder| {
        let plain = loaded(&compile(kernel, None, folder));
        let marked = loaded(&compile(kernel, Some("1000000"), folder));
        assert!(plain.values().map(Vec::len).sum::<usize>() > 700, "{}", kernel.display());
        let names = |sections: &BTreeMap<String, Vec<u8>>| sections.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&plain), names(&marked), "{}", kernel.display());
        for (name, bytes) in &plain {
            assert!(*bytes == marked[name], "{}: {name} is another", kernel.display());
        }
    });
}

#[test]
fn markers_change_neither_what_is_inlined_nor_what_lies_in_scratch() {
    each_kernel(|kernel, folder| {
        let plain = functions_and_scratch(&compile(kernel, None, folder));
        for functions in ["100", "cost:500"] {
            let object = compile(kernel, Some(functions), folder);
            assert_eq!(plain, functions_and_scratch(&object), "{}: {functions}", kernel.display());
            let map = object::File::parse(&*object).expect("an ELF file");
            let map = map.section_by_name(".sqtt_funcmap").expect("a map").data().expect("bytes").to_vec();
            // The two small programs have no function of that size.
            let is_large =
                !["axhelm", "cooperative"].iter().any(|name| kernel.to_string_lossy().contains(name));
            assert_eq!(map.starts_with(b"F:"), is_large, "{}: {functions}", kernel.display());
        }
    });
}
