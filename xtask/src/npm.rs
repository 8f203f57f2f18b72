//! npm packages that tests need, in the versions and with the checksums of `xtask/npm/package-lock.json`.

use crate::shell::{self, announce};
use crate::workspace::{root, work_dir};
use anyhow::{Context as _, Result};
use std::fs;
use std::process::Command;

/// Installs them into the folder `npm` below cargo's target folder, where tests look for them. Asks the network
/// for nothing when they are there.
pub(crate) fn install() -> Result<()> {
    let folder = work_dir("npm")?;
    let listed = root()?.join("xtask/npm");
    // Written when the installation is whole, so that one that was interrupted is done again.
    let done = folder.join("installed-lock.json");
    let lock = fs::read(listed.join("package-lock.json")).context("xtask/npm/package-lock.json")?;
    if folder.join("node_modules").is_dir() && fs::read(&done).is_ok_and(|installed| installed == lock) {
        announce("every needed npm package is installed");
        return Ok(());
    }
    announce("installing npm packages for tests");
    for name in ["package.json", "package-lock.json"] {
        fs::copy(listed.join(name), folder.join(name)).with_context(|| format!("xtask/npm/{name}"))?;
    }
    let mut npm = Command::new("npm");
    // `ci` installs what the lock file says, and checks what comes against its checksums.
    npm.current_dir(&folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
    shell::capture(&mut npm)?;
    fs::write(&done, lock).with_context(|| format!("{}: cannot be written", done.display()))
}
