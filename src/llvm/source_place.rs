//! Places in the source, for messages: by debug information, and without it by what the compiler remembers
//! of calls that it may have to complain about.

use super::{
    Constant, Function, Inst, Location, MetadataValue, Module, Severity, Value, ValueKind, changes, metadata,
    shim,
};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{
    LLVMDIGlobalVariableExpressionGetVariable, LLVMDIVariableGetFile, LLVMDIVariableGetLine,
};

/// A place in the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SourcePlace {
    /// The compiler's own number for it: it knows file, line and column.
    cookie: u64,
    /// A location or a subprogram, with the function around it.
    debug: Option<(MetadataValue, Function)>,
    /// The place in words, innermost first where code was inlined; empty where only the function is known.
    words: Vec<String>,
    /// The function, as the source calls it.
    function: Option<String>,
}

impl SourcePlace {
    /// The place of a use that is no call: in an instruction, or in the initializer of a variable, through any
    /// constants.
    pub(crate) fn of_use(user: Value) -> Self {
        const DEPTH: usize = 16;
        let uses = std::iter::successors(Some(user), |user| user.users().first().copied()).take(DEPTH);
        let mut places = uses.filter_map(|user| match user.kind() {
            ValueKind::Inst(inst) => Some(SourcePlace::of(inst)),
            ValueKind::Constant(Constant::Global) => Some(SourcePlace::of_global(user)),
            _ => None,
        });
        places.next().unwrap_or_default()
    }

    /// The place of an instruction; for one without any, its function.
    pub(crate) fn of(inst: Inst) -> Self {
        let function = inst.function();
        let place = match inst.location() {
            Some(location) => {
                let debug = Some((location.0, function));
                Self { debug, words: location.words(), ..Self::default() }
            }
            None => Self::of_function(function),
        };
        // That of an asm is where its text is: in the header.
        let cookie = inst.called_function().and_then(|_| inst.srcloc()).unwrap_or_default();
        Self { cookie, ..place }
    }

    /// The place of a function.
    pub(crate) fn of_function(function: Function) -> Self {
        let scope = function.subprogram();
        Self {
            cookie: 0,
            debug: scope.map(|scope| (scope, function)),
            words: scope.and_then(MetadataValue::subprogram_location).into_iter().collect(),
            function: Some(function.demangled()),
        }
    }

    /// The place of a global variable.
    pub(crate) fn of_global(global: Value) -> Self {
        let name = String::from_utf8_lossy(&global.name()).into_owned();
        let words =
            global.variable_location().unwrap_or_else(|| format!("variable {}", super::demangled(&name)));
        Self { words: vec![words], ..Self::default() }
    }

    /// The line of the source, whatever called it: the compiler's number, and words.
    pub(crate) fn source(&self) -> (u64, String) {
        (self.cookie, self.words.first().or(self.function.as_ref()).cloned().unwrap_or_default())
    }

    /// This line without the calls that lead to it.
    pub(crate) fn without_callers(&self) -> Self {
        Self { words: self.words.iter().take(1).cloned().collect(), ..self.clone() }
    }

    /// A message after its place: `file:line:column -> file:line:column`, innermost first, or the
    /// function.
    pub(crate) fn with(&self, what: &str) -> String {
        match (&self.words[..], &self.function) {
            ([], Some(function)) if !what.contains("function ") => format!("function {function}: {what}"),
            ([], _) => what.to_owned(),
            (words, _) => format!("{}: {what}", words.join(" -> ")),
        }
    }
}

impl Module {
    /// Reports something at a place.
    pub(crate) fn diagnose_at(self, severity: Severity, place: &SourcePlace, what: &str) {
        let cookie = if self.is_of_this_compile() { place.cookie } else { 0 };
        let debug = place.debug.filter(|_| severity == Severity::Error);
        let callers = place.words.get(1..).filter(|callers| !callers.is_empty());
        let text = match (cookie, debug) {
            (0, None) => format!("sqtt: {}", place.with(what)),
            _ => match callers {
                Some(callers) => format!("sqtt: {what} (called from {})", callers.join(" -> ")),
                None => format!("sqtt: {what}"),
            },
        };
        let (location, function) = match debug {
            Some((location, function)) => (location.0, function.0),
            None => (std::ptr::null_mut(), std::ptr::null_mut()),
        };
        // SAFETY: live module, location and function (module rule 1), or null; text and length agree.
        unsafe {
            shim::sqtt_shim_diagnose_at(
                LLVMGetModuleContext(self.raw()),
                severity as u32,
                text.as_ptr().cast(),
                text.len(),
                cookie,
                location,
                function,
            );
        }
    }
}

impl Module {
    /// True if the compiler that runs has made the module of its source, so that it knows its own numbers again. One
    /// that was read is called after the file it was read from, and a link's has a fixed name.
    fn is_of_this_compile(self) -> bool {
        const LINKED: &str = "ld-temp.o";
        let mut length = 0;
        // SAFETY: live module (module rule 1); the text is copied.
        let source = unsafe {
            let text = LLVMGetSourceFileName(self.raw(), &raw mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(text.cast::<u8>(), length)).into_owned()
        };
        self.name() == source && source != LINKED
    }
}

impl Inst {
    /// Gives a call the compiler's number of another, whose place it takes.
    pub(crate) fn take_srcloc_of(self, other: Self) {
        changes::note();
        let kind = self.srcloc_kind();
        // SAFETY: live instructions (module rule 1) of one context.
        unsafe {
            let row = LLVMGetMetadata(other.0, kind);
            if !row.is_null() {
                LLVMSetMetadata(self.0, kind, row);
            }
        }
    }

    fn srcloc_kind(self) -> u32 {
        // SAFETY: live instruction (module rule 1).
        unsafe { metadata::kind(LLVMGetTypeContext(LLVMTypeOf(self.0)), "srcloc") }
    }

    /// The compiler's number for the place of a call that it may have to complain about.
    fn srcloc(self) -> Option<u64> {
        // SAFETY: live instruction (module rule 1).
        let row = unsafe { LLVMGetMetadata(self.0, self.srcloc_kind()) };
        if row.is_null() {
            return None;
        }
        // SAFETY: live metadata node (module rule 1); the buffer holds as many operands as LLVM said it would write.
        let operands = unsafe {
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(row) as usize];
            LLVMGetMDNodeOperands(row, operands.as_mut_ptr());
            operands
        };
        Value(*operands.first().filter(|operand| !operand.is_null())?).as_int()
    }
}

impl Location {
    /// `file:line:column` of the code and of the calls that it was inlined from.
    fn words(self) -> Vec<String> {
        self.frames()
            .map(Self::file_line_column)
            .map(|place| place.unwrap_or_else(|| "?".to_owned()))
            .collect()
    }
}

impl Value {
    /// `file:line` of a global variable with debug information.
    fn variable_location(self) -> Option<String> {
        // SAFETY: live global (module rule 1), of which the node is.
        let (file, line) = unsafe {
            let variable = LLVMDIGlobalVariableExpressionGetVariable(metadata::attached(self.0, "dbg")?);
            (LLVMDIVariableGetFile(variable), LLVMDIVariableGetLine(variable))
        };
        (!file.is_null()).then(|| format!("{}:{line}", MetadataValue(file).own_file_name()))
    }
}
