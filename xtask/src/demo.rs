//! `cargo xtask demo`: from a HIP source to markers with names, on a machine without GPU or ROCm.

use crate::shell::{self, announce, say};
use crate::workspace::{root, target_dir, work_dir};
use crate::{hipcc, isa, packages, plugin, setup};
use anyhow::{Result, ensure};
use std::process::Command;

/// Runs the demo.
pub(crate) fn run() -> Result<()> {
    announce("packages");
    setup::install(&[packages::DEMO])?;

    announce("building the plugin (LLVM 22) and sqtt");
    shell::run(plugin::build_release()?.args(["--package", "sqtt-cli"]))?;

    let target = hipcc::GFX1030;
    let work = work_dir("demo")?;
    let program = work.join("tiles");
    announce("compiling examples/tiles.hip with hipcc and the plugin");
    let mut compile = hipcc::command(target)?;
    compile
        .current_dir(root()?)
        .args(["-O2", "-DSQTT_ENABLED=1", "-I", "include"])
        .arg(format!("-fpass-plugin={}", plugin::release()?.display()))
        .args(["examples/tiles.hip", "-o"])
        .arg(&program);
    say(&format!("{}\n", shell::display(&compile)));
    shell::capture(&mut compile)?;
    say(&format!("-> {}", program.display()));

    announce("the names in the finished program (its funcmap)");
    let mut sqtt = Command::new(target_dir()?.join("release/sqtt"));
    sqtt.arg("funcmap").arg(&program);
    say(&format!("{}\n", shell::display(&sqtt)));
    shell::run(&mut sqtt)?;

    announce("the instructions around the markers");
    let code_object = isa::extract(&program, target.name, &work)?;
    let map = isa::funcmap(&code_object, &work)?;
    let shown = isa::around_markers(&isa::disassemble(&code_object)?, &map);
    ensure!(shown.contains("<- enter"), "{} has no markers: the plugin did not run", code_object.display());
    say(&shown);

    announce("what you see");
    say(&format!(
        "\
The names in examples/tiles.hip became ids, and the program carries the table of both. Where the source has a marker,
the kernel has an s_ttracedata or s_ttracedata_imm: it writes one 32-bit word into the thread trace of its wave. The
word is id * 4, plus 2 to enter a scope, plus 1 to leave the one entered last. `exit, and enter` is two source lines in
one word; a data marker is followed by a word with its value. The compare and branch before a marker are the scope
filter: waves of all but the first two CUs or WGPs are led past it (SQTT_SCOPE_CU=-1 lets every wave record).
Nothing was run: that takes an AMD GPU, and a trace takes rocprofv3 --att. The program is {}.",
        program.display()
    ));
    Ok(())
}
