//! Markers as text.

use super::stmt::Printer;
use crate::ast::{Form, Mark, Name, Payload, ScopeStyle, Stmt, Ty, Via};

/// Types that numbers of markers are printed in.
const NUMBER_TYPES: [&str; 8] =
    ["", "(u32)", "(short)", "(u64)", "(i64)", "(Phase)", "(unsigned short)", "(long)"];

/// A string literal.
fn literal(text: &str) -> String {
    format!("\"{}\"", text.escape_default().to_string().replace("\\'", "'"))
}

impl Printer<'_> {
    /// An argument that carries the name; what has to stand before it is printed.
    fn name(&mut self, name: &Name) -> String {
        match name {
            Name::Literal(text) => literal(text),
            Name::Offset(before, text) => {
                format!("({} + {})", literal(&format!("{before}{text}")), before.len())
            }
            Name::Member(text) => {
                let k = self.number();
                self.line(format!("const Named named{k} = {{{k}u, {}}};", literal(text)));
                format!("named{k}.name")
            }
            Name::Choice(c, yes, no) => {
                format!("({} != 0u ? {} : {})", self.expr(c), literal(yes), literal(no))
            }
            Name::Variable(c, yes, no) => {
                let (k, c) = (self.number(), self.expr(c));
                self.line(format!("const char *name{k} = {};", literal(no)));
                self.line(format!("if ({c} != 0u) name{k} = {};", literal(yes)));
                format!("name{k}")
            }
            Name::Number(id, ty) => {
                let ty = NUMBER_TYPES[usize::from(*ty) % NUMBER_TYPES.len()];
                // Types that are too narrow would make another number of it.
                let ty = if *id > 0x7FFF && ty.contains("short") { "" } else { ty };
                format!("{ty}{id}{}", if ty.is_empty() && id % 2 == 0 { "u" } else { "" })
            }
            Name::Computed(value) => format!("(0x10000u + ({} & 255u))", self.expr(value)),
        }
    }

    /// The exit that goes with an enter of that name.
    fn exit(&mut self, name: &Name) {
        let argument = match name {
            Name::Literal(text) | Name::Offset(_, text) | Name::Member(text) => literal(text),
            Name::Choice(_, text, _) | Name::Variable(_, text, _) => literal(text),
            Name::Number(id, _) => {
                if id % 3 == 0 {
                    String::new()
                } else {
                    id.to_string()
                }
            }
            Name::Computed(_) => String::new(),
        };
        self.line(format!("sqtt_marker_exit({argument});"));
    }

    pub(super) fn direct_point(&mut self, name: &str) {
        self.line(format!("sqtt_marker_point({});", literal(name)));
    }

    /// A value in the type that its marker takes.
    fn payload(&self, payload: &Payload) -> String {
        let (value, ty) = (self.expr(&payload.value), payload.value.ty());
        let bits =
            |ty: &str, mask: u32| format!("__builtin_bit_cast({ty}, (unsigned short)({value} & {mask:#x}u))");
        match payload.form {
            Form::Own if matches!(ty, Ty::F32 | Ty::F64) => format!("no_minus({}, {value})", ty.text()),
            Form::Own => value,
            Form::I16 => format!("(short)({value})"),
            Form::U16 => format!("(unsigned short)({value})"),
            Form::F16 => bits("_Float16", Form::F16_MASK),
            Form::BF16 => bits("__bf16", Form::BF16_MASK),
            Form::I64 => format!("(i64)({value})"),
            Form::Pointer => format!("(const void *)({value})"),
        }
    }

    pub(super) fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Point(name, via) => {
                let name = self.name(name);
                let function = match via {
                    Via::Direct => "sqtt_marker_point",
                    Via::Wrapper => "wrapped_point",
                    Via::TwoWrappers => "wrapped_twice",
                };
                self.line(format!("{function}({name});"));
            }
            Mark::Data(name, payload, via) => {
                let (name, value) = (self.name(name), self.payload(payload));
                let function = match via {
                    Via::Direct => "sqtt_marker_data",
                    _ if (payload.form, payload.value.ty()) == (Form::Own, Ty::U32) => "wrapped_data",
                    _ => "wrapped_value",
                };
                self.line(format!("{function}({name}, {value});"));
            }
            Mark::Wrapped(name, dst, value) => {
                let (name, value) = (self.name(name), self.expr(value));
                self.line(format!("v{dst} = wrapped_step({name}, {value});"));
            }
            Mark::Builtin(word) => {
                let word = self.expr(word);
                self.line("#if SQTT_ENABLED && defined(__HIP_DEVICE_COMPILE__)");
                self.line(format!(
                    "__builtin_amdgcn_s_ttracedata((i32)((0x20000u + ({word} & 255u)) << 2));"
                ));
                self.line("#endif");
            }
        }
    }

    pub(super) fn scope(&mut self, style: ScopeStyle, name: &Name, body: &[Stmt]) {
        match style {
            ScopeStyle::Lambda if !self.options.no_lambdas => {
                let name = self.name(name);
                let shared = if self.of_host() { " __host__ __device__" } else { "" };
                self.nested(format!("wrapped_run({name}, [&]{shared}()"), body, ");");
            }
            ScopeStyle::Guard | ScopeStyle::Lambda => {
                self.line("{");
                let k = self.number();
                let name = self.name(name);
                self.line(format!("  sqtt_scope scope{k}({name});"));
                self.inner(body);
                self.line("}");
            }
            ScopeStyle::Pair => {
                let text = self.name(name);
                self.line(format!("sqtt_marker_enter({text});"));
                self.block(body);
                self.exit(name);
            }
        }
    }

    pub(super) fn chain(&mut self, parts: &[(String, Vec<Stmt>)]) {
        let mut before: Option<&str> = None;
        for (name, body) in parts {
            if let Some(before) = before {
                self.line(format!("sqtt_marker_exit({});", literal(before)));
            }
            self.line(format!("sqtt_marker_enter({});", literal(name)));
            self.block(body);
            before = Some(name);
        }
        if let Some(before) = before {
            self.line(format!("sqtt_marker_exit({});", literal(before)));
        }
    }
}
