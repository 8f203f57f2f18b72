//! Runs `llvm-objdump -d` and reads its lines. Nothing is cached on disk.

use std::env;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::SimError;

/// One disassembled instruction.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Virtual address.
    pub(crate) pc: u64,
    /// Bytes of the encoding.
    pub(crate) size: u32,
    /// The instruction's text.
    pub(crate) text: String,
}

/// Places where LLVM's disassembler is usually found, newest first. The environment comes before them.
const CANDIDATES: [&str; 8] = [
    "llvm-objdump-22",
    "/usr/lib/llvm-22/bin/llvm-objdump",
    "llvm-objdump-21",
    "llvm-objdump-20",
    "llvm-objdump-19",
    "/opt/rocm/llvm/bin/llvm-objdump",
    "/opt/rocm/lib/llvm/bin/llvm-objdump",
    "llvm-objdump",
];

fn candidates() -> Vec<PathBuf> {
    match env::var_os("LLVM_OBJDUMP").filter(|v| !v.is_empty()) {
        Some(named) => vec![named.into()],
        None => CANDIDATES.iter().map(PathBuf::from).collect(),
    }
}

/// A scratch file that goes away with its value: `llvm-objdump` reads files, not pipes.
struct TempFile(PathBuf);

impl TempFile {
    fn new(data: &[u8]) -> std::io::Result<TempFile> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        for _ in 0..64 {
            let n = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = env::temp_dir().join(format!("sqtt-sim-{}-{n}.co", std::process::id()));
            match std::fs::OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let temp = TempFile(path);
                    file.write_all(data)?;
                    return Ok(temp);
                }
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(std::io::Error::other("no free name for a temporary file"))
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        // A leftover file in the temporary folder is no reason to fail.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Disassembles a code object's executable sections. `attribute` is one of LLVM's, such as `+wavefrontsize64`:
/// the widths of WMMA's registers depend on it, and an encoding does not say it.
pub(crate) fn disassemble(code_object: &[u8], attribute: Option<&str>) -> Result<Vec<Line>, SimError> {
    let file = TempFile::new(code_object)
        .map_err(|e| SimError::Disassembly(format!("temporary copy of the code object: {e}")))?;
    let mut tried = Vec::new();
    for tool in candidates() {
        let mut command = Command::new(&tool);
        // Libraries that stand in for others in this process are none of the disassembler's.
        command.env_remove("LD_PRELOAD").stdin(Stdio::null()).arg("-d");
        command.args(attribute.map(|name| format!("--mattr={name}")));
        let output = command.arg(&file.0).output();
        match output {
            Err(e) => tried.push(format!("{}: {e}", tool.display())),
            Ok(output) if !output.status.success() => {
                let stderr = String::from_utf8_lossy(&output.stderr);
                let first = stderr.lines().next().unwrap_or("").to_owned();
                tried.push(format!("{}: {} {first}", tool.display(), output.status));
            }
            Ok(output) => return parse(&String::from_utf8_lossy(&output.stdout)),
        }
    }
    Err(SimError::NoDisassembler(tried.join("; ")))
}

/// Reads `<tab>text // ADDRESS: WORD WORD <label>` lines; headers and symbol lines pass by.
fn parse(listing: &str) -> Result<Vec<Line>, SimError> {
    let mut lines = Vec::new();
    for line in listing.lines() {
        let Some(body) = line.strip_prefix('\t') else { continue };
        let Some((text, comment)) = body.rsplit_once("//") else { continue };
        let Some((address, words)) = comment.trim().split_once(':') else { continue };
        let pc = u64::from_str_radix(address.trim(), 16)
            .map_err(|_| SimError::Disassembly(format!("address `{address}` in line `{line}`")))?;
        let words = words
            .split_whitespace()
            .take_while(|w| w.len() == 8 && w.bytes().all(|b| b.is_ascii_hexdigit()))
            .count();
        let text = text.trim().to_owned();
        lines.push(Line { pc, size: 4 * words.max(1) as u32, text });
    }
    if lines.is_empty() {
        return Err(SimError::Disassembly("the code object holds no instruction".to_owned()));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_words_labels_and_joined_comments() {
        let text = "\n0000000000001600 <f>:\n\ts_cbranch_execz 109     // 0000000017CC: BF88006D <kern+0x284>\n\
                    \ts_delay_alu instid0(VALU_DEP_2)// 000000001618: BF870122\n\
                    \tv_cmp_gt_u32_e32 vcc_lo, 0x1234567, v1 // 000000001608: 7C9802FF 01234567\n";
        let lines = parse(text).unwrap();
        assert_eq!(lines.len(), 3);
        assert_eq!((lines[0].pc, lines[0].size, lines[0].text.as_str()), (0x17cc, 4, "s_cbranch_execz 109"));
        assert_eq!(lines[1].text, "s_delay_alu instid0(VALU_DEP_2)");
        assert_eq!(lines[2].size, 8);
    }

    #[test]
    fn an_empty_listing_is_an_error() {
        assert!(parse("file format elf64-amdgpu\n").is_err());
    }
}
