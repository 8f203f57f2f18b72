//! Code: fat binaries, modules, kernels, launches.

pub(crate) mod choose;
pub(crate) mod function_api;
pub(crate) mod image;
pub(crate) mod kernarg;
pub(crate) mod launch_api;
pub(crate) mod lines;
pub(crate) mod module_api;
pub(crate) mod occupancy;
pub(crate) mod occupancy_api;
pub(crate) mod register_api;
pub(crate) mod registry;
