//===- Scale.cpp - More or fewer instances --------------------------------===//
///
/// \file
/// The workflow `scale`: a node template or a scaling group gets `delta` more
/// instances, or so many fewer. What is inside of an instance goes with it: new
/// containers hold as much as those that are there, and what leaves takes its
/// contents with it.
///
//===----------------------------------------------------------------------===//

#include "Scaling.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Value/Evaluate.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// What the service is given, as it is recorded.
class RecordedInputs : public Environment {
public:
  RecordedInputs(const sema::Service &service, const Value &inputs)
      : service(service), inputs(inputs) {}

  Evaluation input(const Query &query) override {
    if (query.arguments.size() != 1 || !query.arguments.front().isString())
      return Evaluation::unknown();
    StringRef name = query.arguments.front().asString();
    if (const Value *known = inputs.isMap() ? inputs.find(name) : nullptr)
      return *known;
    for (const sema::InputDefinition &input : service.inputs)
      if (input.name.str() == name && input.defaultValue)
        return evaluate(*input.defaultValue, *this, query.arena);
    return Evaluation::unknown();
  }

private:
  const sema::Service &service;
  const Value &inputs;
};

} // namespace

/// The template that \p contained is inside of according to its requirements.
const sema::NodeTemplate *
Scaling::containerTemplate(const sema::NodeTemplate &contained) const {
  for (const sema::Requirement &requirement : contained.requirements)
    if (requirement.node &&
        ir::findMark(program.types, requirement.relationship.type,
                     "containment") == "true")
      return &service.nodes[*requirement.node];
  return nullptr;
}

/// The nearest compute template that \p name is inside of, or itself; its own
/// name if there is none.
StringRef Scaling::computeOf(StringRef name) const {
  if (ArrayRef<uint32_t> rows = recorded.nodesOf(name); !rows.empty()) {
    for (uint32_t row = rows.front(); row != Recorded::none;
         row = containment.containerOf(row))
      if (containment.isCompute(row))
        return templatePath(recorded[row].name);
    return name;
  }
  const sema::NodeTemplate *node = change.findTemplate(name);
  for (size_t i = 0; node && i != service.nodes.size(); ++i) {
    if (ir::findMark(program.types, node->type, "compute") == "true")
      return node->name.str();
    node = containerTemplate(*node);
  }
  return name;
}

/// How many instances \p written asks for; nothing where that depends on more
/// than inputs.
std::optional<uint32_t> Scaling::countOf(const Expr *written) const {
  if (!written)
    return 1;
  ValueArena arena;
  RecordedInputs environment(service, recorded.deployment.inputs);
  Evaluation count = evaluate(*written, environment, arena);
  if (!count.isKnown() || !count.value().isInteger() ||
      count.value().asInteger() < 0)
    return std::nullopt;
  return count.value().asInteger();
}

/// Templates inside of \p container, and how many instances each of its
/// instances holds: as recorded or, where there is none, as the template says.
bool Scaling::contentsPer(StringRef container,
                          std::vector<std::pair<StringRef, uint32_t>> &result) {
  ArrayRef<uint32_t> rows = recorded.nodesOf(container);
  llvm::MapVector<StringRef, std::vector<uint32_t>> counts;
  for (auto [i, row] : llvm::enumerate(rows))
    for (uint32_t inside : containment.contentsOf(row)) {
      std::vector<uint32_t> &each = counts[templatePath(recorded[inside].name)];
      each.resize(rows.size());
      ++each[i];
    }
  for (auto &[path, each] : counts) {
    auto other = llvm::find_if(
        each, [&, first = each.front()](uint32_t n) { return n != first; });
    if (other != each.end()) {
      diags.report({}, diag::UnevenContents, container, path,
                   recorded[rows.front()].name, each.front(),
                   recorded[rows[other - each.begin()]].name, *other);
      return false;
    }
    result.push_back({path, each.front()});
  }
  if (!rows.empty())
    return true;
  const sema::NodeTemplate *outer = change.findTemplate(container);
  for (const sema::NodeTemplate &node : service.nodes) {
    if (!outer || containerTemplate(node) != outer)
      continue;
    std::optional<uint32_t> inside = countOf(node.count),
                            around = countOf(outer->count);
    if (!inside || !around || !*around || *inside % *around) {
      diags.report({}, diag::UnevenTemplate, container, node.name.str());
      return false;
    }
    result.push_back({node.name.str(), *inside / *around});
  }
  return true;
}

bool Scaling::addInstances(StringRef path, uint32_t count) {
  Addition &added = result.added[path];
  added.count += count;
  std::vector<std::pair<StringRef, uint32_t>> contents;
  if (!contentsPer(path, contents))
    return false;
  for (auto [inside, each] : contents) {
    if (each == 0)
      continue;
    Addition &more = result.added[inside];
    more.perContainer = each;
    more.container = path.str();
    if (!addInstances(inside, each * count))
      return false;
  }
  return true;
}

/// Those named first, then those that an interrupted workflow was taking down,
/// then those with the highest indices; what is excluded stays.
bool Scaling::pickVictims(StringRef name, ArrayRef<uint32_t> rows,
                          uint32_t count, std::vector<uint32_t> &victims) {
  bool isComplete = true;
  std::vector<uint32_t> included =
      change.instances("include_instances", isComplete);
  std::vector<uint32_t> excluded =
      change.instances("exclude_instances", isComplete);
  for (const auto &[index, members] : groupInstances(name))
    for (std::vector<uint32_t> *named : {&included, &excluded})
      for (uint32_t &row : *named)
        if (llvm::is_contained(members, row))
          row = members.front();
  for (ArrayRef<uint32_t> named : {ArrayRef(included), ArrayRef(excluded)})
    for (uint32_t row : named)
      if (!llvm::is_contained(rows, row)) {
        diags.report({}, diag::NotScaledInstance, recorded[row].name, name);
        isComplete = false;
      }
  for (uint32_t row : included)
    if (llvm::is_contained(excluded, row)) {
      diags.report({}, diag::IncludedAndExcluded, recorded[row].name);
      isComplete = false;
    }
  if (!isComplete)
    return false;
  llvm::DenseSet<uint32_t> kept(excluded.begin(), excluded.end());
  for (uint32_t row : included)
    if (victims.size() != count && kept.insert(row).second)
      victims.push_back(row);
  for (uint32_t row : llvm::reverse(rows))
    if (victims.size() != count && change.isGoingDown(row) &&
        kept.insert(row).second)
      victims.push_back(row);
  for (uint32_t row : llvm::reverse(rows))
    if (victims.size() != count && kept.insert(row).second)
      victims.push_back(row);
  if (victims.size() == count)
    return true;
  diags.report({}, diag::TooManyExcluded, name, count, victims.size());
  return false;
}

bool Scaling::scaleTemplate(StringRef name, int64_t delta) {
  ArrayRef<uint32_t> rows = recorded.nodesOf(name);
  if (delta >= 0)
    return delta == 0 || addInstances(name, delta);
  if (int64_t(rows.size()) + delta < 0) {
    diags.report({}, diag::ScaledBelowZero, name, rows.size(), -delta);
    return false;
  }
  std::vector<uint32_t> victims;
  if (!pickVictims(name, rows, -delta, victims))
    return false;
  for (uint32_t row : victims)
    containment.addTree(row, result.removed);
  return true;
}

const sema::Group *Scaling::findGroup(StringRef name) const {
  for (const sema::Group &group : service.groups)
    if (group.name.str() == name &&
        !ir::findMark(program.types, group.type, "scaling.count").empty())
      return &group;
  return nullptr;
}

/// The recorded nodes of each instance of the group \p name, by index.
std::map<uint32_t, std::vector<uint32_t>>
Scaling::groupInstances(StringRef name) const {
  std::map<uint32_t, std::vector<uint32_t>> result;
  for (auto [row, entity] : llvm::enumerate(recorded.deployment.entities))
    for (StringRef member : entity.groups) {
      uint32_t index;
      if (member.consume_front(name) && member.consume_front("[") &&
          member.consume_back("]") && !member.getAsInteger(10, index))
        result[index].push_back(row);
    }
  return result;
}

/// Templates that \p group and the groups in it list.
void Scaling::addMembers(const sema::Group &group,
                         llvm::SetVector<uint32_t> &members) const {
  members.insert(group.nodes.begin(), group.nodes.end());
  for (Name inner : group.groups)
    for (const sema::Group &other : service.groups)
      if (other.name == inner)
        addMembers(other, members);
}

/// How many instances of each template an instance of \p group has according
/// to the template. What is inside of another member comes with it.
bool Scaling::membersPer(const sema::Group &group,
                         std::vector<std::pair<StringRef, uint32_t>> &result) {
  StringRef property = ir::findMark(program.types, group.type, "scaling.count");
  std::optional<uint32_t> around = 1;
  for (const sema::Assignment &assignment : group.properties)
    if (assignment.name.str() == property)
      around = countOf(assignment.value);
  llvm::SetVector<uint32_t> members;
  addMembers(group, members);
  for (uint32_t member : members) {
    const sema::NodeTemplate &node = service.nodes[member];
    const sema::NodeTemplate *container = containerTemplate(node);
    if (container && members.contains(container - service.nodes.data()))
      continue;
    std::optional<uint32_t> inside = countOf(node.count);
    if (!around || !*around || !inside || *inside % *around ||
        !recorded.nodesOf(node.name.str()).empty()) {
      diags.report({}, diag::EmptyGroup, group.name.str());
      return false;
    }
    result.push_back({node.name.str(), *inside / *around});
  }
  if (llvm::any_of(result, [](const auto &member) { return member.second; }))
    return true;
  diags.report({}, diag::EmptyGroup, group.name.str());
  return false;
}

/// New instances of the group have as many of each member as those that are
/// there.
bool Scaling::addGroups(const sema::Group &group, uint32_t count) {
  StringRef name = group.name.str();
  result.addedGroups[name] = count;
  auto groups = groupInstances(name);
  std::vector<std::pair<StringRef, uint32_t>> members;
  if (groups.empty() && !membersPer(group, members))
    return false;
  llvm::MapVector<StringRef, std::map<uint32_t, uint32_t>> counts;
  for (auto &[index, rows] : groups)
    for (uint32_t row : rows)
      // What is inside of another member comes with it.
      if (!llvm::is_contained(rows, containment.containerOf(row)))
        ++counts[templatePath(recorded[row].name)][index];
  for (auto &[path, each] : counts) {
    uint32_t least = groups.begin()->first;
    for (auto &[index, rows] : groups)
      if (each[index] != each[least]) {
        auto nameOf = [&](uint32_t number) {
          return (name + "[" + llvm::Twine(number) + "]").str();
        };
        diags.report({}, diag::UnevenContents, name, path, nameOf(least),
                     each[least], nameOf(index), each[index]);
        return false;
      }
    members.push_back({path, each[least]});
  }
  return llvm::all_of(members, [&](const auto &member) {
    return addInstances(member.first, member.second * count);
  });
}

/// Whole instances of a group are named by themselves or by a member.
bool Scaling::removeGroups(StringRef name, uint32_t count) {
  auto groups = groupInstances(name);
  if (groups.size() < count) {
    diags.report({}, diag::ScaledBelowZero, name, groups.size(), count);
    return false;
  }
  std::vector<uint32_t> firstRows;
  for (auto &[index, rows] : groups)
    firstRows.push_back(rows.front());
  std::vector<uint32_t> victims;
  if (!pickVictims(name, firstRows, count, victims))
    return false;
  for (auto &[index, rows] : groups)
    if (llvm::is_contained(victims, rows.front()))
      for (uint32_t row : rows)
        containment.addTree(row, result.removed);
  return true;
}

/// Reads `delta`; how many more than can be counted is a typing mistake.
std::optional<int64_t> Scaling::delta() const {
  const Value *given = change.parameter("delta");
  if (!given)
    return 1;
  if (given->isInteger() && std::abs(given->asInteger()) <= 10000000)
    return given->asInteger();
  diags.report({}, diag::BadParameter, "delta", request.workflow,
               toText(*given), "a whole number");
  return std::nullopt;
}

bool Scaling::run() {
  if (!change.knowsParameters({"scalable_entity_name", "delta", "scale_compute",
                               "include_instances", "exclude_instances"}))
    return false;
  const Value *entity = change.parameter("scalable_entity_name");
  std::optional<int64_t> more = delta();
  if (!more)
    return false;
  if (!entity || !entity->isString()) {
    diags.report({}, diag::BadParameter, "scalable_entity_name",
                 request.workflow, entity ? toText(*entity) : "not given",
                 "a node template or scaling group");
    return false;
  }
  const Value *compute = change.parameter("scale_compute");
  if (compute && !compute->isBoolean()) {
    diags.report({}, diag::BadParameter, "scale_compute", request.workflow,
                 toText(*compute), "true or false");
    return false;
  }
  if (*more > 0)
    for (StringRef only : {"include_instances", "exclude_instances"})
      if (const Value *given = change.parameter(only)) {
        diags.report({}, diag::BadParameter, only, request.workflow,
                     toText(*given), "left out unless delta is below 0");
        return false;
      }
  if (service.countsPerContainer && (findGroup(entity->asString()) ||
                                     change.findTemplate(entity->asString())))
    return scalePerContainer(entity->asString(), *more,
                             compute && compute->isTrue());
  result.mustAgree = true;
  StringRef name = entity->asString();
  if (const sema::Group *group = findGroup(name))
    return *more < 0 ? removeGroups(name, -*more)
                     : *more == 0 || addGroups(*group, *more);
  if (change.findTemplate(name))
    return scaleTemplate(compute && compute->isTrue() ? computeOf(name) : name,
                         *more);
  std::vector<StringRef> known;
  for (const sema::NodeTemplate &node : service.nodes)
    known.push_back(node.name.str());
  for (const sema::Group &group : service.groups)
    if (findGroup(group.name.str()))
      known.push_back(group.name.str());
  diags.report({}, diag::UnknownScalable, service.name.str(), name,
               didYouMean(name, known));
  return false;
}

bool ChangeBuilder::scale() { return Scaling(*this).run(); }
