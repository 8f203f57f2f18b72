//! Kernels as HIP source, for clang without the HIP headers.

mod expr;
mod marker;
mod stmt;

use crate::ast::{Function, Inlining, Kernel, Size};
use std::fmt::Write as _;
use stmt::Printer;

/// The name of every generated kernel.
pub const KERNEL_NAME: &str = "kern";

/// Choices of the printer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PrintOptions {
    /// Scopes in the style of lambdas are printed as guards: a lambda is a function, and may become one that is
    /// marked under a name that the generator does not know; and it reaches variables through memory of its own, of
    /// which nobody can tell that it is private.
    pub no_lambdas: bool,
}

/// The source text.
#[must_use]
pub fn print(kernel: &Kernel, options: PrintOptions) -> String {
    let mut out = format!("// seed {}, {} workgroups of {}\n", kernel.seed, kernel.grid, kernel.block);
    let _ = writeln!(out, "#define SHARED {}__device__", if kernel.host { "__host__ " } else { "" });
    out.push_str(include_str!("prelude.hip"));
    for function in &kernel.functions {
        out.push('\n');
        device_function(&mut out, kernel, function, options);
    }
    out.push('\n');
    if kernel.host {
        // A launch would need HIP's headers.
        out.push_str("#ifdef __HIP_DEVICE_COMPILE__\n");
        main_function(&mut out, kernel, options);
        out.push_str("#else\n");
        host_function(&mut out, kernel);
        out.push_str("#endif\n");
    } else {
        main_function(&mut out, kernel, options);
    }
    out
}

/// Calls every device function on the host, and a lambda.
fn host_function(out: &mut String, kernel: &Kernel) {
    out.push_str("u32 on_host(const u32 *in, u32 n) {\n  u32 sum = 0;\n");
    out.push_str("  wrapped_run(\"host\", [&] __host__ __device__() { sum += n; });\n");
    for function in &kernel.functions {
        let mut args = vec!["2"; function.params];
        if function.size != Size::Small {
            args.insert(0, "in, n");
        }
        let _ = writeln!(out, "  sum += {}({});", function.name, args.join(", "));
    }
    out.push_str("  return sum;\n}\n");
}

fn device_function(out: &mut String, kernel: &Kernel, function: &Function, options: PrintOptions) {
    let inlining = match function.inlining {
        Inlining::Free => "",
        Inlining::Never => "__attribute__((noinline)) ",
        Inlining::Always => "__attribute__((always_inline)) ",
    };
    // Some functions can be seen from outside, where the compiler may not do all that it likes with them.
    let linkage = if function.name.ends_with("ext") { "" } else { "static " };
    let mut params: Vec<String> = function.vars[..function.params]
        .iter()
        .enumerate()
        .map(|(k, ty)| format!("{} v{k}", ty.text()))
        .collect();
    if function.size != Size::Small {
        params.insert(0, "const u32 *in, u32 n".to_owned());
    }
    let ret = function.value.as_ref().map_or("void", |value| value.ty().text());
    let _ = writeln!(out, "{linkage}SHARED {inlining}{ret} {}({}) {{", function.name, params.join(", "));
    let mut printer = Printer::new(out, kernel, options);
    printer.locals(function);
    printer.block(&function.body);
    if let Some(value) = &function.value {
        printer.give_back(value);
    }
    out.push_str("}\n");
}

/// More than any workgroup has: the code generator must not take a bit of an item's number for known. It would make all
/// ones of a lane mask, and of an `or` with that the other operand: see `docs/fuzzing.md`.
const MOST_ITEMS: u32 = 256;

fn main_function(out: &mut String, kernel: &Kernel, options: PrintOptions) {
    let restrict = if kernel.restrict { "__restrict__ " } else { "" };
    let _ = writeln!(
        out,
        "extern \"C\" __global__ __attribute__((amdgpu_flat_work_group_size(1, {MOST_ITEMS}))) void\n\
         {KERNEL_NAME}(const u32 *{restrict}in, u32 *{restrict}out, u32 *acc, u32 n) {{"
    );
    let mut printer = Printer::new(out, kernel, options);
    printer.shared_memory();
    printer.locals(&kernel.main);
    printer.block(&kernel.main.body);
    out.push_str("}\n");
}
