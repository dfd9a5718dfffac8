//===- Truth.cpp - Whether conditions hold --------------------------------===//

#include "Truth.h"

#include "GraphEnvironment.h"
#include "toscac/IR/Unlinked.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using Kind = ir::PathStep::Kind;

void toscac::plan::forEachEntity(const Layout &layout, const Route &route,
                                 ArrayRef<ir::EntityId> bound,
                                 llvm::function_ref<bool(ir::EntityId)> visit) {
  ir::EntityId start = bound[route.origin];
  if (route.steps.empty()) {
    visit(start);
    return;
  }
  const ir::Graph &graph = layout.graph;
  const ir::PathStep &first = route.steps.front();
  // All relationships of a node, which most loops run over.
  if (route.steps.size() == 1 && first.kind == Kind::Relationship &&
      !first.index && graph.isNode(start)) {
    ir::NodeId node = graph.node(start);
    for (ir::RelationshipClassId id : graph.classOf(node).relationships.ids()) {
      const ir::RelationshipClass &leaving =
          graph.relationshipClasses[id.index];
      if (first.name && leaving.requirement != first.name)
        continue;
      for (ir::RelationshipId each : graph.outgoing(node, leaving).ids()) {
        ir::EntityId entity = graph.entity(each);
        if (!isUnlinked(graph, entity) && !layout.hasLeft(entity) &&
            !visit(entity))
          return;
      }
    }
    return;
  }
  ir::forEachEntity(layout.graph, start, {route.steps, {}}, ir::literalIndex,
                    [&](ir::EntityId entity) {
                      return layout.hasLeft(entity) || visit(entity);
                    });
}

ir::EntityId toscac::plan::follow(const ir::Graph &graph, const Route &route,
                                  ir::EntityId start) {
  // The ends of relationships are asked for most of all.
  if (route.steps.size() == 1 && graph.isRelationship(start)) {
    uint32_t index = graph.relationship(start).index;
    if (route.steps.front().kind == Kind::Source)
      return graph.entity(graph.source[index]);
    if (route.steps.front().kind == Kind::Target)
      return graph.entity(graph.target[index]);
  }
  ir::EntityId found = nowhere;
  ir::forEachEntity(graph, start, {route.steps, {}}, ir::literalIndex,
                    [&](ir::EntityId entity) {
                      found = entity;
                      return false;
                    });
  return found;
}

Truths TruthOf::operator()(TermId term, ir::EntityId self, Moment moment) {
  llvm::SmallVector<ir::EntityId, 4> bound{self};
  return evaluate(term, bound, moment);
}

static Truths known(bool truth) {
  return {truth, truth ? Truth::True : Truth::False};
}

Truths TruthOf::known(const StaticAnswer &answer) const {
  return ::known(answer.guard ? wanted : answer.holds);
}

Truths TruthOf::evaluate(TermId id, Bound &bound, Moment moment) {
  const Term &term = system.conditions[id];
  switch (term.kind) {
  case Term::Kind::True:
    return ::known(true);
  case Term::Kind::False:
    return ::known(false);
  case Term::Kind::And:
  case Term::Kind::Or:
    return evaluateParts(term, bound, moment);
  case Term::Kind::Not: {
    wanted = !wanted;
    Truths inner =
        evaluate(system.conditions.childrenOf(term).front(), bound, moment);
    wanted = !wanted;
    return {!inner.strict, negate(inner.stable)};
  }
  case Term::Kind::Atom:
    return evaluateAtom({term.first}, bound, moment);
  case Term::Kind::Loop:
    return evaluateLoop(term.first, bound, moment);
  case Term::Kind::Static:
    return known(staticAnswer(term.first, bound.front()));
  case Term::Kind::General:
    return evaluateGeneral(term.first, bound.front(), moment);
  }
  llvm_unreachable("all kinds are handled");
}

Truths TruthOf::evaluateParts(const Term &term, Bound &bound, Moment moment) {
  bool isAnd = term.kind == Term::Kind::And;
  Truths result = ::known(isAnd);
  for (TermId child : system.conditions.childrenOf(term)) {
    Truths part = evaluate(child, bound, moment);
    if (isAnd) {
      result.strict &= part.strict;
      result.stable = std::min(result.stable, part.stable);
      if (!result.strict && result.stable == Truth::False)
        break;
    } else {
      result.strict |= part.strict;
      result.stable = std::max(result.stable, part.stable);
      if (result.stable == Truth::True)
        break;
    }
  }
  return result;
}

Truths TruthOf::atom(AtomId id, const CellState &state) {
  Atom &atom = system.conditions.atoms[id.index];
  auto test = [&](ValueId value) {
    return system.conditions.test(atom, value);
  };
  if (state.value == atRunTime)
    return ::known(wanted);
  bool strict = test(state.value);
  if (!state.isInFlight())
    return ::known(strict);
  bool same = state.ending != notKnown && state.earlier != atRunTime &&
              test(state.ending) == strict && test(state.earlier) == strict;
  if (same)
    return ::known(strict);
  return {strict, Truth::Unknown};
}

Truths TruthOf::evaluateValues(AtomId id, CellId cell) {
  Atom &atom = system.conditions.atoms[id.index];
  llvm::SmallVector<ValueId, 4> values;
  cellValues(cell, values);
  auto test = [&](ValueId value) {
    return value == atRunTime ? wanted : system.conditions.test(atom, value);
  };
  bool first = test(values.front());
  for (ValueId value : llvm::drop_begin(values))
    if (test(value) != first)
      return {first, Truth::Unknown};
  return ::known(first);
}

Truths TruthOf::evaluateAtom(AtomId id, Bound &bound, Moment moment) {
  const Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(system.layout, atom.cell, bound);
  if (!cell)
    return ::known(atom.whereNothing);
  if (cellValues)
    return evaluateValues(id, cell);
  WriteId write = history.lastWrite(cell, moment);
  return this->atom(id, history.stateAfter(cell, write));
}

Truths TruthOf::evaluateLoop(uint32_t id, Bound &bound, Moment moment) {
  const Loop &loop = system.conditions.loops[id];
  std::pair<uint32_t, uint32_t> key{id, bound.front().index};
  // Counters do not tell what is wanted.
  bool count =
      loop.isCounted && moment == never && (wanted || !system.hasLateCells);
  if (count) {
    auto found = counters.find(key);
    if (found != counters.end())
      return found->second.truths();
  }
  Counter counter;
  uint32_t elements = 0;
  bound.resize(loop.depth);
  forEachEntity(system.layout, loop.route, bound, [&](ir::EntityId element) {
    bound.resize(loop.depth);
    bound.push_back(element);
    counter.add(evaluate(loop.body, bound, moment), 1);
    bound.resize(loop.depth);
    ++elements;
    return true;
  });
  if (count && elements > fewElements) {
    counters[key] = counter;
    loopHasCounters.resize(system.conditions.loops.size());
    loopHasCounters[id] = true;
  }
  return counter.truths();
}

void TruthOf::elementChanged(uint32_t id, ir::EntityId owner,
                             ir::EntityId element) {
  auto found = counters.find({id, owner.index});
  if (found == counters.end())
    return;
  const Loop &loop = system.conditions.loops[id];
  llvm::SmallVector<ir::EntityId, 4> bound{owner, element};
  Moment before{history.now().writes - 1};
  found->second.add(evaluate(loop.body, bound, before), -1);
  found->second.add(evaluate(loop.body, bound, never), 1);
}

StaticAnswer TruthOf::general(uint32_t other, ir::EntityId self, Moment moment,
                              bool stable, bool &isKnown) {
  bool metTransient = false;
  auto cellValue = [&](CellId cell) -> const Value * {
    if (cellValues) {
      llvm::SmallVector<ValueId, 4> values;
      cellValues(cell, values);
      if (values.size() == 1)
        return &system.values[values.front()];
      metTransient = true;
      return nullptr;
    }
    WriteId write = history.lastWrite(cell, moment);
    if (history.valueAfter(cell, write) == atRunTime)
      return nullptr;
    if (stable && write && history.writes[write.index].isOnEntry()) {
      metTransient = true;
      return nullptr;
    }
    return &system.values[history.valueAfter(cell, write)];
  };
  GraphEnvironment environment(system.layout, self, cellValue,
                               system.conditions.names);
  const Expr &expr = *system.conditions.others[other].expr;
  Evaluation answer =
      toscac::evaluate(expr, environment, system.conditions.arena);
  isKnown = !answer.isUnknown() || !metTransient;
  if (answer.isFailed())
    report(system.conditions.diags, answer.problem(), expr.range());
  if (answer.isUnknown())
    return {true, answer.residual()};
  return {answer.isKnown() && answer.value().isTrue(), nullptr};
}

Truths TruthOf::evaluateGeneral(uint32_t other, ir::EntityId self,
                                Moment moment) {
  bool isKnown;
  Truths strict =
      known(general(other, self, moment, /*stable=*/false, isKnown));
  Truths stable = known(general(other, self, moment, /*stable=*/true, isKnown));
  return {strict.strict, isKnown ? stable.stable : Truth::Unknown};
}

const StaticAnswer &TruthOf::staticAnswer(uint32_t other, ir::EntityId self) {
  auto [found, isNew] = answers.try_emplace({other, self.index});
  if (isNew) {
    bool isKnown;
    StaticAnswer answer = general(other, self, never, false, isKnown);
    return answers[{other, self.index}] = answer;
  }
  return found->second;
}
