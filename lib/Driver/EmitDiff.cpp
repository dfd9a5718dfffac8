//===- EmitDiff.cpp - What a change does to each instance -----------------===//

#include "Emit.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;

/// `+` new, `-` leaves, `~` changes, `!` is replaced.
static char signOf(ir::Presence presence) {
  switch (presence) {
  case ir::Presence::New:
    return '+';
  case ir::Presence::Kept:
    return ' ';
  case ir::Presence::Updated:
    return '~';
  case ir::Presence::Replaced:
    return '!';
  case ir::Presence::Leaving:
    return '-';
  }
  llvm_unreachable("all kinds are handled");
}

static void printChanges(const ir::Graph &graph, llvm::raw_ostream &os) {
  size_t unchanged = 0;
  for (uint32_t i = 0; i != graph.numNodes() + graph.numRelationships(); ++i) {
    ir::EntityId id{i};
    char sign = signOf(graph.presenceOf(id));
    if (sign == ' ') {
      ++unchanged;
      continue;
    }
    os << sign << ' ' << graph.nameOf(id);
    if (auto reason = graph.reasons.find(i); reason != graph.reasons.end())
      os << ": " << reason->second;
    os << '\n';
  }
  os << unchanged << " unchanged\n";
}

int toscac::emitDiff(Compilation &compilation, Output &output) {
  if (!compilation.graph) {
    compilation.diags.report(
        {}, diag::NothingToExpand,
        shownInputName(compilation.options.inputs.front()));
    return ExitInvalid;
  }
  return output.write(
      [&](llvm::raw_ostream &os) { printChanges(*compilation.graph, os); },
      compilation.diags);
}
