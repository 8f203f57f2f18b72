//! The instructions around the markers of a code object, each marker with what it records.

use crate::shell;
use anyhow::{Context as _, Result};
use sqtt_format::{Action, Funcmap, Marker, Printable};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// How many instructions around a marker are shown.
const CONTEXT: usize = 2;

/// A tool of LLVM 22.
pub(crate) fn llvm(tool: &str) -> Command {
    Command::new(format!("/usr/lib/llvm-22/bin/{tool}"))
}

/// Takes the code object for `target` out of a host program's fat binary.
pub(crate) fn extract(program: &Path, target: &str, work: &Path) -> Result<std::path::PathBuf> {
    let bundle = work.join("hip_fatbin");
    let code_object = work.join(format!("{target}.co"));
    dump_section(program, ".hip_fatbin", &bundle, work)?;
    shell::capture(
        llvm("clang-offload-bundler")
            .args(["--unbundle", "--type=o", &format!("--targets=hipv4-amdgcn-amd-amdhsa--{target}")])
            .arg(format!("--input={}", bundle.display()))
            .arg(format!("--output={}", code_object.display())),
    )?;
    Ok(code_object)
}

/// Writes a section's bytes to a file.
fn dump_section(object: &Path, section: &str, to: &Path, work: &Path) -> Result<()> {
    // llvm-objcopy wants to write a copy; it must not be the input.
    let copy = work.join("objcopy.out");
    shell::capture(
        llvm("llvm-objcopy").arg(format!("--dump-section={section}={}", to.display())).arg(object).arg(copy),
    )?;
    Ok(())
}

/// The funcmap of a code object.
pub(crate) fn funcmap(code_object: &Path, work: &Path) -> Result<Funcmap> {
    let section = work.join("sqtt_funcmap");
    dump_section(code_object, ".sqtt_funcmap", &section, work)?;
    let bytes = std::fs::read(&section).with_context(|| format!("{}: cannot be read", section.display()))?;
    Ok(Funcmap::parse(&bytes).map)
}

/// The disassembly of a code object, as llvm-objdump prints it.
pub(crate) fn disassemble(code_object: &Path) -> Result<String> {
    shell::capture(llvm("llvm-objdump").args(["--disassemble", "--no-show-raw-insn"]).arg(code_object))
}

/// The instructions of a disassembly, by function.
fn functions(disassembly: &str) -> Vec<(&str, Vec<&str>)> {
    let mut functions: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in disassembly.lines() {
        if let Some(instruction) = line.strip_prefix('\t') {
            // Behind // stand address and encoding.
            let text = instruction.split("//").next().unwrap_or(instruction).trim();
            if let Some((_, instructions)) = functions.last_mut() {
                instructions.push(text);
            }
        } else if let Some(name) = line.strip_suffix(">:").and_then(|line| line.split('<').nth(1)) {
            functions.push((name, Vec::new()));
        }
    }
    for (_, instructions) in &mut functions {
        // Behind the code stands padding for the instruction fetch.
        let padding = |text: &&str| matches!(*text, "s_code_end" | "s_nop 0");
        instructions
            .truncate(instructions.iter().rposition(|text| !padding(text)).map_or(0, |last| last + 1));
    }
    functions
}

/// How many instructions a disassembly has without its padding, and how many of them write a record.
pub(crate) fn count(disassembly: &str) -> (usize, usize) {
    let functions = functions(disassembly);
    let all = || functions.iter().flat_map(|(_, instructions)| instructions);
    (all().count(), all().filter(|instruction| instruction.starts_with("s_ttracedata")).count())
}

/// The instructions around the markers, with notes.
pub(crate) fn around_markers(disassembly: &str, map: &Funcmap) -> String {
    let mut out = String::new();
    for (name, instructions) in functions(disassembly) {
        let notes = notes(&instructions, map);
        if !notes.is_empty() {
            out.push_str(&format!("{name}:\n"));
            excerpt(&mut out, &instructions, &notes);
        }
    }
    out
}

fn excerpt(out: &mut String, instructions: &[&str], notes: &BTreeMap<usize, Note>) {
    let mut shown_before = true;
    for (index, instruction) in instructions.iter().enumerate() {
        let near = notes.range(index.saturating_sub(CONTEXT)..=index + CONTEXT).next().is_some();
        if near {
            match notes.get(&index) {
                Some(note) => out.push_str(format!("  {instruction:<42} {}", note.text()).trim_end()),
                None => out.push_str(&format!("  {instruction}")),
            }
            out.push('\n');
        } else if shown_before {
            out.push_str("  …\n");
        }
        shown_before = near;
    }
}

/// What an instruction of a marker does.
enum Note {
    /// Brings a word to the record that follows.
    Load,
    /// Writes a header, with what it says.
    Header(String),
    /// Writes a payload.
    Payload(String),
}

impl Note {
    fn text(&self) -> &str {
        match self {
            Self::Load => "",
            Self::Header(text) | Self::Payload(text) => text,
        }
    }
}

/// What the instructions of markers record, by index.
fn notes(instructions: &[&str], map: &Funcmap) -> BTreeMap<usize, Note> {
    let mut notes = BTreeMap::new();
    let mut payload = 0;
    for (index, instruction) in instructions.iter().enumerate() {
        let word = if let Some(word) = instruction.strip_prefix("s_ttracedata_imm ") {
            word
        } else if *instruction == "s_ttracedata" {
            let from = index.saturating_sub(CONTEXT);
            let Some(load) =
                (from..index).rev().find(|load| instructions[*load].starts_with("s_mov_b32 m0, "))
            else {
                continue;
            };
            notes.extend((load..index).map(|before| (before, Note::Load)));
            instructions[load].trim_start_matches("s_mov_b32 m0, ")
        } else {
            continue;
        };
        let note = if payload > 0 {
            payload -= 1;
            Note::Payload(format!("<- payload: {word}"))
        } else {
            Note::Header(match number(word) {
                Some(word) => {
                    let marker = Marker::from_word(word);
                    payload = map.payload_count(marker.id);
                    format!("<- {}", meaning(marker, map))
                }
                None => format!("<- the word in {word}, chosen at run time"),
            })
        };
        notes.insert(index, note);
    }
    notes
}

/// How many markers a disassembly has: headers, without their payloads.
pub(crate) fn count_markers(disassembly: &str, map: &Funcmap) -> usize {
    let in_function = |(_, instructions): (&str, Vec<&str>)| {
        notes(&instructions, map).values().filter(|note| matches!(note, Note::Header(_))).count()
    };
    functions(disassembly).into_iter().map(in_function).sum()
}

/// Where `s_ttracedata_imm` stands, as offsets in the code object.
pub(crate) fn immediates(disassembly: &str) -> BTreeSet<u64> {
    let place = |line: &str| {
        let (_, comment) = line.split_once("//")?;
        u64::from_str_radix(comment.split(':').next()?.trim(), 16).ok()
    };
    disassembly
        .lines()
        .filter(|line| line.trim_start().starts_with("s_ttracedata_imm"))
        .filter_map(place)
        .collect()
}

/// What a code object's kernels need, and how long its functions are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    pub(crate) bytes: u64,
    pub(crate) vgprs: u64,
    pub(crate) sgprs: u64,
    pub(crate) spills: u64,
}

/// Reads both with llvm-readelf.
pub(crate) fn needs(code_object: &Path) -> Result<Needs> {
    let text =
        shell::capture(llvm("llvm-readelf").args(["--notes", "--symbols", "--wide"]).arg(code_object))?;
    let mut needs = Needs::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let read = |text: &str| text.parse::<u64>().with_context(|| format!("not a number: {line:?}"));
        match words.as_slice() {
            [_, _, size, "FUNC", ..] => needs.bytes += read(size)?,
            [".vgpr_count:", count] => needs.vgprs += read(count)?,
            [".sgpr_count:", count] => needs.sgprs += read(count)?,
            [".vgpr_spill_count:" | ".sgpr_spill_count:", count] => needs.spills += read(count)?,
            _ => {}
        }
    }
    Ok(needs)
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

fn meaning(marker: Marker, map: &Funcmap) -> String {
    let name = match map.find(marker.id) {
        Some(entry) => format!("{:?} (id {})", Printable(entry.name()).to_string(), marker.id),
        None => format!("id {}", marker.id),
    };
    match marker.action() {
        Action::Noop => "reserved, no effect".to_owned(),
        Action::Enter => format!("enter {name}"),
        Action::Exit => "exit".to_owned(),
        Action::ExitEnter => format!("exit, and enter {name}"),
        Action::Point if map.payload_count(marker.id) > 0 => format!("data {name}"),
        Action::Point => format!("point {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqtt_format::Entry;

    /// As llvm-objdump 22 prints it.
    const DISASSEMBLY: &str = "\n/tmp/x.co:\tfile format elf64-amdgpu\n\nDisassembly of section .text:\n\n\
        0000000000001700 <kernel>:\n\
        \ts_load_b32 s9, s[0:1], 0x18                                // 000000001714: F4000240 F8000018\n\
        \ts_ttracedata_imm 0x6                                       // 00000000171C: BFBB0006\n\
        \ts_ttracedata_imm 0xc                                       // 000000001798: BFBB000C\n\
        \ts_mov_b32 m0, s8                                           // 00000000179C: BEFD0008\n\
        \ts_nop 3                                                    // 0000000017A0: BF800003\n\
        \ts_ttracedata                                               // 0000000017A4: BFBA0000\n\
        \tv_nop                                                      // 0000000017A8: 7E000000\n\
        \tv_nop                                                      // 0000000017AC: 7E000000\n\
        \tv_nop                                                      // 0000000017B0: 7E000000\n\
        \ts_mov_b32 m0, 1                                            // 000000001964: BEFD0081\n\
        \ts_nop 3                                                    // 000000001968: BF800003\n\
        \ts_ttracedata                                               // 00000000196C: BFBA0000\n\
        \ts_endpgm                                                   // 000000001970: BFB00000\n\
        \ts_code_end                                                 // 000000001974: BF9F0000\n";

    #[test]
    fn markers_are_named_and_their_surroundings_shown() {
        let mut map = Funcmap::new();
        map.push(Entry::user(1, "multiply"));
        map.push(Entry::data(3, "tile"));
        let shown = around_markers(DISASSEMBLY, &map);
        let lines: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
        let expected = [
            "kernel:",
            "s_load_b32 s9, s[0:1], 0x18",
            "s_ttracedata_imm 0x6 <- enter \"multiply\" (id 1)",
            "s_ttracedata_imm 0xc <- data \"tile\" (id 3)",
            "s_mov_b32 m0, s8",
            "s_nop 3",
            "s_ttracedata <- payload: s8",
            "v_nop",
            "v_nop",
            "v_nop",
            "s_mov_b32 m0, 1",
            "s_nop 3",
            "s_ttracedata <- exit",
            "s_endpgm",
        ];
        let expected: Vec<Vec<&str>> =
            expected.iter().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines, expected, "{shown}");
        assert_eq!(count(DISASSEMBLY), (13, 4));
        assert_eq!(count_markers(DISASSEMBLY, &map), 3);
        assert_eq!(immediates(DISASSEMBLY), BTreeSet::from([0x171C, 0x1798]));
    }

    #[test]
    fn what_is_far_from_a_marker_is_left_out() {
        let far: String = "\tv_nop\n".repeat(9);
        let text = format!("0 <k>:\n{far}\ts_ttracedata_imm 0x1\n{far}0 <other>:\n{far}");
        assert_eq!(
            around_markers(&text, &Funcmap::new())
                .lines()
                .map(|line| line.split("  ").nth(1).unwrap_or(line))
                .collect::<Vec<_>>(),
            ["k:", "…", "v_nop", "v_nop", "s_ttracedata_imm 0x1", "v_nop", "v_nop", "…"]
        );
    }
}
