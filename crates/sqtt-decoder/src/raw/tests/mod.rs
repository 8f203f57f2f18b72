//! Tests of the tables and the walker: on captures of real GPUs, and on streams that were written here.

mod captures;
mod encoded;
mod splice;
mod windows;

use std::path::{Path, PathBuf};

use super::generation::{Generation, Header};
use super::token::{TokenKind, TokenLayout};
use super::walk::{Clock, Sink, walk};
use super::window::ByteSource;

/// A token: its kind, its first bit, and the time with it.
pub(super) type Seen = (TokenKind, u64, i64);

/// Remembers which tokens there are, and counts what is looked at.
#[derive(Default)]
pub(super) struct Tokens {
    pub(super) seen: Vec<Seen>,
    pub(super) unknown: u64,
    pub(super) losses: u64,
}

impl Sink for Tokens {
    const TOKENS: bool = true;

    fn token(&mut self, kind: TokenKind, at: u64, time: i64) {
        self.seen.push((kind, at, time));
    }

    fn start(&mut self, _: i64, _: &TokenLayout, _: u64) {}
    fn end(&mut self, _: i64, _: &TokenLayout, _: u64) {}
    fn data(&mut self, _: i64, _: u64, _: bool) {}
    fn register(&mut self, _: i64, _: &TokenLayout, _: u64) {}
    fn real_time(&mut self, _: i64, _: u64) {}

    fn packet_loss(&mut self, _: i64) {
        self.losses += 1;
    }

    fn unknown(&mut self, _: i64, _: u64) {
        self.unknown += 1;
    }
}

impl ByteSource for &[u8] {
    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> usize {
        let rest = self.get(at as usize..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        count
    }
}

/// The header of a stream.
pub(super) fn header(bytes: &[u8]) -> Header {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[..8]);
    Header::parse(u64::from_le_bytes(word)).unwrap()
}

/// All tokens of a stream.
pub(super) fn tokens(mut bytes: &[u8]) -> (Generation, Tokens) {
    let header = header(bytes);
    let mut tokens = Tokens::default();
    walk(header.generation.table(), &mut bytes, header.bytes, &mut Clock::default(), &mut tokens);
    (header.generation, tokens)
}

/// The captures, unpacked.
pub(super) fn unpacked() -> (tempfile::TempDir, PathBuf) {
    let folder = test_data::unpack("att-captures.tgz");
    let root = folder.path().join("att-captures");
    (folder, root)
}

/// A program of a capture, as the index has it.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Program {
    pub(super) tag: u64,
    pub(super) name: String,
    pub(super) base: u64,
    pub(super) file: PathBuf,
}

/// A shader engine's file.
#[derive(Debug, serde::Deserialize)]
pub(super) struct File {
    pub(super) kern: u64,
    pub(super) se: u32,
    pub(super) file: PathBuf,
}

/// A capture: several programs, each traced once.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Capture {
    pub(super) gfx: String,
    pub(super) capture: String,
    pub(super) programs: Vec<Program>,
    pub(super) traces: Vec<File>,
}

/// The index of the captures.
pub(super) fn index(root: &Path) -> Vec<Capture> {
    serde_json::from_slice(&std::fs::read(root.join("index.json")).unwrap()).unwrap()
}
