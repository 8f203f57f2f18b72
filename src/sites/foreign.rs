//! The owner of a function, by its name, which is the same with and without debug information.
//!
//! Functions of this project's header, of HIP's headers, of the standard library and of the device library get no markers:
//! the time of a marker, of a wrapper of a built-in or of the inside of a square root is of no use. HIP's names are those
//! that 5.2.3 and 6.3 define for devices.

use crate::llvm::{Function, Inst};
use std::collections::HashSet;

/// Functions and namespaces of the header: `sqtt_marker_enter<int>`, `sqtt_detail::record`, `sqtt_scope::~sqtt_scope`.
const HEADER: [&[u8]; 3] = [b"sqtt_marker_", b"sqtt_detail", b"sqtt_scope"];

/// Functions of the device library. Names that begin with two underscores are not the user's either, but may
/// be HIP's: `__syncthreads` has the barrier of whoever calls it.
const DEVICE_LIBRARY: [&[u8]; 4] = [b"__ocml", b"__ockl", b"__atomic_work_item_fence", b"__get_scratch_lds"];

/// Namespaces and classes of HIP's headers without underscores.
const SCOPES: [&[u8]; 6] =
    [b"cooperative_groups", b"hip_impl", b"hip_bfloat16", b"HIP_vector_base", b"HIP_vector_type", b"dim3"];

/// Their functions: these prefixes, …
const PREFIXES: [&[u8]; 9] =
    [b"tex1D", b"tex2D", b"tex3D", b"texCubemap", b"surf1D", b"surf2D", b"surf3D", b"surfCubemap", b"hipC"];

/// … vectors of one to four of these, by `make_…`, …
const ELEMENTS: &str = "char uchar short ushort int uint long ulong longlong ulonglong float double";

/// … these of half precision, after `h` and `h2`, …
const HALF: &str = "ceil cos exp exp10 exp2 floor log log10 log2 rcp rint rsqrt sin sqrt trunc";

/// … these atomics, also `…_system` and `…NoRet`, and after `safeAtomic` and `unsafeAtomic`, …
const ATOMICS: &str = "Add Sub Exch Min Max Inc Dec And Or Xor CAS";

/// … these of the mathematical library, also with an `f` after them, …
const MATHEMATICS: &str = "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi \
    cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim fdivide floor fma fmax fmin \
    fmod frexp hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint \
    nextafter norm norm3d norm4d normcdf normcdfinv pow powi rcbrt remainder remquo rhypot rint rnorm rnorm3d rnorm4d \
    round rsqrt scalbln scalbn sin sincos sincospi sinh sinpi sqrt tan tanh tgamma trunc y0 y1 yn";

/// … and these.
const OTHERS: &str = "abort abs amd_mixed_dot clock clock64 fpclassify free hip_cas_expander hip_cas_extrema_expander \
    isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal isunordered labs llabs \
    make_hipComplex make_hipDoubleComplex make_hipFloatComplex malloc mapElem mapFrom max memcpy memset min printf \
    signbit wall_clock64";

/// Names of the C library that HIP's headers define, as C has them.
const C_LIBRARY: &str = "free malloc";

/// True if a function is not the user's.
pub(crate) fn is_foreign(function: Function) -> bool {
    let symbol = function.symbol();
    if symbol.is_empty() {
        return serves_foreign(function);
    }
    is_header(&symbol) || is_device_library(&symbol) || is_hip(&symbol)
}

/// True if this project's header defines it.
pub(crate) fn is_header(symbol: &[u8]) -> bool {
    HEADER.iter().any(|start| Name::outermost(symbol).first.starts_with(start))
}

/// True if the device library defines it.
pub(crate) fn is_device_library(symbol: &[u8]) -> bool {
    DEVICE_LIBRARY.iter().any(|start| symbol.starts_with(start))
}

/// A function without a name, of which the device library has hundreds: whether nothing but foreign ones call it.
fn serves_foreign(function: Function) -> bool {
    let mut seen = HashSet::from([function]);
    let mut open = vec![function];
    let mut is_called = false;
    while let Some(function) = open.pop() {
        for user in function.value().users() {
            let Some(caller) = user.as_inst().map(Inst::function) else { return false };
            if caller.symbol().is_empty() {
                if seen.insert(caller) {
                    open.push(caller);
                }
            } else if is_foreign(caller) {
                is_called = true;
            } else {
                return false;
            }
        }
    }
    is_called
}

fn is_hip(symbol: &[u8]) -> bool {
    let Name { first, is_scope, rest } = Name::outermost(symbol);
    if first.starts_with(b"__") || (is_scope && SCOPES.contains(&first)) {
        return true;
    }
    if first.is_empty() {
        // The standard library, in which clang's wrappers define functions, and operators of nothing but HIP's types.
        let is_operator = !is_scope && rest.iter().take(2).all(u8::is_ascii_lowercase);
        return rest.starts_with(b"St") || is_operator && takes_only(rest, &SCOPES);
    }
    if first == b"_GLOBAL__N_1" {
        return is_half(source_name(rest).0);
    }
    if first == symbol {
        return std::str::from_utf8(symbol).is_ok_and(|name| is_one_of(C_LIBRARY, name));
    }
    if is_scope {
        return false;
    }
    if is_half(first) && takes_only(rest, &[]) {
        return true;
    }
    let Ok(first) = std::str::from_utf8(first) else { return false };
    if PREFIXES.iter().any(|start| first.as_bytes().starts_with(start)) {
        return true;
    }
    let makes_vector = first
        .strip_prefix("make_")
        .and_then(|name| name.strip_suffix(['1', '2', '3', '4']))
        .is_some_and(|element| is_one_of(ELEMENTS, element));
    let is_atomic = ["atomic", "safeAtomic", "unsafeAtomic"].iter().any(|start| {
        first.strip_prefix(start).is_some_and(|name| {
            let name = name.strip_suffix("_system").or(name.strip_suffix("NoRet")).unwrap_or(name);
            is_one_of(ATOMICS, name)
        })
    });
    let is_mathematics = is_one_of(MATHEMATICS, first)
        || first.strip_suffix('f').is_some_and(|name| is_one_of(MATHEMATICS, name));
    // A function of the same name that takes what the user has defined is his.
    (makes_vector || is_atomic || is_mathematics || is_one_of(OTHERS, first)) && takes_only(rest, &[])
}

fn is_half(name: &[u8]) -> bool {
    let base = name.strip_prefix(b"h2").or(name.strip_prefix(b"h"));
    base.and_then(|base| std::str::from_utf8(base).ok()).is_some_and(|base| is_one_of(HALF, base))
}

fn is_one_of(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

/// True if the parameters of a mangled name have no class or enumeration but these, and reserved ones.
fn takes_only(parameters: &[u8], classes: &[&[u8]]) -> bool {
    let mut rest = parameters;
    while let Some(at) = rest.iter().position(u8::is_ascii_digit) {
        let (name, behind) = source_name(&rest[at..]);
        // No length: of something mentioned before (`S0_`), of a parameter (`T0_`), a literal (`Lj4E`).
        let is_number = at > 0 && b"ST_".contains(&rest[at - 1]) || at > 1 && rest[at - 2] == b'L';
        if !is_number && !name.starts_with(b"__") && !classes.contains(&name) {
            return false;
        }
        rest = if is_number { after_number(&rest[at..]) } else { behind };
    }
    true
}

/// The first part of a name: of `_ZN11sqtt_detail6recordEj` that is `sqtt_detail`, a scope.
struct Name<'a> {
    /// Empty for operators and the standard library.
    first: &'a [u8],
    is_scope: bool,
    rest: &'a [u8],
}

impl<'a> Name<'a> {
    /// Looks at a symbol, mangled (Itanium C++ ABI) or not.
    fn outermost(symbol: &'a [u8]) -> Self {
        let Some(mut rest) = symbol.strip_prefix(b"_Z") else {
            return Self { first: symbol, is_scope: false, rest: &[] };
        };
        // A name that is local to a function begins with the function's.
        while let Some(inner) = rest.strip_prefix(b"Z") {
            rest = inner;
        }
        let is_scope = rest.starts_with(b"N");
        // Nested, qualifiers of a method, internal linkage.
        let marks = rest.iter().take_while(|byte| b"NrVKROL".contains(byte)).count();
        let (first, behind) = source_name(&rest[marks..]);
        Self { first, is_scope, rest: behind }
    }
}

/// A length and so many bytes; empty where there is none.
fn source_name(text: &[u8]) -> (&[u8], &[u8]) {
    let behind = after_number(text);
    let digits = &text[..text.len() - behind.len()];
    let length = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<usize>().ok());
    match length {
        Some(length) if length <= behind.len() => behind.split_at(length),
        _ => (&[], behind),
    }
}

fn after_number(text: &[u8]) -> &[u8] {
    &text[text.iter().take_while(|byte| byte.is_ascii_digit()).count()..]
}
