//===- Diagnostics.cpp - The table and the engine -------------------------===//

#include "toscac/Basic/Diagnostics.h"

#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/DiagnosticsCloudify.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Basic/DiagnosticsIR.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Basic/DiagnosticsValue.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/edit_distance.h"
#include <array>

using namespace toscac;

/// `UnknownKeyname` -> `unknown-keyname`; a run of capitals is one word
/// (`InvalidUTF8` -> `invalid-utf8`).
static std::string publicName(llvm::StringRef identifier) {
  std::string result;
  for (auto [i, c] : llvm::enumerate(identifier)) {
    bool startsWord =
        i > 0 && llvm::isUpper(c) &&
        (llvm::isLower(identifier[i - 1]) ||
         (i + 1 < identifier.size() && llvm::isLower(identifier[i + 1])));
    if (startsWord)
      result += '-';
    result += llvm::toLower(c);
  }
  return result;
}

llvm::ArrayRef<DiagInfo> toscac::allDiagnostics() {
  static const std::vector<DiagInfo> table = {
#define DIAG(NAME, SEVERITY, GROUP, TEXT, SIGNATURE, SECTION, HELP)            \
  {publicName(#NAME),                                                          \
   Severity::SEVERITY,                                                         \
   publicName(#GROUP),                                                         \
   TEXT,                                                                       \
   SECTION,                                                                    \
   HELP},
#include "toscac/Basic/Diagnostics.def"
  };
  return table;
}

std::vector<llvm::StringRef> toscac::diagnosticNames() {
  llvm::SetVector<llvm::StringRef> names;
  for (const DiagInfo &row : allDiagnostics())
    if (row.severity != Severity::Note) {
      names.insert(row.name);
      names.insert(row.group);
    }
  return {names.begin(), names.end()};
}

size_t toscac::indexOf(DiagId id) {
  // Where the rows of each stage begin.
  static constexpr auto starts = [] {
    constexpr size_t counts[] = {
#define STAGE(NAME) diag::detail::NAME##Rows::Count,
#include "toscac/Basic/DiagnosticStages.def"
    };
    std::array<size_t, std::size(counts)> result{};
    for (size_t i = 1; i < result.size(); ++i)
      result[i] = result[i - 1] + counts[i - 1];
    return result;
  }();
  unsigned number = static_cast<unsigned>(id);
  return starts[number / diag::detail::maxRowsPerStage] +
         number % diag::detail::maxRowsPerStage;
}

const DiagInfo &toscac::info(DiagId id) {
  return allDiagnostics()[indexOf(id)];
}

void DiagnosticEngine::removeIf(
    llvm::function_ref<bool(const Diagnostic &)> isUnwanted) {
  llvm::erase_if(diagnostics, [&](const Diagnostic &diagnostic) {
    bool removed = isUnwanted(diagnostic);
    errors -= removed && diagnostic.severity == Severity::Error;
    return removed;
  });
}

void DiagnosticEngine::take(DiagnosticEngine &&other) {
  errors += other.errors;
  llvm::append_range(remarks, other.remarks);
  llvm::append_range(hidden, other.hidden);
  dropped += other.dropped;
  droppedErrors += other.droppedErrors;
  for (Diagnostic &diagnostic : other.diagnostics)
    if (diagnostics.size() < maxKept)
      diagnostics.push_back(std::move(diagnostic));
    else
      drop(diagnostic.severity);
}
