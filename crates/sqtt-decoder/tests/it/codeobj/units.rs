//! Code objects of several units: maps that a linker joined in one section, or left in several.

use std::path::{Path, PathBuf};

use super::code_objects::only_funcmap;
use crate::common::{assembled, llvm};
use sqtt_decoder::RemarkKind;
use sqtt_decoder::codeobj::{Binary, CodeObjectFuncmap, FuncmapWarning};
use sqtt_decoder::names::Catalog;
use sqtt_format::{ConfigRecord, EntryKind};

#[test]
fn numeric_ids_of_linked_files() {
    let record = |numeric: Option<&str>| {
        let mut record = ConfigRecord::new("1", "22");
        numeric.into_iter().for_each(|ids| record.set_numeric(ids.parse().unwrap()));
        record
    };
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = ("K:a\nP:1:x\n", ["K:b\nP:2:y\n", "K:b\nP:1:y\n"]);
    // Code of any file may call that of another: what they say together, for each of their maps.
    for (said, second, expected) in [
        ([Some("40-41"), Some("7")], second[0], Some("7,40-41")),
        ([Some("40-41"), Some("7")], second[1], Some("7,40-41")),
        ([Some("none"), Some("any")], second[1], Some("any")),
        ([Some("40"), None], second[0], None),
    ] {
        let files = [instrumented(first, &record(said[0])), instrumented(second, &record(said[1]))];
        let path = assembled(folder.path(), "numeric.co", &[&files[0], &files[1]]);
        let named = only_funcmap(&path);
        assert_eq!(named.numeric.as_ref().map(ToString::to_string).as_deref(), expected, "{said:?}");
        for map in &Catalog::read(&[path]).objects[0].maps {
            assert_eq!(map.is_numeric(7), expected.is_some_and(|ids| ids != "40"));
        }
    }
    // One of two maps without a record.
    let bare =
        instrumented(second[1], &record(None)).split(".section .sqtt_config").next().unwrap().to_owned();
    let path = assembled(folder.path(), "half.co", &[&instrumented(first, &record(Some("7"))), &bare]);
    assert_eq!(only_funcmap(&path).numeric, None);
}

#[test]
fn numbers_that_are_ids_of_another_unit() {
    let record = |ids: &str| {
        let mut record = ConfigRecord::new("1", "22");
        record.set_numeric(ids.parse().unwrap());
        record
    };
    let folder = tempfile::tempdir().unwrap();
    let map = "K:a\nU:1:outer\nP:2:x\n";
    let numbers = |ids: &str| {
        let text = instrumented("", &record(ids));
        format!(".section .sqtt_config{}", text.split(".section .sqtt_config").nth(1).unwrap())
    };
    for (ids, shared) in
        [("2,7", vec![2]), ("1-2", vec![1, 2]), ("7", vec![]), ("any", vec![]), ("none", vec![])]
    {
        let files = [instrumented(map, &record("none")), numbers(ids)];
        let path = assembled(folder.path(), "numbers.co", &[&files[0], &files[1]]);
        let named = only_funcmap(&path);
        let warned = named.warnings.iter().any(|warning| {
            warning.to_string().contains("a numeric marker of another unit")
                && matches!(warning, FuncmapWarning::SharedIds(_))
        });
        assert_eq!(warned, !shared.is_empty(), "{ids}: {:?}", named.warnings);
        let lookup = named.lookup_map(b"a").unwrap();
        assert!(lookup.shared.iter().copied().eq(shared), "{ids}");
    }
}

/// Assembly of a file whose object holds that funcmap and that record.
fn instrumented(map: &str, record: &ConfigRecord) -> String {
    let bytes = |bytes: &[u8]| bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
    format!(
        ".section .sqtt_funcmap,\"a\"\n.byte {}\n.section .sqtt_config,\"a\"\n.byte {}\n",
        bytes(format!("{map}\0").as_bytes()),
        bytes(&record.to_bytes()),
    )
}

#[test]
fn access_widths_of_linked_files() {
    let record = |widths: &[(u32, u32)]| {
        let mut record = ConfigRecord::new("1", "22");
        widths.iter().for_each(|&(id, bytes)| record.set_access_bytes(id, bytes));
        record
    };
    let folder = tempfile::tempdir().unwrap();
    // Ids that do not collide: one map, with all widths but those that the records disagree about.
    let files = [
        instrumented("K:a\nP:1:x\n", &record(&[(1, 4), (9, 4)])),
        instrumented("K:b\nP:2:y\n", &record(&[(2, 16), (9, 8)])),
    ];
    let path = assembled(folder.path(), "apart.co", &[&files[0], &files[1]]);
    let named = only_funcmap(&path);
    assert_eq!(named.warnings, [], "equal settings are no difference");
    assert_eq!(named.access_bytes, [(1, 4), (2, 16)].into());
    let catalog = Catalog::read(&[path]);
    assert_eq!(catalog.objects[0].maps[0].access_bytes(2), Some(16));
    // Ids that collide: each map has its own.
    let files =
        [instrumented("K:a\nP:1:x\n", &record(&[(1, 4)])), instrumented("K:b\nP:1:y\n", &record(&[(1, 16)]))];
    let path = assembled(folder.path(), "joined.co", &[&files[0], &files[1]]);
    assert_eq!(only_funcmap(&path).access_bytes, [].into());
    let maps = &Catalog::read(&[path]).objects[0].maps;
    assert_eq!((maps.len(), maps[0].access_bytes(1), maps[1].access_bytes(1)), (2, Some(4), Some(16)));
}

/// Assembly of a unit whose sections belong to its kernel, as the plugin's do: a linker keeps each apart with `-r`.
fn unit(kernel: &str, map: &str, record: &ConfigRecord) -> String {
    let tied = |section: &str| format!(".section {section},\"ao\",@progbits,{kernel}\n");
    let code = format!(
        ".section .text.{kernel},\"ax\",@progbits\n.globl {kernel}\n.type {kernel},@function\n{kernel}: s_endpgm\n"
    );
    let sections = instrumented(map, record);
    code + &sections
        .replace(".section .sqtt_funcmap,\"a\"\n", &tied(".sqtt_funcmap"))
        .replace(".section .sqtt_config,\"a\"\n", &tied(".sqtt_config"))
}

/// Objects of these units, joined by `ld.lld` with this flag.
fn linked(folder: &Path, flag: &str, units: &[String]) -> PathBuf {
    let mut objects = Vec::new();
    for (index, text) in units.iter().enumerate() {
        let (source, object) = (format!("u{index}.s"), format!("u{index}.o"));
        std::fs::write(folder.join(&source), text).unwrap();
        let args = ["-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1030", "-filetype=obj", &source, "-o", &object];
        llvm("llvm-mc", &args, folder);
        objects.push(object);
    }
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    llvm("ld.lld", &[&[flag, "-o", "units.co"], &objects[..]].concat(), folder);
    folder.join("units.co")
}

fn three_units() -> [String; 3] {
    let record = |width: u32, numeric: &str| {
        let mut record = ConfigRecord::new("1", "22");
        record.set_access_bytes(1, width);
        record.set_numeric(numeric.parse().unwrap());
        record
    };
    [
        unit("a", "K:a\nP:1:x\n", &record(4, "40")),
        unit("b", "F:1:b_helper\nK:b\nP:2:y\n", &record(16, "41-42")),
        unit("c", "K:c\nP:1:z\nnonsense\n", &record(8, "none")),
    ]
}

/// Fails unless two code objects say the same, addresses apart.
fn assert_same(one: &CodeObjectFuncmap, other: &CodeObjectFuncmap) {
    assert_eq!((&one.map, &one.maps), (&other.map, &other.maps));
    assert_eq!((&one.config, &one.warnings), (&other.config, &other.warnings));
    assert_eq!((&one.access_bytes, &one.numeric), (&other.access_bytes, &other.numeric));
    assert_eq!(one.lookup_maps().len(), other.lookup_maps().len());
    for (one, other) in one.lookup_maps().iter().zip(other.lookup_maps()) {
        assert_eq!((&one.map, &one.shared), (&other.map, &other.shared));
        assert_eq!((&one.access_bytes, &one.numeric), (&other.access_bytes, &other.numeric));
    }
}

#[test]
fn sections_that_a_relocatable_link_leaves_apart_are_read_as_if_joined() {
    let folder = tempfile::tempdir().unwrap();
    let apart = linked(folder.path(), "-r", &three_units());
    let headers = String::from_utf8(llvm("llvm-readelf", &["-S", "units.co"], folder.path())).unwrap();
    assert_eq!(headers.matches(" .sqtt_funcmap ").count(), 3, "{headers}");
    assert_eq!(headers.matches(" .sqtt_config ").count(), 3, "{headers}");
    let apart = only_funcmap(&apart);
    let names: Vec<&[u8]> = apart.entries().map(|(entry, _)| entry.name()).collect();
    assert_eq!(names, [&b"a"[..], b"x", b"b_helper", b"b", b"y", b"c", b"z"]);
    assert_eq!(apart.maps.len(), 3);
    assert_eq!(apart.numeric.as_ref().map(ToString::to_string).as_deref(), Some("40-42"));
    let widths: Vec<_> =
        apart.lookup_maps().iter().map(|lookup| lookup.access_bytes.get(&1).copied()).collect();
    assert_eq!(widths, [Some(4), Some(16), Some(8)]);
    let shared = linked(folder.path(), "-shared", &three_units());
    let headers = String::from_utf8(llvm("llvm-readelf", &["-S", "units.co"], folder.path())).unwrap();
    assert_eq!(headers.matches(" .sqtt_funcmap ").count(), 1, "{headers}");
    assert_same(&apart, &only_funcmap(&shared));
}

/// Places of the headers of the sections that start with these bytes.
fn section_headers(bytes: &[u8], starts: &[u8]) -> Vec<usize> {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let table = number(0x28);
    let is_one = |at: &usize| bytes.get(number(at + 0x18)..).is_some_and(|rest| rest.starts_with(starts));
    (table..bytes.len() - 63).step_by(64).filter(is_one).collect()
}

#[test]
fn a_broken_section_of_several_leaves_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(linked(folder.path(), "-r", &three_units())).unwrap();
    let header = |starts: &[u8]| section_headers(&whole, starts)[0];
    let (first, second, third) = (header(b"K:a"), header(b"F:1:b_helper"), header(b"K:c"));
    let place = |at: usize| whole[at + 0x18..at + 0x20].to_vec();
    let size = |at: usize| whole[at + 0x20..at + 0x28].to_vec();
    let forged = |changes: &[(usize, Vec<u8>)]| {
        let mut bytes = whole.clone();
        for (at, value) in changes {
            bytes[*at..at + value.len()].copy_from_slice(value);
        }
        let path = folder.path().join("forged_code_object_id_1.out");
        std::fs::write(&path, &bytes).unwrap();
        let read = Binary::from_bytes("forged", bytes).contents().code_objects[0].funcmap();
        read.map(|named| (named, Catalog::read(&[path]).ledger))
    };
    let number = |value: u64| value.to_le_bytes().to_vec();
    let cut = whole.len() as u64 - 3;
    let names = |named: &CodeObjectFuncmap| -> Vec<String> {
        named.entries().map(|(entry, _)| String::from_utf8_lossy(entry.name()).into_owned()).collect()
    };
    for (what, changes, says) in [
        ("past the end", vec![(second + 0x18, number(u64::MAX - 7))], "the file has"),
        ("cut off", vec![(second + 0x18, number(cut))], "the file has"),
        ("over a header", vec![(second + 0x18, number(0))], "and the ELF header overlap"),
        ("compressed", vec![(second + 8, number(0x882))], "is compressed"),
    ] {
        let (named, ledger) = forged(&changes).unwrap();
        assert_eq!(names(&named), ["a", "x", "c", "z"], "{what}");
        let [FuncmapWarning::Section(said), FuncmapWarning::Row(_), FuncmapWarning::SharedIds(_)] =
            &named.warnings[..]
        else {
            panic!("{what}: {:?}", named.warnings)
        };
        assert!(said.contains(says), "{what}: {said}");
        // Whose record belongs to which map is not known then.
        assert!(named.lookup_maps().iter().all(|lookup| lookup.access_bytes.is_empty()), "{what}");
        assert_eq!(ledger.count(RemarkKind::SkippedFuncmap), 1, "{what}");
        assert!(!ledger.is_lossless());
    }
    // One over another: neither is believed.
    let twin = vec![(second + 0x18, place(first)), (second + 0x20, size(first))];
    let (named, ledger) = forged(&twin).unwrap();
    assert_eq!(names(&named), ["c", "z"]);
    assert_eq!(ledger.count(RemarkKind::SkippedFuncmap), 2);
    // An empty one is no loss.
    let (named, ledger) = forged(&[(second + 0x20, number(0))]).unwrap();
    assert_eq!(names(&named), ["a", "x", "c", "z"]);
    assert_eq!(named.warnings[0], FuncmapWarning::EmptySection);
    assert!(ledger.is_lossless());
    // None that can be read.
    let all = [first, second, third].map(|at| (at + 0x18, number(0)));
    assert!(forged(&all).unwrap_err().to_string().contains("and the ELF header overlap"));
    let empty = [(first + 0x18, number(0)), (second + 0x20, number(0)), (third + 0x20, number(0))];
    assert!(forged(&empty).unwrap_err().to_string().contains("and the ELF header overlap"));
}

#[test]
fn twenty_thousand_sections_are_read_once_each() {
    let folder = tempfile::tempdir().unwrap();
    let section = |id: u32| {
        format!(".section .sqtt_funcmap,\"a\",@progbits,unique,{id}\n.ascii \"P:{id}:p{id}\\n\\0\"\n")
    };
    std::fs::write(folder.path().join("many.s"), (1..=20_000).map(section).collect::<String>()).unwrap();
    let args = ["-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1030", "-filetype=obj", "many.s", "-o", "many.o"];
    llvm("llvm-mc", &args, folder.path());
    let path = folder.path().join("many.o");
    let named = only_funcmap(&path);
    assert_eq!((named.maps.len(), named.warnings.len(), named.lookup_maps().len()), (20_000, 0, 1));
    assert_eq!(named.map.unwrap().find(20_000).unwrap().name(), b"p20000");
    // All of them in one place: each is in another's way.
    let mut bytes = std::fs::read(&path).unwrap();
    for header in section_headers(&bytes, b"P:") {
        bytes[header + 0x18..header + 0x20].copy_from_slice(&64u64.to_le_bytes());
    }
    let error = Binary::from_bytes("forged", bytes).contents().code_objects[0].funcmap().unwrap_err();
    assert!(error.to_string().contains("overlap"), "{error}");
}

/// A code object whose section holds these maps, a NUL behind each.
fn joined(folder: &Path, maps: &[&str]) -> CodeObjectFuncmap {
    let text = maps.iter().map(|map| map.replace('\n', "\\n") + "\\0").collect::<String>();
    only_funcmap(&assembled(
        folder,
        "map.co",
        &[&format!(".section .sqtt_funcmap,\"\"\n.ascii \"{text}\"\n")],
    ))
}

/// Names of ids in the map of a kernel.
fn names_for(named: &CodeObjectFuncmap, kernel: &str, ids: &[u32]) -> Vec<String> {
    let map = named.lookup_map(kernel.as_bytes()).unwrap().map;
    let name = |id: &u32| map.find(*id).map_or(&b""[..], |entry| entry.name());
    ids.iter().map(|id| String::from_utf8_lossy(name(id)).into_owned()).collect()
}

#[test]
fn ids_of_other_units_have_names_where_they_mean_one_thing() {
    let folder = tempfile::tempdir().unwrap();
    let maps =
        ["K:a\nU:1:x\n", "F:1:f\nF:2:g\nF:4:one\n", "K:b\nU:1:y\nU:2:z\nU:5:own\n", "F:3:h\nF:4:two\n"];
    let named = joined(folder.path(), &maps);
    // 1 is the kernel's own; 2 may be a function's or the other kernel's; 4 is two functions.
    assert_eq!(names_for(&named, "a", &[1, 2, 3, 4, 5]), ["x", "", "h", "", "own"]);
    assert_eq!(names_for(&named, "b", &[1, 2, 3, 4, 5]), ["y", "z", "h", "", "own"]);
    assert!(named.lookup_map(b"elsewhere").is_none());
    let shared: Vec<u32> = named.lookup_maps()[0].shared.iter().copied().collect();
    assert_eq!(shared, [1, 2, 4]);
    let said = named.warnings[0].to_string();
    assert!(
        said.contains("4 maps, and 3 ids mean different things in them (the first: 1 is \"x\" and \"f\")"),
        "{said}"
    );
    assert!(
        said.contains("their words cannot be told apart. Remedy: compile with SQTT_ID_SPACE=unit"),
        "{said}"
    );
    // Without an id of two meanings all names are right everywhere; a row that comes twice is no doubt.
    let named = joined(folder.path(), &["K:a\nU:1:x\n", "K:b\nU:1:x\nU:2:z\n", "F:3:h\n"]);
    assert_eq!(named.maps.len(), 3);
    assert_eq!((named.lookup_maps().len(), named.warnings.len()), (1, 0));
    for kernel in ["a", "b", "of another unit"] {
        assert_eq!(names_for(&named, kernel, &[1, 2, 3, 4]), ["x", "z", "h", ""]);
    }
}

#[test]
fn units_without_a_doubtful_id_share_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let clear = |unit: u32| {
        let high = unit << 16;
        format!("K:k{unit}\nU:{}:u{unit}\nF:{}:_Z1tv\n", high | 1, 0x3FFF_FFFF)
    };
    let mut maps: Vec<String> = (1..200).map(clear).collect();
    maps.push("K:old\nU:1:old\nU:2:two\n".to_owned());
    maps.push("K:older\nU:1:older\n".to_owned());
    let maps: Vec<&str> = maps.iter().map(String::as_str).collect();
    let named = joined(folder.path(), &maps);
    assert_eq!(named.lookup_maps().len(), 3);
    assert_eq!(
        names_for(&named, "k7", &[0x7_0001, 0x8_0001, 1, 2, 0x3FFF_FFFF]),
        ["u7", "u8", "", "two", "_Z1tv"]
    );
    assert_eq!(names_for(&named, "old", &[0x7_0001, 1, 2]), ["u7", "old", "two"]);
    assert_eq!(names_for(&named, "older", &[0x7_0001, 1, 2]), ["u7", "older", "two"]);
    let map = named.lookup_map(b"k7").unwrap().map;
    assert_eq!(map.entries().iter().filter(|entry| entry.name() == b"_Z1tv").count(), 1);
}

#[test]
fn layouts_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let packed = "M:shader_clock_bits=3;shader_clock_shift=0\nK:a\nU:1:x\n";
    let named = joined(folder.path(), &[packed, "K:b\nU:1:x\nU:2:y\n", "F:3:f\n"]);
    assert_eq!((named.lookup_maps().len(), named.warnings.len()), (2, 0));
    assert_eq!(names_for(&named, "a", &[1, 2, 3]), ["x", "", ""]);
    assert_eq!(names_for(&named, "b", &[1, 2, 3]), ["x", "y", "f"]);
    assert!(named.lookup_map(b"a").unwrap().map.marker_encoding().has_shader_clock());
}

/// A kernel template of two units, one of which the linker keeps.
#[test]
fn a_kernel_of_two_units_has_one_map() {
    let folder = tempfile::tempdir().unwrap();
    let maps = [
        "K:t\nK:a\nU:1:x\nU:2:same\nU:7:seven\nP:3:p\nR:3:extra_payload_count=2\n",
        "K:t\nK:b\nU:1:y\nU:2:same\nP:3:q\nR:3:extra_payload_count=2\n",
        "K:c\nU:2:other\nU:7:eleven\n",
    ];
    let named = joined(folder.path(), &maps);
    assert_eq!(named.lookup_maps().len(), 4);
    assert_eq!(names_for(&named, "t", &[1, 2, 3, 7]), ["", "same", "", ""]);
    assert_eq!(named.lookup_map(b"t").unwrap().map.payload_count(3), 2, "the words behind stay in step");
    assert_eq!(names_for(&named, "a", &[1, 2, 3, 7]), ["x", "same", "p", "seven"]);
    assert_eq!(names_for(&named, "b", &[1, 2, 3, 7]), ["y", "same", "q", ""]);
    assert_eq!(named.lookup_map(b"c").unwrap().map.payload_count(3), 2);
    // Where no id is doubtful, or all units of the kernel are without such ids.
    let named = joined(folder.path(), &["K:t\nU:1:x\n", "K:t\nU:1:x\nU:2:y\n"]);
    assert_eq!(names_for(&named, "t", &[1, 2]), ["x", "y"]);
    assert_eq!(named.entries().filter(|(entry, _)| entry.kind() == EntryKind::Kernel).count(), 2);
    let named = joined(folder.path(), &["K:t\nU:1:x\n", "K:t\nU:2:y\n", "K:c\nU:3:c\n", "K:d\nU:3:d\n"]);
    assert_eq!(named.lookup_maps().len(), 3);
    assert_eq!(names_for(&named, "t", &[1, 2, 3]), ["x", "y", ""]);
    // Units of different layouts: no map, so that the kernel is ambiguous.
    let packed = "M:shader_clock_bits=3;shader_clock_shift=0\nK:t\nU:1:z\n";
    assert!(joined(folder.path(), &[packed, "K:t\nU:1:x\n"]).lookup_map(b"t").is_none());
}

/// Work stays bounded whatever kernels and ids a section shares.
#[test]
fn pairs_of_units_with_common_kernels_cost_no_more_than_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let unit = |index: u32| {
        let pair = |other: u32| format!("K:k{}_{}\n", index.min(other), index.max(other));
        let kernels: String = (0..300).filter(|other| *other != index).map(pair).collect();
        format!("{kernels}U:1:u{index}\nU:{}:own{index}\n", index + 2)
    };
    let maps: Vec<String> = (0..300).map(unit).collect();
    let maps: Vec<&str> = maps.iter().map(String::as_str).collect();
    let named = joined(folder.path(), &maps);
    let lookups = named.lookup_maps();
    assert!((300..45_150).contains(&lookups.len()), "{}", lookups.len());
    let rows: usize = lookups.iter().map(|lookup| lookup.map.entries().len()).sum();
    assert!(rows < (4 << 20) + 300 * 301, "{rows}");
}
