//! Code objects as compilers and linkers write them.

use std::path::Path;

use crate::common::{self, MAP, assembled, code_object, llvm};
use sqtt_decoder::codeobj::{Binary, CodeObjectFuncmap, FuncmapWarning};
use sqtt_format::{EntryKind, Funcmap};

pub(super) fn only_funcmap(path: &Path) -> CodeObjectFuncmap {
    let binary = Binary::open(path).unwrap();
    let contents = binary.contents();
    assert!(contents.errors.is_empty(), "{:?}", contents.errors);
    assert_eq!(contents.code_objects.len(), 1);
    contents.code_objects[0].funcmap().unwrap()
}

/// Address of a function as `llvm-nm` has it.
fn nm_address(path: &Path, name: &str) -> Option<u64> {
    let folder = path.parent().unwrap();
    let text = llvm("llvm-nm", &["--defined-only", path.to_str().unwrap()], folder);
    String::from_utf8(text).unwrap().lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let (address, kind, symbol) = (words.next()?, words.next()?, words.next()?);
        (symbol == name && kind.eq_ignore_ascii_case("t")).then(|| u64::from_str_radix(address, 16).unwrap())
    })
}

#[test]
fn a_code_object_of_a_hip_compile() {
    let folder = tempfile::tempdir().unwrap();
    let path = code_object(folder.path(), "k.co", "gfx1030", Some(MAP));
    let named = only_funcmap(&path);
    assert_eq!(named.code_object, path.display().to_string());
    assert_eq!(named.target.as_deref(), Some("gfx1030"));
    assert_eq!(named.warnings, []);
    assert_eq!(named.map.as_ref().unwrap(), &Funcmap::parse(MAP).map);

    let vaddr = |name: &str| {
        named.entries().find(|(entry, _)| entry.name() == name.as_bytes()).map(|(_, vaddr)| vaddr).unwrap()
    };
    // The kernel's function, not its descriptor, which is a symbol too.
    let symbols = llvm("llvm-nm", &["k.co"], folder.path());
    assert!(String::from_utf8(symbols).unwrap().contains("_Z4workPi.kd"));
    assert_eq!(vaddr("_Z4workPi"), Some(nm_address(&path, "_Z4workPi").unwrap()));
    assert_eq!(vaddr("_Z6helperPi"), Some(nm_address(&path, "_Z6helperPi").unwrap()));
    assert_eq!(vaddr("_Z7inlinedPi"), None);
    assert_eq!(vaddr("load"), None);
}

#[test]
fn a_stripped_code_object_keeps_its_map() {
    let folder = tempfile::tempdir().unwrap();
    let path = code_object(folder.path(), "k.co", "gfx1030", Some(MAP));
    let kernel = nm_address(&path, "_Z4workPi");
    llvm("llvm-strip", &["k.co", "-o", "stripped.co"], folder.path());
    let named = only_funcmap(&folder.path().join("stripped.co"));
    let vaddrs: Vec<_> = named.entries().map(|(entry, vaddr)| (entry.kind(), vaddr)).collect();
    // The helper is a local symbol; kernels are in the dynamic table.
    assert_eq!(vaddrs[0], (EntryKind::Function, None));
    assert_eq!(vaddrs[2], (EntryKind::Kernel, kernel));
}

#[test]
fn no_section_is_no_map_and_no_warning() {
    let folder = tempfile::tempdir().unwrap();
    let named = only_funcmap(&code_object(folder.path(), "k.co", "gfx1030", None));
    assert!(named.map.is_none() && named.warnings.is_empty());
}

#[test]
fn an_empty_section_is_no_map_and_one_warning() {
    let folder = tempfile::tempdir().unwrap();
    let text = ".section .sqtt_funcmap,\"a\"\nstart:\n.text\n.globl f\n.type f,@function\nf: s_endpgm\n";
    let path = assembled(folder.path(), "empty.co", &[text]);
    let named = only_funcmap(&path);
    assert!(named.map.is_none());
    assert_eq!(named.warnings, [FuncmapWarning::EmptySection]);
}

#[test]
fn functions_go_before_labels_and_the_lowest_address_wins() {
    let folder = tempfile::tempdir().unwrap();
    let map = ".section .sqtt_funcmap,\"a\"\n.ascii \"F:1:_Z5twicev\\nF:2:label\\nF:3:datum\\nF:4:absolute\\n\
               F:5:mixed\\nF:6:undefined\\nK:_Z5twicev.kd\\nF:7:data_label\\n\"\n.set absolute, 0x40\n.globl undefined\n";
    let first = ".text\n.fill 16,4,0xbf800000\n.type static,@function\nstatic:\n.type _Z5twicev,@function\n_Z5twicev: s_nop 0\nlabel: s_nop 0\nmixed: s_endpgm\n\
                 .data\n.type datum,@object\ndatum: .long 1\ndata_label: .long 2\n.rodata\n";
    let first = format!(
        "{map}{}",
        first.replace(".rodata\n", ".section .rodata\n.type _Z5twicev.kd,@object\n_Z5twicev.kd: .fill 64\n")
    );
    let second = ".text\n.type static,@function\nstatic:\n.type _Z5twicev,@function\n_Z5twicev: s_nop 0\n.type mixed,@function\nmixed: s_endpgm\n";
    let path = assembled(folder.path(), "names.co", &[&first, second]);
    let table = String::from_utf8(llvm("llvm-nm", &["-v", "names.co"], folder.path())).unwrap();
    let of = |name: &str| -> Vec<u64> {
        table
            .lines()
            .filter(|line| line.ends_with(&format!(" {name}")))
            .map(|line| u64::from_str_radix(line.split_whitespace().next().unwrap(), 16).unwrap())
            .collect()
    };
    let named = only_funcmap(&path);
    let vaddrs: Vec<_> = named.entries().map(|(_, vaddr)| vaddr).collect();
    assert_eq!(of("_Z5twicev").len(), 2, "{table}");
    assert_eq!(vaddrs[0], Some(of("_Z5twicev")[0]), "{table}");
    assert_eq!(vaddrs[1], Some(of("label")[0]), "{table}");
    assert_eq!(vaddrs[2], None, "an object is no function");
    assert_eq!(vaddrs[3], None, "an absolute symbol is no function");
    // The label is lower, but the other one is declared a function.
    assert_eq!(of("mixed").len(), 2, "{table}");
    assert_eq!(vaddrs[4], Some(of("mixed")[1]), "{table}");
    assert_eq!(vaddrs[5], None);
    assert_eq!(of("static").len(), 2, "{table}");
    assert_eq!(vaddrs.last(), Some(&None), "which one it is, its name does not say");
    assert_eq!(vaddrs[6], None, "a kernel descriptor is no function");
    assert_eq!(of("data_label").len(), 1, "{table}");
    assert_eq!(vaddrs[7], None, "a label of data is no function");
}

#[test]
fn rows_of_hostile_names_come_through_a_real_section() {
    let folder = tempfile::tempdir().unwrap();
    let mut map = Funcmap::new();
    for (id, name) in (1..).zip([&b"a\nU:9:forged"[..], b"x@y", b"\xFF\x1B[31m", b"", b"%:", b"end "]) {
        map.push(sqtt_format::Entry::user(id, name));
    }
    let path = code_object(folder.path(), "k.co", "gfx1201", Some(&map.to_bytes().unwrap()));
    let named = only_funcmap(&path);
    assert_eq!(named.map, Some(map));
    assert_eq!(named.warnings, []);
}

#[test]
#[ignore = "it reads the shared test data"]
fn maps_of_existing_compilers_in_real_sections() {
    let maps = test_data::find("funcmaps");
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    for file in std::fs::read_dir(maps).unwrap() {
        let file = file.unwrap().path();
        let text = format!(
            ".section .sqtt_funcmap,\"\"\n.incbin \"{}\"\n.text\n.type KernelB,@function\nKernelB: s_endpgm\n\
             .section .rodata\n.type KernelB.kd,@object\nKernelB.kd: .fill 64\n",
            file.display()
        );
        let path = assembled(folder.path(), "map.co", &[&text]);
        let named = only_funcmap(&path);
        let section = std::fs::read(&file).unwrap();
        assert_eq!(named.map, Some(Funcmap::parse(&section).map), "{}", file.display());
        let is_joined = file.ends_with("tensile_two_kernels_linked.map");
        assert_eq!(named.warnings.len(), usize::from(is_joined), "{:?}", named.warnings);
        if is_joined {
            let [FuncmapWarning::SharedIds(shared)] = &named.warnings[..] else {
                panic!("{:?}", named.warnings)
            };
            assert_eq!((shared.maps, shared.ids, shared.all_have_kernels), (2, 1, true));
            assert_eq!(shared.first, (2, b"cb_signal".to_vec(), b"cb_wait".to_vec()));
            let points = named.lookup_maps();
            assert_eq!(
                points.iter().map(|lookup| lookup.map.find(2).unwrap().name()).collect::<Vec<_>>(),
                [&b"cb_signal"[..], b"cb_wait"]
            );
            // Addresses go with the entries of each map, and are those of the function, not its descriptor.
            let kernel = nm_address(&path, "KernelB").unwrap();
            let vaddrs: Vec<Vec<Option<u64>>> = named
                .each_map()
                .map(|(_, entries)| entries.iter().map(|(_, vaddr)| *vaddr).collect())
                .collect();
            assert_eq!(vaddrs, [vec![None; 3], vec![Some(kernel), None, None]]);
        } else {
            let maps: Vec<Funcmap> = named.lookup_maps().into_iter().map(|lookup| lookup.map).collect();
            assert_eq!(maps, [named.map.clone().unwrap()]);
        }
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn a_million_rows_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (1..=1_000_000).map(|id| format!("U:{id}:u{id}\n")).collect();
    std::fs::write(folder.path().join("rows"), rows).unwrap();
    let path = assembled(folder.path(), "rows.co", &[".section .sqtt_funcmap,\"\"\n.incbin \"rows\"\n"]);
    let named = only_funcmap(&path);
    assert_eq!((named.entries().count(), named.warnings.len()), (1_000_000, 0));
    assert_eq!(named.map.unwrap().find(1_000_000).unwrap().name(), b"u1000000");
}

#[test]
fn every_processor_of_llvm_is_known() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("empty.ll"), "").unwrap();
    let help = std::process::Command::new(Path::new(common::LLVM).join("llc"))
        .args(["-mtriple=amdgcn-amd-amdhsa", "-mcpu=help", "empty.ll", "-o", "-"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let help = String::from_utf8(help.stderr).unwrap();
    let processors: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Available CPUs"))
        .take_while(|line| !line.starts_with("Available features"))
        .filter_map(|line| line.split_whitespace().next().filter(|word| word.starts_with("gfx")))
        .collect();
    assert!(processors.len() > 50, "{help}");
    for processor in processors {
        let cpu = format!("-mcpu={processor}");
        llvm(
            "llc",
            &["-mtriple=amdgcn-amd-amdhsa", &cpu, "-filetype=obj", "empty.ll", "-o", "empty.o"],
            folder.path(),
        );
        let binary = Binary::open(folder.path().join("empty.o")).unwrap();
        let contents = binary.contents();
        assert_eq!(contents.code_objects[0].target().as_deref(), Some(processor));
    }
}

#[test]
fn targets_with_features_agree_with_the_metadata() {
    let folder = tempfile::tempdir().unwrap();
    for target in [
        "gfx90a",
        "gfx90a:xnack-",
        "gfx90a:sramecc+:xnack-",
        "gfx90a:sramecc-:xnack+",
        "gfx942:xnack+",
        "gfx1030",
    ] {
        let path = code_object(folder.path(), "k.co", target, None);
        assert_eq!(only_funcmap(&path).target.as_deref(), Some(target));
        // A processor that the table does not know: the metadata of the code object says it.
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[0x30] = 0xFE;
        let binary = Binary::from_bytes("new.co", bytes);
        assert_eq!(binary.contents().code_objects[0].target().as_deref(), Some(target));
    }
}
