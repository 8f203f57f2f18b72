//! Markers get their numbers and their final places; the two sections are written.

pub(crate) mod effects;
pub(crate) mod funcmap;
pub(crate) mod ids;
pub(crate) mod layout;
pub(crate) mod place;
pub(crate) mod record;
