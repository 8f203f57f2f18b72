//! Distributions of the values of data markers.

use std::collections::BTreeMap;

use serde::Serialize;
use sqtt_format::Name;

use super::{ValueType, joined};
use crate::filter::Filter;
use crate::ledger::Ledger;
use crate::names;
use crate::parallel::Threads;
use crate::payload::data_values;
use crate::stream::{MarkerStream, Wave};
use crate::trace::Trace;

/// One word of one marker, in one kernel. Markers of one name may have different numbers of words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct WordKey {
    kernel: Name,
    name: Name,
    words: usize,
    word: usize,
}

/// Collects the values of data markers: four bytes for each.
#[derive(Debug, Default)]
pub struct Values {
    words: BTreeMap<WordKey, Vec<u32>>,
}

/// Distribution of the values of one word of one data marker.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Histogram {
    /// The kernel's name, mangled; empty where it is not known.
    #[serde(serialize_with = "crate::names::as_text")]
    pub kernel: Name,
    /// The marker's name.
    #[serde(serialize_with = "crate::names::as_text")]
    pub name: Name,
    /// Index of its word, from 0.
    pub word: usize,
    /// Number of values.
    pub count: u64,
    /// Number of different words.
    pub distinct: u64,
    /// Values that are no finite number: they have no part in what follows.
    pub not_finite: u64,
    /// Statistics of the others; `None` where there is none.
    pub summary: Option<ValueSummary>,
    /// From low to high: one for each value where there are few, else of equal width. Every one but the
    /// last ends below its `high`.
    pub bins: Vec<Bin>,
}

/// Order statistics of values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ValueSummary {
    /// The least.
    pub min: f64,
    /// The middle one; of an even number the lower of the two.
    pub median: f64,
    /// The one that 95 of 100 do not exceed.
    pub p95: f64,
    /// The greatest.
    pub max: f64,
    /// The mean.
    pub mean: f64,
}

/// A part of the values.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Bin {
    /// Its start.
    pub low: f64,
    /// Its end; `low` for a single value.
    pub high: f64,
    /// Its text.
    pub label: String,
    /// Number of values.
    pub count: u64,
}

impl Histogram {
    /// Bins at most, and different values at most that have one each.
    pub const BINS: usize = 16;
}

impl Values {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the waves of a folder that `filter` lets through. The ledger is that of the folder and of
    /// these waves.
    pub fn add_folder(&mut self, trace: &Trace, filter: &Filter, threads: Threads) -> Ledger {
        let (parts, ledger) = trace.decode_parallel(threads, filter, Self::new, Self::add_wave);
        for part in parts {
            for (key, mut words) in part.words {
                self.words.entry(key).or_default().append(&mut words);
            }
        }
        ledger
    }

    fn add_wave(&mut self, wave: &Wave<'_>, stream: &mut MarkerStream<'_>) {
        let mut known: BTreeMap<(u32, usize, usize), Vec<u32>> = BTreeMap::new();
        let mut names: BTreeMap<u32, Name> = BTreeMap::new();
        while let Some(event) = stream.next() {
            let Some(values) = data_values(&event) else { continue };
            let id = event.marker.id;
            names.entry(id).or_insert_with(|| match event.entry {
                Some(entry) => entry.name().into(),
                None => names::unknown_name(id).into(),
            });
            for (word, &value) in values.iter().enumerate() {
                known.entry((id, values.len(), word)).or_default().push(value);
            }
        }
        let kernel = wave.kernel.map(|kernel| kernel.name.as_bytes()).unwrap_or_default();
        for ((id, words, word), mut values) in known {
            let name = names.get(&id).cloned().unwrap_or_default();
            let key = WordKey { kernel: kernel.into(), name, words, word };
            self.words.entry(key).or_default().append(&mut values);
        }
    }

    /// Distributions of the values, by kernel and name.
    #[must_use]
    pub fn into_histograms(self, kind: ValueType) -> Vec<Histogram> {
        let mut words = self.words.into_iter().peekable();
        let mut histograms = Vec::new();
        while let Some((key, low)) = words.next() {
            let is_first = kind.is_wide() && key.word % 2 == 0;
            let high =
                words.next_if(|(next, _)| is_first && *next == WordKey { word: key.word + 1, ..key.clone() });
            histograms.push(match high {
                Some((_, high)) => {
                    let pairs = low.into_iter().zip(high);
                    histogram(key, pairs.map(|(low, high)| joined(low, high)).collect(), kind)
                }
                None => histogram(key, low.into_iter().map(u64::from).collect(), kind.of_one_word()),
            });
        }
        histograms
    }
}

fn histogram(key: WordKey, mut words: Vec<u64>, kind: ValueType) -> Histogram {
    words.sort_unstable_by(|&a, &b| kind.number(a).total_cmp(&kind.number(b)));
    let count = words.len() as u64;
    let mut distinct = words.clone();
    distinct.dedup();
    words.retain(|&word| kind.number(word).is_finite());
    Histogram {
        kernel: key.kernel,
        name: key.name,
        word: key.word,
        count,
        distinct: distinct.len() as u64,
        not_finite: count - words.len() as u64,
        summary: summary(&words, kind),
        bins: bins(&words, kind),
    }
}

/// Statistics of sorted words.
fn summary(words: &[u64], kind: ValueType) -> Option<ValueSummary> {
    let (&first, &last) = (words.first()?, words.last()?);
    let rank = |hundredths: usize| kind.number(words[(words.len() * hundredths).div_ceil(100).max(1) - 1]);
    let sum: f64 = words.iter().map(|&word| kind.number(word)).sum();
    Some(ValueSummary {
        min: kind.number(first),
        median: rank(50),
        p95: rank(95),
        max: kind.number(last),
        mean: sum / words.len() as f64,
    })
}

/// Bins of sorted words that are finite numbers.
fn bins(words: &[u64], kind: ValueType) -> Vec<Bin> {
    let (Some(&first), Some(&last)) = (words.first(), words.last()) else { return Vec::new() };
    let same = |a: &u64, b: &u64| kind.number(*a) == kind.number(*b);
    if words.chunk_by(same).nth(Histogram::BINS).is_none() {
        let one = |values: &[u64]| Bin {
            low: kind.number(values[0]),
            high: kind.number(values[0]),
            label: kind.text(values[0]).to_string(),
            count: values.len() as u64,
        };
        return words.chunk_by(same).map(one).collect();
    }
    let (low, high) = (kind.number(first), kind.number(last));
    let mut width = (high - low) / Histogram::BINS as f64;
    if !matches!(kind, ValueType::F32 | ValueType::F64) {
        // Whole numbers in every bin, the last one included.
        width = ((high - low + 1.0) / Histogram::BINS as f64).ceil();
    }
    let start = |index: usize| low + width * index as f64;
    let mut rest = words;
    let mut bins = Vec::new();
    for index in 0..Histogram::BINS {
        let is_last = index + 1 == Histogram::BINS;
        let end = if is_last {
            rest.len()
        } else {
            rest.partition_point(|&word| kind.number(word) < start(index + 1))
        };
        let (own, others) = rest.split_at(end);
        let (from, to) = (start(index), if is_last { high.max(start(index + 1)) } else { start(index + 1) });
        if from > high {
            break;
        }
        bins.push(Bin {
            low: from,
            high: to,
            label: format!("{} to {}", kind.between(from), kind.between(to)),
            count: own.len() as u64,
        });
        rest = others;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(words: &[u32], kind: ValueType) -> Histogram {
        let key = WordKey { kernel: Name::default(), name: Name::from(b"n"), words: 1, word: 0 };
        histogram(key, words.iter().copied().map(u64::from).collect(), kind)
    }

    #[test]
    fn pairs_of_words_are_values_of_64_bits() {
        let words = [0, 0x3FF8_0000, 7];
        let texts = |kind: ValueType| {
            kind.values(&words).map(|value| (value.word, value.to_string())).collect::<Vec<_>>()
        };
        assert_eq!(texts(ValueType::F64), [(0, "1.5".to_owned()), (2, "1e-44".to_owned())]);
        assert_eq!(texts(ValueType::U64), [(0, 0x3FF8_0000_0000_0000_u64.to_string()), (2, "7".to_owned())]);
        assert_eq!(
            ValueType::I64.values(&[u32::MAX; 2]).next().map(|value| serde_json::to_value(value).unwrap()),
            Some((-1).into())
        );
        assert_eq!(texts(ValueType::Hex).len(), 3);
        let mut values = Values::new();
        for (word, low) in [(0, vec![1, 2]), (1, vec![0, 1])] {
            values
                .words
                .insert(WordKey { kernel: Name::default(), name: Name::default(), words: 2, word }, low);
        }
        values
            .words
            .insert(WordKey { kernel: Name::default(), name: Name::default(), words: 1, word: 0 }, vec![5]);
        let made = values.into_histograms(ValueType::U64);
        let labels: Vec<Vec<&str>> =
            made.iter().map(|made| made.bins.iter().map(|bin| bin.label.as_str()).collect()).collect();
        assert_eq!(labels, [vec!["5"], vec!["1", "4294967298"]]);
    }

    #[test]
    fn few_values_have_a_bin_each() {
        let made = of(&[7, u32::MAX, 7], ValueType::I32);
        let bins: Vec<_> = made.bins.iter().map(|bin| (bin.label.as_str(), bin.count)).collect();
        assert_eq!(bins, [("-1", 1), ("7", 2)]);
        let summary = made.summary.unwrap();
        assert_eq!((summary.min, summary.median, summary.max, made.distinct), (-1.0, 7.0, 7.0, 2));
        assert!((summary.mean - 13.0 / 3.0).abs() < 1e-12);
        assert_eq!(of(&[255], ValueType::Hex).bins[0].label, "0x000000ff");
    }

    #[test]
    fn what_is_no_number_is_counted_aside() {
        let words = [1.5_f32, f32::NAN, f32::INFINITY, -0.25].map(f32::to_bits);
        let made = of(&words, ValueType::F32);
        assert_eq!((made.count, made.not_finite, made.distinct), (4, 2, 4));
        let bins: Vec<_> = made.bins.iter().map(|bin| bin.label.as_str()).collect();
        assert_eq!(bins, ["-0.25", "1.5"]);
        let none = of(&[f32::NAN.to_bits()], ValueType::F32);
        assert_eq!((none.summary, none.bins.len()), (None, 0));
    }

    proptest! {
        #[test]
        fn bins_hold_every_value_once(
            words in prop::collection::vec(any::<u32>(), 1..200),
            shift in 0_u32..32,
            kind in prop::sample::select(vec![ValueType::U32, ValueType::I32, ValueType::F32]),
        ) {
            let words: Vec<u32> = words.iter().map(|word| word >> shift).collect();
            let made = of(&words, kind);
            let numbers: Vec<f64> =
                words.iter().map(|&word| kind.number(word.into())).filter(|number| number.is_finite()).collect();
            prop_assert_eq!(made.bins.iter().map(|bin| bin.count).sum::<u64>(), numbers.len() as u64);
            prop_assert!(made.bins.len() <= Histogram::BINS);
            for (index, bin) in made.bins.iter().enumerate() {
                let is_last = index + 1 == made.bins.len();
                let inside = |number: &&f64| {
                    **number >= bin.low
                        && (**number < bin.high || **number == bin.low || is_last && **number <= bin.high)
                };
                prop_assert_eq!(numbers.iter().filter(inside).count() as u64, bin.count);
            }
        }
    }
}
