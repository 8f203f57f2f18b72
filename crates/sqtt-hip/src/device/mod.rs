//! Devices: what they are, what they can, and which one a thread uses.

pub(crate) mod attributes;
pub(crate) mod context_api;
pub(crate) mod device_api;
pub(crate) mod hardware;
pub(crate) mod peers;
pub(crate) mod properties;
pub(crate) mod settings_api;
