//===- toscac/Plan/MakePlan.h - From graph and goal to plan -----*- C++ -*-===//
///
/// \file
/// Lowers the events of a workflow to a static plan (DESIGN 6): the event
/// system is run once, symbolically, from the state that the graph's cells
/// have; each event it accepts is a step.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PLAN_MAKEPLAN_H
#define TOSCAC_PLAN_MAKEPLAN_H

#include "toscac/IR/Graph.h"
#include "toscac/Plan/Story.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace llvm {
class raw_ostream;
}

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::plan {

using ir::Goal;

struct PlanOptions {
  /// 0: no joins; 1: joins; 2: transitive reduction, too.
  unsigned optimization = 1;
  /// How often an operation of one entity may be accepted.
  unsigned maxRepeats = 64;
  /// Seconds by name of a step, for the critical path; empty: each counts as
  /// one.
  llvm::StringMap<double> durations;
  /// Print the steps after the pass of this name to `passOutput`.
  llvm::StringRef printAfter;
  llvm::raw_ostream *passOutput = nullptr;
  /// Explore the orders of completion, up to so many states.
  std::optional<uint64_t> verifyLimit;
  /// Check the steps after each pass.
  bool verifyEach = false;
  bool timePasses = false;
  /// Gets the orders that are reported; null: nobody wants them.
  std::vector<Story> *stories = nullptr;
};

/// The names of Passes.def, in their order.
llvm::ArrayRef<llvm::StringLiteral> passNames();

struct PlanData;

/// A plan that was made; the graph has to live as long.
class Plan {
public:
  explicit Plan(std::unique_ptr<PlanData> data);
  Plan(Plan &&);
  ~Plan();

  PlanData &operator*() { return *data; }
  const PlanData &operator*() const { return *data; }
  const PlanData *operator->() const { return data.get(); }

private:
  std::unique_ptr<PlanData> data;
};

/// Plans what \p graph wants; nothing after a report of an error.
std::optional<Plan> makePlan(const ir::Graph &graph, const PlanOptions &options,
                             NameTable &names, DiagnosticEngine &diags);

/// A workflow that a graph offers, and in words what it is.
struct WorkflowEntry {
  Name name;
  std::string description;
};

/// The workflows that \p graph offers, in order of definition, each once:
/// events of the service, imperative workflows, policy events, intents.
std::vector<WorkflowEntry> listWorkflows(const ir::Graph &graph);

/// Artifacts that steps of \p plan run or need, in ascending order: plans name
/// them by their position here.
std::vector<ir::ArtifactId> artifactsOf(const Plan &plan);

} // namespace toscac::plan

#endif
