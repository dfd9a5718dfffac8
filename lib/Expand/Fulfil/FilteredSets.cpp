//===- FilteredSets.cpp - Targets that satisfy filters --------------------===//

#include "FilteredSets.h"

#include "Graph/GraphEnvironment.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;

bool expanding::calls(const Expr &expr, Function function) {
  return expr.isCall(function) ||
         llvm::any_of(expr.children(), [&](const Expr &child) {
           return calls(child, function);
         });
}

FilteredSets::FilteredSets(Expansion &expansion, uint32_t relationshipClass,
                           AssignmentRound &round,
                           ArrayRef<TargetRange> candidates)
    : expansion(expansion),
      requirement(*expansion.requirements[relationshipClass]),
      relationshipClass(relationshipClass), round(round),
      candidates(candidates.begin(), candidates.end()) {
  for (const Expr *filter : requirement.filters) {
    collect(*filter);
    findEquality(*filter);
  }
}

//===----------------------------------------------------------------------===//
// What a filter reads
//===----------------------------------------------------------------------===//

unsigned FilteredSets::sidesOfPath(const Expr &query) const {
  ir::Reference reference;
  if (!ir::readReference(query.children(), ir::EntityKind::Relationship,
                         expansion.names, reference) ||
      reference.variable)
    return Source | Target;
  if (!reference.steps.empty())
    switch (reference.steps.front().kind) {
    case ir::PathStep::Kind::Source:
      return Source;
    case ir::PathStep::Kind::Target:
      return Target;
    case ir::PathStep::Kind::Node:
    case ir::PathStep::Kind::Service:
    case ir::PathStep::Kind::Inside:
    case ir::PathStep::Kind::Outside:
      return Neither;
    case ir::PathStep::Kind::Relationship:
    case ir::PathStep::Kind::Capability:
    case ir::PathStep::Kind::Earlier:
    case ir::PathStep::Kind::Later:
      return Source | Target;
    }
  if (reference.place == ir::Reference::Place::TargetCapability)
    return Target;
  for (const sema::Assignment &property : requirement.relationship.properties)
    if (property.name == reference.name)
      return !property.value || property.value->isLiteral() ? Neither
                                                            : Source | Target;
  return Neither;
}

unsigned FilteredSets::sidesOf(const Expr &expr) const {
  if (expr.isCall(Function::NodeIndex) ||
      expr.isCall(Function::RelationshipIndex))
    return Source;
  unsigned sides = Neither;
  if (expr.isCall(Function::GetProperty) ||
      expr.isCall(Function::GetAttribute) ||
      expr.isCall(Function::GetArtifact) ||
      expr.isCall(Function::AvailableAllocation))
    sides = sidesOfPath(expr);
  for (const Expr &child : expr.children())
    sides |= sidesOf(child);
  return sides;
}

/// Finds the largest parts that read of one end only.
void FilteredSets::collect(const Expr &expr) {
  bool isQuery = expr.isCall() && (expr.function() == Function::Custom ||
                                   expr.isCall(Function::GetProperty) ||
                                   expr.isCall(Function::GetAttribute) ||
                                   expr.isCall(Function::GetArtifact) ||
                                   expr.isCall(Function::AvailableAllocation) ||
                                   expr.children().empty());
  unsigned sides = sidesOf(expr);
  if (isQuery && sides == Source)
    sourceQueries.push_back(&expr);
  else if (isQuery && sides == Target)
    targetQueries.push_back(&expr);
  else if (isQuery && sides)
    isMixed = true;
  else
    for (const Expr &child : expr.children())
      collect(child);
}

void FilteredSets::findEquality(const Expr &expr) {
  if (expr.isCall(Function::And))
    for (const Expr &child : expr.children())
      findEquality(child);
  if (sourceSide || !expr.isCall(Function::Equal) ||
      expr.children().size() != 2)
    return;
  const Expr &a = expr.children()[0], &b = expr.children()[1];
  if (sidesOf(a) == Source && sidesOf(b) == Target)
    sourceSide = &a, targetSide = &b;
  else if (sidesOf(a) == Target && sidesOf(b) == Source)
    sourceSide = &b, targetSide = &a;
}

//===----------------------------------------------------------------------===//
// Kinds of sources and targets
//===----------------------------------------------------------------------===//

Place FilteredSets::withTarget(Place relationship, uint32_t target) const {
  relationship.target = round.nodeAt(target);
  relationship.capability = round.blockAt(target).capability;
  return relationship;
}

Progress FilteredSets::readKey(ArrayRef<const Expr *> queries,
                               const Place &place, Key &key) {
  for (const Expr *query : queries) {
    Evaluation result = evaluateAt(expansion, *query, place);
    if (expansion.blockedOn)
      return Progress::Blocked;
    if (result.isFailed()) {
      report(expansion.diags, result.problem(), query->range());
      return Progress::Failed;
    }
    key.push_back(Value::integer(static_cast<int>(result.state())));
    key.push_back(result.isKnown() ? result.value() : Value());
  }
  return Progress::Done;
}

/// The number that belongs to \p key; \p ifNew where it had none.
static uint32_t &findKey(
    std::multimap<uint64_t, std::pair<llvm::SmallVector<Value, 4>, uint32_t>>
        &keys,
    const llvm::SmallVector<Value, 4> &key, uint32_t ifNew) {
  uint64_t hash = 0;
  for (const Value &value : key)
    hash = hash * 31 + value.hash();
  auto [begin, end] = keys.equal_range(hash);
  for (auto &[other, entry] : llvm::make_range(begin, end))
    if (entry.first == key)
      return entry.second;
  return keys.emplace(hash, std::pair(key, ifNew))->second.second;
}

Progress FilteredSets::prepare() {
  const ir::Graph &graph = expansion.graph;
  const ir::NodeClass &source =
      graph.nodeClasses[graph.relationshipClasses[relationshipClass]
                            .source.index];
  Place relationship{ir::EntityKind::Relationship, source.subgraph,
                     source.nodes[0]};
  relationship.relationshipClass = relationshipClass;
  std::multimap<uint64_t, std::pair<Key, uint32_t>> keys;
  for (TargetRange range : candidates)
    for (uint32_t target = range.first; target < range.end(); ++target) {
      Key key;
      Progress progress =
          readKey(targetQueries, withTarget(relationship, target), key);
      if (progress != Progress::Done)
        return progress;
      if (isMixed)
        key.push_back(Value::integer(target));
      uint32_t kind = findKey(keys, key, targetKinds.size());
      if (kind == targetKinds.size())
        targetKinds.emplace_back();
      targetKinds[kind].push_back(order.size());
      order.push_back(target);
    }
  return indexTargets();
}

static bool isPlain(const Value &value) {
  return value.isString() || value.isInteger() || value.isBoolean();
}

Progress FilteredSets::indexTargets() {
  if (!targetSide)
    return Progress::Done;
  Place relationship{ir::EntityKind::Relationship};
  relationship.relationshipClass = relationshipClass;
  std::optional<ValueKind> common;
  for (auto [kind, positions] : llvm::enumerate(targetKinds)) {
    Place place = withTarget(relationship, order[positions.front()]);
    place.subgraph = expansion.graph.classOf(place.target).subgraph;
    place.node = place.target;
    Evaluation result = evaluateAt(expansion, *targetSide, place);
    if (expansion.blockedOn)
      return Progress::Blocked;
    if (result.isNothing())
      continue;
    // Strings can equal versions and the like: only plain kinds are compared
    // by value here.
    if (!result.isKnown() || !isPlain(result.value()) ||
        (common && *common != result.value().kind()))
      return Progress::Done;
    common = result.value().kind();
    kindsByValue.emplace(result.value().hash(),
                         std::pair(result.value(), uint32_t(kind)));
  }
  hasIndex = true;
  return Progress::Done;
}

Progress FilteredSets::likelyKinds(const Place &relationship,
                                   std::vector<uint32_t> &kinds) {
  if (hasIndex) {
    Evaluation result = evaluateAt(expansion, *sourceSide, relationship);
    if (expansion.blockedOn)
      return Progress::Blocked;
    if (result.isNothing())
      return Progress::Done;
    bool isComparable =
        result.isKnown() && !kindsByValue.empty() &&
        result.value().kind() == kindsByValue.begin()->second.first.kind();
    if (isComparable) {
      auto [begin, end] = kindsByValue.equal_range(result.value().hash());
      for (auto &[hash, entry] : llvm::make_range(begin, end))
        if (entry.first == result.value())
          kinds.push_back(entry.second);
      llvm::sort(kinds);
      return Progress::Done;
    }
  }
  for (uint32_t kind = 0; kind < targetKinds.size(); ++kind)
    kinds.push_back(kind);
  return Progress::Done;
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

Progress FilteredSets::holds(const Place &relationship, bool &result) {
  result = false;
  for (const Expr *filter : requirement.filters) {
    Evaluation truth = evaluateAt(expansion, *filter, relationship);
    if (expansion.blockedOn && !truth.isKnown())
      return Progress::Blocked;
    if (truth.isFailed()) {
      report(expansion.diags, truth.problem(), filter->range());
      return Progress::Failed;
    }
    if (truth.isUnknown()) {
      if (reportSecret(
              expansion, filter->range(),
              ("how requirement '" + requirement.name.str() + "' is fulfilled")
                  .str()))
        return Progress::Failed;
      expansion.diags.report(filter->range(), diag::FilterNotKnown,
                             requirement.name.str(), toText(*truth.residual()));
      return Progress::Failed;
    }
    if (truth.isNothing() || !truth.value().isTrue())
      return Progress::Done;
  }
  result = true;
  return Progress::Done;
}

Progress FilteredSets::keepTrue(const Place &relationship,
                                std::vector<TargetRange> &targets) {
  std::vector<TargetRange> kept;
  for (TargetRange range : targets) {
    bool isTrue = false;
    Progress progress = holds(withTarget(relationship, range.first), isTrue);
    if (progress != Progress::Done)
      return progress;
    if (isTrue)
      kept.push_back(range);
  }
  targets = std::move(kept);
  return Progress::Done;
}

uint32_t FilteredSets::makeSet(ArrayRef<uint32_t> kinds) {
  if (kinds.size() == targetKinds.size())
    return round.addSet(candidates);
  std::vector<uint32_t> positions;
  for (uint32_t kind : kinds)
    llvm::append_range(positions, targetKinds[kind]);
  llvm::sort(positions);
  std::vector<TargetRange> ranges;
  for (uint32_t position : positions) {
    uint32_t target = order[position];
    if (ranges.empty() || ranges.back().end() != target)
      ranges.push_back({target, 0});
    ++ranges.back().count;
  }
  return round.addSet(ranges);
}

Progress FilteredSets::setFor(const Place &relationship, uint32_t &set) {
  Key key;
  Progress progress = readKey(sourceQueries, relationship, key);
  if (progress != Progress::Done)
    return progress;
  if (isMixed)
    key.push_back(Value::integer(relationship.node.index));
  uint32_t &known = findKey(setsByKey, key, none);
  set = known;
  if (set != none)
    return Progress::Done;
  std::vector<uint32_t> likely, kinds;
  progress = likelyKinds(relationship, likely);
  for (uint32_t kind : likely) {
    if (++numPairs > expansion.options.maxFilterPairs) {
      expansion.diags.report(requirement.filters.front()->range(),
                             diag::FilterTooCostly, requirement.name.str(),
                             expansion.options.maxFilterPairs);
      return Progress::Failed;
    }
    bool isTrue = false;
    progress = holds(withTarget(relationship, order[targetKinds[kind].front()]),
                     isTrue);
    if (progress != Progress::Done)
      return progress;
    if (isTrue)
      kinds.push_back(kind);
  }
  if (progress != Progress::Done)
    return progress;
  set = known = makeSet(kinds);
  return Progress::Done;
}
