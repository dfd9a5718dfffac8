//===- LowerSubstitution.cpp - Substitution mappings ----------------------===//
///
/// \file
/// TOSCA 2.0 chapter 15.
///
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "SpellPaths.h"
#include "TOSCA/Types/Expressions.h"
#include "TOSCA1/MappedConstants.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

class SubstitutionLowering {
public:
  SubstitutionLowering(Lowering &lowering, const ServiceScope &service,
                       const Entity &mappings, const TypeDecl &type)
      : lowering(lowering), service(service), mappings(mappings), type(type),
        site{{service.scope, type.flat}, Origin::Node} {}

  Substitution run();

private:
  void addConstants(Substitution &result);
  std::vector<MappedValue> lowerValues(Key key, Function query);
  std::vector<MappedCapability> lowerCapabilities();
  std::vector<MappedRequirement> lowerMappings();
  std::vector<MappedRequirement::Target> lowerTargets(const Node &targets);
  MappedRequirement::Target lowerTarget(const Node &target);
  std::vector<MappedOperation> lowerOperations();

  uint32_t nodeNamed(const Node &name) const {
    return service.nodes.find(name.text()) - service.nodes.begin();
  }
  llvm::ArrayRef<Entry> entriesOf(Key key) const {
    const Field *field = mappings.find(key);
    return field ? field->value->entries() : llvm::ArrayRef<Entry>();
  }

  Lowering &lowering;
  const ServiceScope &service;
  const Entity &mappings;
  const TypeDecl &type;
  /// The substituted node.
  Site site;
};

} // namespace

Substitution SubstitutionLowering::run() {
  Substitution result;
  result.nodeType = lowerType(lowering, &type);
  result.range = mappings.range();
  if (const Field *filter = mappings.find(Key::SubstitutionFilter))
    result.filter = lowerCondition(lowering, site, *filter->value);
  addConstants(result);
  result.properties = lowerValues(Key::Properties, Function::GetProperty);
  result.attributes = lowerValues(Key::Attributes, Function::GetAttribute);
  result.capabilities = lowerCapabilities();
  result.requirements = lowerMappings();
  result.operations = lowerOperations();
  return result;
}

/// A property that is mapped to a constant must have that value: so a node says
/// which flavour of a network function stands for it.
void SubstitutionLowering::addConstants(Substitution &result) {
  ValueArena &arena = lowering.program.arena;
  llvm::SmallVector<Expr> conditions;
  if (result.filter)
    conditions.push_back(*result.filter);
  for (const Entry &entry : entriesOf(Key::Properties)) {
    if (!isConstantMapping(service, mappings, entry))
      continue;
    const Expr *name = toExpr(lowering.program, service.scope, entry.key);
    const Expr *wanted = toExpr(lowering.program, service.scope, entry.value);
    if (!name || !wanted)
      continue;
    Expr property = Expr::call(Function::GetProperty, *name, name->range());
    Expr sides[] = {*spellPaths(lowering, site, property), *wanted};
    conditions.push_back(Expr::call(Function::Equal,
                                    arena.save(llvm::ArrayRef<Expr>(sides)),
                                    entry.key.range()));
  }
  if (conditions.size() == 1)
    result.filter = arena.make(conditions.front());
  else if (!conditions.empty())
    result.filter = arena.make(
        Expr::call(Function::And, arena.save(llvm::ArrayRef<Expr>(conditions)),
                   mappings.range()));
}

/// The key is a name, or the path to what belongs to a capability or
/// relationship.
std::vector<MappedValue> SubstitutionLowering::lowerValues(Key key,
                                                           Function query) {
  std::vector<MappedValue> result;
  for (const Entry &entry : entriesOf(key)) {
    const Expr *path = toExpr(lowering.program, service.scope, entry.key);
    if (!path ||
        (key == Key::Properties && isConstantMapping(service, mappings, entry)))
      continue;
    llvm::ArrayRef<Expr> steps = *path;
    if (path->is(ExprKind::List))
      steps = path->children();
    Expr call = Expr::call(query, steps, entry.key.range());
    result.push_back({spellPaths(lowering, site, call),
                      lowering.intern(entry.value.text()), entry.key.range()});
  }
  return result;
}

std::vector<MappedCapability> SubstitutionLowering::lowerCapabilities() {
  std::vector<MappedCapability> result;
  for (const Entry &entry : entriesOf(Key::Capabilities)) {
    llvm::ArrayRef<Node> target = entry.value.items();
    result.push_back({lowering.intern(entry.key.text()), nodeNamed(target[0]),
                      lowering.intern(target[1].text()), entry.key.range()});
  }
  return result;
}

/// How many relationships the mapping with key \p key takes: the only one of a
/// requirement takes all, of several each takes one unless it says how many
/// (TOSCA 2.0 §15.5).
static std::optional<uint32_t> numTaken(const Node &key, bool isOnlyOne) {
  uint32_t count = 1;
  bool isAll = key.isSequence() ? key.items()[1].text().getAsInteger(0, count)
                                : isOnlyOne;
  return isAll ? std::nullopt : std::optional(count);
}

std::vector<MappedRequirement> SubstitutionLowering::lowerMappings() {
  const Field *field = mappings.find(Key::Requirements);
  if (!field)
    return {};
  auto nameOf = [](const Node &item) {
    const Node &key = item.entries().front().key;
    return key.isSequence() ? key.items()[0].text() : key.text();
  };
  llvm::DenseMap<StringRef, unsigned> numMappings;
  for (const Node &item : field->value->items())
    ++numMappings[nameOf(item)];
  std::vector<MappedRequirement> result;
  for (const Node &item : field->value->items()) {
    const auto &[key, targets] = item.entries().front();
    StringRef name = nameOf(item);
    result.push_back({lowering.intern(name),
                      numTaken(key, numMappings.lookup(name) == 1),
                      lowerTargets(targets), key.range()});
  }
  return result;
}

/// One target, or a list of them; [ node, requirement ] is one.
std::vector<MappedRequirement::Target>
SubstitutionLowering::lowerTargets(const Node &targets) {
  bool isList = targets.isSequence();
  llvm::ArrayRef<Node> parts = isList ? targets.items() : targets;
  bool isPair = isList && parts.size() == 2 && parts[0].isScalar() &&
                parts[1].isScalar() && !service.nodes.contains(parts[1].text());
  if (isPair || !isList)
    return {lowerTarget(targets)};
  std::vector<MappedRequirement::Target> result;
  for (const Node &part : parts)
    result.push_back(lowerTarget(part));
  return result;
}

MappedRequirement::Target
SubstitutionLowering::lowerTarget(const Node &target) {
  if (target.isScalar())
    return {nodeNamed(target), Name()};
  return {nodeNamed(target.items()[0]),
          lowering.intern(target.items()[1].text())};
}

std::vector<MappedOperation> SubstitutionLowering::lowerOperations() {
  std::vector<MappedOperation> result;
  for (const Entry &entry : entriesOf(Key::Interfaces)) {
    Name interface = findInterface(*type.flat, entry.key.text())->name;
    for (const Entry &operation : entry.value.entries())
      result.push_back({interface, lowering.intern(operation.key.text()),
                        lowering.intern(operation.value.text()),
                        operation.key.range()});
  }
  return result;
}

std::optional<Substitution>
sema::lowerSubstitution(Lowering &lowering, const ServiceScope &service) {
  llvm::ArrayRef<Entity> mappings =
      service.entity.entities(Key::SubstitutionMappings);
  if (mappings.empty())
    return std::nullopt;
  const TypeDecl *type = service.scope.find(
      EntityKind::NodeType, mappings.front().text(Key::NodeType));
  return SubstitutionLowering(lowering, service, mappings.front(), *type).run();
}
