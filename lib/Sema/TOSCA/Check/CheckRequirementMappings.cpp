//===- CheckRequirementMappings.cpp - Requirements of substituted nodes ---===//
///
/// \file
/// TOSCA 2.0 §15.5: the targets of a substituted node's requirements become
/// those of dangling requirements inside, or of nodes that are selected. There
/// must be enough of them for all that are mandatory inside (§15.5.4).
///
//===----------------------------------------------------------------------===//

#include "CheckService.h"

#include "toscac/Basic/Counted.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

namespace {

/// A mapping of the list, and how many of the outer requirements it takes.
struct Mapping {
  const Node *key;
  const Node *targets;
  /// Without a value: the one mapping of its requirement takes all.
  std::optional<uint64_t> count;
  bool isUnbounded = false;
};

class RequirementMapper {
public:
  RequirementMapper(Program &program, const ServiceScope &service,
                    const Flat &substituted)
      : program(program), service(service), substituted(substituted) {}

  void run(const Node &list);

private:
  void enter(const Node &item);
  void checkAll(StringRef name, llvm::ArrayRef<Mapping> mappings);
  uint64_t checkTargets(const Flat &outer, const Node &targets, uint64_t count);
  uint64_t checkTarget(const Flat &outer, const Node &target, uint64_t count);
  uint64_t checkDangling(const Template &node, const Flat &inner,
                         const Node &place, uint64_t count);
  void checkFits(const Flat &outer, const Flat &inner, const Node &place);

  Program &program;
  const ServiceScope &service;
  const Flat &substituted;
  llvm::MapVector<StringRef, llvm::SmallVector<Mapping, 2>> mappingsOf;
  /// How many mandatory requirements wait for a mapping, by definition and
  /// node.
  llvm::DenseMap<std::pair<const Entity *, const Flat *>, uint64_t> mandatory;
};

} // namespace

void RequirementMapper::run(const Node &list) {
  for (const Node &item : list.items())
    enter(item);
  for (const auto &[name, mappings] : mappingsOf)
    checkAll(name, mappings);
}

void RequirementMapper::enter(const Node &item) {
  const auto &[key, targets] = item.entries().front();
  const Node &name = key.isSequence() ? key.items()[0] : key;
  const Flat::Members &declared = substituted.members(Key::Requirements);
  if (!declared.contains(name.text()))
    reportUnknownName(program, "requirement", name, namesOf(declared));
  Mapping mapping{&name, &targets, std::nullopt};
  if (key.isSequence()) {
    uint64_t count = 0;
    mapping.isUnbounded = key.items()[1].text().getAsInteger(0, count);
    mapping.count = mapping.isUnbounded ? UINT64_MAX : count;
  }
  mappingsOf[name.text()].push_back(mapping);
}

void RequirementMapper::checkAll(StringRef name,
                                 llvm::ArrayRef<Mapping> mappings) {
  const Flat *outer = substituted.member(Key::Requirements, name);
  // A definition without a range leaves open how many there are.
  bool isBounded = outer && outer->find(Key::CountRange);
  CountRange range = isBounded ? countRangeOf(*outer) : CountRange();
  uint64_t total = 0, needed = 0;
  const Mapping *unbounded = nullptr;
  for (const Mapping &mapping : mappings) {
    bool isOnly = mappings.size() == 1 && !mapping.count;
    uint64_t count = isOnly ? UINT64_MAX : mapping.count.value_or(1);
    uint64_t taken = outer ? checkTargets(*outer, *mapping.targets, count) : 0;
    if (unbounded)
      program.diags.report(mapping.key->range(), diag::MappingAfterUnbounded,
                           name);
    if (mapping.isUnbounded)
      unbounded = &mapping;
    uint64_t before = std::exchange(needed, needed + taken);
    if (isBounded && needed > range.min && before <= range.min)
      program.diags
          .report(mapping.key->range(), diag::TooManyMandatoryMappings,
                  counted(needed, "mandatory requirement"), name,
                  substituted.name.str(), range.min)
          .note(outer->range(), diag::DeclaredHere, name);
    if (isOnly || mapping.isUnbounded)
      continue;
    before = std::exchange(total, total + count);
    if (total > range.max && before <= range.max)
      program.diags
          .report(mapping.key->range(), diag::TooManyMappings, name, total,
                  substituted.name.str(), range.max)
          .note(outer->range(), diag::DeclaredHere, name);
  }
}

/// Gives how many of \p count outer requirements are needed at least: one may
/// serve several targets.
uint64_t RequirementMapper::checkTargets(const Flat &outer, const Node &targets,
                                         uint64_t count) {
  llvm::ArrayRef<Node> parts = targets;
  if (targets.isSequence())
    parts = targets.items();
  // [ node, requirement ] looks like a list of two nodes that are selected.
  bool isPair = targets.isSequence() && parts.size() == 2 &&
                parts[0].isScalar() && parts[1].isScalar() &&
                !service.nodes.contains(parts[1].text());
  if (isPair)
    parts = targets;
  uint64_t needed = 0;
  for (const Node &part : parts)
    needed = std::max(needed, checkTarget(outer, part, count));
  return needed;
}

uint64_t RequirementMapper::checkTarget(const Flat &outer, const Node &target,
                                        uint64_t count) {
  const Node &name = target.isSequence() ? target.items()[0] : target;
  const Template *node = findNodeTemplate(program, service, name);
  if (!node || !node->flat())
    return 0;
  if (!target.isSequence()) {
    // A node that is selected comes from elsewhere, as the target does.
    if (!node->hasDirective("select"))
      program.diags.report(name.range(), diag::NotSelectable, name.text());
    return 0;
  }
  const Node &place = target.items()[1];
  const Flat::Members &declared = node->flat()->members(Key::Requirements);
  const Flat *inner = declared.lookup(place.text());
  if (!inner) {
    reportUnknownName(program, "requirement", place, namesOf(declared));
    return 0;
  }
  checkFits(outer, *inner, place);
  return checkDangling(*node, *inner, place, count);
}

/// The target of one becomes that of the other. Its node may be of another
/// type, if it is substituted in turn.
void RequirementMapper::checkFits(const Flat &outer, const Flat &inner,
                                  const Node &place) {
  const TypeDecl *given =
      typeNamedBy(outer, Key::Capability, EntityKind::CapabilityType);
  const TypeDecl *wanted =
      typeNamedBy(inner, Key::Capability, EntityKind::CapabilityType);
  if (given && wanted && !given->isDerivedFrom(*wanted) &&
      !wanted->isDerivedFrom(*given))
    program.diags
        .report(place.range(), diag::UnrelatedRequirement, outer.name.str(),
                given->name.str(), wanted->name.str())
        .note(inner.range(), diag::DeclaredHere, inner.name.str());
}

/// Gives how many mandatory requirements the mapping takes, \p count at most.
/// Without an assignment there is an implicit one for the lower bound.
uint64_t RequirementMapper::checkDangling(const Template &node,
                                          const Flat &inner, const Node &place,
                                          uint64_t count) {
  const Field *field = node.find(Key::Requirements);
  const Entity *bound = nullptr;
  uint64_t needed = 0;
  bool hasAssignment = false, isDangling = false;
  for (const Entity &assignment :
       field ? field->entities : llvm::ArrayRef<Entity>()) {
    if (assignment.name != inner.name)
      continue;
    hasAssignment = true;
    const Node *target = assignment.value(Key::Node);
    if (target && target->isSequence())
      target = &target->items()[0];
    if (target && service.nodes.contains(target->text())) {
      bound = &assignment;
      continue;
    }
    isDangling = true;
    uint64_t own = 1;
    const Node *written = assignment.value(Key::Count);
    if (written &&
        (!written->isScalar() || written->text().getAsInteger(0, own)))
      own = 0;
    if (!assignment.text(Key::Optional).starts_with_insensitive("t"))
      needed += own;
  }
  // In TOSCA 1.x, a service stands alone with targets that give way when it
  // substitutes a node.
  if (bound && !isDangling && !service.scope.isOlder())
    program.diags
        .report(place.range(), diag::NotDangling, inner.name.str(),
                node.entity->name.str())
        .note(bound->range(), diag::TargetHere);
  if (!hasAssignment)
    needed = countRangeOf(inner).min;
  uint64_t &waiting =
      mandatory.try_emplace({node.entity, &inner}, needed).first->second;
  uint64_t taken = std::min(waiting, count);
  waiting -= taken;
  return taken;
}

void sema::checkRequirementMappings(Program &program,
                                    const ServiceScope &service,
                                    const Flat &substituted,
                                    const Node &mappings) {
  RequirementMapper(program, service, substituted).run(mappings);
}
