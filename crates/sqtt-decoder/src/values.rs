//! The values of data markers: what their words mean, and how they are distributed.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::filter::Filter;
use crate::ledger::Ledger;
use crate::names;
use crate::payload::data_values;
use crate::stream::{MarkerStream, Wave};
use crate::trace::Folder;

/// What the words of data markers are read as. A trace has only bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueType {
    /// Unsigned numbers.
    #[default]
    U32,
    /// Signed numbers.
    I32,
    /// Floating-point numbers of single precision.
    F32,
    /// Unsigned numbers, written in hexadecimal.
    Hex,
}

/// A name that is no [`ValueType`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is none of u32, i32, f32, hex")]
pub struct NotAValueType(String);

impl FromStr for ValueType {
    type Err = NotAValueType;

    fn from_str(text: &str) -> Result<Self, NotAValueType> {
        Ok(match text {
            "u32" => ValueType::U32,
            "i32" => ValueType::I32,
            "f32" => ValueType::F32,
            "hex" => ValueType::Hex,
            _ => return Err(NotAValueType(text.to_owned())),
        })
    }
}

impl ValueType {
    /// The word as a number; 64-bit ones hold all of them exactly.
    #[must_use]
    pub fn number(self, word: u32) -> f64 {
        match self {
            ValueType::U32 | ValueType::Hex => word.into(),
            ValueType::I32 => word.cast_signed().into(),
            ValueType::F32 => f32::from_bits(word).into(),
        }
    }

    /// The word as it is written.
    #[must_use]
    pub fn text(self, word: u32) -> impl fmt::Display {
        Text(self, word)
    }

    /// A number between words as it is written.
    fn between(self, number: f64) -> String {
        match self {
            ValueType::Hex => format!("{:#x}", number as u64),
            ValueType::U32 | ValueType::I32 => format!("{number:.0}"),
            ValueType::F32 => format!("{number}"),
        }
    }
}

struct Text(ValueType, u32);

impl fmt::Display for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ValueType::U32 => write!(out, "{}", self.1),
            ValueType::I32 => write!(out, "{}", self.1.cast_signed()),
            ValueType::F32 => write!(out, "{:?}", f32::from_bits(self.1)),
            ValueType::Hex => write!(out, "{:#010x}", self.1),
        }
    }
}

/// One word of one marker, in one kernel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kernel: Vec<u8>,
    name: Vec<u8>,
    word: usize,
}

/// Collects the values of data markers: four bytes for each.
#[derive(Debug, Default)]
pub struct Values {
    words: BTreeMap<Key, Vec<u32>>,
}

/// How the values of one word of one data marker are distributed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Histogram {
    /// The kernel's name, mangled; empty where it is not known.
    pub kernel: String,
    /// The marker's name.
    pub name: String,
    /// Which of its words, from 0.
    pub word: usize,
    /// How many values.
    pub count: u64,
    /// How many different words.
    pub distinct: u64,
    /// Values that are no finite number: they have no part in what follows.
    pub not_finite: u64,
    /// What the others come to; `None` where there is none.
    pub summary: Option<ValueSummary>,
    /// From low to high: one for each value where there are few, else of equal width. Every one but the
    /// last ends below its `high`.
    pub bins: Vec<Bin>,
}

/// Order statistics of values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
pub struct Bin {
    /// Where it starts.
    pub low: f64,
    /// Where it ends; `low` for a single value.
    pub high: f64,
    /// What it is called.
    pub label: String,
    /// How many values.
    pub count: u64,
}

impl Histogram {
    /// How many bins there are at most, and how many different values have one each.
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
    pub fn add_folder(&mut self, folder: &Folder, filter: &Filter, threads: usize) -> Ledger {
        let (parts, ledger) = folder.decode_parallel(threads, filter, Self::new, Self::add_wave);
        for part in parts {
            for (key, mut words) in part.words {
                self.words.entry(key).or_default().append(&mut words);
            }
        }
        ledger
    }

    fn add_wave(&mut self, wave: &Wave<'_>, stream: &mut MarkerStream<'_>) {
        let mut known: BTreeMap<(u32, usize), Vec<u32>> = BTreeMap::new();
        let mut names: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        while let Some(event) = stream.next() {
            let Some(values) = data_values(&event) else { continue };
            let id = event.marker.id;
            names.entry(id).or_insert_with(|| match event.entry {
                Some(entry) => entry.name().to_vec(),
                None => names::unknown_name(id).into_bytes(),
            });
            for (word, &value) in values.iter().enumerate() {
                known.entry((id, word)).or_default().push(value);
            }
        }
        let kernel = wave.kernel.map(|kernel| kernel.name.as_slice()).unwrap_or_default();
        for ((id, word), mut values) in known {
            let name = names.get(&id).cloned().unwrap_or_default();
            let key = Key { kernel: kernel.to_vec(), name, word };
            self.words.entry(key).or_default().append(&mut values);
        }
    }

    /// How they are distributed, by kernel and name.
    #[must_use]
    pub fn into_histograms(self, kind: ValueType) -> Vec<Histogram> {
        self.words.into_iter().map(|(key, words)| histogram(&key, words, kind)).collect()
    }
}

fn histogram(key: &Key, mut words: Vec<u32>, kind: ValueType) -> Histogram {
    words.sort_unstable_by(|&a, &b| kind.number(a).total_cmp(&kind.number(b)));
    let count = words.len() as u64;
    let mut distinct = words.clone();
    distinct.dedup();
    words.retain(|&word| kind.number(word).is_finite());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Histogram {
        kernel: text(&key.kernel),
        name: text(&key.name),
        word: key.word,
        count,
        distinct: distinct.len() as u64,
        not_finite: count - words.len() as u64,
        summary: summary(&words, kind),
        bins: bins(&words, kind),
    }
}

/// Of sorted words.
fn summary(words: &[u32], kind: ValueType) -> Option<ValueSummary> {
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

/// Of sorted words that are finite numbers.
fn bins(words: &[u32], kind: ValueType) -> Vec<Bin> {
    let (Some(&first), Some(&last)) = (words.first(), words.last()) else { return Vec::new() };
    let same = |a: &u32, b: &u32| kind.number(*a) == kind.number(*b);
    if words.chunk_by(same).nth(Histogram::BINS).is_none() {
        let one = |values: &[u32]| Bin {
            low: kind.number(values[0]),
            high: kind.number(values[0]),
            label: kind.text(values[0]).to_string(),
            count: values.len() as u64,
        };
        return words.chunk_by(same).map(one).collect();
    }
    let (low, high) = (kind.number(first), kind.number(last));
    let mut width = (high - low) / Histogram::BINS as f64;
    if kind != ValueType::F32 {
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
        histogram(&Key { kernel: Vec::new(), name: b"n".to_vec(), word: 0 }, words.to_vec(), kind)
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
                words.iter().map(|&word| kind.number(word)).filter(|number| number.is_finite()).collect();
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
