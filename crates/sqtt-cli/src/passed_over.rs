//! Waves that a filter lets none of through: an empty answer alone does not say that a number or a name was wrong.

use std::collections::BTreeSet;
use std::fmt;

use sqtt_decoder::Filter;
use sqtt_decoder::trace::Trace;

use crate::say;

/// Kernels that are named at most.
const KERNELS_SHOWN: usize = 5;

/// The waves that a filter lets none of through.
pub(crate) struct PassedOver {
    filter: Filter,
    /// True if one was let through, or all are.
    any: bool,
    kernels: BTreeSet<String>,
    /// Shader engines, CUs, SIMDs, slots.
    places: [BTreeSet<u32>; 4],
}

impl PassedOver {
    pub(crate) fn new(filter: Filter) -> Self {
        let any = filter.takes_all();
        Self { filter, any, kernels: BTreeSet::new(), places: Default::default() }
    }

    pub(crate) fn look_at(&mut self, folder: &Trace) {
        if self.any {
            return;
        }
        for wave in folder.waves() {
            if self.filter.takes_wave(&wave) {
                self.any = true;
                return;
            }
            let slot = wave.slot;
            let numbers = [slot.se, slot.cu.into(), slot.simd.into(), slot.slot.into()];
            self.places.iter_mut().zip(numbers).for_each(|(place, number)| {
                place.insert(number);
            });
            if let Some(kernel) = wave.kernel
                && self.kernels.len() <= KERNELS_SHOWN
            {
                self.kernels.insert(String::from_utf8_lossy(kernel.name.as_bytes()).into_owned());
            }
        }
    }

    pub(crate) fn say(&self) {
        if !self.any {
            say::warning(&format_args!("no wave is what the filter asks for: the trace has {self}"));
        }
    }
}

impl fmt::Display for PassedOver {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, numbers) in ["SE", "CU", "SIMD", "wave slot"].iter().zip(&self.places) {
            let ranges: Vec<String> = ranges(numbers).map(|(first, last)| range(first, last)).collect();
            write!(out, "{name} {}; ", ranges.join(","))?;
        }
        write!(out, "kernels")?;
        for name in self.kernels.iter().take(KERNELS_SHOWN) {
            write!(out, " \"{name}\"")?;
        }
        if self.kernels.len() > KERNELS_SHOWN {
            write!(out, " and others")?;
        }
        Ok(())
    }
}

fn range(first: u32, last: u32) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

fn ranges(numbers: &BTreeSet<u32>) -> impl Iterator<Item = (u32, u32)> {
    let is_next = |number: &u32| number.checked_sub(1).is_some_and(|before| numbers.contains(&before));
    let firsts = numbers.iter().filter(move |number| !is_next(number));
    firsts.map(|&first| {
        let last = (first..=u32::MAX).take_while(|number| numbers.contains(number)).last();
        (first, last.unwrap_or(first))
    })
}
