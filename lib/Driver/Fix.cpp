//===- Fix.cpp - Correcting the inputs ------------------------------------===//

#include "Fix.h"

using namespace toscac;

FixPlan toscac::planInputFixes(const Compilation &compilation,
                               const DiagnosticList &list) {
  std::set<uint32_t> editable;
  std::string stdinName = shownInputName("-", compilation.options.stdinName);
  for (uint32_t entry : compilation.package.entries) {
    const tosca::File &file = *compilation.package.files[entry];
    bool isArchived = !file.volume->shownPrefix.empty();
    if (!isArchived && file.path != stdinName)
      editable.insert(file.source.index);
  }
  return planFixes(list, compilation.sources, compilation.options.fixes,
                   [&](FileId file) { return editable.count(file.index) > 0; });
}

void FixTotals::add(const FixPlan &plan, const SourceManager &sources) {
  numFixed += plan.numFixed;
  for (const auto &[file, edits] : plan.edits)
    files.insert(sources.name({file}).str());
}

/// `1 file`, `2 files`
static std::string countOf(size_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void FixTotals::remark(DiagnosticEngine &diags) const {
  if (numFixed > 0)
    diags.remark(diag::FixesApplied, countOf(numFixed, "problem"),
                 countOf(files.size(), "file"));
}
