//! One table of what differs between AMDGPU targets.
//!
//! Source of the rows: the specification's "Architecture Support" and "Instruction selection", and for the wait
//! states what the existing plugin came to (`s_nop 3` from gfx10 on satisfies the specification's minimum).

/// What the pass needs to know of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// The family's name, for messages.
    pub(crate) family: &'static str,
    /// Whether `s_ttracedata_imm` exists.
    pub(crate) has_immediate: bool,
    /// The operand of the `s_nop` between the write of M0 and `s_ttracedata`.
    pub(crate) m0_nop: u8,
}

const FAMILIES: [(&str, Target); 4] = [
    ("gfx9", Target { family: "gfx9", has_immediate: false, m0_nop: 0 }),
    ("gfx10", Target { family: "gfx10", has_immediate: true, m0_nop: 3 }),
    ("gfx11", Target { family: "gfx11", has_immediate: true, m0_nop: 3 }),
    ("gfx12", Target { family: "gfx12", has_immediate: true, m0_nop: 3 }),
];

/// What may stand in `target-cpu`, for messages.
pub(crate) const SUPPORTED: &str = "gfx900 to gfx950, gfx1010 to gfx1036, gfx1100 to gfx1153, gfx1200 to gfx1251, \
                                    gfx9-generic, gfx9-4-generic, gfx10-1-generic, gfx10-3-generic, gfx11-generic, \
                                    gfx12-generic";

impl Target {
    /// The row for a `target-cpu`; `None` for anything outside the families.
    ///
    /// A cpu is its family, two further digits (the last one may be a letter: `gfx90a`), or `-generic` forms.
    pub(crate) fn from_cpu(cpu: &str) -> Option<Self> {
        FAMILIES.iter().find_map(|(prefix, target)| {
            let rest = cpu.strip_prefix(prefix)?;
            let stepping = rest.len() == 2
                && rest.as_bytes()[0].is_ascii_digit()
                && matches!(rest.as_bytes()[1], b'0'..=b'9' | b'a'..=b'f');
            let generic = rest == "-generic"
                || rest.strip_suffix("-generic").is_some_and(|middle| {
                    middle.strip_prefix('-').is_some_and(|number| {
                        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
                    })
                });
            (stepping || generic).then_some(*target)
        })
    }
}
