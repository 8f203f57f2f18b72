// The contracts between the shim and Rust: C types only, one thing per function.
//
// A module, value or context crosses as its LLVM-C reference and stays the host's. Strings are pointer and
// length, borrowed for the call unless said otherwise.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "llvm-c/Types.h"

extern "C" {

// --- defined in registration.cpp ---

/// The pipeline phase a run belongs to; the last two are those of a link of all modules into one.
enum SqttPhase : uint32_t { SQTT_START = 0, SQTT_EARLY = 1, SQTT_LATE = 2, SQTT_LINK_EARLY = 3, SQTT_LINK_LATE = 4 };

/// Runs one phase over `module`. `analyses` is handed back to the functions that take one.
/// Returns whether the module was changed. Never unwinds.
typedef bool (*SqttRunPhase)(LLVMModuleRef module, uint32_t phase, void *analyses);

/// Fills the struct that the host expects from llvmGetPassPluginInfo.
/// `out` is SQTT_PLUGIN_INFO_WORDS pointers long and aligned like one. Passes will call `run`.
void sqtt_shim_plugin_info(void *out, SqttRunPhase run);

// --- defined in ir.cpp ---

/// Inlines a direct call; false when LLVM declines, in which case nothing changed.
bool sqtt_shim_inline_call(LLVMValueRef call);

/// Turns an invoke into a call and a branch to its normal destination. Returns the call.
LLVMValueRef sqtt_shim_invoke_to_call(LLVMValueRef invoke);

/// A local copy of a function with a body. Returns the copy, which nothing uses; null where data may hold the address of
/// one of the function's blocks.
LLVMValueRef sqtt_shim_copy_function(LLVMValueRef function);

/// Removes all convergence tokens where one function has some, and convergent calls without: LLVM rejects a mixture.
/// Handles of calls are dead afterwards.
void sqtt_shim_unify_convergence(LLVMModuleRef module);

/// Splits the aggregates and promotes the allocas of one function (SROA without changes of control flow).
void sqtt_shim_promote_allocas(LLVMValueRef function, void *analyses);

/// The bytes of the constant C string that `pointer` points to (up to its NUL), or null.
const char *sqtt_shim_constant_string(LLVMValueRef pointer, size_t *length);

/// Strips constant offsets and casts off a pointer. Returns the base; adds the bytes to `*offset`.
LLVMValueRef sqtt_shim_strip_offset(LLVMValueRef pointer, LLVMModuleRef module, int64_t *offset);

/// The constant that a load of `type` at `offset` behind a constant pointer reads, or null.
LLVMValueRef sqtt_shim_load_constant(LLVMValueRef pointer, int64_t offset, LLVMTypeRef type, LLVMModuleRef module);

/// Takes a pointer apart into a global variable and a number of bytes: `*constant` and the sum of `values[i]`, signed,
/// times `scales[i]`. `*count` is how long the arrays are, and becomes how many there are. Returns the variable, or null.
LLVMValueRef sqtt_shim_variable_offset(LLVMValueRef pointer, LLVMModuleRef module, LLVMValueRef *values,
                                       int64_t *scales, size_t *count, int64_t *constant);

/// The value that an earlier store or load of the same block left for this load, or null.
LLVMValueRef sqtt_shim_available_value(LLVMValueRef load);

/// Moves the allocas of constant size to the head of the entry block: splitting it must not make them dynamic.
/// Returns the first instruction behind them.
LLVMValueRef sqtt_shim_hoist_static_allocas(LLVMValueRef function);

/// Splits the block before `at`: when `condition` holds, control passes through a new block first. Returns the new
/// block's terminator. `then_name` and `tail_name` name the two new blocks.
LLVMValueRef sqtt_shim_split_if(LLVMValueRef condition, LLVMValueRef at, const char *then_name,
                                const char *tail_name);

/// Splits the block before `at` and puts a loop of one block there, `loop_name`, that is left for the block of `at`,
/// `tail_name`. `*phi` becomes the loop's value, `initial` in its first round. The loop never ends until
/// sqtt_shim_close_loop is called. Returns its terminator, before which the body goes.
LLVMValueRef sqtt_shim_open_loop(LLVMValueRef at, LLVMValueRef initial, const char *loop_name, const char *tail_name,
                                 LLVMValueRef *phi);

/// Ends a loop of sqtt_shim_open_loop, whose body may have been split since: while `again` holds, another round with
/// `next` as the loop's value. LLVM will not unroll it.
void sqtt_shim_close_loop(LLVMValueRef phi, LLVMValueRef terminator, LLVMValueRef next, LLVMValueRef again);

/// Narrows what LLVM takes `function` to do to memory to what its body does. Returns true if it was taken for more. A
/// function that is not optimized, whose body the linker may replace, or that hands pointers to itself, stays as it is.
bool sqtt_shim_narrow_memory(LLVMValueRef function, void *analyses);

/// True if lanes of a wave may have different values of `value` in `function`. `fresh` says that the function was
/// changed since the last question.
bool sqtt_shim_divergent(LLVMValueRef function, LLVMValueRef value, void *analyses, bool fresh);

/// Makes a call what every marker is to LLVM: convergent, nomerge and nounwind, and free to the inliner.
void sqtt_shim_mark(LLVMValueRef call);

/// A fence of a scope (acquire and release) before `at` that orders LDS only, never global memory.
void sqtt_shim_local_fence(LLVMValueRef at, const char *scope);

/// Adds a global to llvm.used: no linker may drop it.
void sqtt_shim_append_used(LLVMModuleRef module, LLVMValueRef global);

/// Erases a variable that nothing but llvm.used mentions.
void sqtt_shim_erase_used(LLVMModuleRef module, LLVMValueRef global);

/// Removes a named metadata node. Returns whether there was one.
bool sqtt_shim_erase_named_metadata(LLVMModuleRef module, const char *name, size_t length);

/// Reports through the context's diagnostic handler. `severity` is an LLVMDiagnosticSeverity.
void sqtt_shim_diagnose(LLVMContextRef context, uint32_t severity, const char *text, size_t length);

/// Reports at a place: by the compiler's own number for it where `cookie` is not 0, else by a DILocation or DISubprogram
/// of `function` where `location` is not null.
void sqtt_shim_diagnose_at(LLVMContextRef context, uint32_t severity, const char *text, size_t length, uint64_t cookie,
                           LLVMMetadataRef location, LLVMValueRef function);

/// Writes a name as C++ spells it, or as it is, into `out`, at most `capacity` bytes. Returns how many.
size_t sqtt_shim_demangle(const char *name, size_t length, char *out, size_t capacity);

/// True if the compile internalizes device symbols (HIP without -fgpu-rdc): then what no kernel reaches goes away.
bool sqtt_shim_internalizes_symbols(void);

/// True if an inline asm of a function of the module has `text` in its own.
bool sqtt_shim_has_asm_with(LLVMModuleRef module, const char *text, size_t length);

/// True if a global goes away when nothing uses it.
bool sqtt_shim_discardable(LLVMValueRef global);
}
