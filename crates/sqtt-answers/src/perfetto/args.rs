//! Details of events: the `args` of each kind. Unknown ones are left out.

use std::borrow::Cow;

use serde::Serialize;
use sqtt_decoder::Ledger;

#[derive(Serialize)]
pub(super) struct NameArgs<'a> {
    pub(super) name: &'a str,
}

#[derive(Serialize)]
pub(super) struct SortArgs {
    pub(super) sort_index: u32,
}

/// Arguments of the trace as a whole.
#[derive(Serialize)]
pub(super) struct TraceArgs<'a> {
    pub(super) folder: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) gfxip: Option<u32>,
    /// `given`, `measured` or `nominal`.
    pub(super) clock_rate: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock_ghz: Option<f64>,
    /// Meaning of `ts`, in words.
    pub(super) time: &'static str,
    /// The cycle that is time 0.
    pub(super) cycle_of_time_0: i64,
    /// From when to when each shader engine was traced: where they differ, they cannot be compared.
    pub(super) engines: Vec<EngineArgs>,
}

#[derive(Serialize)]
pub(super) struct EngineArgs {
    pub(super) se: u32,
    pub(super) first_cycle: i64,
    pub(super) last_cycle: i64,
}

/// Arguments of losses.
#[derive(Serialize)]
pub(super) struct LossArgs<'a> {
    pub(super) summary: String,
    pub(super) ledger: &'a Ledger,
}

#[derive(Serialize)]
pub(super) struct DispatchArgs<'a> {
    pub(super) kernel: &'a str,
    pub(super) kernel_id: u64,
    pub(super) me: u32,
    pub(super) pipe: u32,
    pub(super) workgroup_size: [u64; 3],
    pub(super) vgprs: u64,
    pub(super) sgprs: u64,
    pub(super) lds_size: u64,
    pub(super) cycle: i64,
}

#[derive(Serialize)]
pub(super) struct WaveArgs<'a> {
    pub(super) kernel: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code_object: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) workgroup: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cluster: Option<i64>,
}

/// Arguments of a marker: where a scope begins, and of a point.
#[derive(Serialize)]
pub(super) struct MarkerArgs<'a> {
    pub(super) id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    pub(super) payload: &'a [u32],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) payload_lost: bool,
    /// Cycle of a point; that of a scope is said where it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cycle: Option<i64>,
}

/// End of a scope, or of a wave. What differs from call to call is said here and not where it begins:
/// speedscope takes scopes whose begins have other arguments for other scopes.
#[derive(Serialize)]
pub(super) struct EndArgs {
    /// When it began.
    pub(super) cycle: i64,
    /// Cycles from its begin.
    pub(super) cycles: i64,
    /// Why it ended, where that was not by its exit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) closed_by: Option<&'static str>,
}
