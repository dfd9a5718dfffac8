//===- SelectParts.cpp - What a workflow is for ---------------------------===//
///
/// \file
/// An instance must pass every filter that is given. Type names mean the types
/// that are derived from them, too. An empty list filters nothing.
///
//===----------------------------------------------------------------------===//

#include "Workflows.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace toscac;
using namespace toscac::cloudify;
using llvm::StringRef;

namespace {

class PartSelection {
public:
  PartSelection(const Model &model, const WorkflowRequest &request,
                DiagnosticEngine &diags)
      : model(model), request(request), diags(diags) {}

  std::vector<Part> select();

private:
  void readNodes();
  void readInstances();
  void readTypes();
  bool passes(uint32_t node) const;

  const Model &model;
  const WorkflowRequest &request;
  DiagnosticEngine &diags;
  // Nothing: not filtered that way.
  std::optional<std::set<StringRef>> nodes, types;
  std::optional<std::map<uint32_t, std::set<uint32_t>>> instances;
};

} // namespace

const WorkflowRequest::Parameter *
cloudify::findParameter(const WorkflowRequest &request, StringRef name) {
  auto found = llvm::find_if(request.parameters, [&](const auto &given) {
    return given.name == name;
  });
  return found == request.parameters.end() ? nullptr : &*found;
}

/// One name, or `[a, 'b', c[0]]`: brackets in names are no YAML, but what
/// people type.
static std::vector<StringRef> namesIn(const WorkflowRequest &request,
                                      StringRef parameter) {
  std::vector<StringRef> names;
  const WorkflowRequest::Parameter *given = findParameter(request, parameter);
  if (!given)
    return names;
  StringRef text = StringRef(given->text).trim();
  if (text.consume_front("["))
    text.consume_back("]");
  for (StringRef name : llvm::split(text, ','))
    if (StringRef bare = name.trim(" \t\r\n'\""); !bare.empty())
      names.push_back(bare);
  return names;
}

void cloudify::reportUnknown(const WorkflowRequest &request,
                             StringRef parameter, StringRef kind,
                             StringRef name, llvm::ArrayRef<StringRef> known,
                             DiagnosticEngine &diags) {
  diags.report({}, diag::PartUnknown, parameter, request.workflow, kind, name,
               didYouMean(name, known));
}

static std::vector<StringRef> nodeNames(const Model &model) {
  std::vector<StringRef> names;
  for (const BoundNode &node : model.nodes)
    names.push_back(node.written->name.text);
  return names;
}

void PartSelection::readNodes() {
  for (StringRef name : namesIn(request, "node_ids")) {
    if (!model.findNode(name))
      reportUnknown(request, "node_ids", "node template", name,
                    nodeNames(model), diags);
    if (!nodes)
      nodes.emplace();
    nodes->insert(name);
  }
}

void PartSelection::readTypes() {
  std::vector<StringRef> known;
  for (const auto &type : model.nodeTypes)
    known.push_back(type.getKey());
  llvm::sort(known);
  for (StringRef name : namesIn(request, "type_names")) {
    if (!model.nodeTypes.contains(name))
      reportUnknown(request, "type_names", "node type", name, known, diags);
    if (!types)
      types.emplace();
    types->insert(name);
  }
}

void PartSelection::readInstances() {
  for (StringRef name : namesIn(request, "node_instance_ids")) {
    if (!instances)
      instances.emplace();
    auto [node, rest] = name.split('[');
    std::optional<uint32_t> found = model.findNode(node);
    uint32_t index;
    if (found && rest.consume_back("]") && !rest.getAsInteger(10, index)) {
      (*instances)[*found].insert(index);
      continue;
    }
    // Also where the index is missing.
    diags.report(
        {}, diag::PartUnknown, "node_instance_ids", request.workflow,
        "instance", name,
        Suggestion(nearestName(node, nodeNames(model))).clause("", "[0]"));
  }
}

bool PartSelection::passes(uint32_t index) const {
  const BoundNode &node = model.nodes[index];
  if (nodes && !nodes->count(node.written->name.text))
    return false;
  if (instances && !instances->count(index))
    return false;
  if (!types)
    return true;
  for (const FlatType *type = node.type; type; type = type->parent)
    if (types->count(type->name.text))
      return true;
  return false;
}

std::vector<Part> PartSelection::select() {
  readNodes();
  readInstances();
  readTypes();
  std::vector<Part> parts;
  for (uint32_t i = 0; i != model.nodes.size(); ++i) {
    if (!passes(i))
      continue;
    Part &part = parts.emplace_back(Part{i, {}});
    if (instances)
      part.instances.assign(instances->at(i).begin(), instances->at(i).end());
  }
  if (parts.empty() && !diags.hasErrors())
    diags.report({}, diag::NothingToDo, request.workflow,
                 "no node template passes its filters");
  return parts;
}

std::vector<Part> cloudify::selectParts(const Model &model,
                                        const WorkflowRequest &request,
                                        DiagnosticEngine &diags) {
  return PartSelection(model, request, diags).select();
}
