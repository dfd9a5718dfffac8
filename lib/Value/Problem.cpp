//===- Problem.cpp - What is wrong with a value ---------------------------===//

#include "toscac/Value/Problem.h"

using namespace toscac;

template <typename... Args, size_t... Index>
static DiagnosticEngine::Builder
reportRow(DiagnosticEngine &diags, SourceRange range,
          diag::detail::Row<void(Args...)> row,
          llvm::ArrayRef<std::string> arguments,
          std::index_sequence<Index...>) {
  return diags.report(range, row, arguments[Index]...);
}

template <typename... Args>
static DiagnosticEngine::Builder
reportRow(DiagnosticEngine &diags, SourceRange range,
          diag::detail::Row<void(Args...)> row,
          llvm::ArrayRef<std::string> arguments) {
  return reportRow(diags, range, row, arguments,
                   std::index_sequence_for<Args...>());
}

static DiagnosticEngine::Builder
reportAt(DiagnosticEngine &diags, const Problem &problem, SourceRange range) {
  switch (problem.id) {
#define DIAG(NAME, ...)                                                        \
  case diag::NAME.id:                                                          \
    return reportRow(diags, range, diag::NAME, problem.arguments);
#include "toscac/Basic/DiagnosticsValue.def"
#undef DIAG
  default:
    llvm_unreachable("problems have rows in DiagnosticsValue.def");
  }
}

DiagnosticEngine::Builder toscac::report(DiagnosticEngine &diags,
                                         const Problem &problem,
                                         SourceRange fallback) {
  SourceRange range = problem.range.isValid() ? problem.range : fallback;
  DiagnosticEngine::Builder builder = reportAt(diags, problem, range);
  if (!problem.fix.empty())
    builder.fixIt(range, problem.fix);
  return builder;
}
