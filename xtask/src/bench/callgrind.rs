//! Instructions that a program executes, counted by callgrind: the same on a busy machine as on an idle one.

use crate::shell::{self, cannot_start, display};
use crate::workspace::read;
use anyhow::{Context as _, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs of one program at a time take minutes; more than two slow each other down on small machines.
const AT_ONCE: usize = 2;

/// Runs the commands under callgrind and gives the instructions of each, without those of programs that it starts.
/// The profiles stay in `work` as `callgrind.NAME`.
pub(super) fn instructions(commands: &[(&str, Command)], work: &Path) -> Result<Vec<u64>> {
    let mut counts = Vec::with_capacity(commands.len());
    for batch in commands.chunks(AT_ONCE) {
        let mut running = Vec::with_capacity(batch.len());
        for (name, command) in batch {
            let out = work.join(format!("callgrind.{name}"));
            let mut valgrind = Command::new("valgrind");
            valgrind
                .args(["--tool=callgrind", "--quiet"])
                .arg(format!("--callgrind-out-file={}", out.display()))
                .arg(command.get_program())
                .args(command.get_args());
            shell::same_surroundings(&mut valgrind, command);
            valgrind.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            let child = valgrind.spawn().with_context(|| cannot_start(&valgrind))?;
            running.push((display(&valgrind), out, child));
        }
        for (shown, out, child) in running {
            let output = child.wait_with_output()?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr);
                bail!("this failed ({}):\n  {shown}\nIts output:\n{said}", output.status);
            }
            let total = total(&String::from_utf8_lossy(&read(&out)?));
            counts.push(total.with_context(|| format!("{}: has no total", out.display()))?);
        }
    }
    Ok(counts)
}

/// The instructions that the second of two commands executes more than the first.
pub(super) fn difference([small, large]: [Command; 2], work: &Path) -> Result<u64> {
    let counts = instructions(&[("small", small), ("large", large)], work)?;
    let [few, many] = counts.as_slice() else { bail!("callgrind gave no two counts") };
    Ok(many.saturating_sub(*few))
}

/// The total of a profile, which stands at its end.
fn total(profile: &str) -> Option<u64> {
    profile.lines().rev().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read() {
        assert_eq!(total("events: Ir\nfn=(1) main\n1 5\ntotals: 1234567\n"), Some(1_234_567));
        assert_eq!(total("events: Ir\n"), None);
    }
}
