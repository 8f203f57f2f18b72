//! Every difference between LLVM versions that Rust sees; `shim/compat.h` has what C++ sees.

/// True if the scheduler of the LLVM built for has the fault that
/// [`Writer::sched_barrier`](super::write::Writer::sched_barrier) tells of: seen on 19, not on 22.
pub(super) const SCHEDULER_NEEDS_CODE: bool = cfg!(any(feature = "llvm19", feature = "llvm20"));
