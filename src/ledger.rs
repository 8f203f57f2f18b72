//! The ledger of markers. A marker's identity is its entry here; numbers are given once, at the end.
//!
//! Between the phases an entry lives twice: as a row of the module metadata `!sqtt.markers.early`, and in the code as
//! the address of an external symbol `sqtt.marker.<entry>.<action>`, a constant that LLVM carries through inlining,
//! selects and phis without being able to look inside. The late phase puts the words in.

use crate::llvm::{MetadataField, Module};
use crate::notes;
use sqtt_format::{AddressKind, SystemPoint, WaveSize};
use std::collections::HashMap;

/// The kind of thing that an entry names. Names are one per kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum MarkerKind {
    /// A function: enter and exit.
    Function,
    /// A scope: enter and exit.
    User,
    /// An event.
    Point,
    /// An event with a payload word.
    Data,
    /// An event with two, those of a 64-bit value. It is another marker than one of its name with one word: the map
    /// says how many words follow.
    Data64,
    /// The addresses of a memory operation. Each operation is an entry of its own; only the late phase makes them.
    Address,
    /// A barrier, by the pass's own name for it.
    Barrier,
    /// A chunk of memory operations, by the pass's own name for it.
    Memory,
}

/// The time at which a marker's number is given (specification, "Allocation order"): the one place that says so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    /// Functions and names, if the early phase made them.
    Early,
    /// Barriers.
    Barriers,
    /// Memory operations.
    Memory,
    /// Everything that only the late phase found.
    Late,
}

/// The effect of a word's low bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum MarkerAction {
    /// Opens a scope.
    Enter,
    /// Closes the top scope and opens one.
    ExitEnter,
    /// Changes no scope.
    Point,
    /// Closes the top scope. Only a function's: it has to be found again when the function is pruned.
    Exit,
}

/// An entry's place in the ledger, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct EntryId(pub(crate) usize);

/// One marker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LedgerEntry {
    pub(crate) kind: MarkerKind,
    pub(crate) name: Vec<u8>,
    /// The place of the definition: set for functions, and for operations with their inline chain. Other names are
    /// shared by their places.
    pub(crate) location: Option<String>,
    /// The function's size before optimization.
    pub(crate) size: u32,
    /// True for a function that other units do not see, and may have one of that name.
    pub(crate) local: bool,
    /// True if it is numbered with what the early phase made.
    pub(crate) early: bool,
    /// Set for traced memory operations only.
    pub(crate) address: Option<Address>,
}

/// The shape of the records of a memory operation's addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    pub(crate) kind: AddressKind,
    pub(crate) wave: WaveSize,
    /// Number of bytes that a lane accesses, where that is known.
    pub(crate) bytes: Option<u32>,
}

/// The markers of a module, in the order of their first appearance.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct MarkerLedger {
    entries: Vec<LedgerEntry>,
    by_name: HashMap<(MarkerKind, Vec<u8>), EntryId>,
}

impl MarkerKind {
    const ALL: [Self; 8] = [
        Self::Function,
        Self::User,
        Self::Point,
        Self::Data,
        Self::Data64,
        Self::Address,
        Self::Barrier,
        Self::Memory,
    ];

    /// All that is particular to a kind: its name in the metadata, the stage in which its numbers are given if the
    /// early phase did not make the marker, and its words of payload, for addresses those of each operation.
    fn row(self) -> (&'static str, Stage, u32) {
        match self {
            Self::Function => ("function", Stage::Late, 0),
            Self::User => ("user", Stage::Late, 0),
            Self::Point => ("point", Stage::Late, 0),
            Self::Data => ("data", Stage::Late, sqtt_format::DATA_PAYLOAD_COUNT),
            Self::Data64 => ("data64", Stage::Late, 2 * sqtt_format::DATA_PAYLOAD_COUNT),
            Self::Address => ("address", Stage::Late, 0),
            Self::Barrier => ("barrier", Stage::Barriers, 0),
            Self::Memory => ("memory", Stage::Memory, 0),
        }
    }

    fn text(self) -> &'static str {
        self.row().0
    }
}

impl MarkerAction {
    /// Every action.
    pub(crate) const ALL: [Self; 4] = [Self::Enter, Self::ExitEnter, Self::Point, Self::Exit];

    fn text(self) -> &'static str {
        match self {
            Self::Enter => "enter",
            Self::ExitEnter => "exit-enter",
            Self::Point => "point",
            Self::Exit => "exit",
        }
    }
}

/// The symbol that stands for a word until numbers are given.
pub(crate) fn symbol(entry: EntryId, action: MarkerAction) -> String {
    format!("{SYMBOL_START}{}.{}", entry.0, action.text())
}

const SYMBOL_START: &str = "sqtt.marker.";

/// True if a global is such a symbol.
pub(crate) fn is_symbol(name: &[u8]) -> bool {
    name.starts_with(SYMBOL_START.as_bytes()) || name.starts_with(b"sqtt.marker:")
}

impl LedgerEntry {
    /// Records after the header.
    pub(crate) fn payload_count(&self) -> u32 {
        match self.address {
            Some(address) => address.kind.payload_count(address.wave),
            None => self.kind.row().2,
        }
    }

    /// The entry for a later phase: kind, name, source location, size before optimization, payload count, and 1 for a
    /// function that only its unit sees.
    pub(crate) fn row(&self) -> Vec<MetadataField> {
        vec![
            MetadataField::Text(self.kind.text().into()),
            MetadataField::Text(self.name.clone()),
            MetadataField::Text(self.location.clone().unwrap_or_default().into_bytes()),
            MetadataField::Number(self.size),
            MetadataField::Number(self.payload_count()),
            MetadataField::Number(u32::from(self.local)),
        ]
    }

    /// Reads what [`row`](Self::row) made; `None` where a row is another.
    pub(crate) fn from_row(row: &[MetadataField]) -> Option<Self> {
        use MetadataField::{Number, Text};
        let [Text(kind), Text(name), Text(location), Number(size), _, Number(local)] = row else {
            return None;
        };
        Some(Self {
            kind: MarkerKind::ALL.into_iter().find(|known| known.text().as_bytes() == &kind[..])?,
            name: name.clone(),
            location: (!location.is_empty()).then(|| String::from_utf8_lossy(location).into_owned()),
            size: *size,
            local: *local != 0,
            early: true,
            address: None,
        })
    }

    /// The stage in which it gets its number.
    pub(crate) fn stage(&self) -> Stage {
        if self.early { Stage::Early } else { self.kind.row().1 }
    }
}

impl MarkerLedger {
    /// The entry of a name, made when there is none.
    pub(crate) fn intern(&mut self, kind: MarkerKind, name: &[u8]) -> EntryId {
        let next = EntryId(self.entries.len());
        let id = *self.by_name.entry((kind, name.to_vec())).or_insert(next);
        if id == next {
            let name = name.to_vec();
            self.entries.push(LedgerEntry {
                kind,
                name,
                location: None,
                size: 0,
                local: false,
                early: false,
                address: None,
            });
        }
        id
    }

    /// Gives a function the name that a link gave it.
    pub(crate) fn rename(&mut self, id: EntryId, name: Vec<u8>) {
        if let Some(entry) = self.entries.get_mut(id.0) {
            entry.name = name;
        }
    }

    /// The entry of one of the pass's own points.
    pub(crate) fn intern_system(&mut self, point: SystemPoint) -> EntryId {
        let kind = match point {
            SystemPoint::VmemLoad | SystemPoint::VmemStore => MarkerKind::Memory,
            SystemPoint::BarrierSignal
            | SystemPoint::BarrierWait
            | SystemPoint::Barrier
            | SystemPoint::BarrierJoin
            | SystemPoint::BarrierLeave => MarkerKind::Barrier,
        };
        self.intern(kind, point.name().as_bytes())
    }

    /// The entry of a function: each of those without a name has one of its own.
    pub(crate) fn intern_function(
        &mut self,
        name: &[u8],
        location: Option<String>,
        size: u32,
        local: bool,
        early: bool,
    ) -> EntryId {
        let id = match name {
            [] => {
                let unused = |name: &Vec<u8>| !self.has_function(name);
                let names = (1_u32..).map(|number| format!("unnamed function {number}").into_bytes());
                let name = names.into_iter().find(unused).unwrap_or_default();
                self.intern(MarkerKind::Function, &name)
            }
            name => self.intern(MarkerKind::Function, name),
        };
        let entry = &mut self.entries[id.0];
        (entry.location, entry.size, entry.local, entry.early) = (location, size, local, early);
        id
    }

    /// True if a function of this name has an entry.
    pub(crate) fn has_function(&self, name: &[u8]) -> bool {
        self.by_name.contains_key(&(MarkerKind::Function, name.to_vec()))
    }

    /// A new entry for a memory operation.
    pub(crate) fn add_address(&mut self, address: Address, location: Option<String>) -> EntryId {
        let id = EntryId(self.entries.len());
        self.entries.push(LedgerEntry {
            kind: MarkerKind::Address,
            name: address.kind.name().into(),
            location,
            size: 0,
            local: false,
            early: false,
            address: Some(address),
        });
        id
    }

    /// All entries, in order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (EntryId, &LedgerEntry)> {
        self.entries.iter().enumerate().map(|(index, entry)| (EntryId(index), entry))
    }

    /// True if nothing was ever named.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Reads what the early phase left; `None` when it never ran.
    pub(crate) fn load(module: Module) -> Option<Self> {
        let mut ledger = Self::default();
        for row in module.named_metadata(notes::MARKERS)? {
            if let Some(entry) = LedgerEntry::from_row(&row) {
                // An entry is found by its place, also where another of its name comes first, as after a link.
                ledger.add(entry);
            }
        }
        Some(ledger)
    }

    /// Leaves the ledger for the late phase. An empty one says that the early phase ran.
    pub(crate) fn store(&self, module: Module) {
        let rows: Vec<Vec<MetadataField>> = self.entries.iter().map(LedgerEntry::row).collect();
        module.set_named_metadata(notes::MARKERS, &rows);
    }

    /// Adds an entry of an earlier phase as one of its own.
    fn add(&mut self, entry: LedgerEntry) -> EntryId {
        let id = EntryId(self.entries.len());
        self.by_name.entry((entry.kind, entry.name.clone())).or_insert(id);
        self.entries.push(entry);
        id
    }

    /// Adds an entry of a unit. Units share what they name alike, but for functions that each keeps to itself. Of
    /// several definitions of one function a link keeps the first.
    pub(crate) fn join(&mut self, entry: LedgerEntry) -> EntryId {
        match self.by_name.get(&(entry.kind, entry.name.clone())) {
            Some(known) if !entry.local => *known,
            _ => self.add(entry),
        }
    }
}
