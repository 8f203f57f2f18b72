//! Several funcmaps in one section: which ids they share, and which map the waves of a kernel use.

use std::collections::HashMap;
use std::fmt;

use sqtt_format::{Entry, EntryKind, Funcmap, Printable};

/// Rows of maps without kernels that are added to maps with kernels, in all: a forged section could ask for any
/// number.
const ADDED_LIMIT: usize = 4 << 20;
/// Length of a name in a warning.
const NAME_LIMIT: usize = 100;

/// Ids that mean different things in different maps of one section.
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
        let mut known: HashMap<u32, (&Entry, bool)> = HashMap::new();
        let mut first = None;
        let mut ids = 0;
        for entry in maps.iter().flat_map(Funcmap::entries) {
            let Some(id) = entry.id() else { continue };
            let (other, counted) = known.entry(id).or_insert((entry, false));
            if !*counted && !same(entry, other) {
                *counted = true;
                ids += 1;
                first.get_or_insert_with(|| (id, other.name().to_vec(), entry.name().to_vec()));
            }
        }
        let all_have_kernels = maps.iter().all(has_kernel);
        first.map(|first| Self { maps: maps.len(), ids, first, all_have_kernels })
    }
}

/// True if a word with their id means the same; where it was written is no matter.
fn same(a: &Entry, b: &Entry) -> bool {
    let meaning = |entry: &Entry| (entry.kind(), entry.extra_payload_count());
    a.name() == b.name() && meaning(a) == meaning(b)
}

fn has_kernel(map: &Funcmap) -> bool {
    map.entries().iter().any(|entry| entry.kind() == EntryKind::Kernel)
}

impl fmt::Display for SharedIds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { maps, ids, first: (id, one, other), all_have_kernels } = self;
        let short = |name: &[u8]| Printable(&name[..name.len().min(NAME_LIMIT)]).to_string();
        let (one, other) = (short(one), short(other));
        let (ids, mean) =
            if *ids == 1 { ("1 id".to_owned(), "means") } else { (format!("{ids} ids"), "mean") };
        write!(
            out,
            "the section holds {maps} maps, and {ids} {mean} different things in them (the first: {id} is \"{one}\" and \"{other}\"); "
        )?;
        out.write_str(if *all_have_kernels {
            "words are named by the map of the kernel that wrote them, which is wrong in a function of another map"
        } else {
            "maps without kernels are of functions that any kernel may call, and their words cannot be told apart"
        })?;
        out.write_str(
            ". Remedy: compile without -fgpu-rdc, or load the plugin at the device link alone \
             (-Xoffload-linker --load-pass-plugin=PLUGIN), which gives each id once",
        )
    }
}

/// A map for each with kernels, besides with the rows of those without that leave no doubt; with its index.
pub(super) fn lookup_maps(maps: &[Funcmap]) -> Vec<(usize, Funcmap)> {
    let (with, without): (Vec<_>, Vec<_>) = maps.iter().enumerate().partition(|(_, map)| has_kernel(map));
    if with.is_empty() {
        return maps.iter().cloned().enumerate().collect();
    }
    let mut free: HashMap<u32, Option<&Entry>> = HashMap::new();
    for entry in without.iter().flat_map(|(_, map)| map.entries()) {
        let Some(id) = entry.id() else { continue };
        let known = free.entry(id).or_insert(Some(entry));
        if known.is_some_and(|known| !same(known, entry)) {
            *known = None;
        }
    }
    let mut rows: Vec<(u32, &Entry)> =
        free.into_iter().filter_map(|(id, entry)| Some((id, entry?))).collect();
    rows.sort_by_key(|&(id, _)| id);
    let mut left = ADDED_LIMIT;
    let whole = |(index, map): (usize, &Funcmap)| {
        let mut map = map.clone();
        if rows.len() <= left {
            left -= rows.len();
            for (id, entry) in &rows {
                if map.find(*id).is_none() {
                    map.push((*entry).clone());
                }
            }
        }
        (index, map)
    };
    with.into_iter().map(whole).collect()
}
