//===- Truth.cpp - Whether conditions hold --------------------------------===//

#include "Truth.h"

#include "GraphEnvironment.h"
#include "toscac/IR/ImmediateRemoval.h"

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
        if (!isRemovedAtOnce(graph, entity) && !layout.hasLeft(entity) &&
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

Truths TruthOf::operator()(TermId term, ir::EntityId self, Moment at) {
  moment = at;
  return walk(term, self, /*wanted=*/true);
}

Truths TruthOf::evaluate(TermId term, Binding &bound, Moment at) {
  moment = at;
  return walk(term, bound, /*wanted=*/true);
}

bool TruthOf::isWorth(TermId term, const Binding &bound, bool wanted,
                      Moment at) {
  // Loops bind further entities; what was bound before stays.
  llvm::SmallVector<ir::EntityId, 4> copy(bound.begin(), bound.end());
  moment = at;
  return walk(term, copy, wanted).stable == Truth::True;
}

Truths TruthOf::group(const Group &group, Binding &bound) {
  if (group.term.kind == Term::Kind::Loop)
    return loop(group, bound);
  Counter counter;
  forEachPart(group, bound, [&](TermId id) {
    counter.add(walk(id, bound, group.wanted));
    return !counter.decides(group.quorum);
  });
  return counter.worth(group.quorum);
}

Truths TruthOf::inState(AtomId id, const CellState &state, bool wanted) {
  Atom &atom = system.conditions.atoms[id.index];
  auto test = [&](ValueId value) {
    return system.conditions.test(atom, value) == wanted;
  };
  if (state.value == atRunTime)
    return constant(true);
  bool strict = test(state.value);
  bool isSame = !state.isInFlight() ||
                (state.ending != notKnown && state.earlier != atRunTime &&
                 test(state.ending) == strict && test(state.earlier) == strict);
  if (isSame)
    return constant(strict);
  return {strict, Truth::Unknown};
}

Truths TruthOf::inValues(AtomId id, CellId cell, bool wanted) {
  Atom &atom = system.conditions.atoms[id.index];
  llvm::SmallVector<ValueId, 4> values;
  cellValues(cell, values);
  auto test = [&](ValueId value) {
    return value == atRunTime || system.conditions.test(atom, value) == wanted;
  };
  if (llvm::is_contained(values, notKnown))
    return {true, Truth::Unknown};
  bool first = test(values.front());
  for (ValueId value : llvm::drop_begin(values))
    if (test(value) != first)
      return {first, Truth::Unknown};
  return constant(first);
}

Truths TruthOf::atom(AtomId id, Binding &bound, bool wanted) {
  const Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(system.layout, atom.cell, bound);
  if (!cell)
    return constant(atom.whereNothing == wanted);
  if (cellValues)
    return inValues(id, cell, wanted);
  WriteId write = history.lastWrite(cell, moment);
  return inState(id, history.stateAfter(cell, write), wanted);
}

Truths TruthOf::loop(const Group &group, Binding &bound) {
  uint32_t id = group.term.first;
  std::pair<uint32_t, uint32_t> key{id, bound.front().index};
  // They count elements for which the body holds, whatever is wanted.
  Quorum quorum = group.wanted ? group.quorum : group.quorum.negated();
  auto answer = [&](const Counter &counter) {
    Truths truths = counter.worth(quorum);
    return group.wanted ? truths : negate(truths);
  };
  // Counters do not tell what is wanted.
  bool count = system.conditions.loops[id].isCounted && moment == never &&
               (group.wanted || !system.hasLateCells);
  if (count) {
    auto found = counters.find(key);
    if (found != counters.end())
      return answer(found->second);
  }
  Counter counter;
  forEachPart(group, bound, [&](TermId body) {
    Truths part = walk(body, bound, group.wanted);
    counter.add(group.wanted ? part : negate(part));
    return true;
  });
  if (count && counter.strict.parts > fewElements) {
    counters[key] = counter;
    loopHasCounters.resize(system.conditions.loops.size());
    loopHasCounters[id] = true;
  }
  return answer(counter);
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
      if (values.size() != 1 || values.front() == notKnown) {
        metTransient = true;
        return nullptr;
      }
      return values.front() == atRunTime ? nullptr
                                         : &system.values[values.front()];
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

Truths TruthOf::other(const Term &term, Binding &bound, bool wanted) {
  ir::EntityId self = bound.front();
  if (term.kind == Term::Kind::Static)
    return known(staticAnswer(term.first, self), wanted);
  bool isKnown;
  Truths strict = known(
      general(term.first, self, moment, /*stable=*/false, isKnown), wanted);
  Truths stable = known(
      general(term.first, self, moment, /*stable=*/true, isKnown), wanted);
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
