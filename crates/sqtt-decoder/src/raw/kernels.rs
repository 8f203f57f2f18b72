//! From entry points to kernels: whose code begins there, and what it is called.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::engine::EntryPoint;
use super::packets::LoadedObject;
use crate::ledger::{Ledger, RemarkKind};
use crate::names::{Catalog, KernelName, NamedObject, Near};
use crate::steps::step;
use crate::trace::Occupancy;

/// Code objects are loaded at multiples of this.
const PAGE: u64 = 4096;

/// The kernels of a trace, numbered as they turn up. 0 is the kernel that nothing is known of.
pub(super) struct Kernels<'a> {
    catalog: &'a Catalog,
    /// The trace.
    path: &'a Path,
    near: Near,
    /// Code objects that any shader engine said to be loaded.
    loaded: &'a HashSet<LoadedObject>,
    numbers: BTreeMap<EntryPoint, u64>,
}

impl<'a> Kernels<'a> {
    pub(super) fn new(catalog: &'a Catalog, path: &'a Path, loaded: &'a HashSet<LoadedObject>) -> Self {
        Self { catalog, path, near: Near::new(path), loaded, numbers: BTreeMap::new() }
    }

    /// The numbers of a shader engine's entry points. New ones are named in `occupancy`.
    pub(super) fn number(
        &mut self,
        entries: &[EntryPoint],
        occupancy: &mut Occupancy,
        ledger: &mut Ledger,
    ) -> Vec<u64> {
        entries
            .iter()
            .map(|&entry| {
                let entry = self.located(entry);
                let next = self.numbers.len() as u64 + 1;
                let number = *self.numbers.entry(entry).or_insert(next);
                if number == next {
                    self.name(number, entry, occupancy, ledger);
                }
                number
            })
            .collect()
    }

    /// An address that this engine's stream says nothing about, by what the others say.
    fn located(&self, entry: EntryPoint) -> EntryPoint {
        if entry.object.is_some() {
            return entry;
        }
        let holds = |object: &&LoadedObject| {
            step();
            entry.address.checked_sub(object.address).is_some_and(|offset| offset < object.size)
        };
        let mut found = self.loaded.iter().filter(holds);
        match (found.next(), found.next()) {
            (Some(object), None) => {
                EntryPoint { object: Some(object.id), address: entry.address - object.address }
            }
            _ => entry,
        }
    }

    fn name(&self, number: u64, entry: EntryPoint, occupancy: &mut Occupancy, ledger: &mut Ledger) {
        let EntryPoint { object, address } = entry;
        let mut name = None;
        if let Some(id) = object {
            occupancy.code_objects.insert(number, id);
            name = self.symbol(id, address);
        } else if let Some((found, kernel)) = self.only_kernel_at(address) {
            let what = format!(
                "{}: kernel at {address:#x}: {} of {}, the only one that fits: the trace does not say what is loaded where",
                self.path.display(),
                String::from_utf8_lossy(kernel),
                found.label
            );
            ledger.add(RemarkKind::AssumedCodeObject, 1, what);
            if let Some(id) = found.id {
                occupancy.code_objects.insert(number, id);
            }
            name = Some(kernel);
        }
        let name = match name {
            Some(name) => KernelName::Symbol(name.into()),
            None => KernelName::at(object.unwrap_or_default(), address),
        };
        occupancy.names.insert(number, name);
    }

    /// The symbol at an address of a code object, in the files nearest to the trace that have one.
    fn symbol(&self, id: u64, address: u64) -> Option<&'a [u8]> {
        let objects = self.catalog.objects.iter().filter(|object| object.id == Some(id));
        let named = objects.filter_map(|object| {
            let kernel = object.kernels.iter().find(|kernel| kernel.address == address)?;
            Some((!self.near.holds(&object.file), &*kernel.name))
        });
        named.min_by_key(|(is_far, _)| *is_far).map(|(_, name)| name)
    }

    /// The one kernel of all code objects at hand that lies as far into a page, where nothing is said to
    /// be loaded.
    fn only_kernel_at(&self, address: u64) -> Option<(&'a NamedObject, &'a [u8])> {
        if address == 0 || !self.loaded.is_empty() {
            return None;
        }
        let objects = self.catalog.objects.iter();
        let mut fitting = objects.flat_map(|object| {
            let kernels = object.kernels.iter();
            let fits = kernels.filter(move |kernel| {
                address.checked_sub(kernel.address).is_some_and(|base| base % PAGE == 0)
            });
            fits.map(move |kernel| (object, &*kernel.name))
        });
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }
}
