// Functions of LLVM that the pass needs and its C interface does not have.
#include "compat.h"
#include "shim.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

extern "C" bool sqtt_shim_inline_call(LLVMValueRef call) {
  InlineFunctionInfo info;
  return InlineFunction(*unwrap<CallBase>(call), info, /*MergeAttributes=*/true).isSuccess();
}

extern "C" LLVMValueRef sqtt_shim_invoke_to_call(LLVMValueRef invoke) {
  return wrap(changeToCall(unwrap<InvokeInst>(invoke)));
}

extern "C" LLVMValueRef sqtt_shim_copy_function(LLVMValueRef function) {
  auto *original = unwrap<Function>(function);
  if (any_of(*original, [](const BasicBlock &block) { return block.hasAddressTaken(); }))
    return nullptr;
  ValueToValueMapTy values;
  Function *copy = CloneFunction(original, values);
  copy->setComdat(nullptr);
  copy->setVisibility(GlobalValue::DefaultVisibility);
  copy->setLinkage(GlobalValue::InternalLinkage);
  return wrap(copy);
}

extern "C" void sqtt_shim_unify_convergence(LLVMModuleRef module) {
  auto isToken = [](const Instruction &instruction) { return isa<ConvergenceControlInst>(instruction); };
  auto isConvergent = [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->isConvergent();
  };
  auto isControlled = [](const Instruction &instruction) {
    return cast<CallBase>(instruction).getOperandBundle(LLVMContext::OB_convergencectrl).has_value();
  };
  auto isMixed = [&](const Function &function) {
    return any_of(instructions(function), isToken) && any_of(instructions(function), [&](const Instruction &instruction) {
             return isConvergent(instruction) && !isToken(instruction) && !isControlled(instruction);
           });
  };
  auto declaresToken = [](const Function &function) { return function.getName().starts_with("llvm.experimental.convergence."); };
  Module &M = *unwrap(module);
  if (none_of(M, declaresToken) || none_of(M, isMixed))
    return;
  for (Function &function : M) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      if (!isConvergent(instruction) || !isControlled(instruction))
        continue;
      auto *call = cast<CallBase>(&instruction);
      CallBase *free = CallBase::removeOperandBundle(call, LLVMContext::OB_convergencectrl, call->getIterator());
      free->copyMetadata(*call);
      free->takeName(call);
      call->replaceAllUsesWith(free);
      call->eraseFromParent();
    }
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (isToken(instruction))
        instruction.eraseFromParent();
  }
}

extern "C" void sqtt_shim_promote_allocas(LLVMValueRef function, void *analyses) {
  auto &F = *unwrap<Function>(function);
  auto &MAM = *static_cast<ModuleAnalysisManager *>(analyses);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent()).getManager();
  // The pass has edited this function since anything was computed about it.
  FAM.invalidate(F, PreservedAnalyses::none());
  SROAPass(SROAOptions::PreserveCFG).run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}

extern "C" const char *sqtt_shim_constant_string(LLVMValueRef pointer, size_t *length) {
  StringRef text;
  if (!getConstantStringInfo(unwrap(pointer), text))
    return nullptr;
  *length = text.size();
  return text.data() ? text.data() : "";
}

extern "C" LLVMValueRef sqtt_shim_strip_offset(LLVMValueRef pointer, LLVMModuleRef module, int64_t *offset) {
  const DataLayout &layout = unwrap(module)->getDataLayout();
  Value *value = unwrap(pointer);
  APInt bytes(layout.getIndexTypeSizeInBits(value->getType()), 0);
  Value *base = value->stripAndAccumulateConstantOffsets(layout, bytes, /*AllowNonInbounds=*/true);
  if (bytes.getSignificantBits() > 64)
    return pointer;
  *offset += bytes.getSExtValue();
  return wrap(base);
}

extern "C" LLVMValueRef sqtt_shim_load_constant(LLVMValueRef pointer, int64_t offset, LLVMTypeRef type,
                                                LLVMModuleRef module) {
  const DataLayout &layout = unwrap(module)->getDataLayout();
  auto *constant = dyn_cast<Constant>(unwrap(pointer));
  if (!constant)
    return nullptr;
  APInt bytes(layout.getIndexTypeSizeInBits(constant->getType()), offset, /*isSigned=*/true);
  return wrap(ConstantFoldLoadFromConstPtr(constant, unwrap(type), bytes, layout));
}

extern "C" LLVMValueRef sqtt_shim_variable_offset(LLVMValueRef pointer, LLVMModuleRef module, LLVMValueRef *values,
                                                  int64_t *scales, size_t *count, int64_t *constant) {
  const DataLayout &layout = unwrap(module)->getDataLayout();
  Value *base = unwrap(pointer);
  size_t capacity = *count, found = 0;
  *constant = 0;
  for (unsigned depth = 0; depth < 32 && !isa<GlobalVariable>(base); ++depth) {
    auto *whole = dyn_cast<Operator>(base);
    if (!whole)
      return nullptr;
    if (whole->getOpcode() == Instruction::AddrSpaceCast || whole->getOpcode() == Instruction::BitCast) {
      base = whole->getOperand(0);
      continue;
    }
    auto *steps = dyn_cast<GEPOperator>(whole);
    if (!steps || steps->getType()->isVectorTy())
      return nullptr;
    for (auto step = gep_type_begin(steps), end = gep_type_end(steps); step != end; ++step) {
      Value *index = step.getOperand();
      auto *number = dyn_cast<ConstantInt>(index);
      if (StructType *structure = step.getStructTypeOrNull()) {
        *constant += layout.getStructLayout(structure)->getElementOffset(number->getZExtValue());
        continue;
      }
      TypeSize stride = step.getSequentialElementStride(layout);
      if (stride.isScalable() || !index->getType()->isIntegerTy() || index->getType()->getIntegerBitWidth() > 64)
        return nullptr;
      int64_t scale = stride.getFixedValue();
      if (number) {
        *constant += number->getSExtValue() * scale;
      } else {
        if (found == capacity)
          return nullptr;
        values[found] = wrap(index);
        scales[found++] = scale;
      }
    }
    base = steps->getPointerOperand();
  }
  *count = found;
  return isa<GlobalVariable>(base) ? wrap(base) : nullptr;
}

extern "C" LLVMValueRef sqtt_shim_available_value(LLVMValueRef load) {
  auto *instruction = unwrap<LoadInst>(load);
  BasicBlock::iterator from = instruction->getIterator();
  return wrap(FindAvailableLoadedValue(instruction, instruction->getParent(), from, /*MaxInstsToScan=*/0));
}

extern "C" LLVMValueRef sqtt_shim_hoist_static_allocas(LLVMValueRef function) {
  BasicBlock &entry = unwrap<Function>(function)->getEntryBlock();
  SmallVector<AllocaInst *, 16> allocas;
  for (Instruction &instruction : entry)
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction); alloca && alloca->isStaticAlloca())
      allocas.push_back(alloca);
  // Static allocas depend on nothing but constants: any order of any place is right.
  BasicBlock::iterator head = entry.getFirstInsertionPt();
  for (AllocaInst *alloca : allocas) {
    if (&*head == alloca)
      ++head;
    else
      alloca->moveBefore(entry, head);
  }
  return wrap(&*head);
}

/// Moves what stands before `at` to a new block, to which everything leads that led to the old one. The rest
/// stays where it is, so that a block of many splits is moved once.
static BasicBlock *split_before(Instruction *at) {
  BasicBlock *tail = at->getParent();
  BasicBlock *head = tail->splitBasicBlockBefore(at->getIterator());
  if (BlockAddress *address = BlockAddress::lookup(tail))
    address->replaceAllUsesWith(BlockAddress::get(head));
  head->takeName(tail);
  return head;
}

/// Puts an empty block that goes on to the second half between the halves of a split.
static Instruction *add_between(BasicBlock *head, BasicBlock *tail, const char *name) {
  BasicBlock *between = BasicBlock::Create(tail->getContext(), name, tail->getParent(), tail);
  IRBuilder<> builder(between);
  builder.SetCurrentDebugLocation(head->getTerminator()->getDebugLoc());
  return builder.CreateBr(tail);
}

extern "C" LLVMValueRef sqtt_shim_split_if(LLVMValueRef condition, LLVMValueRef at, const char *then_name,
                                           const char *tail_name) {
  auto *before = unwrap<Instruction>(at);
  BasicBlock *head = split_before(before);
  BasicBlock *tail = before->getParent();
  tail->setName(tail_name);
  Instruction *inside = add_between(head, tail, then_name);
  Instruction *leave = head->getTerminator();
  IRBuilder<>(leave).CreateCondBr(unwrap(condition), inside->getParent(), tail);
  leave->eraseFromParent();
  return wrap(inside);
}

extern "C" LLVMValueRef sqtt_shim_open_loop(LLVMValueRef at, LLVMValueRef initial, const char *loop_name,
                                            const char *tail_name, LLVMValueRef *phi) {
  auto *before = unwrap<Instruction>(at);
  BasicBlock *head = split_before(before);
  BasicBlock *tail = before->getParent();
  tail->setName(tail_name);
  Instruction *terminator = add_between(head, tail, loop_name);
  BasicBlock *body = terminator->getParent();
  head->getTerminator()->setSuccessor(0, body);
  Value *first = unwrap(initial);
  PHINode *value = PHINode::Create(first->getType(), 2, "sqtt.round", body->begin());
  value->setDebugLoc(terminator->getDebugLoc());
  value->addIncoming(first, head);
  *phi = wrap(value);
  return wrap(terminator);
}

extern "C" void sqtt_shim_close_loop(LLVMValueRef phi, LLVMValueRef terminator, LLVMValueRef next,
                                     LLVMValueRef again) {
  auto *value = unwrap<PHINode>(phi);
  auto *leave = unwrap<Instruction>(terminator);
  BasicBlock *tail = leave->getSuccessor(0);
  IRBuilder<> builder(leave);
  auto *branch = builder.CreateCondBr(unwrap(again), value->getParent(), tail);
  value->addIncoming(unwrap(next), leave->getParent());
  leave->eraseFromParent();
  LLVMContext &context = branch->getContext();
  MDNode *never = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
  MDNode *loop = MDNode::getDistinct(context, {nullptr, never});
  loop->replaceOperandWith(0, loop);
  branch->setMetadata(LLVMContext::MD_loop, loop);
}

extern "C" bool sqtt_shim_narrow_memory(LLVMValueRef function, void *analyses) {
  auto &F = *unwrap<Function>(function);
  if (F.hasOptNone() || !F.hasExactDefinition())
    return false;
  auto &MAM = *static_cast<ModuleAnalysisManager *>(analyses);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent()).getManager();
  FAM.invalidate(F, PreservedAnalyses::none());
  // A call of itself does what the rest of the body does; through pointers that it passes it does so elsewhere.
  SmallVector<std::pair<CallBase *, AttributeList>, 4> itself;
  bool passesPointers = false;
  for (Instruction &instruction : instructions(F))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCalledFunction() == &F) {
      itself.emplace_back(call, call->getAttributes());
      call->setMemoryEffects(MemoryEffects::none());
      passesPointers |= any_of(call->args(), [](Value *argument) { return argument->getType()->isPtrOrPtrVectorTy(); });
    }
  MemoryEffects taken = F.getMemoryEffects();
  MemoryEffects narrow = taken & computeFunctionBodyMemoryAccess(F, FAM.getResult<AAManager>(F));
  for (auto &[call, attributes] : itself)
    call->setAttributes(attributes);
  if (narrow == taken || (passesPointers && isModOrRefSet(narrow.getModRef(IRMemLocation::ArgMem))))
    return false;
  F.setMemoryEffects(narrow);
  return true;
}

extern "C" bool sqtt_shim_divergent(LLVMValueRef function, LLVMValueRef value, void *analyses, bool fresh) {
  auto &F = *unwrap<Function>(function);
  auto &MAM = *static_cast<ModuleAnalysisManager *>(analyses);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(*F.getParent()).getManager();
  if (fresh)
    FAM.invalidate(F, PreservedAnalyses::none());
  // Without a target to ask, everything may differ.
  return !FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F) ||
         sqtt::isDivergent(FAM.getResult<UniformityInfoAnalysis>(F), unwrap(value));
}

extern "C" void sqtt_shim_mark(LLVMValueRef call) {
  auto *marked = unwrap<CallBase>(call);
  LLVMContext &context = marked->getContext();
  AttrBuilder marks(context);
  marks.addAttribute(Attribute::Convergent).addAttribute(Attribute::NoMerge).addAttribute(Attribute::NoUnwind);
  // The inliner takes this for its cost: markers must not change what is inlined.
  marks.addAttribute("call-inline-cost", "0");
  marked->setAttributes(marked->getAttributes().addFnAttributes(context, marks));
}

extern "C" void sqtt_shim_local_fence(LLVMValueRef at, const char *scope) {
  auto *before = unwrap<Instruction>(at);
  LLVMContext &context = before->getContext();
  IRBuilder<> builder(before);
  FenceInst *fence =
      builder.CreateFence(AtomicOrdering::AcquireRelease, context.getOrInsertSyncScopeID(scope));
  fence->setMetadata(LLVMContext::MD_mmra, sqtt::localMemoryOnly(context));
}

extern "C" void sqtt_shim_append_used(LLVMModuleRef module, LLVMValueRef global) {
  appendToUsed(*unwrap(module), {unwrap<GlobalValue>(global)});
}

extern "C" void sqtt_shim_erase_used(LLVMModuleRef module, LLVMValueRef global) {
  GlobalVariable *variable = unwrap<GlobalVariable>(global);
  removeFromUsedLists(*unwrap(module), [=](Constant *used) { return used->stripPointerCasts() == variable; });
  variable->eraseFromParent();
}

extern "C" bool sqtt_shim_erase_named_metadata(LLVMModuleRef module, const char *name, size_t length) {
  NamedMDNode *node = unwrap(module)->getNamedMetadata(StringRef(name, length));
  if (node)
    node->eraseFromParent();
  return node != nullptr;
}

namespace {
/// A message that prints as it is: no prefix, no mangling of its text.
class MarkerDiagnostic : public DiagnosticInfo {
  StringRef text;

public:
  MarkerDiagnostic(StringRef text, DiagnosticSeverity severity)
      : DiagnosticInfo(getNextAvailablePluginDiagnosticKind(), severity), text(text) {}
  void print(DiagnosticPrinter &printer) const override { printer << text; }
};
} // namespace

extern "C" void sqtt_shim_diagnose(LLVMContextRef context, uint32_t severity, const char *text, size_t length) {
  unwrap(context)->diagnose(MarkerDiagnostic(StringRef(text, length), static_cast<DiagnosticSeverity>(severity)));
}

extern "C" void sqtt_shim_diagnose_at(LLVMContextRef context, uint32_t severity, const char *text, size_t length,
                                      uint64_t cookie, LLVMMetadataRef location, LLVMValueRef function) {
  auto level = static_cast<DiagnosticSeverity>(severity);
  StringRef message(text, length);
  if (cookie != 0) {
    unwrap(context)->diagnose(DiagnosticInfoInlineAsm(cookie, message, level));
  } else if (location) {
    Metadata *place = unwrap(location);
    DiagnosticLocation at;
    if (auto *scope = dyn_cast<DISubprogram>(place))
      at = DiagnosticLocation(scope);
    else
      at = DiagnosticLocation(DebugLoc(cast<DILocation>(place)));
    unwrap(context)->diagnose(DiagnosticInfoUnsupported(*unwrap<Function>(function), message, at, level));
  } else {
    unwrap(context)->diagnose(MarkerDiagnostic(message, level));
  }
}

extern "C" size_t sqtt_shim_demangle(const char *name, size_t length, char *out, size_t capacity) {
  std::string plain = demangle(std::string(name, length));
  return plain.copy(out, capacity);
}

extern "C" bool sqtt_shim_internalizes_symbols(void) {
  auto &options = cl::getRegisteredOptions();
  auto option = options.find("amdgpu-internalize-symbols");
  return option != options.end() && static_cast<cl::opt<bool> *>(option->second)->getValue();
}

extern "C" bool sqtt_shim_has_asm_with(LLVMModuleRef module, const char *text, size_t length) {
  auto has = [&](const Instruction &inst) {
    auto *call = dyn_cast<CallBase>(&inst);
    auto *assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
    return assembly && StringRef(assembly->getAsmString()).contains(StringRef(text, length));
  };
  return any_of(*unwrap(module), [&](const Function &function) { return any_of(instructions(function), has); });
}

extern "C" bool sqtt_shim_discardable(LLVMValueRef global) {
  return unwrap<GlobalValue>(global)->isDiscardableIfUnused();
}
