//! Other programs: found, recognised, and run, though they may hang.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Time that a program may take; the first start of a large compiler from a slow disk takes seconds.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes kept of its output.
const OUTPUT_LIMIT: u64 = 1 << 20;

/// Output of a program.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) success: bool,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a program to its end.
pub(crate) fn run(program: &Path, args: &[&OsStr]) -> Result<Said, String> {
    let mut command = Command::new(program);
    command.args(args).env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child =
        command.spawn().map_err(|error| format!("{} cannot be run: {error}", program.display()))?;
    let reader = |stream: Option<Box<dyn Read + Send>>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What could not be read was not said.
            let _ = stream.map(|stream| stream.take(OUTPUT_LIMIT).read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = reader(child.stdout.take().map(|stream| Box::new(stream) as _));
    let err = reader(child.stderr.take().map(|stream| Box::new(stream) as _));
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(10)),
            Ok(None) => {
                // It may be gone by now, which is as well.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{} says nothing for {} s", program.display(), PATIENCE.as_secs()));
            }
            Err(error) => return Err(format!("{}: {error}", program.display())),
        }
    };
    let text = |thread: thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ok(Said { success: status.success(), out: text(out), err: text(err) })
}

/// The first program of that name on the path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// True if a program is a compiler cache: compilers in a cache's folder are links to it.
pub(crate) fn is_cache(path: &Path) -> bool {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
    matches!(name.as_deref(), Some("ccache" | "sccache" | "buildcache" | "distcc"))
}
