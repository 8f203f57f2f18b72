//! The thin layer over LLVM: everything else in the plugin is safe Rust on these handles.
//!
//! Reading uses LLVM's C interface directly, because it must hold for any module a compiler hands over (inkwell's
//! typed enums panic on types they do not know); writing goes through inkwell in [`write`](crate::llvm::write).
//!
//! Soundness of every `unsafe` block in this folder rests on three rules that the plugin keeps:
//! 1. handles come from the module of the running phase and do not outlive it (none is stored anywhere);
//! 2. a handle is not used after the thing it names was erased (phases collect first and edit afterwards);
//! 3. one module is touched by one thread (LLVM runs a module pass so).
//!
//! Every edit notes itself: [`Module::is_changed`] tells LLVM that a phase changed something.

pub(crate) mod address_space;
mod attributes;
mod changes;
mod compat;
mod function;
mod inst;
mod metadata;
mod module;
pub(crate) mod shim;
mod source_place;
mod value;
pub(crate) mod write;

/// One of LLVM's lists, from its first element on.
///
/// # Safety
/// `first` is null or live, and `next` is the step of its list, which is not changed while it is walked.
unsafe fn list<T>(
    first: *mut T,
    next: unsafe extern "C" fn(*mut T) -> *mut T,
) -> impl Iterator<Item = *mut T> {
    let element = |element: *mut T| (!element.is_null()).then_some(element);
    // SAFETY: by the caller.
    std::iter::successors(element(first), move |last| element(unsafe { next(*last) }))
}

pub(crate) use function::{Block, Function, Parameter};
pub(crate) use inst::{Analyses, CallShape, Inst};
pub(crate) use metadata::{Location, MetadataField, MetadataValue};
pub(crate) use module::{Intrinsic, Module, Severity, demangled, internalizes_symbols};
pub(crate) use source_place::SourcePlace;
pub(crate) use value::{Constant, Offset, Value, ValueKind};
