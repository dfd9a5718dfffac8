//===- Diagnose.cpp - Diagnostics for editors -----------------------------===//

#include "toscac/Edit/Diagnose.h"

#include "Places.h"
#include "toscac/Driver/Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::vector<FileEdit> fixOf(const Diagnostic &diagnostic,
                                   Places &places) {
  std::map<std::string, std::vector<TextEdit>> byFile;
  for (const FixIt &fix : diagnostic.fixes)
    byFile[places.pathOf(fix.range.begin)].push_back(
        {places.range(fix.range), fix.text});
  std::vector<FileEdit> result;
  for (auto &[file, edits] : byFile)
    result.push_back({file, std::move(edits)});
  return result;
}

FileDiagnostics edit::diagnose(const Check &check, const std::string &entry) {
  FileDiagnostics result;
  Places places(check.sources());
  for (const DiagnosticList::Item &item : check.diagnostics().items) {
    const Diagnostic &from = *item.diagnostic;
    const DiagInfo &row = info(from.id);
    ShownDiagnostic shown;
    shown.isError = item.severity == Severity::Error;
    shown.code = row.name;
    shown.message = from.message;
    shown.isUnnecessary = row.group == "unused" || row.group == "suppressions";
    shown.isDeprecated = row.group == "deprecated";
    for (const Note &note : from.notes) {
      if (note.range.isValid())
        shown.related.push_back(
            {{places.pathOf(note.range.begin), places.range(note.range)},
             note.message});
      else
        shown.message += "\n" + note.message;
    }
    shown.fix = fixOf(from, places);
    shown.isSafeFix =
        !from.fixes.empty() &&
        llvm::all_of(from.fixes, [](const FixIt &fix) { return fix.isSafe; });
    std::string file = entry;
    if (from.range.isValid()) {
      file = places.pathOf(from.range.begin);
      shown.range = places.range(from.range);
    }
    result[file].push_back(std::move(shown));
  }
  return result;
}

std::vector<TextEdit>
edit::safeFixes(llvm::ArrayRef<ShownDiagnostic> diagnostics, StringRef path) {
  std::vector<TextEdit> all;
  auto overlaps = [&](const TextEdit &edit) {
    return llvm::any_of(all, [&](const TextEdit &other) {
      return edit.range == other.range || (edit.range.start < other.range.end &&
                                           other.range.start < edit.range.end);
    });
  };
  for (const ShownDiagnostic &diagnostic : diagnostics) {
    if (!diagnostic.isSafeFix || diagnostic.fix.size() != 1 ||
        diagnostic.fix.front().path != path)
      continue;
    const std::vector<TextEdit> &edits = diagnostic.fix.front().edits;
    if (llvm::none_of(edits, overlaps))
      llvm::append_range(all, edits);
  }
  return all;
}

/// Any object of the program serves to find its file.
static const char inProgram = 0;

/// The file with the pages of all diagnostics: beside an installed program, or
/// in the sources that it was built from.
static std::string findPages() {
  std::string program =
      fs::getMainExecutable(nullptr, const_cast<char *>(&inProgram));
  StringRef prefix = path::parent_path(path::parent_path(program));
  llvm::SmallString<256> installed(prefix), built(prefix);
  path::append(installed, "share/doc/toscac/Diagnostics.md");
  path::append(built, "../../docs/Diagnostics.md");
  path::remove_dots(built, /*remove_dot_dot=*/true);
  if (fs::exists(installed))
    return installed.str().str();
  llvm::SmallString<256> cache(prefix);
  path::append(cache, "CMakeCache.txt");
  return fs::exists(cache) && fs::exists(built) ? built.str().str() : "";
}

std::string edit::pageOf(StringRef code) {
  static const std::string pages = findPages();
  return pages.empty() ? "" : "file://" + pages + "#" + code.str();
}
