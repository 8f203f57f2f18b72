//! Code objects that were named, and that no kernel of the trace is in: with a wrong file a trace looks as if it had no
//! names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sqtt_decoder::names::Catalog;
use sqtt_decoder::trace::Trace;

use crate::say;

/// Names that are said at most.
const SHOWN: usize = 3;

/// Named code objects, and the ones of them in use.
pub(crate) struct Unused<'c> {
    catalog: &'c Catalog,
    named: &'c [PathBuf],
    used: Vec<bool>,
    kernels: BTreeSet<String>,
}

impl<'c> Unused<'c> {
    pub(crate) fn new(catalog: &'c Catalog, named: &'c [PathBuf]) -> Self {
        Self { catalog, named, used: vec![false; named.len()], kernels: BTreeSet::new() }
    }

    fn holds(&self, named: &Path) -> impl Iterator<Item = &'c sqtt_decoder::names::NamedObject> {
        self.catalog.objects.iter().filter(move |object| object.file.starts_with(named))
    }

    pub(crate) fn look_at(&mut self, folder: &Trace) {
        for (index, named) in self.named.iter().enumerate() {
            self.used[index] = self.used[index] || self.holds(named).any(|object| folder.uses(object));
        }
        let kernels = folder.kernels.values().filter(|kernel| kernel.number != 0);
        self.kernels
            .extend(kernels.map(|kernel| String::from_utf8_lossy(kernel.name.as_bytes()).into_owned()));
    }

    pub(crate) fn say(&self) {
        // Where nothing is in it, that was said when it was read.
        let unused: Vec<String> = self
            .named
            .iter()
            .zip(&self.used)
            .filter(|(named, used)| !**used && self.holds(named).next().is_some())
            .map(|(named, _)| named.display().to_string())
            .collect();
        if unused.is_empty() || self.kernels.is_empty() {
            return;
        }
        let kernels: Vec<String> = self.kernels.iter().map(|name| format!("\"{name}\"")).collect();
        say::warning(&format_args!(
            "no kernel of the trace was found in {}, which was given as code object: the trace has {}",
            listed(&unused),
            listed(&kernels)
        ));
    }
}

fn listed(all: &[String]) -> String {
    let shown = all.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if all.len() > SHOWN { format!("{shown} and {} more", all.len() - SHOWN) } else { shown }
}
