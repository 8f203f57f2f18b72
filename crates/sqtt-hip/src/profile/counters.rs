//! The counters that a simulator knows exactly, under the names that ROCm gives them.

use sqtt_sim::{Counter as Kind, Counts};

/// The cycles of LDS bank conflicts: counted on request alone, since each access has to be looked at.
pub(crate) const LDS_CONFLICTS: &str = "SQ_LDS_BANK_CONFLICT";

/// A counter.
#[derive(Debug)]
#[non_exhaustive]
pub struct Counter {
    /// ROCm's name.
    pub name: &'static str,
    /// One line on what is counted here.
    pub description: &'static str,
    pub(super) value: fn(&Counts) -> u64,
}

const fn counter(name: &'static str, description: &'static str, value: fn(&Counts) -> u64) -> Counter {
    Counter { name, description, value }
}

/// Every counter.
pub const COUNTERS: &[Counter] = &[
    counter("SQ_WAVES", "Waves", Counts::waves),
    counter("SQ_INSTS", "Instructions of all kinds", Counts::all),
    counter("SQ_INSTS_VALU", "Vector ALU instructions, matrix instructions included", |c| c.of(Kind::Valu)),
    counter("SQ_INSTS_MFMA", "Matrix instructions", |c| c.of(Kind::Matrix)),
    counter("SQ_INSTS_SALU", "Scalar ALU instructions", |c| c.of(Kind::Salu)),
    counter("SQ_INSTS_SMEM", "Scalar memory instructions", |c| c.of(Kind::Smem)),
    counter("SQ_INSTS_LDS", "LDS instructions", |c| c.of(Kind::Lds)),
    counter("SQ_INSTS_VMEM_RD", "Vector memory reads, by flat addresses too", |c| c.of(Kind::VmemRead)),
    counter("SQ_INSTS_VMEM_WR", "Vector memory writes, by flat addresses too", |c| c.of(Kind::VmemWrite)),
    counter("SQ_INSTS_BRANCH", "Branches", |c| c.of(Kind::Branch)),
    counter("SQ_INSTS_SENDMSG", "Messages", |c| c.of(Kind::Message)),
    counter(
        LDS_CONFLICTS,
        "Cycles that LDS needs beyond those without bank conflicts, by the model of sqtt memory-trace",
        Counts::lds_conflict_cycles,
    ),
];

/// The counters of a list with commas; `all` is every one.
pub(crate) fn wanted(list: Option<&str>) -> Result<Vec<&'static Counter>, String> {
    match list {
        None => Ok(Vec::new()),
        Some("all") => Ok(COUNTERS.iter().collect()),
        Some(list) => list.split(',').map(|name| find(name.trim())).collect(),
    }
}

fn find(name: &str) -> Result<&'static Counter, String> {
    COUNTERS.iter().find(|counter| counter.name == name).ok_or_else(|| {
        let names: Vec<_> = COUNTERS.iter().map(|counter| counter.name).collect();
        format!("counter `{name}` is not simulated; simulated are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_unknown_names_are_said() {
        assert!(wanted(None).unwrap().is_empty());
        assert_eq!(wanted(Some("all")).unwrap().len(), COUNTERS.len());
        let two: Vec<_> = wanted(Some("SQ_WAVES, SQ_INSTS_LDS")).unwrap().iter().map(|c| c.name).collect();
        assert_eq!(two, ["SQ_WAVES", "SQ_INSTS_LDS"]);
        let error = wanted(Some("GRBM_COUNT")).unwrap_err();
        assert!(error.contains("`GRBM_COUNT`") && error.contains("SQ_INSTS_MFMA"), "{error}");
    }
}
