//===- DiagnosticPrinter.cpp - Showing diagnostics ------------------------===//
///
/// \file
/// Chooses and orders what is shown; the formats have a file each.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/DiagnosticPrinter.h"

#include "DiagnosticFormats.h"
#include "toscac/Basic/WarningOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>
#include <set>

using namespace toscac;
using llvm::StringRef;

/// Whether \p name is in the folder of \p first, or below: then it is the
/// user's, and no profile from elsewhere.
static bool isBeside(StringRef name, StringRef first) {
  StringRef folder = llvm::sys::path::parent_path(first);
  if (folder.empty())
    return !llvm::sys::path::is_absolute(name) && !name.starts_with("..");
  return name.starts_with(folder);
}

/// The place of each file in the output. Files are read by several threads, so
/// only the first one's index is the same in every run.
static std::vector<uint32_t> rankFiles(const SourceManager &sources) {
  std::vector<uint32_t> order(sources.numFiles());
  std::iota(order.begin(), order.end(), 0);
  auto key = [&](uint32_t file) {
    return std::tuple(file != 0,
                      !isBeside(sources.name({file}), sources.name({0})),
                      sources.name({file}), file);
  };
  llvm::sort(order, [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  std::vector<uint32_t> ranks(order.size());
  for (auto [rank, file] : llvm::enumerate(order))
    ranks[file] = rank;
  return ranks;
}

/// What makes two diagnostics the same to a reader.
using Identity = std::tuple<SourceLoc, SourceLoc, DiagId, StringRef>;

static Identity identityOf(const Diagnostic &diagnostic) {
  return {diagnostic.range.begin, diagnostic.range.end, diagnostic.id,
          diagnostic.message};
}

DiagnosticList toscac::listDiagnostics(const DiagnosticEngine &diags,
                                       const WarningOptions &warnings,
                                       const SourceManager &sources) {
  DiagnosticList list;
  list.remarks = diags.allRemarks();
  std::set<Identity> seen;
  for (const Diagnostic &diagnostic : diags.all()) {
    std::optional<Severity> severity = warnings.severity(diagnostic.id);
    if (!severity || !seen.insert(identityOf(diagnostic)).second)
      continue;
    list.items.push_back({&diagnostic, *severity});
    list.numErrors += *severity == Severity::Error;
  }
  // Errors that were not kept still make the input wrong.
  list.numErrors += diags.numDroppedErrors();
  if (diags.numDropped() > 0) {
    DiagnosticEngine closing;
    closing.remark(diag::DiagnosticsDropped, diags.numDropped(),
                   DiagnosticEngine::maxKept);
    llvm::append_range(list.remarks, closing.allRemarks());
  }
  std::vector<uint32_t> ranks = rankFiles(sources);
  auto key = [&](const DiagnosticList::Item &item) {
    SourceLoc begin = item.diagnostic->range.begin;
    // Ranks count from 1: 0 is for what has no place.
    uint32_t rank =
        begin.isValid() ? ranks[sources.fileOf(begin).index] + 1 : 0;
    return std::tuple(rank, begin.raw, item.diagnostic);
  };
  llvm::sort(list.items, [&](const auto &a, const auto &b) {
    // The engine keeps its diagnostics in one array: a lower address was
    // reported earlier.
    return key(a) < key(b);
  });
  hideSecrets(list, diags.allHidden(), sources);
  return list;
}

/// `1 more error`, `3 more warnings`
static std::string countMore(size_t count, StringRef what) {
  return (llvm::Twine(count) + " more " + what + (count == 1 ? "" : "s")).str();
}

/// `1 error`, `3 warnings`
static std::string countOf(size_t count, StringRef what) {
  return (llvm::Twine(count) + " " + what + (count == 1 ? "" : "s")).str();
}

std::string toscac::totals(const DiagnosticList &list,
                           const SourceManager &sources) {
  size_t warnings = 0, fixable = 0;
  std::set<uint32_t> files;
  for (const auto &[diagnostic, severity] : list.items) {
    warnings += severity != Severity::Error;
    fixable += !diagnostic->fixes.empty() &&
               llvm::all_of(diagnostic->fixes,
                            [](const FixIt &fix) { return fix.isSafe; });
    if (diagnostic->range.isValid())
      files.insert(sources.fileOf(diagnostic->range.begin).index);
  }
  // Where nothing could be read, there is nothing to sum up.
  if (files.empty())
    return "";
  std::string text;
  if (list.numErrors > 0)
    text = countOf(list.numErrors, "error");
  if (warnings > 0)
    text += (text.empty() ? "" : ", ") + countOf(warnings, "warning");
  text += " in " + countOf(files.size(), "file");
  if (fixable > 0)
    text += "; " + std::to_string(fixable) + " fixable with --fix";
  return text;
}

void toscac::limitErrors(DiagnosticList &list, size_t maxErrors) {
  if (maxErrors == 0 || list.numErrors <= maxErrors)
    return;
  size_t errors = 0;
  auto isOneTooMany = [&](const DiagnosticList::Item &item) {
    errors += item.severity == Severity::Error;
    return errors > maxErrors;
  };
  auto cut = llvm::find_if(list.items, isOneTooMany);
  size_t hiddenErrors = list.numErrors - maxErrors;
  size_t hidden = list.items.end() - cut;
  list.items.erase(cut, list.items.end());
  std::string leftOut = countMore(hiddenErrors, "error");
  if (hidden > hiddenErrors)
    leftOut += " and " + countMore(hidden - hiddenErrors, "warning");
  DiagnosticEngine closing;
  closing.remark(diag::DiagnosticsLeftOut, leftOut, maxErrors);
  llvm::append_range(list.remarks, closing.allRemarks());
}

void toscac::printDiagnostics(const DiagnosticList &list,
                              const SourceManager &sources,
                              DiagnosticsFormat format, bool color,
                              llvm::raw_ostream &os) {
  switch (format) {
  case DiagnosticsFormat::Text:
    os.enable_colors(color);
    return printText(list, sources, os);
  case DiagnosticsFormat::JSON:
    return printJSON(list, sources, os);
  case DiagnosticsFormat::SARIF:
    return printSARIF(list, sources, os);
  case DiagnosticsFormat::GitHub:
    return printGitHub(list, sources, os);
  case DiagnosticsFormat::JUnit:
    return printJUnit(list, sources, os);
  case DiagnosticsFormat::GitLab:
    return printGitLab(list, sources, os);
  }
}

StringRef toscac::severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
  case Severity::Extra:
    return "warning";
  case Severity::Note:
    return "note";
  }
  llvm_unreachable("all severities are handled");
}

RangePosition toscac::positions(const SourceManager &sources,
                                SourceRange range) {
  return {sources.position(range.begin), sources.position(range.end)};
}
