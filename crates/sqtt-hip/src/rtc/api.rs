//! The functions of hiprtc.

use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::Program;
use super::compile::Failure;
use crate::call::number;
use crate::error::{Code, Status};
use crate::message;
use crate::raw::{Forever, In, Out, Text};
use crate::runtime;

/// The programs, by handle.
static PROGRAMS: LazyLock<Mutex<HashMap<usize, Program>>> = LazyLock::new(Mutex::default);

fn programs() -> MutexGuard<'static, HashMap<usize, Program>> {
    PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `hiprtcResult`, with the names that `hiprtcGetErrorString` gives.
const RESULTS: [(i32, &CStr); 13] = [
    (0, c"HIPRTC_SUCCESS"),
    (1, c"HIPRTC_ERROR_OUT_OF_MEMORY"),
    (2, c"HIPRTC_ERROR_PROGRAM_CREATION_FAILURE"),
    (3, c"HIPRTC_ERROR_INVALID_INPUT"),
    (4, c"HIPRTC_ERROR_INVALID_PROGRAM"),
    (5, c"HIPRTC_ERROR_INVALID_OPTION"),
    (6, c"HIPRTC_ERROR_COMPILATION"),
    (7, c"HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE"),
    (8, c"HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION"),
    (9, c"HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION"),
    (10, c"HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID"),
    (11, c"HIPRTC_ERROR_INTERNAL_ERROR"),
    (100, c"HIPRTC_ERROR_LINKING"),
];

const INVALID_INPUT: Code = Code(3);
const INVALID_PROGRAM: Code = Code(4);
const COMPILATION: Code = Code(6);
const NO_EXPRESSIONS_AFTER: Code = Code(8);
const NO_NAMES_BEFORE: Code = Code(9);
const NOT_VALID: Code = Code(10);
const INTERNAL: Code = Code(11);

fn texts(list: In<Text>, count: i32) -> Result<Vec<String>, Code> {
    let count = usize::try_from(count).map_err(|_| INVALID_INPUT)?;
    list.list(count)?.into_iter().map(Text::get).collect()
}

/// Does something with a program.
fn with(program: usize, work: impl FnOnce(&mut Program) -> Status) -> Status {
    work(programs().get_mut(&program).ok_or(INVALID_PROGRAM)?)
}

/// Functions whose status is a `hiprtcResult`: an argument that is null is an invalid input.
macro_rules! rtc {
    ($($(#[$meta:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $name($($arg: $type),*) -> i32 {
            let body = move || -> Status { $body };
            match number(stringify!($name), body) {
                1 => INVALID_INPUT.0,
                999 => INTERNAL.0,
                other => other,
            }
        }
    )*};
}

/// The text of a result.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn hiprtcGetErrorString(result: i32) -> Forever {
    Forever::of(RESULTS.iter().find(|row| row.0 == result).map_or(c"HIPRTC_ERROR_UNKNOWN", |row| row.1))
}

fn bytes(out: Out<c_char>, bytes: &[u8]) -> Status {
    bytes.iter().enumerate().try_for_each(|(index, byte)| out.put(index, byte.cast_signed()))
}

rtc! {
    /// Gives the version of hiprtc.
    fn hiprtcVersion(major: Out<i32>, minor: Out<i32>) {
        major.set(9)?;
        minor.set(0)
    }

    /// Makes a program of a source and headers.
    fn hiprtcCreateProgram(
        out: Out<usize>, source: Text, name: Text, count: i32, headers: In<Text>, names: In<Text>,
    ) {
        let (contents, names) = (texts(headers, count)?, texts(names, count)?);
        let headers = names.into_iter().zip(contents).collect();
        let name = name.get().unwrap_or_default();
        let program = Program { source: source.get()?, name, headers, ..Program::default() };
        if out.is_null() {
            return Err(INVALID_INPUT);
        }
        let handle = runtime::lock().handle();
        programs().insert(handle, program);
        out.set(handle)
    }

    /// Ends a program.
    fn hiprtcDestroyProgram(program: Out<usize>) {
        programs().remove(&program.get()?).ok_or(INVALID_PROGRAM)?;
        program.set(0)
    }

    /// Asks for the name that an expression will have.
    fn hiprtcAddNameExpression(program: usize, expression: Text) {
        let expression = expression.get()?;
        with(program, |program| {
            if program.compiled.is_some() {
                return Err(NO_EXPRESSIONS_AFTER);
            }
            program.expressions.push(expression);
            Ok(())
        })
    }

    /// Compiles a program.
    fn hiprtcCompileProgram(program: usize, count: i32, options: In<Text>) {
        let options = texts(options, count)?;
        let target = runtime::lock().settings.target;
        with(program, |program| {
            program.compile(&options, target).map_err(|failure| match failure {
                Failure::Compilation => COMPILATION,
                Failure::Internal(why) => {
                    message::say(&why);
                    program.log = why;
                    INTERNAL
                }
            })
        })
    }

    /// Gives the name that an expression has. It lives as long as the program.
    fn hiprtcGetLoweredName(program: usize, expression: Text, out: Out<Forever>) {
        let expression = expression.get()?;
        with(program, |program| {
            let compiled = program.compiled.as_ref().ok_or(NO_NAMES_BEFORE)?;
            let at = program.expressions.iter().position(|known| *known == expression).ok_or(NOT_VALID)?;
            let name = compiled.names.get(at).filter(|name| !name.is_empty()).ok_or(NOT_VALID)?;
            out.set(Forever(name.as_ptr()))
        })
    }

    /// Gives the size of the log, with its NUL.
    fn hiprtcGetProgramLogSize(program: usize, out: Out<usize>) {
        with(program, |program| out.set(program.log.len() + 1))
    }

    /// Gives the log.
    fn hiprtcGetProgramLog(program: usize, out: Out<c_char>) {
        with(program, |program| out.set_text(&program.log, program.log.len() + 1))
    }

    /// Gives the size of the code object.
    fn hiprtcGetCodeSize(program: usize, out: Out<usize>) {
        with(program, |program| out.set(program.compiled.as_ref().ok_or(INVALID_PROGRAM)?.code.len()))
    }

    /// Gives the code object.
    fn hiprtcGetCode(program: usize, out: Out<c_char>) {
        with(program, |program| bytes(out, &program.compiled.as_ref().ok_or(INVALID_PROGRAM)?.code))
    }
}
