// Every difference between LLVM versions that C++ sees; src/llvm/compat.rs has what Rust sees. Probed by header or
// signature: vendor builds report the next major version while lacking its interfaces.
#pragma once

#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

#include "llvm/IR/MemoryModelRelaxationAnnotations.h"
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

/// Registers `add(manager, level)` at optimizer last, likewise.
template <typename Builder, typename Add> void atOptimizerLast(Builder &builder, Add add) {
  using Plain = void (*)(ModulePassManager &, OptimizationLevel);
  if constexpr (std::is_invocable_v<decltype(&Builder::registerOptimizerLastEPCallback), Builder &, Plain>)
    builder.registerOptimizerLastEPCallback(add);
  else
    builder.registerOptimizerLastEPCallback(
        [add](ModulePassManager &manager, OptimizationLevel level, auto) { add(manager, level); });
}

template <typename Info, typename = void> struct HasDivergentAtDef : std::false_type {};
template <typename Info>
struct HasDivergentAtDef<Info, std::void_t<decltype(&Info::isDivergentAtDef)>> : std::true_type {};

/// True if a value may differ between lanes where it is computed. LLVM 23 has it under another name.
template <typename Info> bool isDivergent(Info &info, const llvm::Value *value) {
  if constexpr (HasDivergentAtDef<Info>::value)
    return info.isDivergentAtDef(value);
  else
    return info.isDivergent(value);
}

/// The annotation of a fence that orders LDS alone. One tag, two spellings: LLVM 19 reads the first, LLVM 22 the second,
/// and each ignores the other's.
inline llvm::MDNode *localMemoryOnly(llvm::LLVMContext &context) {
  return llvm::MMRAMetadata::getMD(context, {{"amdgpu-as", "local"}, {"amdgpu-synchronize-as", "local"}});
}

} // namespace sqtt
