//! Services of the host that kernels ask for: `printf`, `assert`, memory for the device's `malloc`.
//!
//! A wave takes a packet from the free stack of a buffer in memory, fills in what its lanes ask for, puts it on the
//! ready stack and waits until its ready flag is clear. ROCm's device library and its runtime agree on this form.

mod hostcall;
mod message;
mod printf;

pub(crate) use hostcall::{OWN, Services};
