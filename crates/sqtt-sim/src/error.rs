//! Errors of loading, launching and executing.

use thiserror::Error;

/// Any failure of the simulator.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimError {
    /// No `llvm-objdump` that knows AMDGPU was found.
    #[error("no usable llvm-objdump: {0}; install LLVM 17 or newer, or name one in LLVM_OBJDUMP")]
    NoDisassembler(String),
    /// `llvm-objdump` ran and failed, or printed what cannot be read.
    #[error("disassembly failed: {0}")]
    Disassembly(String),
    /// The file is not an AMDGPU code object that can be loaded.
    #[error("not a loadable AMDGPU code object: {0}")]
    CodeObject(String),
    /// The code object was built for a processor that is not simulated.
    #[error("{0}")]
    Target(String),
    /// The kernel metadata note is missing or malformed.
    #[error("kernel metadata: {0}")]
    Metadata(String),
    /// No kernel of that name.
    #[error("no kernel `{name}`; this code object has {}", list(.available))]
    NoKernel {
        /// The name asked for.
        name: String,
        /// The names that exist.
        available: Vec<String>,
    },
    /// The launch does not fit the kernel.
    #[error("launch of `{kernel}`: {reason}")]
    Launch {
        /// The kernel.
        kernel: String,
        /// The thing that does not fit, and one that would.
        reason: String,
    },
    /// A textual argument (`--arg`) cannot be read.
    #[error("argument `{text}`: {reason}")]
    Argument {
        /// The argument as given.
        text: String,
        /// The fault, and a right form.
        reason: String,
    },
    /// A wave could not go on.
    #[error(transparent)]
    Execution(Box<ExecutionError>),
}

/// The place at which a wave could not go on, and the cause.
#[derive(Debug, Clone, Error, PartialEq)]
#[error(
    "kernel {kernel}, workgroup {},{},{}, wave {wave}, pc {pc:#x} `{line}`: {cause}",
    .workgroup[0], .workgroup[1], .workgroup[2]
)]
#[non_exhaustive]
pub struct ExecutionError {
    /// The kernel.
    pub kernel: String,
    /// The workgroup's coordinates in the grid.
    pub workgroup: [u32; 3],
    /// The wave's number within its workgroup.
    pub wave: u32,
    /// Offset in the code object as the disassembler prints it.
    pub pc: u64,
    /// The disassembly line.
    pub line: String,
    /// The event there.
    pub cause: Fault,
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Why a wave could not execute an instruction.
#[derive(Debug, Clone, Error, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The instruction, or this form of it, has no semantics here.
    #[error("unknown instruction ({0})")]
    UnknownInstruction(String),
    /// The program counter left the code.
    #[error("the program counter {0:#x} is not the start of an instruction")]
    BadPc(u64),
    /// An access outside every buffer, or to memory that may not be written.
    #[error("{kind} of {width} bytes at {address:#x}{}: {reason}", lane_text(.lane))]
    Access {
        /// `global load`, `lds store`, …
        kind: &'static str,
        /// The first byte's address.
        address: u64,
        /// Bytes accessed.
        width: u32,
        /// The lane, unless the access was scalar.
        lane: Option<u32>,
        /// The thing that is there instead.
        reason: String,
    },
    /// A barrier that can never complete.
    #[error("barrier never completes: {0}")]
    BarrierDeadlock(String),
    /// The dispatch executed more instructions than allowed.
    #[error("the workgroup executed more than {0} instructions")]
    StepLimit(u64),
    /// The waves of a workgroup traced more than can be kept.
    #[error("the workgroup recorded more than {0} markers and accesses (32 per access)")]
    RecordLimit(usize),
    /// The program trapped (`s_trap`).
    #[error("trap {0}")]
    Trap(u32),
}

fn lane_text(lane: &Option<u32>) -> String {
    lane.map_or_else(String::new, |l| format!(" by lane {l}"))
}

impl Fault {
    /// Says whether the wave only never comes to its end, so that others go on.
    pub(crate) fn is_hang(&self) -> bool {
        matches!(self, Fault::BarrierDeadlock(_) | Fault::StepLimit(_) | Fault::RecordLimit(_))
    }

    pub(crate) fn unknown(why: impl Into<String>) -> Fault {
        Fault::UnknownInstruction(why.into())
    }
}
