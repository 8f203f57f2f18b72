//! From a wave's kernel number to its funcmap.
//!
//! 1. The code object of the kernel: what a dispatch of a version 3.1 file says; the number in a name
//!    such as `7 / 0x1000`, which both writers give a kernel without a symbol; else every code object
//!    that has a kernel of exactly that name.
//!    Where no file has the number, those without one count that have the kernel of that name.
//! 2. The funcmap of that code object: from the ELF file beside the trace, else from one that the user named,
//!    else from the tables of `code.json`, else from a file elsewhere, which may be of another process. One that
//!    says all that the tables say goes before them: it says more. Files for other GPUs do not count.
//!
//! Candidates with equal funcmaps are one. Different ones are ambiguous, and nothing is picked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sqtt_format::{Entry, Funcmap, Name};

use super::code_object::NumberedObject;
use super::kernel_name::KernelName;
use super::{Catalog, MarkerMap, NamedObject};
use crate::trace::{Trace, canonical};

/// Sources of names for one folder.
pub(crate) struct Sources<'a> {
    pub(crate) catalog: &'a Catalog,
    /// The trace folder.
    pub(crate) folder: &'a Path,
    /// Major version of the GPU.
    pub(crate) gfxip: Option<u32>,
    /// Code objects with markers of `code.json`.
    pub(crate) tables: BTreeMap<u64, NumberedObject>,
    /// Code object and name of the kernels that `code.json` lists.
    pub(crate) kernels: Vec<(u64, Name)>,
}

/// Funcmap of a kernel's waves.
#[derive(Clone, Debug)]
pub enum Resolution {
    /// This one.
    Found(Arc<MarkerMap>),
    /// This one, because the trace has only one and nothing says otherwise.
    Assumed(Arc<MarkerMap>),
    /// The code object is known and was not instrumented: words are what users traced.
    NotInstrumented,
    /// Several different ones: what they are called.
    Ambiguous(Vec<String>),
    /// None: why.
    Unknown(String),
}

impl Resolution {
    /// The map, where there is one.
    #[must_use]
    pub fn map(&self) -> Option<&Arc<MarkerMap>> {
        match self {
            Resolution::Found(map) | Resolution::Assumed(map) => Some(map),
            _ => None,
        }
    }
}

/// A kernel of one folder.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Kernel {
    /// Its number in this folder. No dispatch: all dispatches of a kernel share it.
    pub number: u64,
    /// Its name.
    pub name: KernelName,
    /// Its funcmap.
    pub resolution: Resolution,
}

pub(crate) struct Resolver {
    objects: Vec<Candidate>,
}

/// A code object for this folder.
struct Candidate {
    id: Option<u64>,
    label: String,
    maps: Vec<Arc<MarkerMap>>,
    kernels: Vec<Name>,
    distance: Distance,
}

/// Distance of a code object from the trace: the nearest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    /// A file in the trace folder or beside it.
    Beside,
    /// A file that the user named.
    Chosen,
    /// Tables of `code.json`, or a file elsewhere that says the same and more.
    Tables,
    /// A file that was found elsewhere: other processes number theirs from 1, too.
    Elsewhere,
}

impl Candidate {
    /// True if its maps have every name of these tables. Tables may lack layouts and payload.
    fn says_all_of(&self, tables: &Funcmap) -> bool {
        let key = |entry: &Entry| (entry.kind(), entry.id(), entry.name().to_vec());
        let own = self.maps.iter().flat_map(|map| map.funcmap().entries());
        let own: BTreeSet<_> = own.map(key).collect();
        tables.entries().iter().all(|entry| own.contains(&key(entry)))
    }
}

impl Resolver {
    pub(crate) fn new(sources: Sources<'_>) -> Self {
        let fits = |object: &&NamedObject| match (object.target.as_deref().and_then(major), sources.gfxip) {
            (Some(target), Some(gfxip)) => target == gfxip,
            _ => true,
        };
        let near = Near::new(sources.folder);
        let fitting = sources.catalog.objects.iter().filter(fits);
        let mut objects: Vec<Candidate> = fitting
            .map(|object| Candidate {
                id: object.id,
                label: object.label.clone(),
                maps: object.maps.clone(),
                kernels: object.kernels.iter().map(|kernel| kernel.name.clone()).collect(),
                distance: if near.holds(&object.file) {
                    Distance::Beside
                } else if sources.catalog.are_chosen {
                    Distance::Chosen
                } else {
                    Distance::Elsewhere
                },
            })
            .collect();
        for (id, table) in sources.tables {
            let mut is_copy = false;
            for object in objects.iter_mut().filter(|object| object.id == Some(id)) {
                if object.says_all_of(&table.funcmap) {
                    object.distance = object.distance.min(Distance::Tables);
                }
                is_copy |= object.distance <= Distance::Tables;
            }
            if is_copy {
                continue;
            }
            let label = format!("code object {id} of code.json");
            let map = MarkerMap::new(label.as_str(), Some(id), table.funcmap);
            // A writer that knows where no function is looked for none.
            let has_symbols = table.addresses.iter().any(Option::is_some);
            let map = map.with_access_bytes(table.access_bytes).with_addresses(table.addresses, has_symbols);
            let map = map.for_target(table.target).with_numeric(table.numeric);
            let map = map.lacking_payloads(table.lacks_payloads);
            let maps = vec![Arc::new(map)];
            let distance = Distance::Tables;
            objects.push(Candidate { id: Some(id), label, maps, kernels: Vec::new(), distance });
        }
        for (id, name) in sources.kernels {
            let own = objects.iter_mut().filter(|object| object.id == Some(id));
            match own.min_by_key(|object| object.distance) {
                Some(object) => object.kernels.push(name),
                None => objects.push(Candidate {
                    id: Some(id),
                    label: format!("code object {id}"),
                    maps: Vec::new(),
                    kernels: vec![name],
                    distance: Distance::Tables,
                }),
            }
        }
        Self { objects }
    }

    /// True if words of waves without a known map might be payload, or packed.
    pub(crate) fn any_hides_headers(&self) -> bool {
        let mut maps = self.objects.iter().flat_map(|object| &object.maps);
        maps.any(|map| map.longest_payload() > 0 || map.encoding().has_shader_clock())
    }

    /// The funcmaps there are that say different things, of many the first ones.
    pub(crate) fn maps(&self) -> Vec<Arc<MarkerMap>> {
        const MOST: usize = 4;
        let mut different: Vec<Arc<MarkerMap>> = Vec::new();
        for map in self.objects.iter().flat_map(|object| &object.maps) {
            if different.len() < MOST && different.iter().all(|other| other.funcmap() != map.funcmap()) {
                different.push(Arc::clone(map));
            }
        }
        different
    }

    /// Numbers that files of different contents share, with those files.
    pub(crate) fn ambiguous_ids(&self) -> BTreeMap<u64, Vec<String>> {
        let mut ids = BTreeMap::new();
        for id in self.objects.iter().filter_map(|object| object.id) {
            let nearest = self.with_id(id);
            if nearest.len() > 1 && !same_maps(&nearest) {
                ids.insert(id, nearest.iter().map(|object| object.label.clone()).collect());
            }
        }
        ids
    }

    /// Code objects with markers that a number stands for without doubt, and those whose markers are
    /// several maps, which no table by number can hold.
    pub(crate) fn numbered(&self) -> (Vec<NumberedObject>, Vec<String>) {
        let (mut objects, mut joined) = (Vec::new(), Vec::new());
        let mut ids: Vec<u64> = self.objects.iter().filter_map(|object| object.id).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let nearest = self.with_id(id);
            match nearest.first() {
                Some(object) if same_maps(&nearest) => match object.maps.as_slice() {
                    [] => {}
                    // A table would give ids their names and not say that these are doubtful.
                    [map] if !map.has_shared() => objects.push(map.described(id)),
                    _ => joined.push(object.label.clone()),
                },
                _ => {}
            }
        }
        (objects, joined)
    }

    fn with_id(&self, id: u64) -> Vec<&Candidate> {
        nearest(self.objects.iter().filter(|object| object.id == Some(id)).collect())
    }

    /// The nearest of the code objects that `counts` and that have a kernel of that name.
    fn with_kernel(&self, name: &[u8], counts: impl Fn(&Candidate) -> bool) -> Vec<&Candidate> {
        let name = name.strip_suffix(b".kd").unwrap_or(name);
        let has = |object: &&Candidate| {
            object.maps.iter().any(|map| map.has_kernel(name))
                || object.kernels.iter().any(|own| **own == *name)
        };
        nearest(self.objects.iter().filter(|object| counts(object)).filter(has).collect())
    }

    /// The map of a kernel, by its name and the code object that a dispatch named.
    pub(crate) fn resolve(&self, kernel: &KernelName, object: Option<u64>) -> Resolution {
        let (name, code) = (kernel.as_bytes(), kernel.code());
        if let Some(id) = object.or_else(|| code.map(|code| code.object)) {
            if id == 0 && object.is_none() {
                let is_nowhere = code.is_some_and(|code| code.address == 0);
                let what = if is_nowhere { "kernel ran" } else { "code object is loaded there" };
                return Resolution::Unknown(format!("the trace does not say which {what}"));
            }
            let mut candidates = self.with_id(id);
            // Files without a number, such as programs, are known by their kernels.
            let unnumbered = self.with_kernel(name, |object| object.id.is_none());
            if let Some(other) = unnumbered.first()
                && candidates.first().is_none_or(|numbered| other.distance < numbered.distance)
            {
                candidates = unnumbered;
            }
            if candidates.is_empty() {
                return Resolution::Unknown(format!("code object {id} is not at hand"));
            }
            return pick(&candidates, name);
        }
        if name.is_empty() {
            return Resolution::Unknown("the trace does not name the kernel".to_owned());
        }
        let name = name.strip_suffix(b".kd").unwrap_or(name);
        let candidates = self.with_kernel(name, |_| true);
        if candidates.is_empty() {
            return Resolution::Unknown("no code object at hand has a kernel of that name".to_owned());
        }
        pick(&candidates, name)
    }
}

impl Trace {
    /// True if a kernel of the trace was found in a code object, or may be in it.
    #[must_use]
    pub fn uses(&self, object: &NamedObject) -> bool {
        let holds = |map: &Arc<MarkerMap>| object.maps.iter().any(|own| own.funcmap() == map.funcmap());
        let has = |name: &[u8]| {
            let name = name.strip_suffix(b".kd").unwrap_or(name);
            object.kernels.iter().any(|own| *own.name == *name)
        };
        let mut kernels = self.kernels.values();
        kernels.any(|kernel| match &kernel.resolution {
            Resolution::Ambiguous(labels) => labels.contains(&object.label),
            Resolution::NotInstrumented => {
                let id = kernel.name.code().map(|code| code.object);
                has(kernel.name.as_bytes()) || object.id.is_some() && object.id == id
            }
            resolution => resolution.map().is_some_and(holds),
        }) || self.fallback.map().is_some_and(holds)
    }
}

fn pick(candidates: &[&Candidate], name: &[u8]) -> Resolution {
    // Where a linker joined maps, the one with the kernel is meant.
    let mut maps: Vec<&Arc<MarkerMap>> = Vec::new();
    for object in candidates {
        let own = || object.maps.iter().filter(|map| map.has_kernel(name));
        if object.maps.len() > 1 && own().next().is_some() {
            maps.extend(own());
        } else {
            maps.extend(&object.maps);
        }
    }
    if maps.is_empty() {
        return Resolution::NotInstrumented;
    }
    match unique(maps.iter().copied()) {
        Unique::One(map) => Resolution::Found(map),
        _ => Resolution::Ambiguous(candidates.iter().map(|object| object.label.clone()).collect()),
    }
}

enum Unique {
    None,
    One(Arc<MarkerMap>),
    Several,
}

/// The map, if all maps are one and the same in what they say.
fn unique<'a>(maps: impl Iterator<Item = &'a Arc<MarkerMap>>) -> Unique {
    let mut found: Option<&Arc<MarkerMap>> = None;
    for map in maps {
        match found {
            Some(first) if first.funcmap() != map.funcmap() => return Unique::Several,
            Some(_) => {}
            None => found = Some(map),
        }
    }
    found.map_or(Unique::None, |map| Unique::One(Arc::clone(map)))
}

fn same_maps(candidates: &[&Candidate]) -> bool {
    let [first, rest @ ..] = candidates else { return true };
    rest.iter().all(|other| {
        other.maps.len() == first.maps.len()
            && other.maps.iter().zip(&first.maps).all(|(a, b)| a.funcmap() == b.funcmap())
    })
}

fn nearest(mut candidates: Vec<&Candidate>) -> Vec<&Candidate> {
    let least = candidates.iter().map(|object| object.distance).min();
    candidates.retain(|object| Some(object.distance) == least);
    candidates
}

/// A trace folder and the one that it is in, whatever they are called.
pub(crate) struct Near {
    folders: Vec<PathBuf>,
}

impl Near {
    pub(crate) fn new(folder: &Path) -> Self {
        let own = canonical(folder);
        // A raw trace has no folder, so that it has no canonical name; its parent has.
        let parent = if folder.exists() { own.parent() } else { folder.parent() };
        let parent = parent.map(canonical);
        Self { folders: [Some(own), parent].into_iter().flatten().collect() }
    }

    /// True if a file is in one of them. One without a name came with the trace.
    pub(crate) fn holds(&self, file: &Path) -> bool {
        file.as_os_str().is_empty()
            || file.parent().is_some_and(|parent| self.folders.contains(&canonical(parent)))
    }
}

/// The major version of a target: 9 of `gfx90a`, 12 of `gfx1201`.
fn major(target: &str) -> Option<u32> {
    let processor = target.split(':').next()?.strip_prefix("gfx")?;
    // Minor version and stepping take a digit each.
    processor.get(..processor.len().checked_sub(2)?)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn majors() {
        assert_eq!(major("gfx90a:sramecc+:xnack-"), Some(9));
        assert_eq!(major("gfx942"), Some(9));
        assert_eq!(major("gfx1201"), Some(12));
        assert_eq!(major("gfx9-generic"), None);
    }
}
