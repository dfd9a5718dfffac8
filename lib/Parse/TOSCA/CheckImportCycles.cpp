//===- CheckImportCycles.cpp - Namespaces without end ---------------------===//
///
/// \file
/// A cycle of imports is wrong if one of them has a prefix.
///
//===----------------------------------------------------------------------===//

#include "CheckImportCycles.h"

#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"

using namespace toscac;
using namespace toscac::tosca;

void tosca::checkImportCycles(const Package &package,
                              const SourceManager &sources,
                              DiagnosticEngine &diags) {
  std::vector<CsrGraph::Edge> edges, withPrefix;
  for (auto [index, file] : llvm::enumerate(package.files))
    for (const Import &import : file->imports) {
      edges.push_back({uint32_t(index), import.target});
      if (import.prefix)
        withPrefix.push_back(edges.back());
    }
  auto nameOf = [&](uint32_t file) {
    return sources.name(package.files[file]->source).str();
  };
  for (const Cycle &cycle :
       findCycles({package.files.size(), edges}, withPrefix)) {
    uint32_t target = cycle[cycle.size() > 1];
    const Import &import =
        *llvm::find_if(package.files[cycle[0]]->imports, [&](const Import &i) {
          return i.prefix && i.target == target;
        });
    diags.report(import.definition->range(), diag::ImportCycle,
                 import.prefix.str(), describeCycle(cycle, nameOf));
  }
}
