//! `cargo xtask demo`: from a HIP source to markers with names and a timeline, on a machine without GPU or ROCm.

use crate::shell::{self, announce, say};
use crate::workspace::{root, target_dir, work_dir};
use crate::{hipcc, isa, packages, plugin, setup};
use anyhow::{Result, bail, ensure};
use std::process::Command;

/// The kernel's launch: matrices of 32 * 32, one workgroup per tile of 16 * 16.
const LAUNCH: [&str; 14] = [
    "--kernel",
    "multiply_tiles",
    "--grid",
    "2,2",
    "--block",
    "16,16",
    "--arg",
    "buf:f32:iota:1024",
    "--arg",
    "buf:f32:iota:1024",
    "--arg",
    "buf:f32:1024",
    "--arg",
    "u32:32",
];

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

    announce("the kernel in the simulator: four workgroups, and the timeline of one wave");
    let mut sim = Command::new(target_dir()?.join("release/sqtt"));
    sim.arg("sim").arg(&program).args(["--target", target.name]).args(LAUNCH);
    say(&format!("{}\n", shell::display(&sim)));
    let summary = shell::capture(&mut sim)?;
    let waves = waves(&summary);
    let recorded = waves.iter().filter(|lines| lines.len() > 1).count();
    let (first, silent) = (waves.first(), waves.iter().find(|lines| lines.len() == 1));
    let (Some(first), Some(silent)) = (first, silent) else {
        bail!("the simulator ran {} waves, and {recorded} of them recorded:\n{summary}", waves.len());
    };
    say(summary.lines().next().unwrap_or_default());
    say(&first.join("\n"));
    say(&silent.join("\n"));
    say(&format!("({recorded} waves recorded, {} did not)", waves.len() - recorded));

    announce("what you see");
    say(&format!(
        "\
The names in examples/tiles.hip became ids, and the program carries the table of both. Where the source has a marker,
the kernel has an s_ttracedata or s_ttracedata_imm: it writes one 32-bit word into the thread trace of its wave. The
word is id * 4, plus 2 to enter a scope, plus 1 to leave the one entered last. `exit, and enter` is two source lines in
one word; a data marker is followed by a word with its value.

The timeline has a line per word: the simulated cycle, the instruction's place in the code, and what the word says,
indented by the scopes that are open. Simulated cycles have a fixed cost per class of instruction: they show the order
of things, not the speed of a GPU.

The compare and branch before a marker are the scope filter, which is on by default: only waves on the first two CUs or
WGPs record, and the second wave above sat elsewhere. SQTT_SCOPE_CU=-1 at compile time lets every wave record.

No GPU was used. {} is a whole program for {}; a trace of it takes such a GPU and rocprofv3 --att.",
        program.display(),
        target.name
    ));
    Ok(())
}

/// The blocks of lines of a simulator's summary, one per wave: where it was, then its records.
fn waves(summary: &str) -> Vec<Vec<&str>> {
    let mut waves: Vec<Vec<&str>> = Vec::new();
    for line in summary.lines() {
        if line.starts_with("workgroup ") {
            waves.push(vec![line]);
        } else if let (true, Some(wave)) = (line.starts_with(' '), waves.last_mut()) {
            wave.push(line);
        }
    }
    waves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_taken_apart() {
        let summary = "k on gfx1030, simulated: 2 waves\nworkgroup 0,0,0 wave 0: SE 0\n   1  0x10  enter a\n\
                       workgroup 1,0,0 wave 0: SE 0\nargument 0, 1 words: 0x0\n";
        assert_eq!(
            waves(summary),
            [
                vec!["workgroup 0,0,0 wave 0: SE 0", "   1  0x10  enter a"],
                vec!["workgroup 1,0,0 wave 0: SE 0"]
            ]
        );
    }
}
