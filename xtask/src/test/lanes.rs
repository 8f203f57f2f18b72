//! The table of lanes: each is a part of the tests with a name. `cargo xtask test` without a name runs [`ALL`], which
//! has every test of the workspace, those of heavy suites in their short form.

use Step::{Build, Build19, Documentation, Format, Lints, Lints19, Package, Portable, Setup, Tests};

/// A step of a lane.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Packages, Rust's components and viewers. Without them nothing else can be run.
    Setup,
    Format,
    Lints,
    /// Lints of the plugin for LLVM 19.
    Lints19,
    /// The decoder, checked for machines that read traces and do not make them, and with one feature at a time.
    Portable,
    /// Everything, with the plugin for LLVM 22.
    Build,
    /// The plugin for LLVM 19.
    Build19,
    /// Test programs: the arguments for cargo that select them, and a part of the names of tests, empty for all.
    Tests(&'static str, &'static str),
    /// Examples in doc comments.
    Documentation,
    /// The published crates, built from their archives. Asks the registry for its index.
    Package,
}

/// `cargo xtask test` without a name: what CI runs.
pub(crate) const ALL: &[Step] = &[
    Setup,
    Format,
    Lints,
    Lints19,
    Portable,
    Build,
    Build19,
    Tests("--workspace --lib --bins --tests", ""),
    Documentation,
];

/// Environment variables.
pub(crate) type Variables = &'static [(&'static str, &'static str)];

/// A part of the tests.
pub(crate) struct Lane {
    pub(crate) name: &'static str,
    /// One line for `cargo xtask test --help`.
    pub(crate) about: &'static str,
    pub(crate) steps: &'static [Step],
    /// Variables that give the suites their long form.
    pub(crate) longer: Variables,
}

const fn lane(name: &'static str, about: &'static str, steps: &'static [Step]) -> Lane {
    Lane { name, about, steps, longer: &[] }
}

const ROUNDS: Variables = &[("FUZZ_ROUNDS", "20")];
const PROGRAMS: Variables = &[("ALL_PROGRAMS", "1")];
// Inputs that a property has no opinion on are as many as its cases, and no failure.
const CASES: Variables = &[("PROPTEST_CASES", "4096"), ("PROPTEST_MAX_GLOBAL_REJECTS", "32768")];

/// The lanes with a name.
#[rustfmt::skip]
pub(crate) const LANES: &[Lane] = &[
    lane("quick", "Format, lints, unit tests, invariants, lit on LLVM 22: under two minutes once all is built", &[
        Format, Lints, Build, Tests("--workspace --lib --bins --test house", ""), Tests("--workspace --test lit", "llvm22::"),
    ]),
    lane("pass", "The plugin: lit, and in opt, clang, ld.lld and hipcc, on both LLVMs", &[
        Build, Build19, Tests("--workspace --test lit --test plugin", ""),
    ]),
    Lane { longer: ROUNDS, ..lane("kernels", "Random kernels with and without the plugin, simulated: 20 times as many", &[
        Build, Build19, Tests("-p sqtt-kernelgen --tests", ""),
    ])},
    Lane { longer: ROUNDS, ..lane("traces", "Trace folders and raw traces, damaged ones: 20 times as many", &[
        Tests("-p sqtt-decoder --tests", ""),
    ])},
    Lane { longer: CASES, ..lane("format", "Properties of marker words and funcmaps: 16 times as many", &[
        Tests("-p sqtt-format --tests", ""),
    ])},
    lane("simulator", "Every instruction of the simulator at its edge values", &[Tests("-p sqtt-sim --tests", "")]),
    Lane { longer: PROGRAMS, ..lane("programs", "Real HIP programs, plain and with markers: all of them, on five targets", &[
        Build, Tests("-p sqtt-hip --tests", ""),
    ])},
    lane("answers", "Flame graphs, timelines and reports, opened in browsers", &[Tests("-p sqtt-answers --tests", "")]),
    lane("command", "The `sqtt` command from outside", &[Build, Build19, Tests("-p sqtt-cli --tests", "")]),
    Lane { longer: CASES, ..lane("rocpd", "Databases of counters, from Rust, C and C++: 16 times as many properties", &[
        Tests("-p rocpd -p rocpd-c -p sqtt-files --tests", ""),
    ])},
    lane("package", "The published crates as a registry gets them, built from their archives", &[Package]),
];
