//! Installs Debian packages, or says which to install.
//!
//! A package counts as installed when its file exists: what somebody installed by other means to the same place is
//! as good.

use crate::shell::{self, announce};
use anyhow::{Context as _, Result, bail, ensure};
use std::path::Path;
use std::process::Command;

/// A row of `packages.txt`.
#[derive(Clone, Copy)]
struct Package {
    commands: &'static str,
    name: &'static str,
    /// A file of it that the commands use.
    file: &'static str,
    purpose: &'static str,
}

/// All that `cargo xtask test` runs.
pub(crate) const ALL: [&str; 2] = ["demo", "test"];

fn packages() -> impl Iterator<Item = Package> {
    include_str!("packages.txt").lines().filter_map(|line| {
        let mut fields = line.split(" | ");
        let (commands, name) = (fields.next()?, fields.next()?);
        Some(Package { commands, name, file: fields.next()?, purpose: fields.next()? })
    })
}

fn missing(commands: &[&str]) -> Vec<Package> {
    let is_for = |package: &Package| package.commands.split(' ').any(|command| commands.contains(&command));
    packages().filter(is_for).filter(|package| !Path::new(package.file).exists()).collect()
}

/// Installs those of the packages for some commands that are missing. Asks the network for nothing when none is.
pub(crate) fn install(commands: &[&str]) -> Result<()> {
    let wanted = missing(commands);
    if wanted.is_empty() {
        announce("every needed package is installed");
        return Ok(());
    }
    let names: Vec<&str> = wanted.iter().map(|package| package.name).collect();
    let mut release = Command::new("sh");
    let distribution = shell::capture(release.args(["-c", ". /etc/os-release && echo $ID $VERSION_ID"]));
    let distribution = distribution.unwrap_or_else(|_| "a system without /etc/os-release".to_owned());
    if distribution.trim() != "debian 12" {
        bail!(
            "only Debian 12 can be set up by itself, and this is {}. Install by hand and run the command again; \
             these files are missing (with the Debian package that has each):\n{}",
            distribution.trim(),
            by_hand(&wanted)
        );
    }
    if shell::capture(Command::new("id").arg("-u"))?.trim() != "0" {
        bail!(
            "packages are missing, and installing them takes root. Run this, then the command again:\n  \
             sudo apt-get update && sudo apt-get install --yes --no-install-recommends {}",
            names.join(" ")
        );
    }
    let names_shown = names.join(" ");
    announce(&format!(
        "installing with apt-get, which takes minutes and says nothing meanwhile: {names_shown}"
    ));
    shell::capture(apt().arg("update")).context("the list of packages cannot be fetched")?;
    let mut install = apt();
    install.args(["install", "--yes", "--no-install-recommends"]).args(&names);
    if let Err(error) = shell::capture(&mut install) {
        bail!("{error}\nTo go on without apt-get, these have to be there:\n{}", by_hand(&wanted));
    }
    let still = by_hand(&missing(commands));
    ensure!(
        still.is_empty(),
        "apt-get reported success, but these files are not where they should be:\n{still}"
    );
    Ok(())
}

fn apt() -> Command {
    let mut apt = Command::new("apt-get");
    // Another apt may be at work (a machine that was just started updates itself): wait for it.
    apt.args(["--quiet", "--option", "DPkg::Lock::Timeout=300", "--option", "Dpkg::Use-Pty=0"])
        .env("DEBIAN_FRONTEND", "noninteractive");
    apt
}

fn by_hand(packages: &[Package]) -> String {
    let row = |package: &Package| format!("  {:<20} {}: {}", package.name, package.file, package.purpose);
    packages.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_packages_is_whole() {
        let rows: Vec<Package> = packages().collect();
        assert_eq!(rows.len() + 1, include_str!("packages.txt").lines().count());
        assert!(rows.iter().all(|row| row.file.starts_with('/') && !row.purpose.is_empty()));
        for command in ["demo", "test", "device", "bench", "pictures"] {
            assert!(rows.iter().any(|row| row.commands.split(' ').any(|of| of == command)), "{command}");
        }
    }
}
