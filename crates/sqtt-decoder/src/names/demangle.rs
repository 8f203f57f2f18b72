//! C++ names of functions and kernels.

#[cfg(feature = "demangle")]
use std::fmt;

#[cfg(feature = "demangle")]
use cpp_demangle::{DemangleOptions, DemangleWrite, Symbol};

/// Names longer than this are left as they are: a mangled name may refer back to itself and grow
/// exponentially.
#[cfg(feature = "demangle")]
const LENGTH_LIMIT: usize = 1 << 16;

/// The C++ name behind a mangled one; `None` where it is not one, or would be very long. Without the feature `demangle`,
/// no name has one.
#[cfg(not(feature = "demangle"))]
#[must_use]
pub fn demangle(_: &[u8]) -> Option<String> {
    None
}

/// The C++ name behind a mangled one; `None` where it is not one, or would be very long.
#[cfg(feature = "demangle")]
#[must_use]
pub fn demangle(mangled: &[u8]) -> Option<String> {
    if !mangled.starts_with(b"_Z") || mangled.len() > LENGTH_LIMIT {
        return None;
    }
    let symbol = Symbol::new(mangled).ok()?;
    let mut text = Limited(String::new());
    symbol.structured_demangle(&mut text, &DemangleOptions::default()).ok()?;
    Some(text.0)
}

/// Text of at most [`LENGTH_LIMIT`] bytes.
#[cfg(feature = "demangle")]
struct Limited(String);

#[cfg(feature = "demangle")]
impl DemangleWrite for Limited {
    fn write_string(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > LENGTH_LIMIT {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names() {
        assert_eq!(demangle(b"_Z7kernelAi").as_deref(), Some("kernelA(int)"));
        assert_eq!(demangle(b"_ZN2ns3fooIfEEvT_").as_deref(), Some("void ns::foo<float>(float)"));
        assert_eq!(demangle(b"plain_c"), None);
        assert_eq!(demangle(b"_Z"), None);
        assert_eq!(demangle(b"_Z\xFF\xFE"), None);
    }

    /// Without a limit the second text would have `int` a billion times.
    #[test]
    fn a_name_that_grows_exponentially_stays_mangled() {
        // Every pair holds the one before it twice: S0_, the pair of ints, is doubled 30 times.
        let mut name = "_Z1fSt4pairIiiE".to_owned();
        for level in "0123456789ABCDEFGHIJKLMNOPQRST".chars() {
            name.push_str(&format!("S_IS{level}_S{level}_E"));
        }
        assert_eq!(
            demangle(&name.as_bytes()[..name.len() - 28 * 10]).unwrap().matches("int").count(),
            2 + 4 + 8
        );
        assert_eq!(demangle(name.as_bytes()), None);
        let nested = [b"_Z1f".to_vec(), vec![b'P'; 60_000], b"i".to_vec()].concat();
        assert_eq!(demangle(&nested), None);
    }
}
