//===- Suppressions.cpp - Warnings ignored on a line ----------------------===//
///
/// \file
/// Comments are found in the text: trees have none. A `#` within a quoted text
/// may be taken for a comment, which at worst hides a warning on that line.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/Suppressions.h"
#include "toscac/Basic/Suggest.h"

#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using llvm::StringRef;

static const DiagInfo *findRow(StringRef name) {
  auto found = llvm::find_if(allDiagnostics(), [&](const DiagInfo &row) {
    return row.name == name && row.severity != Severity::Note;
  });
  return found == allDiagnostics().end() ? nullptr : &*found;
}

/// Why \p name cannot be ignored.
static std::string whyUseless(StringRef name, const DiagInfo *row) {
  if (row)
    return "it is an error";
  llvm::SmallVector<StringRef> warnings;
  for (const DiagInfo &known : allDiagnostics())
    if (known.severity == Severity::Warning ||
        known.severity == Severity::Extra)
      warnings.push_back(known.name);
  return "no warning is called so" + didYouMean(name, warnings);
}

/// Enters what stands between the brackets, \p ids, which begins at \p at.
void Suppressions::scanComment(StringRef ids, SourceLoc at, uint32_t line,
                               DiagnosticEngine &diags) {
  llvm::SmallVector<StringRef> names;
  ids.split(names, ',');
  for (StringRef padded : names) {
    StringRef name = padded.trim();
    SourceLoc begin = at.advanced(name.data() - ids.data());
    SourceRange range(begin, begin.advanced(name.size()));
    const DiagInfo *row = findRow(name);
    if (!row || row->severity == Severity::Error) {
      diags.report(range, diag::UselessSuppression, name,
                   whyUseless(name, row));
      continue;
    }
    size_t index = row - allDiagnostics().data();
    suppressions.insert(
        {{sources.fileOf(at).index, line}, Suppression{range, index}});
  }
}

void Suppressions::scan(FileId file, DiagnosticEngine &diags) {
  constexpr StringRef marker = "toscac: ignore[";
  StringRef text = sources.text(file);
  for (size_t at = text.find(marker); at != StringRef::npos;
       at = text.find(marker, at + 1)) {
    StringRef before = text.take_front(at).rtrim(" \t");
    bool isComment = before.consume_back("#") &&
                     (before.empty() || llvm::isSpace(before.back()));
    StringRef ids = text.drop_front(at + marker.size());
    size_t end = ids.find_first_of("]\n");
    if (!isComment || end == StringRef::npos || ids[end] == '\n')
      continue;
    SourceLoc begin = sources.begin(file).advanced(at + marker.size());
    scanComment(ids.take_front(end), begin, sources.position(begin).line,
                diags);
  }
}

bool Suppressions::silence(const Diagnostic &diagnostic) {
  if (suppressions.empty() || !diagnostic.range.isValid() ||
      diagnostic.severity == Severity::Error)
    return false;
  Position position = sources.position(diagnostic.range.begin);
  auto [begin, end] =
      suppressions.equal_range({position.file.index, position.line});
  bool found = false;
  for (auto &entry : llvm::make_range(begin, end))
    if (entry.second.row == indexOf(diagnostic.id))
      found = entry.second.isUsed = true;
  return found;
}

void Suppressions::apply(DiagnosticEngine &diags) {
  for (; numScanned < sources.numFiles(); ++numScanned)
    scan({numScanned}, diags);
  diags.removeIf(
      [&](const Diagnostic &diagnostic) { return silence(diagnostic); });
}

void Suppressions::reportUnused(DiagStage next, DiagnosticEngine &diags) const {
  size_t end = indexOf(diag::detail::makeId(next, 0));
  for (const auto &[place, suppression] : suppressions)
    if (!suppression.isUsed && suppression.row < end)
      diags.report(suppression.range, diag::UnusedSuppression,
                   allDiagnostics()[suppression.row].name);
}
