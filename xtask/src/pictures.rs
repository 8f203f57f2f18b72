//! `cargo xtask pictures`: the pictures in `docs/pictures`, from an example that is compiled, run in the simulator, and
//! read like any trace. Everything is simulated, so the same pictures come out every time. Those of pages are taken by
//! headless Chromium.

use crate::demo::LAUNCH;
use crate::setup;
use crate::shell::{self, announce, say};
use crate::workspace::{build_release, remove, root, sqtt, work_dir};
use anyhow::{Context as _, Result, ensure};
use commands::{device_compile, load_release_plugin};
use std::path::Path;
use std::process::Command;

/// A picture: its file, and what `sqtt` is told.
const PICTURES: [(&str, &[&str]); 2] = [
    ("memory-heatmap.svg", &["memory-trace", "--heatmap"]),
    (
        "flamegraph.svg",
        &["flamegraph", "--width", "1000", "--title", "Where the waves of multiply_tiles spend their cycles"],
    ),
];

/// Pictures of parts of the report.
const REPORT: [(&str, &str); 3] = [
    ("report-overview.png", "overview"),
    ("report-timeline.png", "timeline"),
    ("report-memory.png", "memory"),
];

/// Makes all of them.
pub(crate) fn run() -> Result<()> {
    announce("packages");
    setup::install(&["device", "pictures"])?;
    build_release()?;

    let work = work_dir("pictures")?;
    let (object, traced) = (work.join("tiles.co"), work.join("traced"));
    announce("compiling examples/tiles.hip, and running it in the simulator");
    let mut clang = device_compile(Path::new("examples/tiles.hip"), "gfx1100", &object);
    clang.args(["-g", "-DSQTT_ENABLED=1"]).arg(load_release_plugin()?);
    shell::capture(clang.env("SQTT_TRACE_ADDRESSES", "memory,lds").env("SQTT_SCOPE_CU", "-1"))?;
    remove(&traced)?;
    let sqtt = || -> Result<Command> {
        let mut command = sqtt()?;
        command.current_dir(&work);
        Ok(command)
    };
    let launch = LAUNCH.split_whitespace();
    shell::capture(sqtt()?.args(["sim", "tiles.co"]).args(launch).args(["--trace", "traced"]))?;

    announce("pictures");
    let pictures = root().join("docs/pictures");
    std::fs::create_dir_all(&pictures).with_context(|| format!("{}: cannot be made", pictures.display()))?;
    for (file, args) in PICTURES {
        let picture = pictures.join(file);
        shell::capture(sqtt()?.args(args).arg("traced").arg("-o").arg(&picture))?;
        say(&format!("-> {}", picture.display()));
    }
    let report = work.join("report.html");
    let title = "multiply_tiles, in the simulator";
    shell::capture(sqtt()?.args(["report", "traced", "--title", title, "-o"]).arg(&report))?;
    for (file, part) in REPORT {
        let picture = pictures.join(file);
        photograph(&format!("file://{}#{part}", report.display()), &picture, &work)?;
        say(&format!("-> {}", picture.display()));
    }
    Ok(())
}

/// Options of Chromium: without window and network, and with enough time for a page's script.
const CHROMIUM: &str = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars \
                        --disable-background-networking --disable-component-update --disable-sync \
                        --window-size=1200,600 --virtual-time-budget=5000";

/// Takes a picture of a page.
fn photograph(url: &str, picture: &Path, work: &Path) -> Result<()> {
    let (profile, new) = (work.join("chromium"), work.join("new.png"));
    remove(&profile)?;
    let mut chromium = Command::new("/usr/bin/chromium");
    chromium.args(CHROMIUM.split_whitespace()).arg(format!("--user-data-dir={}", profile.display()));
    shell::capture(chromium.arg(format!("--screenshot={}", new.display())).arg(url))?;
    ensure!(new.is_file(), "{}: chromium took no picture of {url}", picture.display());
    std::fs::rename(&new, picture).with_context(|| format!("{}: cannot be replaced", picture.display()))
}
