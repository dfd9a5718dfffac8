//===- toscac/Expand/Expand.h - Instances from templates --------*- C++ -*-===//
///
/// \file
/// Turns a checked service into a graph with a vertex for each instance: counts
/// are evaluated, requirements fulfilled, nodes substituted, here and nowhere
/// later.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EXPAND_EXPAND_H
#define TOSCAC_EXPAND_EXPAND_H

#include "toscac/Expand/DeploymentChange.h"
#include "toscac/IR/Graph.h"
#include <memory>

namespace toscac {
class DiagnosticEngine;
struct ChangeRequest;
namespace sema {
struct CheckedProgram;
}
namespace state {
struct State;
}

/// How targets were found.
struct ExpandStats {
  /// Relationships whose targets had to be chosen.
  uint64_t numPicks = 0;
  /// Those for which the first target that fits was not to be had.
  uint64_t leftByFirstFit = 0;
};

struct ExpandOptions {
  /// Chooses among targets at random, the same for the same seed; not set: in
  /// template order, then index order.
  std::optional<uint64_t> seed;
  /// Guards against a typo in an input turning into an out-of-memory.
  uint32_t maxNodes = 10000000;
  uint32_t maxRelationships = 20000000;
  /// What is asked for; null: nothing, and the graph has no goal.
  const ChangeRequest *request = nullptr;
  /// Set where a deployment is there already.
  const DeploymentChange *deploymentChange = nullptr;
  /// How deep nodes may be substituted inside substituted nodes.
  uint32_t maxNesting = 100;
  /// What is recorded of deployments, which must live as long as the graph;
  /// null: nothing.
  const state::State *state = nullptr;
  /// The deployment that the graph is for; nodes of others can be selected.
  std::string deployment;
  /// Files with services that could not be used, and why.
  std::vector<std::pair<std::string, std::string>> brokenServices;
  /// Pairs of unlike nodes for which one node filter is evaluated.
  uint64_t maxFilterPairs = 20000000;
  /// Where to count; null: nowhere.
  ExpandStats *stats = nullptr;
};

/// Expands the first service of \p program. \p inputs has the values that were
/// given; for the others there are defaults. Reports every problem it finds;
/// null after an error. The result depends on the arguments alone, and refers
/// to \p program and \p names.
std::unique_ptr<ir::Graph> expand(const sema::CheckedProgram &program,
                                  llvm::ArrayRef<ir::InputValue> inputs,
                                  const ExpandOptions &options,
                                  NameTable &names, DiagnosticEngine &diags);

} // namespace toscac

#endif
