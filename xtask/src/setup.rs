//! Installs Debian packages, or says which to install.

use crate::packages::{Package, missing};
use crate::shell::{self, announce};
use anyhow::{Context as _, Result, bail, ensure};
use std::process::Command;

/// Installs those of the packages that are missing. Asks the network for nothing when none is.
pub(crate) fn install(groups: &[&[Package]]) -> Result<()> {
    let wanted = missing(groups);
    if wanted.is_empty() {
        announce("every needed package is installed");
        return Ok(());
    }
    let names: Vec<&str> = wanted.iter().map(|package| package.name).collect();
    let distribution = distribution();
    if distribution.as_deref() != Ok("debian 12") {
        bail!(
            "only Debian 12 can be set up by itself, and this is {}. Install by hand and run the command again; \
             these files are missing (with the Debian package that has each):\n{}",
            distribution.unwrap_or_else(|reason| reason),
            by_hand(&wanted)
        );
    }
    if !is_root()? {
        bail!(
            "packages are missing, and installing them takes root. Run this, then the command again:\n  \
             sudo apt-get update && sudo apt-get install --yes --no-install-recommends {}",
            names.join(" ")
        );
    }
    announce(&format!(
        "installing with apt-get, which takes minutes and says nothing meanwhile: {}",
        names.join(" ")
    ));
    shell::capture(apt().arg("update")).context("the list of packages cannot be fetched")?;
    let mut install = apt();
    install.args(["install", "--yes", "--no-install-recommends"]).args(&names);
    if let Err(error) = shell::capture(&mut install) {
        bail!("{error}\nTo go on without apt-get, these have to be there:\n{}", by_hand(&wanted));
    }
    let still = missing(groups);
    ensure!(
        still.is_empty(),
        "apt-get reported success, but these files are not where they should be:\n{}",
        by_hand(&still)
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
    let rows: Vec<String> = packages
        .iter()
        .map(|package| format!("  {:<20} {}: {}", package.name, package.file, package.purpose))
        .collect();
    rows.join("\n")
}

fn is_root() -> Result<bool> {
    let id = shell::capture(Command::new("id").arg("-u"))?;
    Ok(id.trim() == "0")
}

/// `debian 12` and its like; an error says what is known instead.
fn distribution() -> Result<String, String> {
    let text = std::fs::read_to_string("/etc/os-release")
        .map_err(|_| "a system without /etc/os-release".to_owned())?;
    os_release(&text)
        .ok_or_else(|| "a system whose /etc/os-release names neither ID nor VERSION_ID".to_owned())
}

fn os_release(text: &str) -> Option<String> {
    let field = |name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
            .map(|value| value.trim_matches(['"', '\'']).to_owned())
    };
    let id = field("ID")?;
    Some(match field("VERSION_ID") {
        Some(version) => format!("{id} {version}"),
        None => id,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn os_release_is_read_with_and_without_quotes() {
        let debian = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_ID=\"12\"\nID=debian\n";
        assert_eq!(os_release(debian).as_deref(), Some("debian 12"));
        assert_eq!(os_release("ID='fedora'\nVERSION_ID=40").as_deref(), Some("fedora 40"));
        assert_eq!(os_release("ID=arch\n").as_deref(), Some("arch"));
        assert_eq!(os_release("NAME=x\n"), None);
    }
}
