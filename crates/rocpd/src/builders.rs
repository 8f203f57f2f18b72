//! The two shapes of structs that callers fill: rows of a table, and options. Both may gain fields, so both are made by
//! a constructor and changed by a method per field.

/// Defines a row: what must be known of it, what starts at zero, and what is NULL unless it is given.
macro_rules! row {
    ($(#[$meta:meta])* $row:ident $(<$life:lifetime>)? {
        known { $($(#[$known_doc:meta])* $known:ident: $known_type:ty,)* }
        $(zero { $($(#[$zero_doc:meta])* $zero:ident: $zero_type:ty,)* })?
        optional { $($(#[$doc:meta])* $field:ident: $type:ty,)* }
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[must_use]
        pub struct $row $(<$life>)? {
            $($(#[$known_doc])* pub $known: $known_type,)*
            $($($(#[$zero_doc])* pub $zero: $zero_type,)*)?
            $($(#[$doc])* pub $field: Option<$type>,)*
        }

        impl $(<$life>)? $row $(<$life>)? {
            /// A row of which only this is known.
            pub fn new($($known: impl Into<$known_type>),*) -> Self {
                Self {
                    $($known: $known.into(),)*
                    $($($zero: Default::default(),)*)?
                    $($field: None,)*
                }
            }

            $($(
                $(#[$zero_doc])*
                pub fn $zero(mut self, $zero: $zero_type) -> Self {
                    self.$zero = $zero;
                    self
                }
            )*)?

            $(
                $(#[$doc])*
                pub fn $field(mut self, $field: impl Into<Option<$type>>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*
        }
    };
}

/// Defines options with their defaults.
macro_rules! options {
    ($(#[$meta:meta])* $options:ident { $($(#[$doc:meta])* $field:ident: $type:ty = $default:expr,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy)]
        #[non_exhaustive]
        #[must_use]
        pub struct $options {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for $options {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $options {
            $(
                $(#[$doc])*
                pub fn $field(mut self, $field: $type) -> Self {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

pub(crate) use {options, row};
