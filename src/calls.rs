//! Trace calls: what stands for a record until the late phase gives it its final form.

/// The intrinsic that stands for a record until the late phase.
pub(crate) const TRACE: &str = "llvm.amdgcn.s.ttracedata";
/// Its immediate form, which only users write.
pub(crate) const TRACE_IMMEDIATE: &str = "llvm.amdgcn.s.ttracedata.imm";

/// Tags of trace calls (the string attribute [`crate::notes::TAG`]).
pub(crate) mod tag {
    /// A header without payload.
    pub(crate) const HEADER: &str = "header";
    /// A header whose payload is the next trace call.
    pub(crate) const DATA: &str = "data";
    /// A header whose payload are the next two.
    pub(crate) const DATA64: &str = "data64";
    /// A payload.
    pub(crate) const PAYLOAD: &str = "payload";
    /// The header of the addresses of the operation that follows.
    pub(crate) const ADDRESSES: &str = "addresses";

    /// The tag of a header with so many payloads.
    pub(crate) fn header(payloads: usize) -> &'static str {
        match payloads {
            0 => HEADER,
            1 => DATA,
            _ => DATA64,
        }
    }

    /// Number of payloads that follow a header.
    pub(crate) fn payload_count(tag: Option<&str>) -> usize {
        match tag {
            Some(DATA) => 1,
            Some(DATA64) => 2,
            _ => 0,
        }
    }
}
