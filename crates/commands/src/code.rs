//! Code objects taken apart by LLVM: their instructions and markers.

use crate::{capture, llvm};
use anyhow::{Context as _, Result};
use sqtt_format::{Action, Funcmap, Marker, Printable};
use std::path::Path;

/// Instructions that are shown around a marker.
const CONTEXT: usize = 2;

/// The funcmap of a code object.
pub fn funcmap(code_object: &Path, work: &Path) -> Result<Funcmap> {
    let section = work.join("sqtt_funcmap");
    let mut objcopy = llvm("llvm-objcopy");
    objcopy.arg(format!("--dump-section=.sqtt_funcmap={}", section.display())).arg(code_object);
    // It wants to write a copy, which must not be the input.
    capture(objcopy.arg(work.join("objcopy.out")))?;
    let section =
        std::fs::read(&section).with_context(|| format!("{}: cannot be read", section.display()))?;
    Ok(Funcmap::parse(&section).map)
}

/// The disassembly of a code object, as llvm-objdump prints it.
pub fn disassemble(code_object: &Path) -> Result<String> {
    capture(llvm("llvm-objdump").args(["--disassemble", "--no-show-raw-insn"]).arg(code_object))
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

/// Counts the instructions of a disassembly without its padding, and how many of them write a record.
pub fn count(disassembly: &str) -> (usize, usize) {
    let functions = functions(disassembly);
    let all = || functions.iter().flat_map(|(_, instructions)| instructions);
    (all().count(), all().filter(|instruction| instruction.starts_with("s_ttracedata")).count())
}

/// A record that code writes.
struct Record {
    /// The first and the last instruction for it.
    from: usize,
    to: usize,
    /// The text for the reader. A payload has none of its own, and is no header.
    text: String,
    is_header: bool,
}

/// The records of a function's instructions.
fn records(instructions: &[&str], map: &Funcmap) -> Vec<Record> {
    let (mut records, mut payload) = (Vec::new(), 0);
    for (to, instruction) in instructions.iter().enumerate() {
        let (from, word) = match instruction.strip_prefix("s_ttracedata_imm ") {
            Some(word) => (to, word),
            None if *instruction == "s_ttracedata" => {
                let near = (to.saturating_sub(CONTEXT)..to).rev();
                let load = near.map(|from| (from, instructions[from].strip_prefix("s_mov_b32 m0, ")));
                let Some((from, Some(word))) = load.into_iter().find(|(_, word)| word.is_some()) else {
                    continue;
                };
                (from, word)
            }
            None => continue,
        };
        let is_header = payload == 0;
        let text = if is_header {
            let marker = number(word).map(Marker::from_word);
            payload = marker.map_or(0, |marker| map.payload_count(marker.id));
            marker.map_or_else(
                || format!("the word in {word}, chosen at run time"),
                |marker| meaning(marker, map),
            )
        } else {
            payload -= 1;
            format!("payload: {word}")
        };
        records.push(Record { from, to, text, is_header });
    }
    records
}

/// The instructions around the markers, each marker with what it records.
pub fn around_markers(disassembly: &str, map: &Funcmap) -> String {
    let mut out = String::new();
    for (name, instructions) in functions(disassembly) {
        let records = records(&instructions, map);
        if records.is_empty() {
            continue;
        }
        out.push_str(&format!("{name}:\n"));
        let mut shown_before = true;
        for (index, instruction) in instructions.iter().enumerate() {
            let near = |record: &&Record| record.from <= index + CONTEXT && index <= record.to + CONTEXT;
            let shown = records.iter().any(|record| near(&record));
            if let Some(record) = records.iter().find(|record| record.to == index) {
                out.push_str(&format!("  {instruction:<42} <- {}\n", record.text));
            } else if shown {
                out.push_str(&format!("  {instruction}\n"));
            } else if shown_before {
                out.push_str("  …\n");
            }
            shown_before = shown;
        }
    }
    out
}

/// Counts the markers of a disassembly: headers, without their payloads.
pub fn count_markers(disassembly: &str, map: &Funcmap) -> usize {
    let functions = functions(disassembly);
    let records = functions.iter().flat_map(|(_, instructions)| records(instructions, map));
    records.filter(|record| record.is_header).count()
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

    /// Output of llvm-objdump 22.
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
    }
}
