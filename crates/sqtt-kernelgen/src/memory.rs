//! Holds memory markers against the accesses that the simulator saw.
//!
//! Every marker tells of the accesses since the one before it: a chunk of LLVM's operations of one kind, of which the code
//! generator may have made fewer instructions or more, but none that crosses a marker. So
//!
//! - between two memory markers a wave accesses memory in the way of the second, stores at least once;
//! - behind the last one it does not.
//!
//! A load that nobody uses has a marker and no access: the code generator drops it, LLVM's optimizer at -O0 does not.
//! Loads that the code generator may move are left out where the kernel says that its input changes under nobody's hands
//! (`const … __restrict__`). The accumulators are touched by atomics alone: one that changes nothing (`xor 0`) may become a
//! load, and one that the target lacks a loop that begins with a load. A load of one address for all lanes may be a scalar one: it serves where one is needed, and is
//! never one too many.

use crate::trace::Names;
use sqtt_format::SystemPoint;
use sqtt_sim::{Access, AccessKind, BufferOut, WaveTrace};

/// The buffers of a kernel's run: input, output, accumulators.
#[derive(Clone, Copy, Debug)]
pub struct Buffers<'a> {
    /// All of them, in that order.
    pub all: &'a [BufferOut],
    /// True where loads from the input may be anywhere.
    pub loose_input: bool,
}

impl Buffers<'_> {
    /// The point that an access counts for; `None` for other memory than the buffers.
    fn point(&self, access: &Access) -> Option<SystemPoint> {
        use AccessKind as A;
        let point = match access.kind {
            A::ScalarLoad | A::GlobalLoad | A::FlatLoad | A::BufferLoad => SystemPoint::VmemLoad,
            A::GlobalStore | A::FlatStore | A::BufferStore => SystemPoint::VmemStore,
            A::GlobalAtomic | A::FlatAtomic | A::BufferAtomic => SystemPoint::VmemStore,
            _ => return None,
        };
        let inside = |buffer: &BufferOut, address: u64| {
            (buffer.address..buffer.address + buffer.bytes.len() as u64).contains(&address)
        };
        let (_, address) = access.lanes.first()?;
        let (index, _) = self.all.iter().enumerate().find(|(_, buffer)| inside(buffer, *address))?;
        match index {
            0 if self.loose_input => None,
            2 => Some(SystemPoint::VmemStore),
            _ => Some(point),
        }
    }
}

/// Checks one wave; gives how many memory markers it has.
///
/// # Errors
/// The first marker or access that the rule does not allow.
pub fn check(wave: &WaveTrace, names: &Names, buffers: Buffers<'_>) -> Result<usize, String> {
    let accesses: Vec<(&Access, SystemPoint)> =
        wave.accesses.iter().filter_map(|access| Some((access, buffers.point(access)?))).collect();
    let words: Vec<u32> = wave.markers.iter().map(|record| record.value).collect();
    let mut rest = &accesses[..];
    let mut markers = 0;
    for (at, word) in names.headers(&words) {
        let Some(point @ (SystemPoint::VmemLoad | SystemPoint::VmemStore)) = names.system_point(word) else {
            continue;
        };
        markers += 1;
        let (before, behind) = rest.split_at(rest.partition_point(|(access, _)| access.after <= at));
        rest = behind;
        if let Some((other, _)) = before.iter().find(|(access, it)| *it != point && !is_scalar(access)) {
            return Err(format!("{} stands before record {at}, a {}", text(other), point.name()));
        }
        if point == SystemPoint::VmemStore && !before.iter().any(|(_, it)| *it == point) {
            return Err(format!("record {at} is a {}, and nothing before it is", point.name()));
        }
    }
    match rest.iter().find(|(access, _)| !is_scalar(access)) {
        Some((access, _)) => Err(format!("{} has no marker behind it", text(access))),
        None => Ok(markers),
    }
}

fn is_scalar(access: &Access) -> bool {
    access.kind == AccessKind::ScalarLoad
}

fn text(access: &Access) -> String {
    format!("{} at pc {:#x} behind record {}", access.kind.as_str(), access.pc, access.after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqtt_sim::MarkerRecord;

    const LOAD: u32 = 1 << 2;
    const STORE: u32 = 2 << 2;
    const OTHER: u32 = 9 << 2;

    /// Checks a wave that traced `words` and accessed the output, each time behind so many of them.
    fn judge(words: &[u32], accesses: &[(AccessKind, usize)], loose_input: bool) -> Result<usize, String> {
        let names = Names::of(&[(1, SystemPoint::VmemLoad), (2, SystemPoint::VmemStore)]);
        let buffers: Vec<BufferOut> = [0x1000, 0x2000]
            .into_iter()
            .enumerate()
            .map(|(arg, address)| {
                let mut buffer = BufferOut::default();
                (buffer.arg, buffer.address, buffer.bytes) = (arg, address, vec![0; 64]);
                buffer
            })
            .collect();
        let record = |value: &u32| MarkerRecord { pc: 0, value: *value, time: 0, immediate: true };
        let access = |(kind, after): &(AccessKind, usize)| Access {
            pc: 0,
            kind: *kind,
            after: *after,
            width: 4,
            lanes: vec![(0, if *kind == AccessKind::GlobalLoad { 0x1004 } else { 0x2004 })],
        };
        let mut wave = WaveTrace::default();
        wave.markers = words.iter().map(record).collect();
        wave.accesses = accesses.iter().map(access).collect();
        check(&wave, &names, Buffers { all: &buffers, loose_input })
    }

    #[test]
    fn accesses_stand_before_their_markers() {
        use AccessKind::{GlobalLoad, GlobalStore};
        assert_eq!(judge(&[LOAD, OTHER, STORE], &[(GlobalLoad, 0), (GlobalStore, 2)], false), Ok(2));
        // A load that nobody uses.
        assert_eq!(judge(&[LOAD, STORE], &[(GlobalStore, 1)], false), Ok(2));
        // Two of one kind may share a marker.
        assert_eq!(judge(&[LOAD], &[(GlobalLoad, 0), (GlobalLoad, 0)], false), Ok(1));
        for (words, accesses) in [
            // No access, one of the other kind, one behind.
            (&[STORE][..], &[][..]),
            (&[STORE], &[(GlobalLoad, 0)]),
            (&[LOAD], &[(GlobalStore, 0)]),
            (&[STORE], &[(GlobalStore, 0), (GlobalStore, 1)]),
            (&[LOAD, STORE], &[(GlobalLoad, 0), (GlobalStore, 0)]),
            (&[OTHER], &[(GlobalStore, 0)]),
        ] {
            assert!(judge(words, accesses, false).is_err(), "{words:?} {accesses:?}");
        }
        // Loads of an input that never changes may be anywhere; stores may not.
        assert_eq!(judge(&[LOAD, STORE], &[(GlobalStore, 1), (GlobalLoad, 2)], true), Ok(2));
        assert!(judge(&[LOAD, STORE], &[(GlobalLoad, 1)], true).is_err());
    }
}
