//===- ServiceScope.cpp - The templates of a service ----------------------===//

#include "ServiceScope.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

void sema::reportUnknownName(Program &program, StringRef noun, const Node &name,
                             llvm::ArrayRef<StringRef> known) {
  Suggestion meant(name.text(), known);
  std::string path = meant.name ? "" : pathInPlaceOf(name.text(), known);
  auto report = program.diags.report(name.range(), diag::UnknownName, noun,
                                     name.text(), meant.clause() + path);
  meant.fixIn(report, name.range());
  if (!meant.name && path.empty())
    noteKnown(report, known);
}

std::string sema::pathInPlaceOf(StringRef text,
                                llvm::ArrayRef<StringRef> known) {
  auto [first, rest] = text.split('.');
  bool isPath =
      !rest.empty() && (llvm::is_contained(known, first) || first == "SELF" ||
                        first == "TARGET" || first == "SOURCE");
  if (!isPath)
    return "";
  return ("; a path is a list: [ " + llvm::join(llvm::split(text, '.'), ", ") +
          " ]");
}

const Template *sema::findNodeTemplate(Program &program,
                                       const ServiceScope &service,
                                       const Node &name) {
  auto node = service.nodes.find(name.text());
  if (node != service.nodes.end()) {
    program.use(name.range(), node->second.entity);
    return &node->second;
  }
  reportUnknownName(program, "node template", name, namesOf(service.nodes));
  return nullptr;
}

/// The nodes of \p group and of the groups in it, in the order of their names.
static void addMembers(const ServiceScope &service, const Template &group,
                       llvm::SmallVectorImpl<ActivityTarget> &into) {
  llvm::SmallPtrSet<const Entity *, 8> seen;
  llvm::SmallVector<const Template *> waiting = {&group};
  while (!waiting.empty()) {
    const Template &next = *waiting.pop_back_val();
    if (!seen.insert(next.entity).second)
      continue;
    if (next.entity->kind == EntityKind::NodeTemplate) {
      if (next.flat())
        into.push_back({next.flat(), &next});
      continue;
    }
    const Field *field = next.find(Key::Members);
    if (!field || !field->valid)
      continue;
    for (const Node &name : llvm::reverse(field->value->items())) {
      auto node = service.nodes.find(name.text());
      auto inner = service.groups.find(name.text());
      if (node != service.nodes.end())
        waiting.push_back(&node->second);
      else if (inner != service.groups.end())
        waiting.push_back(&inner->second);
    }
  }
}

llvm::SmallVector<ActivityTarget, 2>
sema::findTargets(Program &program, const ServiceScope &service,
                  const Node &name) {
  llvm::SmallVector<ActivityTarget, 2> targets;
  auto node = service.nodes.find(name.text());
  auto group = service.groups.find(name.text());
  if (node != service.nodes.end()) {
    program.use(name.range(), node->second.entity);
    if (node->second.flat())
      targets.push_back({node->second.flat(), &node->second});
  } else if (group != service.groups.end()) {
    program.use(name.range(), group->second.entity);
    addMembers(service, group->second, targets);
  } else {
    auto known = namesOf(service.nodes);
    llvm::append_range(known, namesOf(service.groups));
    reportUnknownName(program, "node template or group", name, known);
  }
  return targets;
}

static bool assignsInput(const Entity &entity, StringRef input) {
  const Field *inputs = entity.find(Key::Inputs);
  return inputs && inputs->valid && inputs->value->find(input);
}

const Entity *sema::assignedOperation(const Template &node,
                                      const Flat &interface,
                                      StringRef operation) {
  const Field *interfaces = node.find(Key::Interfaces);
  if (!interfaces)
    return nullptr;
  for (const Entity &assigned : interfaces->entities)
    if (findInterface(*node.flat(), assigned.name.str()) == &interface)
      for (const Field &field : assigned.fields)
        for (const Entity &part : field.entities)
          if (part.name.str() == operation)
            return &part;
  return nullptr;
}

bool sema::givesInput(const Template &node, const Flat &interface,
                      StringRef operation, StringRef input) {
  const Field *interfaces = node.find(Key::Interfaces);
  if (!interfaces)
    return false;
  for (const Entity &assigned : interfaces->entities) {
    if (findInterface(*node.flat(), assigned.name.str()) != &interface)
      continue;
    if (assignsInput(assigned, input))
      return true;
  }
  const Entity *assigned = assignedOperation(node, interface, operation);
  return assigned && assignsInput(*assigned, input);
}
