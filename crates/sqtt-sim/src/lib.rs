//! Runs AMDGPU code objects on the CPU and records what their waves trace.
