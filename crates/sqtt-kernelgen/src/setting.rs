//! The settings of the plugin that the fuzzer varies.

use crate::addresses::Traced;
use crate::rng::Rng;
use crate::toolchain::{Build, Llvm, Plugin};
use sqtt_sim::{Target, WaveTrace};
use std::fmt;
use std::path::Path;

/// The waves that record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Masks {
    pub wave: u32,
    pub simd: u32,
    pub cu: u32,
    pub wg: u32,
}

impl Masks {
    /// Every wave.
    pub const ALL: Self = Self { wave: u32::MAX, simd: 0xF, cu: 0xFFFF, wg: u32::MAX };
    /// The scope when nothing is set.
    pub const DEFAULT: Self = Self { cu: 0x3, ..Self::ALL };

    /// True where a wave in those slots records.
    #[must_use]
    pub fn admit(&self, wave: &WaveTrace) -> bool {
        let admits = |mask: u32, slot: u32| mask >> slot & 1 == 1;
        admits(self.wave, wave.slot)
            && admits(self.simd, wave.simd)
            && admits(self.cu, wave.cu)
            && admits(self.wg, wave.workgroup_slot)
    }
}

/// The function threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Functions {
    Off,
    Instructions(u32),
    Cost(u32),
}

/// One configuration of the plugin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// `SQTT_SCOPE_*`
    pub masks: Masks,
    /// `SQTT_SCOPE_FORM`: `cfg` or `asm`.
    pub form: &'static str,
    /// `SQTT_MEM_BARRIER`: `none`, `asm` or `fence`.
    pub boundary: &'static str,
    /// `SQTT_INSTRUMENT_FUNCTIONS`
    pub functions: Functions,
    /// `SQTT_TRACE_ADDRESSES`: `off`, `memory`, `lds` or both.
    pub addresses: &'static str,
    /// `SQTT_INSTRUMENT_BARRIERS`
    pub barriers: bool,
    /// `SQTT_INSTRUMENT_MEMORY`: operations per marker, largest gap. Not with addresses.
    pub memory: Option<(u32, u32)>,
    /// `SQTT_SHADER_CLOCK_BITS` and `_SHIFT`. Not with addresses, nor with markers that have a payload.
    pub clock: Option<(u32, u32)>,
    /// `SQTT_ID_SPACE`: `auto`, `unit` or `link`, for which the kernel is linked as bitcode.
    pub id_space: &'static str,
    /// `-g`
    pub debug: bool,
}

impl Setting {
    /// No filter, no functions.
    pub const PLAIN: Self = Self {
        masks: Masks::ALL,
        form: "asm",
        boundary: "fence",
        functions: Functions::Off,
        addresses: "off",
        barriers: false,
        memory: None,
        clock: None,
        id_space: "auto",
        debug: false,
    };

    /// A random one for that optimization level and machine.
    ///
    /// Thresholds are never so low that functions of the header are marked, or wrappers of markers: of these it
    /// depends on their callers whether they are inlined before functions are marked. At -O0 every variable of a
    /// function is memory, which costs.
    pub fn random(rng: &mut Rng, opt: u8, machine: Machine) -> Self {
        let masks = match rng.below(10) {
            0..=4 => Masks::ALL,
            5 | 6 => Masks::DEFAULT,
            7 => Masks { simd: rng.within(1, 15) as u32, ..Masks::ALL },
            8 => Masks { wave: rng.bits() as u32 | 1, wg: rng.bits() as u32 | 1, ..Masks::ALL },
            _ => Masks {
                wave: rng.pick(&[u32::MAX, 0x5555_5555, 0x1]),
                simd: rng.pick(&[0xF, 0x3, 0x5]),
                cu: rng.pick(&[0xFFFF, 0x1, 0xE, 0x3]),
                wg: rng.pick(&[u32::MAX, 0x1, 0x3]),
            },
        };
        let mut setting = Self {
            masks,
            form: rng.pick(&["asm", "asm", "cfg"]),
            boundary: rng.pick(&["none", "asm", "fence", "fence"]),
            functions: rng.pick(&[
                Functions::Off,
                Functions::Off,
                Functions::Instructions(40),
                Functions::Instructions(if opt == 0 { 24 } else { 12 }),
                Functions::Instructions(90),
                Functions::Cost(if opt == 0 { 120 } else { 60 }),
                Functions::Cost(if opt == 0 { 200 } else { 15 }),
            ]),
            debug: rng.percent(35),
            addresses: rng.pick(&["off", "off", "off", "off", "memory,lds", "memory,lds", "memory", "lds"]),
            barriers: rng.percent(40),
            memory: None,
            clock: None,
            id_space: "auto",
        };
        // The choices are made whatever comes of them, so that the rest is the same.
        let memory = rng.pick(&[None, None, Some((1, 0)), Some((1, 40)), Some((4, 5)), Some((2, 100))]);
        let clock =
            rng.pick(&[None, Some((12, 4)), Some((12, 0)), Some((8, 4)), Some((12, 20)), Some((5, 9))]);
        if setting.addresses == "off" {
            setting.memory = memory;
            if machine.target.generation() == 12 {
                setting.clock = clock;
            }
        }
        let id_space = rng.pick(&["auto", "auto", "auto", "auto", "auto", "unit", "link", "link"]);
        // A clock leaves no room for a prefix.
        if id_space == "link" || setting.clock.is_none() {
            setting.id_space = id_space;
        }
        // So high that nothing is marked.
        let silent = rng.pick(&[Functions::Instructions(1_000_000), Functions::Cost(1_000_000)]);
        if rng.percent(10) {
            setting = Self {
                functions: silent,
                addresses: "off",
                barriers: false,
                memory: None,
                clock: None,
                id_space: "auto",
                ..setting
            };
        }
        setting
    }

    /// True if nothing is marked but what the source marks.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        matches!(self.functions, Functions::Instructions(1_000_000) | Functions::Cost(1_000_000))
    }

    /// The build that compiles with markers, the plugin, and this.
    #[must_use]
    pub fn build(&self, plain: &Build, plugin: &Path) -> Build {
        let plugin = Plugin { path: plugin.to_owned(), settings: self.variables() };
        Build { debug: self.debug, markers: true, plugin: Some(plugin), ..plain.clone() }
    }

    /// The environment variables.
    #[must_use]
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let mut variables = vec![("SQTT_MEM_BARRIER", self.boundary.to_owned())];
        // What is the default is left out, which has to come to the same.
        if self.form != "asm" {
            variables.push(("SQTT_SCOPE_FORM", self.form.to_owned()));
        }
        let Masks { wave, simd, cu, wg } = self.masks;
        if wave != Masks::DEFAULT.wave {
            variables.push(("SQTT_SCOPE_WAVE", format!("{wave:#x}")));
        }
        if simd != Masks::DEFAULT.simd {
            variables.push(("SQTT_SCOPE_SIMD", format!("{simd:#x}")));
        }
        if wg != Masks::DEFAULT.wg {
            variables.push(("SQTT_SCOPE_WG", format!("{wg:#x}")));
        }
        if cu == Masks::ALL.cu {
            variables.push(("SQTT_SCOPE_CU", "-1".to_owned()));
        } else if cu != Masks::DEFAULT.cu {
            variables.push(("SQTT_SCOPE_CU", format!("{cu:#x}")));
        }
        match self.functions {
            Functions::Off => {}
            Functions::Instructions(above) => {
                variables.push(("SQTT_INSTRUMENT_FUNCTIONS", above.to_string()));
            }
            Functions::Cost(above) => variables.push(("SQTT_INSTRUMENT_FUNCTIONS", format!("cost:{above}"))),
        }
        if self.barriers {
            variables.push(("SQTT_INSTRUMENT_BARRIERS", "1".to_owned()));
        }
        if let Some((size, gap)) = self.memory {
            variables.push(("SQTT_INSTRUMENT_MEMORY", format!("{size}:{gap}")));
        }
        if let Some((bits, shift)) = self.clock {
            variables.push(("SQTT_SHADER_CLOCK_BITS", bits.to_string()));
            // What is the default is left out here too.
            if shift != 4 {
                variables.push(("SQTT_SHADER_CLOCK_SHIFT", shift.to_string()));
            }
        }
        if self.id_space != "auto" {
            variables.push(("SQTT_ID_SPACE", self.id_space.to_owned()));
        }
        if self.addresses != "off" {
            variables.push(("SQTT_TRACE_ADDRESSES", self.addresses.to_owned()));
        }
        variables
    }

    /// The addresses that are traced.
    #[must_use]
    pub fn traced(&self) -> Traced {
        Traced { memory: self.addresses.contains("memory"), lds: self.addresses.contains("lds") }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variables: Vec<String> =
            self.variables().into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        write!(out, "{}{}", variables.join(" "), if self.debug { " -g" } else { "" })
    }
}

/// A processor and a wave size that it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The processor.
    pub target: Target,
    /// 32 or 64.
    pub wave: u32,
}

impl Machine {
    /// Every simulated one, in both wave sizes where there are two.
    #[must_use]
    pub fn all() -> Vec<Self> {
        Target::ALL
            .into_iter()
            .flat_map(|target| {
                let sizes: &[u32] = if target.generation() >= 10 { &[32, 64] } else { &[64] };
                sizes.iter().map(move |wave| Self { target, wave: *wave })
            })
            .collect()
    }

    /// Says whether an LLVM compiles for it: gfx950 came with LLVM 20.
    #[must_use]
    pub fn is_known_to(self, llvm: Llvm) -> bool {
        self.target != Target::Gfx950 || llvm.major() >= 20
    }

    /// A compile for it without plugin.
    #[must_use]
    pub fn build(self, llvm: Llvm, opt: u8) -> Build {
        Build { llvm, target: self.target, wave: self.wave, opt, debug: false, markers: false, plugin: None }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} wave{}", self.target, self.wave)
    }
}
