//! The table of targets against the processors that each LLVM knows.

use crate::compile::{Source, failure, opt, run, text};
use commands::{Llvm, command};

/// Processors that `llc` lists.
fn processors(llvm: Llvm) -> Vec<String> {
    let mut llc = command(llvm.tool("llc"));
    let output = run(llc.args(["-march=amdgcn", "-mcpu=help"]));
    let said = text(&output.stderr);
    let listed = said.split("Available features").next().unwrap_or_default();
    listed
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| name.starts_with("gfx"))
        .map(str::to_owned)
        .collect()
}

/// Every processor from gfx9 on, the generic ones too, takes instrumentation; every older one is refused by name.
#[test]
fn every_processor_is_known_or_named() {
    let module = Source::file(
        "k.ll",
        "target triple = \"amdgcn-amd-amdhsa\"\n\
         declare void @llvm.amdgcn.s.barrier()\n\
         define amdgpu_kernel void @k() #0 { call void @llvm.amdgcn.s.barrier() ret void }\n\
         attributes #0 = { \"target-cpu\"=\"CPU\" }\n",
    );
    let template = std::fs::read_to_string(module.path()).expect("the module");
    for llvm in Llvm::ALL {
        let (mut known, mut refused) = (0, 0);
        for cpu in processors(llvm) {
            let path = module.beside("cpu.ll");
            std::fs::write(&path, template.replace("CPU", &cpu)).expect("a file");
            let mut late = opt(llvm);
            late.arg("-passes=sqtt-late").arg(&path).env("SQTT_INSTRUMENT_BARRIERS", "1");
            let family = cpu.trim_start_matches("gfx");
            if ["6", "7", "8"].iter().any(|old| family.starts_with(old)) {
                let said = failure(&mut late);
                assert!(said.contains("function k is to be instrumented"), "{cpu}: {said}");
                assert!(said.contains(&format!("its target-cpu is {cpu:?}")), "{cpu}: {said}");
                refused += 1;
            } else {
                let output = run(&mut late);
                let code = text(&output.stdout);
                let said = text(&output.stderr);
                assert!(output.status.success() && said.is_empty(), "LLVM {} {cpu}: {said}", llvm.major());
                assert!(code.contains("P:1:barrier") && code.contains("s_ttracedata"), "{cpu}: {code}");
                assert_eq!(code.contains("s_ttracedata_imm"), !family.starts_with('9'), "{cpu}: {code}");
                known += 1;
            }
        }
        assert!(known > 30 && refused > 10, "LLVM {}: {known} known, {refused} refused", llvm.major());
    }
}
