//! ROCm's profile database: write counters, merge them, export them.
