//! What each marker is. Its identity is an entry here; numbers are given once, at the end.
//!
//! Between the phases an entry lives twice: as a row of the module metadata `!sqtt.markers.early`, and in the code as
//! the address of an external symbol `sqtt.marker.<entry>.<action>`, a constant that LLVM carries through inlining,
//! selects and phis without being able to look inside. The late phase puts the words in.

use crate::llvm::{MetadataRow, Module};
use crate::notes;
use sqtt_format::{AddressKind, SystemPoint, WaveSize};
use std::collections::HashMap;

/// What an entry names. Names are one per kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Kind {
    /// A function: enter and exit.
    Function,
    /// A scope: enter and exit.
    User,
    /// An event.
    Point,
    /// An event with a payload word.
    Data,
    /// An event with two, those of a 64-bit value. It is another marker than one of its name with one word: the map says
    /// how many words follow.
    Data64,
    /// The addresses of a memory operation. Each operation is an entry of its own; only the late phase makes them.
    Address,
    /// A barrier, by the pass's own name for it.
    Barrier,
    /// A chunk of memory operations, by the pass's own name for it.
    Memory,
}

/// When a marker's number is given (specification, "Allocation order"): the one place that says so.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    /// What the early phase made: functions and names.
    Early,
    /// Barriers.
    Barriers,
    /// Memory operations.
    Memory,
    /// What only the late phase found.
    Late,
}

/// What the low bits of a word do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Action {
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
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) name: Vec<u8>,
    /// Where it is defined: functions, and operations with their inline chain; other names are shared by their places.
    pub(crate) location: Option<String>,
    /// The function's size before optimization.
    pub(crate) size: u32,
    /// True if it is numbered with what the early phase made.
    pub(crate) early: bool,
    /// Of memory operations.
    pub(crate) address: Option<Address>,
}

/// What the records of a memory operation's addresses look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    pub(crate) kind: AddressKind,
    pub(crate) wave: WaveSize,
    /// How many bytes a lane accesses, where that is known.
    pub(crate) bytes: Option<u32>,
}

/// The markers of a module, in the order of their first appearance.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Ledger {
    entries: Vec<Entry>,
    by_name: HashMap<(Kind, Vec<u8>), EntryId>,
}

impl Kind {
    const ALL: [Self; 7] =
        [Self::Function, Self::User, Self::Point, Self::Data, Self::Data64, Self::Barrier, Self::Memory];

    fn text(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::User => "user",
            Self::Point => "point",
            Self::Data => "data",
            Self::Data64 => "data64",
            Self::Address => "address",
            Self::Barrier => "barrier",
            Self::Memory => "memory",
        }
    }
}

impl Action {
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
pub(crate) fn symbol(entry: EntryId, action: Action) -> String {
    format!("{SYMBOL_START}{}.{}", entry.0, action.text())
}

const SYMBOL_START: &str = "sqtt.marker.";

/// Whether a global is such a symbol.
pub(crate) fn is_symbol(name: &[u8]) -> bool {
    name.starts_with(SYMBOL_START.as_bytes())
}

impl Entry {
    /// Records behind the header.
    pub(crate) fn payload_count(&self) -> u32 {
        match (self.kind, self.address) {
            (Kind::Data, _) => sqtt_format::DATA_PAYLOAD_COUNT,
            (Kind::Data64, _) => 2 * sqtt_format::DATA_PAYLOAD_COUNT,
            (_, Some(address)) => address.kind.payload_count(address.wave),
            (_, None) => 0,
        }
    }

    /// When it gets its number.
    pub(crate) fn stage(&self) -> Stage {
        match self.kind {
            _ if self.early => Stage::Early,
            Kind::Barrier => Stage::Barriers,
            Kind::Memory => Stage::Memory,
            Kind::Function | Kind::User | Kind::Point | Kind::Data | Kind::Data64 | Kind::Address => {
                Stage::Late
            }
        }
    }
}

impl Ledger {
    /// The entry of a name, made when there is none.
    pub(crate) fn intern(&mut self, kind: Kind, name: &[u8]) -> EntryId {
        let next = EntryId(self.entries.len());
        let id = *self.by_name.entry((kind, name.to_vec())).or_insert(next);
        if id == next {
            let name = name.to_vec();
            self.entries.push(Entry { kind, name, location: None, size: 0, early: false, address: None });
        }
        id
    }

    /// The entry of one of the pass's own points.
    pub(crate) fn intern_system(&mut self, point: SystemPoint) -> EntryId {
        let kind = match point {
            SystemPoint::VmemLoad | SystemPoint::VmemStore => Kind::Memory,
            SystemPoint::BarrierSignal
            | SystemPoint::BarrierWait
            | SystemPoint::Barrier
            | SystemPoint::BarrierJoin
            | SystemPoint::BarrierLeave => Kind::Barrier,
        };
        self.intern(kind, point.name().as_bytes())
    }

    /// The entry of a function: each of those without a name has one of its own.
    pub(crate) fn intern_function(
        &mut self,
        name: &[u8],
        location: Option<String>,
        size: u32,
        early: bool,
    ) -> EntryId {
        let id = match name {
            [] => {
                let unused = |name: &Vec<u8>| !self.has_function(name);
                let names = (1_u32..).map(|number| format!("unnamed function {number}").into_bytes());
                let name = names.into_iter().find(unused).unwrap_or_default();
                self.intern(Kind::Function, &name)
            }
            name => self.intern(Kind::Function, name),
        };
        let entry = &mut self.entries[id.0];
        (entry.location, entry.size, entry.early) = (location, size, early);
        id
    }

    /// True if a function of this name has an entry.
    pub(crate) fn has_function(&self, name: &[u8]) -> bool {
        self.by_name.contains_key(&(Kind::Function, name.to_vec()))
    }

    /// A new entry for a memory operation.
    pub(crate) fn add_address(&mut self, address: Address, location: Option<String>) -> EntryId {
        let id = EntryId(self.entries.len());
        self.entries.push(Entry {
            kind: Kind::Address,
            name: address.kind.name().into(),
            location,
            size: 0,
            early: false,
            address: Some(address),
        });
        id
    }

    /// All entries, in order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (EntryId, &Entry)> {
        self.entries.iter().enumerate().map(|(index, entry)| (EntryId(index), entry))
    }

    /// Whether nothing was ever named.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Reads what the early phase left; `None` when it never ran.
    pub(crate) fn load(module: Module) -> Option<Self> {
        let mut ledger = Self::default();
        for row in module.named_metadata(notes::MARKERS)? {
            let [
                MetadataRow::Text(kind),
                MetadataRow::Text(name),
                MetadataRow::Text(location),
                MetadataRow::Number(size),
                ..,
            ] = &row[..]
            else {
                continue;
            };
            let kind = Kind::ALL.into_iter().find(|known| known.text().as_bytes() == &kind[..]);
            if let Some(kind) = kind {
                let id = ledger.intern(kind, name);
                let entry = &mut ledger.entries[id.0];
                entry.location =
                    (!location.is_empty()).then(|| String::from_utf8_lossy(location).into_owned());
                entry.size = *size;
                entry.early = true;
            }
        }
        Some(ledger)
    }

    /// Leaves the ledger for the late phase: kind, name, source location, size before optimization, payload count.
    /// An empty one says that the early phase ran.
    pub(crate) fn store(&self, module: Module) {
        let rows: Vec<Vec<MetadataRow>> = self
            .entries
            .iter()
            .map(|entry| {
                vec![
                    MetadataRow::Text(entry.kind.text().into()),
                    MetadataRow::Text(entry.name.clone()),
                    MetadataRow::Text(entry.location.clone().unwrap_or_default().into_bytes()),
                    MetadataRow::Number(entry.size),
                    MetadataRow::Number(entry.payload_count()),
                ]
            })
            .collect();
        module.set_named_metadata(notes::MARKERS, &rows);
    }
}
