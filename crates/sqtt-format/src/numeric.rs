//! The ids that a program's own numeric markers use.

use std::fmt;
use std::str::FromStr;

/// The ids of the numeric markers of a code object: those that constants choose, or any where a number comes at run
/// time.
///
/// The text form is `none`, `any`, or ids and ranges of ids such as `3,40-41`, ascending.
///
/// ```
/// use sqtt_format::NumericIds;
/// let ids: NumericIds = [41, 3, 40].into_iter().collect();
/// assert_eq!(ids.to_string(), "3,40-41");
/// assert_eq!("3,40-41".parse(), Ok(ids));
/// assert!(NumericIds::any().contains(7));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumericIds {
    any: bool,
    /// First and last id, ascending, with a gap between two.
    ranges: Vec<(u32, u32)>,
}

/// A text that says no ids.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither none, any, nor ids from 1 to {MAX_ID} such as 3,40-41")]
pub struct NumericIdsError(String);

/// A word has 30 bits of id.
const MAX_ID: u32 = u32::MAX >> 2;
const NONE: &str = "none";
const ANY: &str = "any";

impl NumericIds {
    /// Every id: numbers come at run time.
    #[must_use]
    pub fn any() -> Self {
        Self { any: true, ranges: Vec::new() }
    }

    /// True for an id that a numeric marker may have.
    #[must_use]
    pub fn contains(&self, id: u32) -> bool {
        let behind = self.ranges.partition_point(|&(first, _)| first <= id);
        self.any || behind.checked_sub(1).is_some_and(|at| id <= self.ranges[at].1)
    }

    /// The ids of both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if self.any || other.any {
            return Self::any();
        }
        Self::of_ranges(self.ranges.iter().chain(&other.ranges).copied().collect())
    }

    fn of_ranges(mut ranges: Vec<(u32, u32)>) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::new();
        for (first, last) in ranges {
            match joined.last_mut() {
                Some(range) if first <= range.1.saturating_add(1) => range.1 = range.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        Self { any: false, ranges: joined }
    }
}

impl FromIterator<u32> for NumericIds {
    fn from_iter<I: IntoIterator<Item = u32>>(ids: I) -> Self {
        Self::of_ranges(ids.into_iter().map(|id| (id, id)).collect())
    }
}

impl fmt::Display for NumericIds {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.any {
            return out.write_str(ANY);
        }
        if self.ranges.is_empty() {
            return out.write_str(NONE);
        }
        for (index, (first, last)) in self.ranges.iter().enumerate() {
            if index > 0 {
                out.write_str(",")?;
            }
            write!(out, "{first}")?;
            if last > first {
                write!(out, "-{last}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for NumericIds {
    type Err = NumericIdsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            NONE => return Ok(Self::default()),
            ANY => return Ok(Self::any()),
            _ => {}
        }
        let id = |text: &str| {
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|id| is_number && (1..=MAX_ID).contains(id))
        };
        let range = |text: &str| {
            let (first, last) = text.split_once('-').unwrap_or((text, text));
            Some((id(first)?, id(last)?)).filter(|(first, last)| first <= last)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        ranges.map(Self::of_ranges).ok_or_else(|| NumericIdsError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_are_written() {
        for text in ["none", "any", "1", "1-3", "3,40-41", "1,3,5-1073741823"] {
            assert_eq!(text.parse::<NumericIds>().unwrap().to_string(), text);
        }
        assert_eq!("5,1-3,2-4".parse::<NumericIds>().unwrap().to_string(), "1-5");
        for wrong in ["", "0", "3-1", "1,", "+1", "-1", "1 2", "1-2-3", "1073741824", "4294967296", "Any"] {
            assert_eq!(wrong.parse::<NumericIds>(), Err(NumericIdsError(wrong.to_owned())));
        }
    }

    #[test]
    fn ids_are_found() {
        let ids: NumericIds = [7, 3, 4, 9].into_iter().collect();
        let found: Vec<u32> = (0..12).filter(|id| ids.contains(*id)).collect();
        assert_eq!(found, [3, 4, 7, 9]);
        assert!(!NumericIds::default().contains(1));
        let both = ids.union(&[5, 6].into_iter().collect());
        assert_eq!(both.to_string(), "3-7,9");
        assert_eq!(both.union(&NumericIds::any()), NumericIds::any());
    }
}
