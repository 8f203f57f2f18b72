// Puts the three phases into the host's pipelines. Everything else happens in Rust.
//
//   -O1 and above   start at pipeline start, early at early simplification, late at optimizer last
//   -O0             late at pipeline start (there is no inliner to be early for)
//   full LTO        early and late, at the link
//   opt -passes=    sqtt-start, sqtt-early, sqtt-late
#include "compat.h"
#include "shim.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

using namespace llvm;

#define SQTT_TEXT(value) #value
#define SQTT_TEXT_OF(value) SQTT_TEXT(value)

namespace {

/// The identity that `sqtt doctor` reads in the plugin's file, without loading it.
[[gnu::used, gnu::section(".sqtt_plugin")]] const char ownIdentity[] =
    "plugin=" SQTT_PLUGIN_VERSION "\nllvm=" LLVM_VERSION_STRING "\napi=" SQTT_TEXT_OF(LLVM_PLUGIN_API_VERSION) "\n";

/// Rust's side of a phase, the same for every pass of the process. A plugin exports one symbol, so it is handed
/// over instead of linked.
SqttRunPhase runPhase;

/// One phase as a module pass. Required: optnone functions hold markers too, and bisecting the optimizer must not
/// leave sentinels behind.
template <SqttPhase Phase> struct PhasePass : PassInfoMixin<PhasePass<Phase>> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    bool changed = runPhase(wrap(&module), Phase, &analyses);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

using Start = PhasePass<SQTT_START>;
using Early = PhasePass<SQTT_EARLY>;
using Late = PhasePass<SQTT_LATE>;
using LinkEarly = PhasePass<SQTT_LINK_EARLY>;
using LinkLate = PhasePass<SQTT_LINK_LATE>;

void registerCallbacks(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager &manager, OptimizationLevel level) {
    if (level == OptimizationLevel::O0)
      manager.addPass(Late());
    else
      manager.addPass(Start());
  });
  sqtt::atEarlySimplification(builder, [](ModulePassManager &manager, OptimizationLevel level) {
    if (level != OptimizationLevel::O0)
      manager.addPass(Early());
  });
  sqtt::atOptimizerLast(builder, [](ModulePassManager &manager, OptimizationLevel level) {
    if (level != OptimizationLevel::O0)
      manager.addPass(Late());
  });
  // Device code linked as bitcode (-fgpu-rdc): only these two are called at the link. Modules whose compile ran the
  // phases already come out as they are.
  builder.registerFullLinkTimeOptimizationEarlyEPCallback([](ModulePassManager &manager, OptimizationLevel level) {
    if (level != OptimizationLevel::O0) {
      manager.addPass(Start());
      manager.addPass(LinkEarly());
    }
  });
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &manager, OptimizationLevel) { manager.addPass(LinkLate()); });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager &manager, ArrayRef<PassBuilder::PipelineElement>) {
        if (name == "sqtt-start")
          manager.addPass(Start());
        else if (name == "sqtt-early")
          manager.addPass(Early());
        else if (name == "sqtt-late")
          manager.addPass(Late());
        else
          return false;
        return true;
      });
}

} // namespace

static_assert(sizeof(PassPluginLibraryInfo) == SQTT_PLUGIN_INFO_WORDS * sizeof(void *),
              "the plugin struct of these headers has a size that build.rs does not know: add it there");

extern "C" void sqtt_shim_plugin_info(void *out, SqttRunPhase run) {
  runPhase = run;
  // Linkers drop sections that nothing refers to.
  asm volatile("" : : "r"(ownIdentity));
  new (out) PassPluginLibraryInfo{LLVM_PLUGIN_API_VERSION, "sqtt-instrument", SQTT_PLUGIN_VERSION, registerCallbacks};
}
