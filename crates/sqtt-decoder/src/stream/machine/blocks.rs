//! Payload, and what is done where words are missing.

use super::MarkerStream;
use crate::ledger::LossKind;
use crate::names::{MarkerMap, Shape};
use crate::stream::doubt::{Body, Verdict};
use crate::stream::pattern::{is_likely, own_length};
use crate::stream::sync::{ALTERNATIVE_CHAIN, CHAIN, SHORTEST_GAP, own, skip_own};
use crate::trace::Cursor;

/// How gathering payload ended.
pub(super) enum Block {
    Whole,
    /// Cut off; go on here.
    Cut,
    /// Words that are none of a block's, so that the header may be none: payload of a block that lost its own looks like one.
    Unlikely,
}

impl<'w> MarkerStream<'w> {
    /// Goes on at the next chain of headers; at the end of the wave where there is none.
    pub(super) fn resynchronise(&mut self) {
        let Some(sync) = &mut self.sync else { return };
        sync.jumped();
        let (next, lost) = sync
            .find(self.cursor, self.cursor.left(), ALTERNATIVE_CHAIN)
            .unwrap_or_else(|| (self.cursor.first(0), self.cursor.left()));
        self.counts.add(LossKind::LostWord, lost as u64);
        self.skip_to(next);
    }

    fn skip_to(&mut self, next: Cursor<'w>) {
        let skipped = self.cursor.first(self.cursor.left() - next.left());
        let privileged = skipped.filter(|record| record.is_privileged()).count();
        self.counts.add(LossKind::TrapHandlerRecord, privileged as u64);
        self.cursor = next;
    }

    /// Passes words whose header was lost: where no header is, but a chain of them within the length
    /// of the longest block. True where some were passed.
    pub(super) fn gap(&mut self) -> bool {
        let Some(sync) = &mut self.sync else { return false };
        if sync.is_exhausted() {
            self.counts.add(LossKind::LostWord, self.cursor.left() as u64);
            self.cursor = self.cursor.first(0);
            return true;
        }
        let is_header = sync.is_header(self.cursor);
        let is_in_doubt = std::mem::take(&mut sync.is_in_doubt);
        let lost = if is_header && !is_in_doubt && sync.is_followed(self.cursor) {
            sync.lanes_like_headers(self.cursor)
        } else {
            sync.without_header(self.cursor, is_header && !is_in_doubt)
        };
        if let Some(lost) = lost
            && let Some(next) = skip_own(self.cursor, lost)
        {
            sync.jumped();
            self.counts.add(LossKind::LostWord, lost as u64);
            self.skip_to(next);
            return true;
        }
        if is_header {
            return false;
        }
        if sync.is_body(self.cursor) {
            self.resynchronise();
            return true;
        }
        let limit = sync_limit(self.map);
        match sync.find(self.cursor, limit, CHAIN) {
            Some((next, lost)) if lost >= SHORTEST_GAP => {
                sync.jumped();
                self.counts.add(LossKind::LostWord, lost as u64);
                self.skip_to(next);
                true
            }
            _ => false,
        }
    }

    /// Takes the words behind a header, if that is what they are.
    pub(super) fn take_payload(&mut self, shape: Shape) -> Block {
        let count = shape.payload;
        let body = self.cursor;
        let mut after = body;
        let mut is_reported = false;
        while (self.payload.len() as u64) < u64::from(count) {
            let mut next = after;
            let Some(word) = own(&mut next) else {
                // That the end of a wave is lost may be reported after it.
                is_reported = !self.losses.is_empty();
                break;
            };
            if word.is_immediate() {
                break;
            }
            is_reported = self.losses.first().is_some_and(|&loss| loss <= word.time);
            if is_reported {
                break;
            }
            self.payload.push(word.value);
            after = next;
        }
        let Some(sync) = &mut self.sync else { return Block::Whole };
        sync.spend(self.payload.len());
        let mut is_doubtful = false;
        let is_whole = self.payload.len() as u64 == u64::from(count);
        if is_whole {
            let followed = sync.is_followed(after);
            let whole = Body { shape, words: &self.payload, start: body, end: after, followed };
            match sync.judge(&whole) {
                Verdict::Gap(next) => {
                    sync.jumped();
                    self.skip_to(next);
                    return Block::Cut;
                }
                Verdict::Cut(next) => {
                    sync.jumped();
                    self.skip_to(next);
                    return self.cut(shape, is_reported);
                }
                Verdict::Whole if followed => {
                    self.skip_to(after);
                    return Block::Whole;
                }
                Verdict::Doubtful if followed => {
                    sync.is_in_doubt = true;
                    self.skip_to(after);
                    return Block::Cut;
                }
                Verdict::Doubtful => is_doubtful = true,
                Verdict::Whole => {}
            }
        }
        // A header somewhere in the body says that words are missing before it.
        if let Some(next) = sync.find_in_block(shape, &self.payload, body) {
            sync.jumped();
            self.skip_to(next);
            return self.cut(shape, is_reported);
        }
        if is_whole && !is_doubtful && !sync.is_broken(shape, &self.payload) {
            self.skip_to(after);
            return Block::Whole;
        }
        if is_whole {
            let sure = shape.block.map_or(0, |block| own_length(block, &self.payload));
            if let Some(behind) = skip_own(body, sure) {
                self.skip_to(behind);
            }
            self.resynchronise();
            return self.cut(shape, is_reported);
        }
        self.skip_to(after);
        // An immediate is a header; packets that were lost are noticed at the next record.
        if let Some(sync) = &mut self.sync {
            sync.jumped();
        }
        self.cut(shape, is_reported)
    }

    /// What a marker is whose payload was cut off.
    fn cut(&self, shape: Shape, is_reported: bool) -> Block {
        let is_likely = is_reported || shape.block.is_none_or(|block| is_likely(block, &self.payload));
        if is_likely { Block::Cut } else { Block::Unlikely }
    }
}

/// How far the headers of a map can be from each other.
fn sync_limit(map: Option<&MarkerMap>) -> usize {
    map.map_or(0, |map| map.longest_payload() as usize).saturating_add(1)
}
