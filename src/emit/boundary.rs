//! The boundary that keeps other code from moving across a marker (`SQTT_MEM_BARRIER`), before and after it.
//!
//! | | IR | final code |
//! |---|---|---|
//! | `none` | nothing | nothing |
//! | `asm` | an empty asm that may touch all memory | nothing |
//! | `fence` | `fence syncscope("workgroup") acq_rel`, tagged for LDS only | waits for LDS where it is in use; no cache operation |
//!
//! If the asm of the marker leads waves past itself, the wait for LDS stands in the asm, after its branch. The fence
//! is one of a single thread there, which orders the compiler and costs no instruction.

use crate::config::Boundary;
use crate::llvm::Inst;
use crate::llvm::write::Writer;

/// The waves that wait for LDS at a fence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LdsWait {
    /// All that pass the fence.
    AtFence,
    /// None: the marker's asm waits where it is needed.
    InAsm,
}

/// Writes a boundary before `at`.
pub(super) fn boundary(writer: &Writer<'_>, at: Inst, kind: Boundary, wait: LdsWait) {
    match kind {
        Boundary::None => {}
        Boundary::Asm => {
            writer.before(at);
            writer.memory_clobber();
        }
        Boundary::Fence => at.local_fence_before(match wait {
            LdsWait::AtFence => c"workgroup",
            LdsWait::InAsm => c"singlethread",
        }),
    }
}
