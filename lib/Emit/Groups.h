//===- Groups.h - Steps that are alike --------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EMIT_GROUPS_H
#define TOSCAC_LIB_EMIT_GROUPS_H

#include "toscac/Emit/Emit.h"
#include "llvm/ADT/BitVector.h"

namespace toscac::emit {

/// A call, or the same call of instances whose indices follow each other.
struct StepGroup {
  /// Their names are this, an index, and the rest: `site[`, `].standard.start`;
  /// both empty for a step that has no index.
  llvm::StringRef before;
  llvm::StringRef after;
  uint32_t firstIndex = 0;
  std::vector<uint32_t> steps;

  uint32_t lastIndex() const { return firstIndex + steps.size() - 1; }
};

/// What an engine has to know of the order: calls and, where they save edges,
/// steps that take no time, which are then joins.
struct Waits {
  /// By step: the calls and joins that it waits for.
  std::vector<std::vector<uint32_t>> before;
  llvm::BitVector isJoin;
};

Waits findWaits(const planfile::Plan &plan);

/// By step: the number of steps of \p counted on the longest way to it, with
/// itself.
std::vector<uint32_t> depthsOf(const planfile::Plan &plan,
                               const llvm::BitVector &counted);

/// All calls of \p chosen by their depth. What is in \p names must live as long
/// as the result.
std::vector<std::vector<StepGroup>>
groupSteps(const planfile::Plan &plan, llvm::ArrayRef<std::string> names,
           const llvm::BitVector &chosen);

/// Which steps are calls.
llvm::BitVector findCalls(const planfile::Plan &plan);

} // namespace toscac::emit

#endif
