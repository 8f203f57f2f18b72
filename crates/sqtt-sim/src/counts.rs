//! Counts of executed instructions, by what they keep busy.

/// The part of a compute unit that an instruction keeps busy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Counter {
    /// Vector ALU, matrix instructions included.
    Valu,
    /// Matrix instructions alone.
    Matrix,
    /// Scalar ALU.
    Salu,
    /// Scalar memory, clocks included.
    Smem,
    /// LDS and its crossbar.
    Lds,
    /// Vector memory reads: loads, and atomics that return a value.
    VmemRead,
    /// Vector memory writes: stores, and atomics that return nothing.
    VmemWrite,
    /// Branches.
    Branch,
    /// Messages.
    Message,
    /// Words written to the thread trace.
    Trace,
    /// Waits, barriers, hints, ends of waves.
    Internal,
}

impl Counter {
    /// Every counter.
    pub const ALL: [Counter; 11] = [
        Counter::Valu,
        Counter::Matrix,
        Counter::Salu,
        Counter::Smem,
        Counter::Lds,
        Counter::VmemRead,
        Counter::VmemWrite,
        Counter::Branch,
        Counter::Message,
        Counter::Trace,
        Counter::Internal,
    ];
}

/// Executed wave-instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// By kind; [`Counter::Valu`] without the matrix instructions here.
    by: [u64; Counter::ALL.len()],
    waves: u64,
    lds_conflicts: u64,
}

impl Counts {
    #[inline]
    pub(crate) fn count(&mut self, counter: Counter) {
        self.by[counter as usize] += 1;
    }

    pub(crate) fn add(&mut self, other: &Counts) {
        self.by.iter_mut().zip(other.by).for_each(|(a, b)| *a += b);
        self.waves += other.waves;
        self.lds_conflicts += other.lds_conflicts;
    }

    /// Executed instructions of one kind.
    pub fn of(&self, counter: Counter) -> u64 {
        let own = self.by[counter as usize];
        if counter == Counter::Valu { own + self.by[Counter::Matrix as usize] } else { own }
    }

    /// Waves that ran.
    pub fn waves(&self) -> u64 {
        self.waves
    }

    /// Cycles that LDS needed beyond those without bank conflicts, where the options ask for them: by the model
    /// of `sqtt_decoder::memory::bank_cycles`.
    pub fn lds_conflict_cycles(&self) -> u64 {
        self.lds_conflicts
    }

    /// Counts of a wave that has just begun.
    pub(crate) fn of_one_wave() -> Counts {
        Counts { waves: 1, ..Counts::default() }
    }

    pub(crate) fn add_lds_conflicts(&mut self, cycles: u64) {
        self.lds_conflicts += cycles;
    }

    /// All executed instructions.
    pub fn all(&self) -> u64 {
        self.by.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places() {
        assert!(Counter::ALL.iter().enumerate().all(|(k, &counter)| counter as usize == k));
    }

    #[test]
    fn matrix_instructions_count_as_vector_ones_once() {
        let mut counts = Counts::default();
        counts.count(Counter::Matrix);
        counts.count(Counter::Valu);
        assert_eq!((counts.of(Counter::Valu), counts.of(Counter::Matrix), counts.all()), (2, 1, 2));
    }
}
