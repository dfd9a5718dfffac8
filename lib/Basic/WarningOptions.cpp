//===- WarningOptions.cpp - What -W… asks for -----------------------------===//
///
/// \file
/// Each flag is turned into a change of the rows that it names, so that the
/// order of the flags needs no further thought.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/WarningOptions.h"
#include "toscac/Basic/Suggest.h"

using namespace toscac;
using llvm::StringRef;

static bool isWarning(const DiagInfo &row) {
  return row.severity == Severity::Warning || row.severity == Severity::Extra;
}

/// Reports that \p name is neither a diagnostic nor a group.
static void reportUnknown(StringRef name, SourceRange place,
                          DiagnosticEngine &diags) {
  std::vector<StringRef> names = diagnosticNames();
  names.emplace_back("extra");
  names.emplace_back("error");
  auto report = diags.report(place, diag::UnknownWarning, name);
  Suggestion(name, names).noteOn(report);
}

template <typename Change>
void WarningOptions::changeAll(Change change) {
  if (choices.empty())
    for (const DiagInfo &row : allDiagnostics())
      choices.push_back({row.severity != Severity::Extra, false});
  for (auto [row, choice] : llvm::zip_equal(allDiagnostics(), choices))
    change(row, choice);
}

template <typename Change>
void WarningOptions::change(StringRef name, bool weakens, SourceRange place,
                            DiagnosticEngine &diags, Change change) {
  bool found = false;
  bool fixed = false;
  changeAll([&](const DiagInfo &row, Choice &choice) {
    if (row.severity == Severity::Note ||
        (row.name != name && row.group != name))
      return;
    found = true;
    // A group may hold both: then its warnings are meant.
    fixed |= row.name == name && !isWarning(row);
    if (isWarning(row))
      change(choice);
  });
  if (!found)
    reportUnknown(name, place, diags);
  else if (fixed && weakens)
    diags.report(place, diag::ErrorNotOptional, name);
}

void WarningOptions::apply(StringRef flag, DiagnosticEngine &diags,
                           SourceRange place) {
  auto setError = [](bool error) {
    return [=](const DiagInfo &, Choice &choice) { choice.error = error; };
  };
  if (flag == "error" || flag == "no-error")
    return changeAll(setError(flag == "error"));
  if (flag == "extra" || flag == "no-extra")
    return changeAll([=](const DiagInfo &row, Choice &choice) {
      if (row.severity == Severity::Extra)
        choice.enabled = flag == "extra";
    });
  if (flag.consume_front("no-error="))
    return change(flag, /*weakens=*/true, place, diags,
                  [](Choice &choice) { choice.error = false; });
  if (flag.consume_front("error="))
    return change(flag, /*weakens=*/false, place, diags,
                  [](Choice &choice) { choice = {true, true}; });
  if (flag.consume_front("no-"))
    return change(flag, /*weakens=*/true, place, diags,
                  [](Choice &choice) { choice.enabled = false; });
  change(flag, /*weakens=*/false, place, diags,
         [](Choice &choice) { choice.enabled = true; });
}

std::optional<Severity> WarningOptions::severity(DiagId id) const {
  const DiagInfo &row = info(id);
  if (row.severity == Severity::Error)
    return Severity::Error;
  assert(isWarning(row) && "a note has no severity of its own");
  if (choices.empty()) {
    if (row.severity == Severity::Extra)
      return std::nullopt;
    return Severity::Warning;
  }
  const Choice &choice = choices[indexOf(id)];
  if (!choice.enabled)
    return std::nullopt;
  return choice.error ? Severity::Error : Severity::Warning;
}
