//! Finds what to mark. Changes nothing.

mod addresses;
mod barriers;
mod foreign;
mod functions;
mod live;
mod memory;
mod named;
mod numeric;
pub(crate) mod space;
mod sync;
mod traced;

pub(crate) use addresses::{AddressSite, Buffer, Operands, address_sites};
pub(crate) use barriers::{PointSite, Side, barrier_sites};
pub(crate) use foreign::is_header;
pub(crate) use functions::{FunctionSite, function_sites, is_open};
pub(crate) use live::LiveFunctions;
pub(crate) use memory::memory_sites;
pub(crate) use named::{NamedSite, Sentinel, Sentinels, is_transparent};
pub(crate) use numeric::constant_words;
pub(crate) use sync::{
    is_hint, is_left_at_once, is_speculatable_up_to, is_sync, last_sync, next_code, previous_code,
};
pub(crate) use traced::{TraceCall, TraceIntrinsics};
