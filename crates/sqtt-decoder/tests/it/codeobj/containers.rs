//! Code objects in every container that a tool here writes, broken and whole; compressed ones are in `compressed.rs`.

use super::packed::{ID, bundle, inside, library_of, one, read, sample};
use crate::common;
use crate::common::{MAP, host_object, llvm, run};
use sqtt_decoder::codeobj::{Binary, CodeObject};

#[test]
fn offload_binaries() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    sample(folder);
    for tool in ["/usr/lib/llvm-19/bin/clang-offload-packager", "/usr/lib/llvm-22/bin/llvm-offload-binary"] {
        let image = |name: &str, rest: &str| format!("--image=file={name},{rest}");
        let images = [
            image("k.co", "triple=amdgcn-amd-amdhsa,arch=gfx1030,kind=hip"),
            image("k.co", "triple=amdgcn-amd-amdhsa,arch=gfx1030,kind=openmp"),
            image("host", "triple=nvptx64-nvidia-cuda,arch=sm_70,kind=cuda"),
        ];
        run(tool, &["-o", "k.pack", &images[0], &images[1], &images[2]], folder);
        let bytes = read(folder, "k.pack");
        let (found, errors) = inside(bytes.clone());
        assert_eq!((found, errors), ([one().0, one().0].concat(), vec![]), "{tool}");
        let binary = Binary::from_bytes("f", bytes.clone());
        let names: Vec<String> =
            binary.contents().code_objects.iter().map(|code_object| code_object.name().to_owned()).collect();
        assert_eq!(names, ["f#hip-amdgcn-amd-amdhsa--gfx1030", "f#openmp-amdgcn-amd-amdhsa--gfx1030"]);
        // In a host object, as the new driver puts them.
        std::fs::write(folder.join("o.s"), ".section .llvm.offloading,\"e\"\n.incbin \"k.pack\"\n").unwrap();
        llvm("clang-22", &["-c", "o.s", "-o", "o.o"], folder);
        assert_eq!(inside(read(folder, "o.o")).0.len(), 2);
        for (at, value, says) in [
            (4, 9_u64, "malformed offload binary: version 9 is not known"),
            (8, u64::MAX, "malformed offload binary: the binary: 18446744073709551615 bytes"),
            (8, 31, "its header alone takes 32"),
            (16, u64::MAX - 8, "malformed offload binary: the entry"),
            (32 + 16, 1 << 40, "it has 1099511627776 strings"),
            (32 + 8, u64::MAX - 4, "malformed offload binary: the strings"),
            (32 + 24, u64::MAX - 4, "malformed offload binary: the image"),
        ] {
            let mut forged = bytes.clone();
            let width = if at == 4 { 4 } else { 8 };
            forged[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
            let (found, errors) = inside(forged);
            assert!(errors.iter().any(|error| error.contains(says)), "{says}: {errors:?}");
            // The second image is read.
            assert_eq!(found.len(), 1, "{says}: {errors:?}");
        }
    }
}

#[test]
fn device_code_that_is_not_linked_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for driver in ["--offload-new-driver", "--no-offload-new-driver"] {
        host_object(folder, "r.o", &["--offload-arch=gfx1030", "-fgpu-rdc", driver], Some(MAP));
        let (found, errors) = inside(read(folder, "r.o"));
        assert!(found.is_empty(), "{driver}");
        assert_eq!(errors.len(), 1, "{driver}: {errors:?}");
        let says = "bundle entry hip-amdgcn-amd-amdhsa--gfx1030 holds LLVM bitcode";
        assert!(errors[0].contains(says), "{driver}: {errors:?}");
    }
}

#[test]
fn archives() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    sample(folder);
    host_object(folder, "a.o", &["--offload-arch=gfx1030"], Some(MAP));
    host_object(
        folder,
        "a_member_with_a_long_name.o",
        &["--offload-arch=gfx90a", "--offload-compress"],
        Some(MAP),
    );
    std::fs::write(folder.join("notes.txt"), "no code\n").unwrap();
    let members = ["a.o", "notes.txt", "k.co", "a_member_with_a_long_name.o"];
    for format in ["gnu", "bsd", "darwin"] {
        let name = format!("{format}.a");
        llvm("llvm-ar", &[&["--format", format, "rcS", &name][..], &members].concat(), folder);
        let binary = Binary::open(folder.join(&name)).unwrap();
        let contents = binary.contents();
        assert!(contents.errors.is_empty(), "{format}: {:?}", contents.errors);
        let path = folder.join(&name).display().to_string();
        let names: Vec<&str> = contents
            .code_objects
            .iter()
            .map(|code_object| code_object.name().strip_prefix(&path).unwrap())
            .collect();
        assert_eq!(
            names,
            [
                "(a.o)#hipv4-amdgcn-amd-amdhsa--gfx1030",
                "(k.co)",
                "(a_member_with_a_long_name.o)#hipv4-amdgcn-amd-amdhsa--gfx90a"
            ]
        );
    }
    // An archive in an archive, and errors that name the member.
    let mut broken = read(folder, "k.co");
    broken[4] = 1;
    std::fs::write(folder.join("broken.co"), broken).unwrap();
    llvm("llvm-ar", &["rcS", "outer.a", "gnu.a", "broken.co"], folder);
    let (found, errors) = inside(read(folder, "outer.a"));
    assert_eq!((found.len(), errors.len()), (3, 1), "{errors:?}");
    assert!(errors[0].starts_with("f(broken.co): at byte 0x"), "{errors:?}");
    assert!(
        errors[0].ends_with("a 32-bit ELF file: code objects and the programs that carry them are 64-bit")
    );
    // Thin ones hold nothing.
    llvm("llvm-ar", &["rcST", "thin.a", "a.o", "k.co"], folder);
    let (found, errors) = inside(read(folder, "thin.a"));
    assert!(found.is_empty() && errors[0].contains("a thin archive") && errors[0].contains("such as a.o"));
    // Cut off: the members before that are read.
    let whole = read(folder, "gnu.a");
    let (found, errors) = inside(whole[..whole.len() - 10].to_vec());
    assert_eq!((found.len(), errors.len()), (2, 1), "{errors:?}");
    let (found, errors) = inside(b"!<arch>\n".to_vec());
    assert_eq!((found.len(), &errors[..]), (0, &["f: no code object inside".to_owned()][..]));
}

#[test]
fn windows_hosts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let source = common::hip_source(Some(MAP)).replace("unsigned long", "__SIZE_TYPE__");
    std::fs::write(folder.join("w.hip"), source).unwrap();
    let target = "--target=x86_64-pc-windows-msvc";
    let args =
        ["-x", "hip", "-nogpuinc", "-nogpulib", "-O1", target, "--offload-arch=gfx1030", "-c", "w.hip"];
    for (name, more) in [("w.obj", &[][..]), ("compressed.obj", &["--offload-compress"])] {
        llvm("clang-22", &[&args[..], &["-o", name], more].concat(), folder);
        assert_eq!(inside(read(folder, name)), one(), "{name}");
        let dll = format!("{name}.dll");
        let out = format!("/out:{dll}");
        llvm("lld-link", &["/dll", "/noentry", "/force:unresolved", "/nodefaultlib", &out, name], folder);
        let bytes = read(folder, &dll);
        assert!(bytes.starts_with(b"MZ"));
        assert_eq!(inside(bytes.clone()), one(), "{dll}");
        let mut forged = bytes;
        let pe = usize::try_from(u32::from_le_bytes(forged[0x3C..0x40].try_into().unwrap())).unwrap();
        forged[pe + 6..pe + 8].fill(0xFF);
        let (_, errors) = inside(forged);
        assert!(errors[0].contains("malformed PE file"), "{errors:?}");
    }
    std::fs::write(folder.join("plain.c"), "int plain;\n").unwrap();
    llvm("clang-22", &[target, "-c", "plain.c", "-o", "plain.obj"], folder);
    let (_, errors) = inside(read(folder, "plain.obj"));
    assert!(errors[0].contains("nor a host program with HIP kernels: COFF file without"), "{errors:?}");
}

#[test]
fn mach_o_hosts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    sample(folder);
    bundle(folder, "k.ccob", 22, &["-compress"], None);
    let mut objects = Vec::new();
    for (machine, file) in [("x86_64", "k.hipfb"), ("arm64", "k.ccob")] {
        std::fs::write(folder.join("m.s"), format!(".section __HIP,__hip_fatbin\n.incbin \"{file}\"\n"))
            .unwrap();
        let (triple, object) = (format!("--triple={machine}-apple-macos"), format!("{machine}.o"));
        llvm("llvm-mc", &[&triple, "-filetype=obj", "m.s", "-o", &object], folder);
        assert_eq!(inside(read(folder, &object)), one(), "{machine}");
        objects.push(object);
    }
    // Both in one, as lipo makes them.
    llvm("llvm-lipo", &["-create", &objects[0], &objects[1], "-output", "both"], folder);
    let binary = Binary::from_bytes("f", read(folder, "both"));
    let contents = binary.contents();
    assert!(contents.errors.is_empty(), "{:?}", contents.errors);
    let names: Vec<&str> = contents.code_objects.iter().map(CodeObject::name).collect();
    assert_eq!(names, [format!("f(x86_64)#{ID}"), format!("f(aarch64)#{ID}")]);
    let mut forged = read(folder, "both");
    // The size of the second, which is big-endian.
    forged[8 + 20 + 12..8 + 20 + 16].fill(0xFF);
    let (found, errors) = inside(forged);
    assert_eq!((found.len(), errors.len()), (1, 1), "{errors:?}");
    assert!(errors[0].contains("malformed universal Mach-O file"), "{errors:?}");
}

#[test]
fn hosts_that_are_broken_or_stripped_still_give_their_bundles() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    sample(folder);
    bundle(folder, "k.ccob", 22, &["-compress"], None);
    library_of(folder, "lib.so", &["k.hipfb", "k.ccob"]);
    let whole = read(folder, "lib.so");
    let mut stripped = whole.clone();
    stripped[0x28..0x30].fill(0);
    stripped[0x3C..0x40].fill(0);
    assert_eq!(inside(stripped), ([one().0, one().0].concat(), vec![]));
    let (mut big, mut small) = (whole.clone(), whole.clone());
    (small[4], big[5]) = (1, 2);
    let mut moved = whole.clone();
    moved[0x28..0x30].fill(0xFF);
    let cut = whole[..whole.len() - 100].to_vec();
    for (bytes, says) in [
        (small, "a 32-bit ELF file"),
        (big, "a big-endian ELF file"),
        (moved, "section header table"),
        (cut, "section header table"),
    ] {
        let (found, errors) = inside(bytes);
        assert_eq!((found.len(), errors.len()), (2, 1), "{says}: {errors:?}");
        assert!(errors[0].starts_with("f: at byte 0x") && errors[0].contains(says), "{errors:?}");
    }
}

#[test]
fn real_elf_files_of_other_classes_and_forms() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    sample(folder);
    let text = ".section .hip_fatbin,\"a\",@progbits\n.incbin \"k.hipfb\"\n";
    std::fs::write(folder.join("x.s"), text).unwrap();
    for (triple, says) in
        [("i386-linux-gnu", "a 32-bit ELF file"), ("powerpc64-linux-gnu", "a big-endian ELF file")]
    {
        llvm("llvm-mc", &[&format!("--triple={triple}"), "-filetype=obj", "x.s", "-o", "x.o"], folder);
        let (found, errors) = inside(read(folder, "x.o"));
        assert_eq!((found.len(), errors.len()), (1, 1), "{errors:?}");
        assert!(errors[0].contains(says), "{errors:?}");
    }
    // A section that objcopy compressed: the kernels are there, the map is not.
    llvm("llvm-objcopy", &["--compress-sections=.comment=zstd", "k.co", "same.co"], folder);
    assert_eq!(inside(read(folder, "same.co")), one());
    let map: String = MAP.repeat(30).iter().map(|byte| format!(".byte {byte}\n")).collect();
    let text = format!(".section .sqtt_funcmap,\"\"\n{map}");
    std::fs::write(folder.join("m.s"), text).unwrap();
    llvm(
        "llvm-mc",
        &["-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1030", "-filetype=obj", "m.s", "-o", "m.o"],
        folder,
    );
    for format in ["zlib", "zstd"] {
        llvm("llvm-objcopy", &[&format!("--compress-sections=.sqtt_funcmap={format}"), "m.o", "z.o"], folder);
        let binary = Binary::from_bytes("f", read(folder, "z.o"));
        let error = binary.funcmaps().errors[0].to_string();
        assert!(error.contains("section .sqtt_funcmap is compressed (SHF_COMPRESSED)"), "{error}");
    }
    // More sections than 16 bits count: their number and that of the names are elsewhere.
    let many: String = (0..66_000).map(|index| format!(".section s{index},\"a\"\n.byte 0\n")).collect();
    let map = String::from_utf8(MAP[..MAP.len() - 1].to_vec()).unwrap().replace('\n', "\\n");
    let text = format!(
        "{many}.section .sqtt_funcmap,\"a\"\n.asciz \"{map}\"\n.text\n.type _Z4workPi,@function\n_Z4workPi: s_endpgm\n"
    );
    std::fs::write(folder.join("many.s"), text).unwrap();
    llvm(
        "llvm-mc",
        &["-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1030", "-filetype=obj", "many.s", "-o", "many.o"],
        folder,
    );
    let many = read(folder, "many.o");
    assert_eq!(many[0x3C..0x3E], [0, 0]);
    let binary = Binary::from_bytes("f", many.clone());
    let funcmaps = binary.funcmaps();
    assert!(funcmaps.errors.is_empty(), "{:?}", funcmaps.errors);
    let kernel = funcmaps.maps[0].entries().find(|(entry, _)| entry.name() == b"_Z4workPi").unwrap();
    assert_eq!(kernel.1, Some(0));
    // The names' section may be told by the first section too. Forged, both are errors.
    let table = usize::try_from(u64::from_le_bytes(many[0x28..0x30].try_into().unwrap())).unwrap();
    let names = u32::from(u16::from_le_bytes([many[0x3E], many[0x3F]]));
    for (count, names, says) in [
        (None, names, None),
        (None, u32::MAX, Some("Invalid ELF e_shstrndx")),
        (Some(u64::MAX), names, Some("section header table")),
    ] {
        let mut forged = many.clone();
        forged[0x3E..0x40].fill(0xFF);
        forged[table + 0x28..table + 0x2C].copy_from_slice(&names.to_le_bytes());
        if let Some(count) = count {
            forged[table + 0x20..table + 0x28].copy_from_slice(&count.to_le_bytes());
        }
        let (found, errors) = inside(forged);
        match says {
            None => assert_eq!((found.len(), errors.len()), (1, 0), "{errors:?}"),
            Some(says) => {
                assert!(errors[0].contains(says) && errors[0].contains(": at byte 0x"), "{errors:?}");
            }
        }
    }
}

#[test]
fn a_map_that_lies_over_something_else_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let whole = read(folder.path(), "k.co");
    let table = usize::try_from(u64::from_le_bytes(whole[0x28..0x30].try_into().unwrap())).unwrap();
    let headers: Vec<usize> = (table..whole.len()).step_by(64).collect();
    let field = |at: usize| u64::from_le_bytes(whole[at..at + 8].try_into().unwrap());
    let of_map = *headers.iter().find(|&&at| field(at + 0x20) == MAP.len() as u64).unwrap();
    for (offset, says) in [
        (0_u64, "and the ELF header overlap"),
        (table as u64, "and the section header table overlap"),
        (field(of_map + 0x18) + 3, "and section .dynsym overlap"),
    ] {
        let mut forged = whole.clone();
        let dynsym = headers.iter().find(|&&at| whole[at + 4..at + 8] == [11, 0, 0, 0]).unwrap();
        let header = if says.contains("dynsym") { *dynsym } else { of_map };
        forged[header + 0x18..header + 0x20].copy_from_slice(&offset.to_le_bytes());
        let binary = Binary::from_bytes("f", forged);
        let errors: Vec<String> = binary.funcmaps().errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors.len(), 1, "{says}");
        assert!(errors[0].contains(".sqtt_funcmap (") && errors[0].contains(says), "{errors:?}");
    }
}
