//===- toscac/Value/Problem.h - What is wrong with a value ------*- C++ -*-===//
///
/// \file
/// A problem is a diagnostic that is not reported yet: the caller may know a
/// better place for it, or drop it. Rows come from DiagnosticsValue.def.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_PROBLEM_H
#define TOSCAC_VALUE_PROBLEM_H

#include "toscac/Basic/DiagnosticsValue.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <variant>

namespace toscac {

struct Problem {
  DiagId id;
  /// Where it is; invalid if only the caller can know.
  SourceRange range;
  /// What the row's placeholders stand for.
  std::vector<std::string> arguments;
  /// The clause or definition that is violated, for a note; may be invalid.
  SourceRange rule = {};
  /// What would be right in its place; empty if that is not known.
  std::string fix = {};
};

/// A problem by row \p row; does not compile with the wrong arguments.
template <typename... Args>
Problem problem(SourceRange range, diag::detail::Row<void(Args...)> row,
                std::type_identity_t<Args>... args) {
  return {row.id, range, {args.str()...}};
}

/// Reports \p problem at its range, or at \p fallback if it has none.
DiagnosticEngine::Builder report(DiagnosticEngine &diags,
                                 const Problem &problem,
                                 SourceRange fallback = {});

using ReportProblem = llvm::function_ref<void(Problem)>;

/// A T, or the reason why there is none.
template <typename T>
class OrProblem {
public:
  OrProblem(T value) : content(std::move(value)) {}
  OrProblem(Problem problem) : content(std::move(problem)) {}

  explicit operator bool() const { return content.index() == 0; }
  const T &operator*() const { return std::get<0>(content); }
  const T *operator->() const { return &std::get<0>(content); }
  const Problem &problem() const { return std::get<1>(content); }
  Problem takeProblem() { return std::move(std::get<1>(content)); }

private:
  std::variant<T, Problem> content;
};

} // namespace toscac

#endif
