//! Who waits for whom at barriers.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::collect::{Living, last_of};
use super::places::{WaitGroup, WaitGroups};
use super::{At, Doubt, Ended, Gathering, LastMarker, Verdict};

/// Common traits of waves that stand at the same place: barriers, waiting or not, open scopes, last marker.
type Spot = (Reverse<u64>, Reverse<bool>, Vec<String>, Option<LastMarker>);

/// The gatherings of living waves; `gone` has the ended waves of their workgroups.
pub(super) fn gatherings(
    living: &[Living],
    gone: &[(WaitGroup, u64)],
    unit: &'static str,
    places: &WaitGroups,
) -> Vec<Gathering> {
    let mut by_place: BTreeMap<WaitGroup, Vec<&Living>> = BTreeMap::new();
    for wave in living {
        by_place.entry(wave.place).or_default().push(wave);
    }
    let mut ended: BTreeMap<WaitGroup, BTreeMap<u64, u64>> = BTreeMap::new();
    for &(place, barriers) in gone {
        *ended.entry(place).or_default().entry(barriers).or_default() += 1;
    }
    let gathering = |(place, waves): (WaitGroup, Vec<&Living>)| {
        let ended = ended.remove(&place).unwrap_or_default();
        let ended = ended.into_iter().map(|(barriers, waves)| Ended { barriers, waves });
        let is_mixed = places.is_mixed(&place);
        gathering(place, &waves, ended.collect(), unit, is_mixed)
    };
    let mut gatherings: Vec<Gathering> = by_place.into_iter().filter_map(gathering).collect();
    gatherings.sort_by_key(|gathering| gathering.verdict);
    gatherings
}

/// `None` where no wave waits.
fn gathering(
    place: WaitGroup,
    waves: &[&Living],
    ended: Vec<Ended>,
    unit: &'static str,
    is_mixed: bool,
) -> Option<Gathering> {
    let counted = || waves.iter().filter(|wave| !wave.is_silent);
    let waiting = counted().filter(|wave| wave.arrivals.is_waiting).map(|wave| wave.arrivals.count);
    let most_waiting = waiting.max()?;
    let counts = || counted().map(|wave| wave.arrivals.count);
    let apart = counts().max()?.saturating_sub(counts().min()?);
    let mut behind = counted().filter(|wave| wave.arrivals.count < most_waiting).peekable();
    let is_level = behind.peek().is_none();
    let mut doubts = Vec::new();
    if !is_level {
        let found = [
            (behind.all(|wave| wave.is_lossy), Doubt::Lossy),
            (counted().any(|wave| wave.arrivals.is_named), Doubt::Named),
            (place.workgroup.is_some() && apart > 1, Doubt::Apart),
            (is_mixed, Doubt::Mixed),
        ];
        doubts.extend(found.into_iter().filter(|(holds, _)| *holds).map(|(_, doubt)| doubt));
    }
    let verdict = match (is_level, place.workgroup) {
        (true, _) => Verdict::Level,
        (false, Some(_)) if doubts.is_empty() => Verdict::Waits,
        (false, _) => Verdict::MayWait,
    };
    let mut spots: BTreeMap<Spot, Vec<&Living>> = BTreeMap::new();
    for &wave in counted() {
        let arrivals = wave.arrivals;
        let spot =
            (Reverse(arrivals.count), Reverse(arrivals.is_waiting), wave.stack.clone(), wave.last.clone());
        spots.entry(spot).or_default().push(wave);
    }
    let at = spots.into_iter().map(|((barriers, is_waiting, stack, _), waves)| At {
        barriers: barriers.0,
        is_waiting: is_waiting.0,
        stack,
        last: last_of(&waves),
    });
    Some(Gathering {
        se: place.se,
        cu: place.cu,
        unit,
        workgroup: place.workgroup.map(|(_, _, number)| number),
        kernel: waves.first().map(|wave| wave.kernel.clone()).unwrap_or_default(),
        verdict,
        doubts,
        at: at.collect(),
        silent: waves.iter().filter(|wave| wave.is_silent).count() as u64,
        ended,
    })
}
