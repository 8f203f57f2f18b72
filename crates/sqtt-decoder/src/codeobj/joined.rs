//! Several funcmaps in one code object: which ids they share, and which map the waves of a kernel use.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use sqtt_format::{Entry, EntryKind, Funcmap, MarkerEncoding, Printable, WaveSize};

/// Rows that are looked at besides a kernel's own, in all: a forged section could ask for any number.
const ADDED_LIMIT: usize = 4 << 20;
/// Length of a name in a warning.
const NAME_LIMIT: usize = 100;

/// Ids that mean different things in different maps of one code object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SharedIds {
    /// Number of maps.
    pub maps: usize,
    /// Number of ids with several meanings.
    pub ids: usize,
    /// The first of them, by the order of the rows, and two names that it has.
    pub first: (u32, Vec<u8>, Vec<u8>),
    /// Each of the maps has kernels, whose waves say which map is meant.
    pub all_have_kernels: bool,
}

impl SharedIds {
    /// `None` where each id has one meaning.
    pub(super) fn of(maps: &[Funcmap]) -> Option<Self> {
        let Meanings { shared, first, .. } = Meanings::of(maps);
        let all_have_kernels = maps.iter().all(has_kernel);
        first.map(|first| Self { maps: maps.len(), ids: shared.len(), first, all_have_kernels })
    }

    /// Ids that have a row, and are numeric markers of another unit: a plugin gives no id that its own unit uses so.
    pub(super) fn with_numbers(map: &Funcmap, maps: &[Funcmap], numbered: &BTreeSet<u32>) -> Option<Self> {
        let first = marked(map).find(|(id, _)| numbered.contains(id));
        first.map(|(id, entry)| Self {
            maps: maps.len().max(1),
            ids: numbered.len(),
            first: (id, entry.name().to_vec(), b"a numeric marker of another unit".to_vec()),
            all_have_kernels: false,
        })
    }
}

/// Meanings of the ids of all maps.
struct Meanings<'m> {
    by_id: HashMap<u32, Meaning<'m>>,
    /// Ids with several.
    shared: BTreeSet<u32>,
    first: Option<(u32, Vec<u8>, Vec<u8>)>,
}

#[derive(Clone, Copy)]
struct Meaning<'m> {
    /// The first row with that id.
    entry: &'m Entry,
    /// The layout of its map.
    encoding: MarkerEncoding,
    /// Payload of all rows with that id, where they agree.
    payload: Option<u32>,
}

impl<'m> Meanings<'m> {
    fn of(maps: &'m [Funcmap]) -> Self {
        let mut all = Self { by_id: HashMap::new(), shared: BTreeSet::new(), first: None };
        for map in maps {
            let encoding = map.marker_encoding();
            for (id, entry) in marked(map) {
                let payload = Some(entry.extra_payload_count());
                let known = all.by_id.entry(id).or_insert(Meaning { entry, encoding, payload });
                if !same(entry, known.entry) && all.shared.insert(id) {
                    let names = || (id, known.entry.name().to_vec(), entry.name().to_vec());
                    all.first.get_or_insert_with(names);
                }
                known.payload = known.payload.filter(|&count| Some(count) == payload);
            }
        }
        all
    }

    /// Ids that mean one thing, in order.
    fn single(&self) -> Vec<(u32, Meaning<'m>)> {
        let single = self.by_id.iter().filter(|(id, _)| !self.shared.contains(id));
        let mut rows: Vec<_> = single.map(|(&id, &meaning)| (id, meaning)).collect();
        rows.sort_by_key(|&(id, _)| id);
        rows
    }

    /// Payload of ids with several meanings, where it is the same in all: the words behind stay in step.
    fn payloads(&self) -> Vec<(u32, u32)> {
        let agreed = |id: &u32| Some((*id, self.by_id.get(id)?.payload.filter(|&count| count > 0)?));
        self.shared.iter().filter_map(agreed).collect()
    }
}

/// True if a word with their id means the same; where it was written is no matter.
fn same(a: &Entry, b: &Entry) -> bool {
    let meaning = |entry: &Entry| (entry.kind(), entry.extra_payload_count());
    a.name() == b.name() && meaning(a) == meaning(b)
}

fn has_kernel(map: &Funcmap) -> bool {
    kernels(map).next().is_some()
}

fn kernels(map: &Funcmap) -> impl Iterator<Item = &[u8]> {
    map.entries().iter().filter(|entry| entry.kind() == EntryKind::Kernel).map(Entry::name)
}

/// Entries with their ids.
fn marked(map: &Funcmap) -> impl Iterator<Item = (u32, &Entry)> {
    map.entries().iter().filter_map(|entry| Some((entry.id()?, entry)))
}

impl fmt::Display for SharedIds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { maps, ids, first: (id, one, other), all_have_kernels } = self;
        let short = |name: &[u8]| Printable(&name[..name.len().min(NAME_LIMIT)]).to_string();
        let (one, other) = (short(one), short(other));
        let (ids, mean) =
            if *ids == 1 { ("1 id".to_owned(), "means") } else { (format!("{ids} ids"), "mean") };
        let (maps, place) =
            if *maps == 1 { ("1 map".to_owned(), "its units") } else { (format!("{maps} maps"), "them") };
        write!(
            out,
            "the code object holds {maps}, and {ids} {mean} different things in {place} (the first: {id} is \"{one}\" and \"{other}\"); "
        )?;
        out.write_str(if *all_have_kernels {
            "words are named by the map of the kernel that wrote them, which is wrong in a function of another map"
        } else {
            "maps without kernels are of functions that any kernel may call, and their words cannot be told apart"
        })?;
        out.write_str(
            ". Remedy: compile with SQTT_ID_SPACE=unit, the default with -fgpu-rdc, or with SQTT_ID_SPACE=link; \
             both give each id once",
        )
    }
}

/// Maps whose ids the waves of some kernels use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// Maps of one layout and wave size without an id of several meanings: the first of them.
    Clear(usize),
    /// This one.
    Own(usize),
    /// One of these, which is not known: a kernel is in all of them, and the linker took the code of one.
    OneOf(Vec<usize>),
}

/// A map for the waves of some kernels.
pub(super) struct Lookup {
    pub(super) map: Funcmap,
    /// The map that says what ids of several meanings are.
    pub(super) own: Option<usize>,
}

/// Maps by kernels, and the ids that have several meanings. Besides its own rows each has those of all other maps that
/// leave no doubt.
pub(super) fn lookup_maps(maps: &[Funcmap]) -> (Vec<Lookup>, BTreeSet<u32>) {
    let meanings = Meanings::of(maps);
    if !maps.iter().any(has_kernel) {
        let alone = |(index, map): (usize, &Funcmap)| Lookup { map: map.clone(), own: Some(index) };
        return (maps.iter().enumerate().map(alone).collect(), meanings.shared);
    }
    let (single, payloads) = (meanings.single(), meanings.payloads());
    let groups = group(maps, &meanings.shared);
    let mut left = ADDED_LIMIT;
    let mut lookups = Vec::new();
    for (group, members) in groups.members {
        let Some(&first) = members.first() else { continue };
        if let Group::OneOf(all) = &group {
            let rows: usize = members.iter().map(|&member| maps[member].entries().len()).sum();
            let cost = rows.saturating_mul(all.len());
            if cost > left {
                // Its kernels are in no map then, and ambiguous.
                continue;
            }
            left -= cost;
        }
        let mut map = Funcmap::new();
        map.set_marker_encoding(maps[first].marker_encoding());
        maps[first]
            .wave_size()
            .and_then(WaveSize::from_lanes)
            .into_iter()
            .for_each(|size| map.set_wave_size(size));
        for &member in &members {
            for entry in maps[member].entries() {
                let is_own = match (entry.id(), &group) {
                    (None, _) => groups.kernels.get(entry.name()).is_none_or(|own| *own == group),
                    (Some(_), Group::Own(_)) => true,
                    (Some(id), Group::Clear(_)) => map.find(id).is_none(),
                    (Some(id), Group::OneOf(all)) => {
                        let agrees =
                            |&index: &usize| maps[index].find(id).is_some_and(|own| same(own, entry));
                        map.find(id).is_none() && all.iter().all(agrees)
                    }
                };
                if is_own {
                    map.push(entry.clone());
                }
            }
            maps[member]
                .payloads_without_row()
                .for_each(|(id, count)| map.set_payload_without_row(id, count));
        }
        if single.len() + payloads.len() <= left {
            left -= single.len() + payloads.len();
            for (id, Meaning { entry, encoding, .. }) in &single {
                // A word of another layout would not be read with this id.
                if map.find(*id).is_none() && *encoding == map.marker_encoding() {
                    map.push((*entry).clone());
                }
            }
            payloads.iter().for_each(|&(id, count)| map.set_payload_without_row(id, count));
        }
        let own = if let Group::Own(index) = group { Some(index) } else { None };
        lookups.push((first, Lookup { map, own }));
    }
    lookups.sort_by_key(|&(first, _)| first);
    (lookups.into_iter().map(|(_, lookup)| lookup).collect(), meanings.shared)
}

/// Groups of maps, and those of the kernels that are in one group alone.
#[derive(Default)]
struct Groups<'m> {
    members: BTreeMap<Group, Vec<usize>>,
    kernels: HashMap<&'m [u8], Group>,
}

fn group<'m>(maps: &'m [Funcmap], shared: &BTreeSet<u32>) -> Groups<'m> {
    let layout = |map: &Funcmap| {
        let MarkerEncoding { shader_clock_bits, shader_clock_shift } = map.marker_encoding();
        (shader_clock_bits, shader_clock_shift)
    };
    let mut groups = Groups::default();
    let mut first = BTreeMap::new();
    let mut homes: HashMap<&[u8], Vec<(usize, Group)>> = HashMap::new();
    for (index, map) in maps.iter().enumerate().filter(|(_, map)| has_kernel(map)) {
        let is_clear = marked(map).all(|(id, _)| !shared.contains(&id));
        let group = if is_clear {
            Group::Clear(*first.entry((layout(map), map.wave_size())).or_insert(index))
        } else {
            Group::Own(index)
        };
        groups.members.entry(group.clone()).or_default().push(index);
        for kernel in kernels(map) {
            let homes = homes.entry(kernel).or_default();
            if homes.last().is_none_or(|(last, _)| *last != index) {
                homes.push((index, group.clone()));
            }
        }
    }
    for (kernel, homes) in homes {
        let Some((first, group)) = homes.first().cloned() else { continue };
        if homes.iter().all(|(_, other)| *other == group) {
            groups.kernels.insert(kernel, group);
        } else if homes.iter().all(|(index, _)| layout(&maps[*index]) == layout(&maps[first])) {
            let homes: Vec<usize> = homes.into_iter().map(|(index, _)| index).collect();
            groups.members.entry(Group::OneOf(homes.clone())).or_insert_with(|| homes.clone());
            groups.kernels.insert(kernel, Group::OneOf(homes));
        }
    }
    groups
}
