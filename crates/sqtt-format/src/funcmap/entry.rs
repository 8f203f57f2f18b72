//! One named thing of a funcmap.

use crate::{AddressKind, DATA_PAYLOAD_COUNT, Name, SystemPoint, WaveSize};

/// The kind of thing that an entry names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EntryKind {
    /// `F:`, an instrumented device function: a scope.
    Function,
    /// `K:`, a kernel: it has no marker of its own.
    Kernel,
    /// `U:`, a scope that the user named.
    User,
    /// `P:`, an event.
    Point,
}

impl EntryKind {
    /// The letter its rows start with.
    #[must_use]
    pub const fn prefix(self) -> u8 {
        match self {
            EntryKind::Function => b'F',
            EntryKind::Kernel => b'K',
            EntryKind::User => b'U',
            EntryKind::Point => b'P',
        }
    }

    /// `function`, `kernel`, `user` or `point`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EntryKind::Function => "function",
            EntryKind::Kernel => "kernel",
            EntryKind::User => "user",
            EntryKind::Point => "point",
        }
    }
}

/// An `F:`, `K:`, `U:` or `P:` row with the `R:` row that belongs to it.
///
/// Names and locations are bytes: a name need not be UTF-8, and may hold anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    kind: EntryKind,
    id: Option<u32>,
    name: Name,
    source_loc: Option<Vec<u8>>,
    extra_payload_count: u32,
}

impl Entry {
    pub(super) fn new(kind: EntryKind, id: Option<u32>, name: impl Into<Name>) -> Self {
        Self { kind, id, name: name.into(), source_loc: None, extra_payload_count: 0 }
    }

    /// An instrumented function, by its mangled name.
    #[must_use]
    pub fn function(id: u32, name: impl Into<Name>) -> Self {
        Self::new(EntryKind::Function, Some(id), name)
    }

    /// A kernel, by its mangled name.
    #[must_use]
    pub fn kernel(name: impl Into<Name>) -> Self {
        Self::new(EntryKind::Kernel, None, name)
    }

    /// A scope that the user named.
    #[must_use]
    pub fn user(id: u32, name: impl Into<Name>) -> Self {
        Self::new(EntryKind::User, Some(id), name)
    }

    /// A point without payload that the user named.
    #[must_use]
    pub fn point(id: u32, name: impl Into<Name>) -> Self {
        Self::new(EntryKind::Point, Some(id), name)
    }

    /// A named data marker: a point with one payload word.
    #[must_use]
    pub fn data(id: u32, name: impl Into<Name>) -> Self {
        Self::point(id, name).with_payload(DATA_PAYLOAD_COUNT)
    }

    /// A barrier or memory point of the pass's own.
    #[must_use]
    pub fn system(id: u32, point: SystemPoint) -> Self {
        Self::point(id, point.name())
    }

    /// A traced memory operation of a function with that wave size.
    #[must_use]
    pub fn address(id: u32, kind: AddressKind, wave: WaveSize) -> Self {
        Self::point(id, kind.name()).with_payload(kind.payload_count(wave))
    }

    /// Gives the entry a source location: `file:line`, or an inline chain
    /// `file:line -> file:line`, innermost first. An empty one is none.
    #[must_use]
    pub fn at(mut self, source_loc: impl Into<Vec<u8>>) -> Self {
        self.source_loc = Some(source_loc.into()).filter(|location| !location.is_empty());
        self
    }

    /// Gives the entry that many payload words after each header. A kernel has no header, so it
    /// stays without.
    #[must_use]
    pub fn with_payload(mut self, count: u32) -> Self {
        if self.kind != EntryKind::Kernel {
            self.extra_payload_count = count;
        }
        self
    }

    /// The kind of thing that it names.
    #[must_use]
    pub fn kind(&self) -> EntryKind {
        self.kind
    }

    /// The marker id; `None` for a kernel, and only for one.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.id
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// The source location, where there is one.
    #[must_use]
    pub fn source_loc(&self) -> Option<&[u8]> {
        self.source_loc.as_deref()
    }

    /// The number of records after each header that are its payload.
    #[must_use]
    pub fn extra_payload_count(&self) -> u32 {
        self.extra_payload_count
    }

    /// Kind and wave size of the address blocks that this point announces: its name is that of an
    /// [`AddressKind`] and its payload is as long as such a block is. A point that a user happened to
    /// name like one has another payload and is `None`.
    #[must_use]
    pub fn address_block(&self) -> Option<(AddressKind, WaveSize)> {
        if self.kind != EntryKind::Point {
            return None;
        }
        let kind = AddressKind::from_name(&self.name)?;
        Some((kind, kind.layout().wave_size(self.extra_payload_count)?))
    }
}
