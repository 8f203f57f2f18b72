//! Reads code objects and SQTT traces: funcmaps, marker streams, analyses.
