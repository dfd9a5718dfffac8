//===- StepNames.h - What files for engines call steps ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_EMIT_STEPNAMES_H
#define TOSCAC_LIB_EMIT_STEPNAMES_H

#include "toscac/Emit/Emit.h"

namespace toscac::emit {

/// Names of steps for people, each in one line; nothing after a report.
std::optional<std::vector<std::string>> readNames(planfile::Plan &plan,
                                                  DiagnosticEngine &diags);

/// Steps that no other waits for.
std::vector<uint32_t> lastSteps(const planfile::Plan &plan);

/// Shows \p visit each call of the plan. False after a report.
bool eachCall(planfile::Plan &plan, DiagnosticEngine &diags,
              llvm::function_ref<void(const planfile::Step &)> visit);

/// How many steps are calls.
size_t countCalls(const planfile::Plan &plan);

/// The lines that say what a file is, each after \p mark.
std::string introduce(const planfile::Plan &plan, llvm::StringRef mark,
                      llvm::StringRef command);

} // namespace toscac::emit

#endif
