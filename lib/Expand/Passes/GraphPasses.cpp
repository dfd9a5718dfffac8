//===- GraphPasses.cpp - Passes over graphs -------------------------------===//

#include "toscac/Expand/GraphPasses.h"

#include "PassFunctions.h"

using namespace toscac;
using namespace toscac::expanding;

namespace {
struct GraphPass {
  llvm::StringRef name;
  void (*run)(ir::Graph &, NameTable &);
};
} // namespace

static constexpr GraphPass graphPasses[] = {
#define PASS(NAME, FUNCTION, HELP) {NAME, FUNCTION},
#include "toscac/Expand/GraphPasses.def"
};

static constexpr llvm::StringRef passNames[] = {
#define PASS(NAME, FUNCTION, HELP) NAME,
#include "toscac/Expand/GraphPasses.def"
};

llvm::ArrayRef<llvm::StringRef> toscac::graphPassNames() { return passNames; }

void toscac::runGraphPass(llvm::StringRef name, ir::Graph &graph,
                          NameTable &names) {
  for (const GraphPass &pass : graphPasses)
    if (pass.name == name)
      pass.run(graph, names);
}

void toscac::runGraphPasses(ir::Graph &graph, NameTable &names) {
  for (const GraphPass &pass : graphPasses)
    pass.run(graph, names);
}
