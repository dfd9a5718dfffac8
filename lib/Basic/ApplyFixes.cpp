//===- ApplyFixes.cpp - Fix-its put into practice -------------------------===//

#include "toscac/Basic/ApplyFixes.h"

#include "toscac/Basic/Files.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;

static bool overlap(const FixIt &a, const FixIt &b) {
  // Two insertions at one place have no order.
  if (a.range.begin == b.range.begin)
    return true;
  return a.range.begin < b.range.end && b.range.begin < a.range.end;
}

static bool isSame(const FixIt &a, const FixIt &b) {
  return a.range == b.range && a.text == b.text;
}

namespace {

/// What has been chosen, by place.
class Chooser {
public:
  Chooser(const SourceManager &sources, FixKinds kinds,
          llvm::function_ref<bool(FileId)> mayEdit)
      : sources(sources), kinds(kinds), mayEdit(mayEdit) {}

  void offer(const Diagnostic &diagnostic);
  FixPlan take();

private:
  bool isPossible(const FixIt &fix);

  const SourceManager &sources;
  FixKinds kinds;
  llvm::function_ref<bool(FileId)> mayEdit;
  std::map<SourceLoc, FixIt> chosen;
  size_t numFixed = 0;
};

} // namespace

bool Chooser::isPossible(const FixIt &fix) {
  bool isWanted = fix.isSafe || kinds == FixKinds::All;
  if (!isWanted || !mayEdit(sources.fileOf(fix.range.begin)))
    return false;
  auto after = chosen.lower_bound(fix.range.begin);
  bool clear = after == chosen.end() || !overlap(after->second, fix) ||
               isSame(after->second, fix);
  if (after == chosen.begin())
    return clear;
  return clear && !overlap(std::prev(after)->second, fix);
}

void Chooser::offer(const Diagnostic &diagnostic) {
  llvm::ArrayRef<FixIt> fixes = diagnostic.fixes;
  bool isCurable = !fixes.empty() && llvm::all_of(fixes, [&](const FixIt &fix) {
    return isPossible(fix);
  });
  if (!isCurable)
    return;
  for (const FixIt &fix : fixes)
    chosen.try_emplace(fix.range.begin, fix);
  ++numFixed;
}

FixPlan Chooser::take() {
  FixPlan plan;
  plan.numFixed = numFixed;
  for (auto &[place, fix] : chosen)
    plan.edits[sources.fileOf(place).index].push_back(std::move(fix));
  return plan;
}

FixPlan toscac::planFixes(const DiagnosticList &list,
                          const SourceManager &sources, FixKinds kinds,
                          llvm::function_ref<bool(FileId)> mayEdit) {
  Chooser chooser(sources, kinds, mayEdit);
  for (const DiagnosticList::Item &item : list.items)
    chooser.offer(*item.diagnostic);
  return chooser.take();
}

std::string toscac::applyEdits(llvm::ArrayRef<FixIt> edits, SourceRange range,
                               const SourceManager &sources) {
  std::string result;
  SourceLoc at = range.begin;
  for (const FixIt &edit : edits) {
    result += sources.text(SourceRange(at, edit.range.begin));
    result += edit.text;
    at = edit.range.end;
  }
  result += sources.text(SourceRange(at, range.end));
  return result;
}

void toscac::applyFixes(const FixPlan &plan, const SourceManager &sources,
                        DiagnosticEngine &diags) {
  for (const auto &[index, edits] : plan.edits) {
    FileId file{index};
    llvm::StringRef name = sources.name(file);
    auto present = readFile(name, diags);
    if (!present)
      continue;
    if (present->getBuffer() != sources.text(file)) {
      diags.report({}, diag::CannotWriteFile, name,
                   "it has changed since it was read");
      continue;
    }
    std::string text = applyEdits(edits, sources.rangeOf(file), sources);
    writeFile(name, [&](llvm::raw_ostream &os) { os << text; }, diags);
  }
}
