//===- DataFlow.cpp - Steps that read what others write -------------------===//

#include "DataFlow.h"

#include "Steps/Guards.h"
#include "Steps/PlanOrder.h"
#include "Steps/StepInputs.h"
#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

/// An attribute of an entity, as the first two words of a path have it.
using Attribute = std::pair<uint32_t, const char *>;

class FlowFinder {
public:
  explicit FlowFinder(const PlanData &plan)
      : run(plan.run), guards(plan.guards), layout(run.system.layout),
        order(plan) {}

  std::vector<OrderEdge> find();

private:
  void collectWriters();
  void addWriter(StepId step, ArrayRef<ir::OutputMapping> outputs);
  void read(StepId step, const Expr &expr);
  void readAttribute(StepId step, Attribute attribute);
  void readState(StepId step, CellId cell);
  /// The first step that writes \p cell from \p moment on; none: nobody does.
  StepId nextWriter(CellId cell, Moment moment) const;
  void readGuard(StepId step, const Expr &guard);
  /// Whether \p writer belongs to a later part of the workflow than \p reader.
  bool isTooLate(StepId writer, StepId reader) const {
    return reader.index < run.firstLater() && writer.index >= run.firstLater();
  }
  bool mayRead(const ir::Operation &operation, StepId step) const;

  const SymbolicRun &run;
  const decltype(PlanData::guards) &guards;
  const Layout &layout;
  PlanOrder order;
  /// In ascending order.
  llvm::DenseMap<Attribute, llvm::SmallVector<StepId, 1>> writers;
  std::vector<OrderEdge> edges;
};

} // namespace

void FlowFinder::addWriter(StepId step, ArrayRef<ir::OutputMapping> outputs) {
  if (outputs.empty())
    return;
  ir::EntityId entity = layout.entityOf(run.event(step));
  for (const ir::OutputMapping &output : outputs)
    if (output.target.size() >= 2) {
      auto &steps = writers[{entity.index, output.target[1].str().data()}];
      if (steps.empty() || steps.back() != step)
        steps.push_back(step);
    }
}

void FlowFinder::collectWriters() {
  for (uint32_t i = 0; i != run.steps.size(); ++i) {
    if (run.steps.isJoin({i}))
      continue;
    const ir::Operation &operation = layout.operation(run.event({i}));
    addWriter({i}, operation.outputs);
    for (const ir::Handler &handler : operation.handlers)
      addWriter({i}, handler.outputs);
  }
}

void FlowFinder::readAttribute(StepId step, Attribute attribute) {
  auto found = writers.find(attribute);
  if (found == writers.end())
    return;
  // The last before the step; a step does not wait for what it writes itself.
  StepId writer;
  for (StepId candidate : found->second) {
    if (candidate == step)
      continue;
    if ((candidate > step && writer) || isTooLate(candidate, step))
      break;
    writer = candidate;
    if (candidate > step)
      break;
  }
  if (!writer)
    return;
  // What is taken down reads recorded values, not those written later.
  const ir::Graph &graph = layout.graph;
  bool isRecorded =
      graph.hasRecorded &&
      graph.presenceOf(ir::EntityId{attribute.first}) != ir::Presence::New;
  if (!isRecorded || writer < step || !isBefore(run.steps, step, writer))
    edges.push_back({writer, step});
}

/// A cell has the value that was there when the step was accepted. One that is
/// written later, but might be earlier, is waited for.
void FlowFinder::readState(StepId step, CellId cell) {
  Moment moment = run.accepted[step.index];
  WriteId last = run.history.lastWrite(cell, moment);
  StepId writer = last ? run.history.writes[last.index].step : StepId();
  if (!writer)
    writer = nextWriter(cell, moment);
  if (writer && writer != step && !isTooLate(writer, step) &&
      !isBefore(run.steps, step, writer))
    edges.push_back({writer, step});
}

StepId FlowFinder::nextWriter(CellId cell, Moment moment) const {
  for (WriteId later : run.history.writesTo(cell))
    if (later.index >= moment.writes)
      if (StepId writer = run.history.writes[later.index].step)
        return writer;
  return {};
}

/// Nobody may overwrite what a guard reads before it has been read. Most of
/// what it waits for comes before the steps it was inherited from.
void FlowFinder::readGuard(StepId step, const Expr &guard) {
  size_t before = edges.size();
  read(step, guard);
  forEachCell(layout, guard, run.system.conditions.names, [&](CellId cell) {
    Moment moment = run.accepted[step.index];
    if (!run.history.lastWrite(cell, moment))
      return;
    StepId next = nextWriter(cell, moment);
    if (next && next != step)
      edges.push_back({step, next});
  });
  edges.erase(std::remove_if(edges.begin() + before, edges.end(),
                             [&](const OrderEdge &edge) {
                               return order.isBeforeInPlan(edge.from, edge.to);
                             }),
              edges.end());
}

/// Looks for queries in \p expr, in which paths are absolute.
void FlowFinder::read(StepId step, const Expr &expr) {
  if (CellId cell = cellOf(layout, expr, run.system.conditions.names))
    return readState(step, cell);
  if (expr.isCall(Function::GetAttribute) && expr.children().size() >= 2) {
    const Expr &entity = expr.children()[0], &name = expr.children()[1];
    if (entity.isLiteral() && entity.value().isInteger() && name.isLiteral() &&
        name.value().isString())
      readAttribute(step,
                    {uint32_t(entity.value().asInteger()),
                     run.system.conditions.names.intern(name.value().asString())
                         .str()
                         .data()});
    return;
  }
  for (const Expr &child : expr.children())
    read(step, child);
}

bool FlowFinder::mayRead(const ir::Operation &operation, StepId step) const {
  return !operation.handlers.empty() &&
         (!hasFixedInputs(operation) || invocationOf(run, step).hasInputs());
}

std::vector<OrderEdge> FlowFinder::find() {
  collectWriters();
  for (uint32_t i = 0; i != run.steps.size(); ++i) {
    if (run.steps.isJoin({i}))
      continue;
    const ir::Operation &operation = layout.operation(run.event({i}));
    if (mayRead(operation, {i})) {
      ValueArena arena;
      for (const ir::Handler &handler : operation.handlers)
        for (const StepInput &input :
             inputsOf(run, invocationOf(run, {i}), handler, arena))
          read({i}, *input.value);
    }
    if (auto own = guards.find(i); own != guards.end())
      for (const Expr *guard : own->second)
        readGuard({i}, *guard);
  }
  return std::move(edges);
}

static void reportCycle(const SymbolicRun &run, ArrayRef<StepId> cycle) {
  const Layout &layout = run.system.layout;
  std::vector<std::string> names;
  for (StepId step : cycle)
    names.push_back(layout.nameOf(run.event(step)));
  run.system.conditions.diags.report(
      layout.operation(run.event(cycle.front())).range, diag::DataCycle,
      describeCycle(names));
}

bool toscac::plan::addDataFlow(PlanData &plan) {
  std::vector<OrderEdge> edges = FlowFinder(plan).find();
  if (edges.empty())
    return true;
  std::vector<StepId> cycle =
      addEdges(plan, std::move(edges), /*areChoices=*/false);
  if (!cycle.empty())
    reportCycle(plan.run, cycle);
  return cycle.empty();
}
