//! `cargo xtask pictures`: the pictures in `docs/pictures`, from an example that is compiled, run in the simulator, and
//! read like any trace. Everything is simulated, so the same pictures come out every time. Those of pages are taken by
//! headless Chromium.

use crate::demo::LAUNCH;
use crate::shell::{self, announce, say};
use crate::workspace::{root, target_dir, without_settings, work_dir};
use crate::{packages, plugin, setup};
use anyhow::{Context as _, Result, ensure};
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
    setup::install(&[packages::DEVICE, &[packages::CHROMIUM]])?;
    announce("building the plugin (LLVM 22) and sqtt");
    shell::run(plugin::build_release()?.args(["--package", "sqtt-cli"]))?;

    let (root, work) = (root()?, work_dir("pictures")?);
    let (object, traced) = (work.join("tiles.co"), work.join("traced"));
    announce("compiling examples/tiles.hip, and running it in the simulator");
    let mut clang = Command::new("/usr/lib/llvm-22/bin/clang");
    without_settings(&mut clang);
    clang
        .current_dir(&root)
        .env("SQTT_TRACE_ADDRESSES", "memory,lds")
        .env("SQTT_SCOPE_CU", "-1")
        .args([
            "-x",
            "hip",
            "--cuda-device-only",
            "--no-gpu-bundle-output",
            "--offload-arch=gfx1100",
            "-O2",
            "-g",
        ])
        .args(["-nogpuinc", "-nogpulib", "-DWITHOUT_HIP_RUNTIME", "-DSQTT_ENABLED=1", "-I", "include"])
        .arg(format!("-fpass-plugin={}", plugin::release()?.display()))
        .args(["examples/tiles.hip", "-o"])
        .arg(&object);
    shell::capture(&mut clang)?;
    if traced.exists() {
        std::fs::remove_dir_all(&traced)
            .with_context(|| format!("{}: cannot be removed", traced.display()))?;
    }
    let sqtt = || -> Result<Command> {
        let mut command = Command::new(target_dir()?.join("release/sqtt"));
        command.current_dir(&work);
        Ok(command)
    };
    shell::capture(sqtt()?.args(["sim", "tiles.co"]).args(LAUNCH).args(["--trace", "traced"]))?;

    announce("pictures");
    let pictures = root.join("docs/pictures");
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

/// Takes a picture of a page.
fn photograph(url: &str, picture: &Path, work: &Path) -> Result<()> {
    let profile = work.join("chromium");
    if profile.exists() {
        std::fs::remove_dir_all(&profile)
            .with_context(|| format!("{}: cannot be removed", profile.display()))?;
    }
    let mut chromium = Command::new("/usr/bin/chromium");
    chromium
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--hide-scrollbars",
        ])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--window-size=1200,600", "--virtual-time-budget=5000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(url);
    if picture.exists() {
        std::fs::remove_file(picture)
            .with_context(|| format!("{}: cannot be replaced", picture.display()))?;
    }
    shell::capture(&mut chromium)?;
    ensure!(picture.is_file(), "{}: chromium took no picture of {url}", picture.display());
    Ok(())
}
