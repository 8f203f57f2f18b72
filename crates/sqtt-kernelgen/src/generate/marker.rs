//! Markers and their names.

use super::Maker;
use crate::ast::{Expr, Form, Mark, Name, Payload, Ty, Via};

/// Names, some of which the funcmap has to escape.
const NAMES: [&str; 14] = [
    "load",
    "compute tile",
    "store",
    "a",
    "b",
    "wait:1",
    "at@line",
    "100%",
    "%:odd",
    "two\nlines",
    "\"quoted\"",
    "back\\slash",
    "x -> y",
    "a name that is longer than most names of markers that people write in their kernels",
];

impl Maker<'_> {
    pub(super) fn text(&mut self) -> String {
        match self.rng.below(3) {
            0 => format!("phase {}", self.rng.below(100)),
            _ => self.rng.pick(&NAMES).to_owned(),
        }
    }

    /// A name that is a string.
    pub(super) fn string_name(&mut self) -> Name {
        let text = self.text();
        match self.rng.below(10) {
            0 => Name::Offset(self.rng.pick(&["x", "skip this "]).to_owned(), text),
            1 => Name::Member(text),
            2 | 3 => {
                let c = self.choice();
                Name::Choice(c, text, self.text())
            }
            4 => {
                let c = self.choice();
                Name::Variable(c, text, self.text())
            }
            _ => Name::Literal(text),
        }
    }

    fn choice(&mut self) -> Expr {
        if self.rng.percent(50) { self.uniform_condition() } else { self.condition(1) }
    }

    /// Any name.
    pub(super) fn name(&mut self) -> Name {
        match self.rng.below(10) {
            0 => {
                let id = match self.rng.below(3) {
                    0 => self.rng.within(1, 9),
                    1 => self.rng.within(10, 63),
                    _ => self.rng.within(64, 0xFFFF),
                };
                Name::Number(id as u32, self.rng.below(8) as u8)
            }
            1 => Name::Computed(self.expr(Ty::U32, 1)),
            _ => self.string_name(),
        }
    }

    /// A value of any type that a marker takes.
    fn payload(&mut self) -> Payload {
        let form = match self.rng.below(10) {
            0..=4 => {
                let value = if self.rng.percent(30) { self.uniform() } else { self.expr(Ty::U32, 2) };
                return Payload::own(value);
            }
            5 | 6 => {
                let types = self.types();
                let ty = self.rng.pick(&types);
                return Payload::own(self.expr(ty, 2));
            }
            7 if self.features.wide => self.rng.pick(&[Form::I64, Form::Pointer]),
            _ => self.rng.pick(&[Form::I16, Form::U16, Form::F16, Form::BF16]),
        };
        let ty = if matches!(form, Form::I64 | Form::Pointer) { Ty::U64 } else { Ty::U32 };
        Payload { value: self.expr(ty, 2), form }
    }

    /// A marker that is an event.
    pub(super) fn event(&mut self) -> Mark {
        match self.rng.below(10) {
            0..=3 => {
                let name = self.name();
                let via = match name {
                    Name::Number(..) | Name::Computed(_) => Via::Direct,
                    _ => self.rng.pick(&[
                        Via::Direct,
                        Via::Direct,
                        Via::Direct,
                        Via::Wrapper,
                        Via::TwoWrappers,
                    ]),
                };
                Mark::Point(name, via)
            }
            4..=8 => {
                let name = self.string_name();
                let payload = self.payload();
                Mark::Data(name, payload, self.rng.pick(&[Via::Direct, Via::Direct, Via::Wrapper]))
            }
            // It writes M0, plugin or no plugin.
            _ if self.features.m0 => Mark::Point(self.string_name(), Via::Direct),
            _ => Mark::Builtin(self.expr(Ty::U32, 1)),
        }
    }
}
