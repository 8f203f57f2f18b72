//! Finds what to mark. Changes nothing.

mod live;
mod named;
mod numeric;
mod traced;

pub(crate) use live::LiveFunctions;
pub(crate) use named::{NamedSite, Sentinel, Sentinels, is_transparent};
pub(crate) use numeric::constant_words;
pub(crate) use traced::{TraceCall, TraceIntrinsics};
