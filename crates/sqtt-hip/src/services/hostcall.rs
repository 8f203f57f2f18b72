//! The buffer of packets, and the memory that the host gives.

use std::sync::{Mutex, PoisonError};

use super::message::Messages;
use crate::error::Code;
use crate::memory::allocate::{Request, allocate};
use crate::memory::allocations::Kind;
use crate::message;
use crate::place::Place;
use crate::raw::span;
use crate::runtime::Runtime;

/// Packets, at least one for every wave that asks at a time; a power of two.
const PACKETS: usize = 1024;
/// Byte offsets in the buffer: the header's six words, the signal, packet headers, payloads.
const FREE: usize = 24;
const READY: usize = 32;
const SIGNAL: usize = 64;
const HEADERS: usize = 128;
const PAYLOADS: usize = 32 << 10;
/// Bytes of a packet's header (next, lanes, service, control) and of its payload (64 lanes of 8 words).
const HEADER: usize = 24;
const PAYLOAD: usize = 64 * 64;

/// The structure that the device's `malloc` keeps its state in, which begins as zeros.
const HEAP: usize = 256 << 10;
/// The device library wants its slabs so aligned.
const SLAB: usize = 2 << 20;

/// Numbers of services.
const PRINTF: u32 = 2;
const MEMORY: u32 = 3;

/// The services of a device.
#[derive(Debug)]
pub(crate) struct Services {
    /// The address of the packets' buffer.
    pub(crate) buffer: usize,
    /// The address of the state of `malloc`.
    pub(crate) heap: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    messages: Messages,
    /// Memory that was not given yet: its begin and its end.
    left: (usize, usize),
    /// Memory that came back: size and address.
    back: Vec<(usize, usize)>,
    given: std::collections::HashMap<usize, usize>,
}

/// The makers of the runtime's own allocations, as messages name them.
pub(crate) const OWN: [&str; 3] =
    ["the runtime's buffer of calls", "the state of the device's malloc", "the device's malloc"];

impl Services {
    /// Sets up the services of a device.
    pub(crate) fn new(state: &mut Runtime, device: usize, pool: usize) -> Result<Services, Code> {
        let mut take = |size, made_by| {
            let request = Request { kind: Kind::Managed, device, made_by, ..Request::new(size) };
            allocate(state, &request, Place::default())
        };
        let buffer = take(PAYLOADS + PACKETS * PAYLOAD, OWN[0])?;
        let heap = take(HEAP, OWN[1])?;
        let memory = take(pool + SLAB, OWN[2])?;
        let words = [buffer + HEADERS, buffer + PAYLOADS, buffer + SIGNAL, PACKETS - 1, 0, PACKETS - 1];
        for (index, word) in words.into_iter().enumerate() {
            span::write(buffer + 8 * index, &word.to_le_bytes());
        }
        // A stack of all packets: the first one has a tag, as the index 0 alone means an empty stack.
        for packet in 1..PACKETS {
            let next = if packet == 1 { PACKETS } else { packet - 1 };
            span::write(buffer + HEADERS + HEADER * packet, &next.to_le_bytes());
        }
        let left = (memory.next_multiple_of(SLAB), memory + pool + SLAB);
        let state =
            State { messages: Messages::default(), left, back: Vec::new(), given: Default::default() };
        Ok(Services { buffer, heap, state: Mutex::new(state) })
    }

    /// Serves all packets that are ready.
    pub(crate) fn serve(&self) {
        let mut packet = span::word(self.buffer + READY);
        if packet == 0 {
            return;
        }
        span::write(self.buffer + READY, &[0; 8]);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while packet != 0 {
            let index = packet & (PACKETS - 1);
            let header = self.buffer + HEADERS + HEADER * index;
            let next = span::word(header);
            let lanes = span::word(header + 8);
            let word = span::word(header + 16);
            let service = word as u32;
            for lane in (0..64).filter(|lane| lanes >> lane & 1 != 0) {
                let slot = self.buffer + PAYLOADS + PAYLOAD * index + 64 * lane;
                state.serve(service, slot);
            }
            // The flag that the wave waits for is the lowest bit of the control word.
            span::write(header + 16, &(word & !(1 << 32)).to_le_bytes());
            packet = next;
        }
    }

    /// True if a kernel said since the last call that an assertion failed.
    pub(crate) fn take_assertion(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut state.messages.has_failed)
    }

    /// Brings the buffer back to its first state, where a kernel stopped in the middle.
    pub(crate) fn reset(&self) {
        for packet in 1..PACKETS {
            let next = if packet == 1 { PACKETS } else { packet - 1 };
            span::write(self.buffer + HEADERS + HEADER * packet, &next.to_le_bytes());
        }
        span::write(self.buffer + HEADERS, &[0; 8]);
        span::write(self.buffer + FREE, &(PACKETS - 1).to_le_bytes());
        span::write(self.buffer + READY, &[0; 8]);
        self.state.lock().unwrap_or_else(PoisonError::into_inner).messages = Messages::default();
    }
}

impl State {
    /// Serves one lane, whose eight words begin at `slot`.
    fn serve(&mut self, service: u32, slot: usize) {
        match service {
            PRINTF => {
                let words: Vec<u64> = (0..8).map(|k| span::word(slot + 8 * k) as u64).collect();
                if let Some(answer) = self.messages.take(&words) {
                    span::write(slot, &answer.to_le_bytes());
                }
            }
            MEMORY => {
                let (address, size) = (span::word(slot), span::word(slot + 8));
                if address != 0 {
                    let size = self.given.remove(&address);
                    self.back.extend(size.map(|size| (size, address)));
                } else {
                    span::write(slot, &self.give(size).to_le_bytes());
                }
            }
            other => {
                message::say_once(&format!("a kernel asks the host for service {other}, which is not known"));
            }
        }
    }

    /// Memory for the device's `malloc`, or 0.
    fn give(&mut self, size: usize) -> usize {
        let align = if size == SLAB { SLAB } else { 4096 };
        let address = if let Some(at) = self.back.iter().position(|&(length, _)| length == size) {
            self.back.swap_remove(at).1
        } else {
            let start = self.left.0.next_multiple_of(align);
            match start.checked_add(size).filter(|&end| end <= self.left.1) {
                Some(end) => {
                    self.left.0 = end;
                    start
                }
                None => return 0,
            }
        };
        self.given.insert(address, size);
        address
    }
}
