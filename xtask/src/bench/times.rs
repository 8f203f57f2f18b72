//! User and system time of commands, in rounds that alternate between them.

use crate::shell;
use anyhow::Result;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use std::process::Command;

/// Seconds: per round, per command.
pub(super) struct Times(Vec<Vec<f64>>);

impl Times {
    /// Runs each command once a round.
    pub(super) fn measure(jobs: &mut [(&str, Command)], rounds: usize) -> Result<Self> {
        let mut times = Vec::with_capacity(rounds);
        for _ in 0..rounds {
            let mut round = Vec::with_capacity(jobs.len());
            for (_, job) in jobs.iter_mut() {
                let before = children_time()?;
                shell::capture(job)?;
                round.push(children_time()? - before);
            }
            times.push(round);
        }
        Ok(Self(times))
    }

    /// The median of a command's times.
    pub(super) fn seconds(&self, job: usize) -> f64 {
        median(self.0.iter().map(|round| round[job]).collect())
    }

    /// The median of a command's times as multiples of another's in the same round.
    pub(super) fn multiple(&self, job: usize, base: usize) -> f64 {
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

/// A goal and the verdict on it, for a table. Without a goal, which is infinity, there is nothing to say.
pub(super) fn met(measured: f64, goal: f64) -> (String, &'static str) {
    match goal {
        f64::INFINITY => (String::new(), ""),
        _ if measured <= goal => (goal.to_string(), "met"),
        _ => (goal.to_string(), "MISSED"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_of_times_and_of_multiples() {
        let times = Times(vec![vec![3.0, 3.0], vec![1.0, 4.0], vec![2.0, 20.0]]);
        assert_eq!((times.seconds(0), times.seconds(1)), (2.0, 4.0));
        assert_eq!((times.multiple(1, 0), met(4.0, 3.5).1, met(4.0, f64::INFINITY).1), (4.0, "MISSED", ""));
    }
}
