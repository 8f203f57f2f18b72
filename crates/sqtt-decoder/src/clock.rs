//! Taking the delay between a trace instruction and its record out of the times
//! (specification, "GFX12 Shader Clock Packing").
//!
//! Headers of code objects with a packed clock say when they were issued, modulo the window of the
//! clock field, and with an unknown phase that is the same for all records of one SIMD. The least delay
//! of a SIMD's headers is taken for none, and every header is moved earlier by what it waited longer.
//!
//! A correction is found over the headers of all waves of a SIMD, whatever is looked at afterwards. None
//! is made for code objects with payload (specification: "does not apply timestamp correction"), nor
//! where all samples of a SIMD are equal: then no clock was sampled.

use std::collections::BTreeMap;

use sqtt_format::MarkerEncoding;

use crate::ledger::{Ledger, RemarkKind};
use crate::stream::Wave;
use crate::trace::{SlotId, Trace};

/// Headers whose delays can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Domain {
    se: u32,
    cu: u16,
    simd: u8,
    bits: u32,
    shift: u32,
}

impl Domain {
    fn new(slot: SlotId, encoding: MarkerEncoding) -> Self {
        let SlotId { se, cu, simd, .. } = slot;
        Self { se, cu, simd, bits: encoding.shader_clock_bits, shift: encoding.shader_clock_shift }
    }
}

/// Delays known of one domain. Any header will do as its origin.
#[derive(Clone, Copy, Debug)]
struct Delays {
    origin_time: i64,
    origin_sample: u32,
    least: i64,
    most: i64,
    all_equal: bool,
    bits: u32,
    shift: u32,
}

impl Delays {
    fn half_window(&self) -> i64 {
        1_i64 << (self.bits + self.shift - 1)
    }

    /// The delay of a header less that of the origin.
    fn relative(&self, time: i64, sample: u32) -> i64 {
        let window = |sample: u32| i64::from(sample) << self.shift;
        let elapsed = time.wrapping_sub(self.origin_time);
        let sampled = window(sample) - window(self.origin_sample);
        let half = self.half_window();
        let mask = half * 2 - 1;
        (elapsed.wrapping_sub(sampled).wrapping_add(half) & mask) - half
    }

    fn add(&mut self, time: i64, sample: u32) {
        let relative = self.relative(time, sample);
        self.least = self.least.min(relative);
        self.most = self.most.max(relative);
        self.all_equal &= sample == self.origin_sample;
    }

    fn corrected(&self, time: i64, sample: u32) -> i64 {
        let bucket = 1_i64 << self.shift;
        let delay = self.relative(time, sample) - self.least - (bucket - 1);
        time.saturating_sub(delay.max(0))
    }
}

/// The corrections of a folder.
#[derive(Clone, Debug, Default)]
pub struct Corrections {
    domains: BTreeMap<Domain, Delays>,
}

/// The correction of one wave's headers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Correction<'f> {
    delays: Option<&'f Delays>,
    /// When the wave was launched: it issued nothing before.
    launch: i64,
}

impl<'f> Correction<'f> {
    pub(crate) fn of(wave: &Wave<'f>) -> Self {
        let delays = wave.corrections().zip(encoding_of(wave));
        Self {
            delays: delays.and_then(|(all, encoding)| all.domains.get(&Domain::new(wave.slot, encoding))),
            launch: wave.launch.map_or(i64::MIN, |launch| launch.time),
        }
    }

    /// True if there is one.
    pub(crate) fn is_some(self) -> bool {
        self.delays.is_some()
    }

    /// When a record was issued, as far as its clock field tells.
    #[inline]
    pub(crate) fn time(self, arrival: i64, sample: Option<u32>) -> i64 {
        match (self.delays, sample) {
            (Some(delays), Some(sample)) => delays.corrected(arrival, sample).max(self.launch.min(arrival)),
            _ => arrival,
        }
    }
}

/// The layout of a wave's headers, where they can be corrected.
fn encoding_of(wave: &Wave<'_>) -> Option<MarkerEncoding> {
    let map = wave.map()?;
    (map.encoding().has_shader_clock() && map.longest_payload() == 0).then(|| map.encoding())
}

impl Trace {
    /// Finds the corrections; warns in the ledger where they may be wrong.
    pub(crate) fn correct_clocks(&mut self) {
        let maps = self.kernels.values().map(|kernel| &kernel.resolution).chain([&self.fallback]);
        if !maps.filter_map(|resolution| resolution.map()).any(|map| map.encoding().has_shader_clock()) {
            return;
        }
        let mut domains: BTreeMap<Domain, Delays> = BTreeMap::new();
        for wave in self.waves() {
            let Some(encoding) = encoding_of(&wave) else { continue };
            collect(&wave, encoding, &mut domains);
        }
        let mut ledger = Ledger::new();
        domains.retain(|domain, delays| {
            let spread = delays.most - delays.least;
            if !delays.all_equal && spread >= delays.half_window() / 4 * 3 {
                let what = format!(
                    "SE{}/CU{}/SIMD{}: delays spread over {spread} cycles, half the clock window is {}",
                    domain.se,
                    domain.cu,
                    domain.simd,
                    delays.half_window(),
                );
                ledger.add(RemarkKind::ClockSpread, 1, self.place(&what));
            }
            !delays.all_equal
        });
        self.ledger.merge(&ledger);
        self.corrections = Some(Corrections { domains });
    }
}

fn collect(wave: &Wave<'_>, encoding: MarkerEncoding, domains: &mut BTreeMap<Domain, Delays>) {
    let domain = Domain::new(wave.slot, encoding);
    let mut delays = domains.get(&domain).copied();
    let mut stream = wave.markers();
    while let Some(event) = stream.next() {
        let Some(sample) = event.shader_clock else { continue };
        let first = Delays {
            origin_time: event.arrival,
            origin_sample: sample,
            least: 0,
            most: 0,
            all_equal: true,
            bits: encoding.shader_clock_bits,
            shift: encoding.shader_clock_shift,
        };
        delays.get_or_insert(first).add(event.arrival, sample);
    }
    if let Some(delays) = delays {
        domains.insert(domain, delays);
    }
}
