//===- Groups.h - Steps that are alike --------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EMIT_GROUPS_H
#define TOSCAC_LIB_EMIT_GROUPS_H

#include "toscac/Emit/Emit.h"

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

/// All calls, by the number of calls that come before them on the longest way.
/// What is in \p names must live as long as the result.
std::vector<std::vector<StepGroup>>
groupSteps(const planfile::PlanFile &plan, llvm::ArrayRef<std::string> names);

/// For each step the calls that it waits for, itself or by way of steps that
/// take no time.
std::vector<std::vector<uint32_t>> callsBefore(const planfile::PlanFile &plan);

} // namespace toscac::emit

#endif
