//! What keeps other code from moving across a marker (`SQTT_MEM_BARRIER`), before and after it.
//!
//! | | IR | final code |
//! |---|---|---|
//! | `none` | nothing | nothing |
//! | `asm` | an empty asm that may touch all memory | nothing |
//! | `fence` | `fence syncscope("workgroup") acq_rel`, tagged for LDS only | waits for LDS where it is in use; no cache operation |

use crate::config::Boundary;
use crate::llvm::Inst;
use crate::llvm::write::Writer;

/// Writes a boundary before `at`.
pub(super) fn boundary(writer: &Writer<'_>, at: Inst, kind: Boundary) {
    match kind {
        Boundary::None => {}
        Boundary::Asm => {
            writer.before(at);
            writer.memory_clobber();
        }
        Boundary::Fence => at.local_fence_before(),
    }
}
