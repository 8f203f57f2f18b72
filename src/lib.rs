//! The pass.
