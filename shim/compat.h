// Every difference between LLVM versions, probed by header or signature: vendor builds report the next major
// version while lacking its interfaces.
#pragma once

#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

#include "llvm/Passes/PassBuilder.h"

#include <type_traits>

namespace sqtt {

using llvm::ModulePassManager;
using llvm::OptimizationLevel;
using llvm::PassBuilder;

/// Registers `add(manager, level)` at early simplification, with or without the LTO phase argument.
template <typename Builder, typename Add> void atEarlySimplification(Builder &builder, Add add) {
  using Plain = void (*)(ModulePassManager &, OptimizationLevel);
  if constexpr (std::is_invocable_v<decltype(&Builder::registerPipelineEarlySimplificationEPCallback), Builder &, Plain>)
    builder.registerPipelineEarlySimplificationEPCallback(add);
  else
    builder.registerPipelineEarlySimplificationEPCallback(
        [add](ModulePassManager &manager, OptimizationLevel level, auto) { add(manager, level); });
}

/// The same at optimizer last.
template <typename Builder, typename Add> void atOptimizerLast(Builder &builder, Add add) {
  using Plain = void (*)(ModulePassManager &, OptimizationLevel);
  if constexpr (std::is_invocable_v<decltype(&Builder::registerOptimizerLastEPCallback), Builder &, Plain>)
    builder.registerOptimizerLastEPCallback(add);
  else
    builder.registerOptimizerLastEPCallback(
        [add](ModulePassManager &manager, OptimizationLevel level, auto) { add(manager, level); });
}

} // namespace sqtt
