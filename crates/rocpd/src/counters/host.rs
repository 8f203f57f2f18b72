//! This machine and this process, as the system describes them. Everything unknown stays unknown.

use std::fs;

use crate::writer::{NodeId, NodeInfo, ProcessInfo};

/// This machine.
pub fn current_node() -> NodeInfo {
    let hostname = line("/proc/sys/kernel/hostname");
    let machine_id =
        line("/etc/machine-id").or_else(|| hostname.clone()).unwrap_or_else(|| "unknown".to_owned());
    NodeInfo {
        id: None,
        hash: hash(&machine_id),
        machine_id,
        system_name: line("/proc/sys/kernel/ostype"),
        hostname,
        release: line("/proc/sys/kernel/osrelease"),
        version: line("/proc/sys/kernel/version"),
        hardware_name: Some(std::env::consts::ARCH.to_owned()),
        domain_name: line("/proc/sys/kernel/domainname").filter(|name| name != "(none)"),
    }
}

/// This process. Times are nanoseconds since boot (the clock that GPU timestamps are given in), with the
/// hundredths of a second that the system gives; `fini` is now.
pub fn current_process() -> ProcessInfo {
    let mut info = ProcessInfo::new(NodeId(0), i64::from(std::process::id()));
    info.command = fs::read("/proc/self/cmdline").ok().map(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        text.trim_end_matches('\0').replace('\0', " ")
    });
    if let Ok(stat) = fs::read_to_string("/proc/self/stat")
        && let Some((_, fields)) = stat.rsplit_once(") ")
    {
        // Counted from the field after the command's name: state is field 3 of the manual, ppid 4, start 22.
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let number = |index: usize| fields.get(index - 3)?.parse::<i64>().ok();
        info.ppid = number(4);
        // In ticks of 1/100 s, whatever the kernel's own rate is.
        info.start = number(22).and_then(|ticks| ticks.checked_mul(10_000_000));
        info.init = info.start;
    }
    info.fini = line("/proc/uptime").and_then(|text| {
        let (seconds, rest) = text.split_once('.')?;
        let hundredths = rest.get(..2)?;
        let total = seconds.parse::<i64>().ok()?.checked_mul(100)? + hundredths.parse::<i64>().ok()?;
        total.checked_mul(10_000_000)
    });
    info
}

fn line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// FNV-1a, kept positive: the same machine has the same hash in every run.
fn hash(text: &str) -> i64 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    (hash >> 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_described() {
        let (node, process) = (current_node(), current_process());
        assert!(!node.machine_id.is_empty());
        assert_eq!(process.pid, i64::from(std::process::id()));
        if cfg!(target_os = "linux") {
            assert!(process.ppid.is_some());
            assert!(process.start.unwrap() <= process.fini.unwrap(), "{process:?}");
            assert!(process.command.unwrap().contains("rocpd"));
        }
    }
}
