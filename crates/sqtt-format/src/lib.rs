//! The marker wire format: words, packed clock layout, funcmap grammar, payload shapes. No I/O.
