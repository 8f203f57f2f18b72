//! Loads of one address for all lanes: scalar where they are without the plugin.
//!
//! The waves of a run execute with the plugin scalar loads from the input alone where they do without it. How many is not
//! compared: what a marker stands between is not merged into one, nor moved out of a loop, and what is not moved may be
//! merged (12 became 9).
//!
//! It holds of kernels that load so and not otherwise, where control flow is uniform, and that store nothing before: a
//! store may write the loaded words, and an address that LLVM finds in both arms of a divergent branch it may take from
//! where they meet, as if lanes had two. Their functions load nothing: LLVM moves such loads to the callers, but not past
//! markers. A boundary of `asm` is a write of all memory by its meaning, and a traced address is that of a vector
//! operation.

use sqtt_sim::{AccessKind, RunResult};

/// Loads from the input that all waves of a run executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Loads {
    /// Scalar ones.
    pub scalar: usize,
    /// Vector ones.
    pub vector: usize,
}

impl Loads {
    /// Takes the loads of a run that noted accesses.
    #[must_use]
    pub fn of(result: &RunResult) -> Self {
        let mut loads = Self::default();
        let Some(input) = result.buffers.first() else { return loads };
        let inside = input.address..input.address + input.bytes.len() as u64;
        for access in result.waves.iter().flat_map(|wave| &wave.accesses) {
            if !access.lanes.first().is_some_and(|(_, address)| inside.contains(address)) {
                continue;
            }
            match access.kind {
                AccessKind::ScalarLoad => loads.scalar += 1,
                AccessKind::GlobalLoad | AccessKind::FlatLoad | AccessKind::BufferLoad => loads.vector += 1,
                _ => {}
            }
        }
        loads
    }

    /// True if they are all scalar.
    #[must_use]
    pub fn are_scalar(self) -> bool {
        self.scalar > 0 && self.vector == 0
    }

    /// Holds the loads with the plugin against these, without it, which are all scalar.
    ///
    /// # Errors
    /// The numbers, where not all are.
    pub fn check(self, with: Self) -> Result<(), String> {
        if with.are_scalar() {
            return Ok(());
        }
        Err(format!(
            "{} scalar loads from the input without the plugin; with it {}, and {} vector loads",
            self.scalar, with.scalar, with.vector
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::Loads;

    #[test]
    fn scalar_loads_become_no_vector_loads() {
        let loads = |scalar, vector| Loads { scalar, vector };
        assert!(!loads(0, 0).are_scalar() && !loads(8, 1).are_scalar());
        assert_eq!(loads(8, 0).check(loads(8, 0)), Ok(()));
        assert_eq!(loads(8, 0).check(loads(9, 0)), Ok(()));
        assert_eq!(loads(8, 0).check(loads(7, 0)), Ok(()));
        assert!(loads(8, 0).check(loads(0, 0)).is_err());
        assert!(loads(8, 0).check(loads(8, 1)).is_err());
    }
}
