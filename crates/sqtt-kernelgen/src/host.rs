//! The host's half of a kernel whose functions are for host and device: it compiles, and is the one without markers.

use crate::ast::Kernel;
use crate::check::{Judgement, Kind, Wrong};
use crate::print::print;
use crate::toolchain::Build;
use std::path::Path;

/// Compiles the half with markers and the plugin and without either, and compares the objects.
///
/// # Errors
/// A missing tool outside; a failing compile or objects that differ inside.
pub fn check_host(kernel: &Kernel, build: &Build, folder: &Path) -> Judgement<()> {
    let text = print(kernel, build.print_options());
    let plain = Build { markers: false, plugin: None, ..build.clone() };
    let mut objects = Vec::new();
    for build in [&plain, build] {
        match build.compile_host(&text, folder)? {
            Ok(bytes) => objects.push(bytes),
            Err(error) => return Ok(Err(Wrong { kind: Kind::Host, what: error.output })),
        }
    }
    if objects[0] == objects[1] {
        return Ok(Ok(()));
    }
    let what = format!(
        "the host's object differs: {} bytes without markers, {} with",
        objects[0].len(),
        objects[1].len()
    );
    Ok(Err(Wrong { kind: Kind::Host, what }))
}
