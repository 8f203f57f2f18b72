//! Finds what to mark. Changes nothing.

mod addresses;
mod barriers;
mod foreign;
mod functions;
mod lds;
mod live;
mod m0;
mod memory;
mod named;
mod number_asm;
mod numeric;
pub(crate) mod space;
mod sync;
mod traced;
mod variables;

pub(crate) use addresses::{AddressSite, Buffer, Operands, address_sites};
pub(crate) use barriers::{PointSite, Side, barrier_sites};
pub(crate) use foreign::is_header;
pub(crate) use functions::{FunctionSite, function_sites, is_open};
pub(crate) use lds::behind_lds;
pub(crate) use live::LiveFunctions;
pub(crate) use m0::names_m0;
pub(crate) use memory::memory_sites;
pub(crate) use named::{Sentinel, Sentinels, give_up_sentinels, is_transparent};
pub(crate) use number_asm::{NumberAsm, has_number_asm, number_asms};
pub(crate) use numeric::{NumericWords, is_first_lane};
pub(crate) use sync::{
    empty_asms_beside, hints_beside, is_hint, is_left_at_once, is_speculatable_up_to, is_sync, last_sync,
    next_code, previous_code,
};
pub(crate) use traced::{TraceCall, TraceIntrinsics};
