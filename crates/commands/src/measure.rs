//! Cost of commands: user and system time, in rounds that alternate between them; and instructions, counted by
//! callgrind, the same on a busy machine as on an idle one.

use crate::{cannot_start, capture, display};
use anyhow::{Context as _, Result, bail, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs of one program at a time take minutes; more than two slow each other down on small machines.
const AT_ONCE: usize = 2;

/// Runs the commands under callgrind and gives the instructions of each, without those of programs that it starts.
/// The profiles stay in `work` as `callgrind.NAME`.
pub fn instructions(commands: &[(&str, Command)], work: &Path) -> Result<Vec<u64>> {
    let mut counts = Vec::with_capacity(commands.len());
    for batch in commands.chunks(AT_ONCE) {
        let mut running = Vec::with_capacity(batch.len());
        for (name, command) in batch {
            let out = work.join(format!("callgrind.{name}"));
            let mut valgrind = under_callgrind(command, &out);
            valgrind.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            let child = valgrind.spawn().with_context(|| cannot_start(&valgrind))?;
            running.push((display(&valgrind), out, child));
        }
        for (shown, out, child) in running {
            let output = child.wait_with_output()?;
            let said = String::from_utf8_lossy(&output.stderr);
            ensure!(output.status.success(), "this failed ({}):\n  {shown}\n{said}", output.status);
            let profile =
                std::fs::read(&out).with_context(|| format!("{}: cannot be read", out.display()))?;
            let total = total(&String::from_utf8_lossy(&profile));
            counts.push(total.with_context(|| format!("{}: has no total", out.display()))?);
        }
    }
    Ok(counts)
}

/// The command under callgrind, with its folder and variables.
fn under_callgrind(command: &Command, out: &Path) -> Command {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        valgrind.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => valgrind.env(name, value),
            None => valgrind.env_remove(name),
        };
    }
    valgrind
}

/// The instructions that the second of two commands executes more than the first: start-up falls out.
pub fn more_instructions([small, large]: [Command; 2], work: &Path) -> Result<u64> {
    match instructions(&[("small", small), ("large", large)], work)?[..] {
        [few, many] => Ok(many.saturating_sub(few)),
        _ => bail!("callgrind gave no two counts"),
    }
}

/// The total of a profile, which stands at its end.
fn total(profile: &str) -> Option<u64> {
    profile.lines().rev().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

/// Seconds: per round, per command.
pub struct Times(Vec<Vec<f64>>);

impl Times {
    /// Runs each command once a round.
    pub fn measure(jobs: &mut [(&str, Command)], rounds: usize) -> Result<Self> {
        let time = |job: &mut Command| {
            let before = children_time()?;
            capture(job)?;
            Ok(children_time()? - before)
        };
        let mut round = || jobs.iter_mut().map(|(_, job)| time(job)).collect::<Result<_>>();
        Ok(Self((0..rounds).map(|_| round()).collect::<Result<_>>()?))
    }

    /// The median of a command's times.
    pub fn seconds(&self, job: usize) -> f64 {
        median(self.0.iter().map(|round| round[job]).collect())
    }

    /// The median of a command's times as multiples of another's in the same round.
    pub fn multiple(&self, job: usize, base: usize) -> f64 {
        median(self.0.iter().map(|round| round[job] / round[base]).collect())
    }
}

/// Seconds that children which have ended took.
fn children_time() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read() {
        assert_eq!(total("events: Ir\nfn=(1) main\n1 5\ntotals: 1234567\n"), Some(1_234_567));
        assert_eq!(total("events: Ir\n"), None);
    }

    #[test]
    fn medians_are_of_times_and_of_multiples() {
        let times = Times(vec![vec![3.0, 3.0], vec![1.0, 4.0], vec![2.0, 20.0]]);
        assert_eq!((times.seconds(0), times.seconds(1), times.multiple(1, 0)), (2.0, 4.0, 4.0));
    }
}
