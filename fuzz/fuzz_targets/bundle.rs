//! Offload bundles, offload binaries, archives, COFF and Mach-O files: by the first byte one of their magic numbers goes
//! in front.
#![no_main]

const MAGICS: [&[u8]; 9] = [
    b"__CLANG_OFFLOAD_BUNDLE__",
    b"\x10\xFF\x10\xAD\x01\0\0\0",
    b"!<arch>\n",
    b"!<thin>\n",
    b"\x64\x86\x01\0",
    b"MZ",
    b"\xCF\xFA\xED\xFE",
    b"\xCA\xFE\xBA\xBE\0\0\0\x01",
    b"",
];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let magic = MAGICS[usize::from(choice) % MAGICS.len()];
    sqtt_fuzz::read_file([magic, rest].concat());
});
