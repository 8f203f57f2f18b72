//! The code object of a fat binary that fits a device.

use sqtt_decoder::codeobj::Binary;
use sqtt_sim::Target;

/// Generic processors whose code runs on a target.
const GENERIC: &[(&str, &[&str])] = &[
    ("gfx9-4-generic", &["gfx942", "gfx950"]),
    ("gfx10-3-generic", &["gfx1030"]),
    ("gfx11-generic", &["gfx1100"]),
    ("gfx12-generic", &["gfx1200", "gfx1201"]),
];

/// The points for code for `name` (`gfx942:sramecc+:xnack-`) on a device without XNACK and with ECC; none if it cannot run.
fn fit(name: &str, target: Target) -> Option<u32> {
    let mut parts = name.split(':');
    let processor = parts.next()?;
    let is_generic = |row: &&(&str, &[&str])| row.0 == processor && row.1.contains(&target.name());
    let mut points = match () {
        () if processor == target.name() => 100,
        () if GENERIC.iter().any(|row| is_generic(&row)) => 10,
        () => return None,
    };
    for feature in parts {
        match feature {
            "xnack-" | "sramecc+" => points += 1,
            _ => return None,
        }
    }
    Some(points)
}

/// The code object for a target, in the bytes of a bundle, an ELF file, or another container.
///
/// # Errors
/// A message that lists what is there.
pub(crate) fn choose(name: &str, bytes: Vec<u8>, target: Target) -> Result<Vec<u8>, String> {
    let binary = Binary::from_bytes(name, bytes);
    let contents = binary.contents();
    let name_of = |object: &sqtt_decoder::codeobj::CodeObject<'_>| object.target().unwrap_or_default();
    let fitting =
        contents.code_objects.iter().filter_map(|object| Some((fit(&name_of(object), target)?, object)));
    // Of equals the first.
    if let Some((_, best)) = fitting.rev().max_by_key(|(points, _)| *points) {
        return Ok(best.bytes().to_vec());
    }
    let mut there: Vec<String> = contents.code_objects.iter().map(name_of).collect();
    there.sort();
    there.dedup();
    let there = if there.is_empty() { "none at all".to_owned() } else { there.join(", ") };
    let errors: String = contents.errors.iter().map(|error| format!("; {error}")).collect();
    Err(format!(
        "no code for {} in {name}, which has code for: {there}{errors}. Choose with --target, or compile with \
         --offload-arch={}",
        target.name(),
        target.name()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_code_is_better_than_generic_and_wrong_features_do_not_fit() {
        let fit = |name| fit(name, Target::Gfx942);
        assert!(fit("gfx942:xnack-") > fit("gfx942"));
        assert!(fit("gfx942") > fit("gfx9-4-generic"));
        assert!(fit("gfx9-4-generic").is_some());
        for name in ["gfx942:xnack+", "gfx942:sramecc-", "gfx90a", "gfx11-generic", ""] {
            assert_eq!(fit(name), None, "{name}");
        }
    }
}
