//===- ParseGraph.cpp - Sections of the graph's text form -----------------===//

#include "toscac/IR/ParseGraph.h"

#include "GraphParser.h"
#include "toscac/IR/KindNames.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::SmallVector;
using llvm::StringRef;

std::unique_ptr<Graph> ir::parseGraph(const SourceManager &sources, FileId file,
                                      NameTable &names,
                                      DiagnosticEngine &diags) {
  return GraphParser(sources, file, names, diags).parse();
}

std::unique_ptr<Graph> GraphParser::parse() {
  size_t errorsBefore = diags.numErrors();
  if (!parseSections() || diags.numErrors() > errorsBefore)
    return nullptr;
  graph->linkIncoming();
  return std::move(graph);
}

bool GraphParser::parseSections() {
  auto parseAll = [&](StringRef keyword, bool (GraphParser::*parse)()) {
    while (text.consume(keyword))
      if (!(this->*parse)())
        return false;
    return true;
  };
  if (!parseAll("type", &GraphParser::parseType) || !resolveParents() ||
      !parseAll("artifact", &GraphParser::parseArtifact) ||
      !parseAll("input", &GraphParser::parseInput) ||
      !parseAll("output", &GraphParser::parseOutput) ||
      !parseAll("shared", &GraphParser::parseShared) ||
      !parseAll("machine", &GraphParser::parseMachine) ||
      !parseAll("service", &GraphParser::parseService))
    return false;
  graph->linkClasses();
  if (!resolveSubstitutions() || !resolveSelections() ||
      !parseAll("relationship", &GraphParser::parseRelationship))
    return false;
  startClass(graph->relationshipClasses.size());
  graph->linkClasses();
  if (!parseAll("group", &GraphParser::parseGroup) ||
      (text.consume("deployment") && !parseDeployment()) ||
      (text.consume("goal") && !parseGoal()))
    return false;
  return text.atEnd() ||
         text.fail("the next section: type, artifact, input, output, shared, "
                   "machine, service, relationship, group, deployment, goal");
}

bool GraphParser::declare(StringRef noun, const Label &label, Labels &labels,
                          uint32_t number) {
  size_t expected = labels.count(label.name) + 1;
  if (label.ordinal != expected) {
    std::string ordinal = expected > 1 ? "#" + std::to_string(expected) : "";
    diags.report(label.range, diag::IrWrongOrdinal, noun, label.name.str(),
                 label.name.str().str() + ordinal);
    return false;
  }
  labels.add(label.name, number);
  return true;
}

bool GraphParser::unknown(StringRef noun, const Label &label) {
  std::string name = label.name.str().str();
  if (label.ordinal != 1)
    name += "#" + std::to_string(label.ordinal);
  diags.report(label.range, diag::IrUnknownName, noun, name);
  return false;
}

bool GraphParser::parseType() {
  std::optional<TypeInfo::Kind> kind;
  for (StringRef word :
       {"node", "relationship", "capability", "group", "policy"})
    if (text.consume(word))
      kind = findTypeKind(word);
  if (!kind)
    return text.fail("node, relationship, capability, group or policy");
  Label label, parent;
  if (!text.readLabel(label))
    return false;
  TypeId id{static_cast<uint32_t>(graph->types.size())};
  if (!declare("type", label, types[static_cast<size_t>(*kind)], id.index))
    return false;
  if (text.consume(":")) {
    if (!text.readLabel(parent))
      return false;
    parents.push_back({id, parent});
  }
  SmallVector<Mark> marks;
  auto readMark = [&] {
    Mark &mark = marks.emplace_back();
    return text.expect("mark") && text.readName(mark.key) && text.expect("=") &&
           text.readText(mark.value);
  };
  while (text.isAt("mark"))
    if (!readMark())
      return false;
  graph->types.push_back({*kind, label.name, TypeId(), save(marks)});
  return true;
}

bool GraphParser::resolveParents() {
  for (const PendingParent &pending : parents) {
    TypeInfo &type = graph->types[pending.type.index];
    auto found = types[static_cast<size_t>(type.kind)].find(pending.parent);
    if (!found)
      return unknown((nameOf(type.kind) + " type").str(), pending.parent);
    type.parent = {*found};
  }
  return true;
}

bool GraphParser::readType(TypeInfo::Kind kind, TypeId &type) {
  Label label;
  if (!text.readLabel(label))
    return false;
  auto found = types[static_cast<size_t>(kind)].find(label);
  if (!found)
    return unknown((nameOf(kind) + " type").str(), label);
  type = {*found};
  return true;
}

bool GraphParser::readOptionalType(TypeInfo::Kind kind, TypeId &type) {
  return !text.consume(":") || readType(kind, type);
}

bool GraphParser::parseArtifact() {
  Artifact artifact;
  Label file;
  if (!text.readName(artifact.type) || !text.readLabel(file))
    return false;
  artifact.file = file.name.str();
  artifact.range = file.range;
  if (text.consume("sha256") && !text.readText(artifact.sha256))
    return false;
  uint32_t number = graph->artifacts.size();
  graph->artifacts.push_back(artifact);
  return declare("artifact", file, artifacts, number);
}

bool GraphParser::readArtifact(ArtifactId &artifact) {
  Label file;
  if (!text.readLabel(file))
    return false;
  auto found = artifacts.find(file);
  if (!found)
    return unknown("artifact", file);
  artifact = {*found};
  return true;
}

bool GraphParser::parseInput(std::vector<InputValue> &inputs) {
  InputValue input{};
  if (!text.readName(input.name))
    return false;
  input.sensitive = text.consume("sensitive");
  if (text.consume("=") && !text.readExpr(input.value))
    return false;
  inputs.push_back(input);
  return true;
}

bool GraphParser::parseOutput() {
  OutputValue output{};
  output.range = text.here();
  if (!text.readName(output.name) || !text.readKind(output.type))
    return false;
  output.sensitive = text.consume("sensitive");
  if (text.consume("=") && !text.readExpr(output.value))
    return false;
  graph->outputs.push_back(output);
  return true;
}

bool GraphParser::parseShared() {
  SharedValue &shared = graph->shared.emplace_back();
  if (!text.readName(shared.name) || !text.expect(":") ||
      !text.readName(shared.type) || !text.expect("by") ||
      !text.readName(shared.provider))
    return false;
  shared.isRecord = text.consume("record");
  return !text.consume("=") || text.readExpr(shared.value);
}

/// The service that a group belongs to.
bool GraphParser::readGroupSubgraph(SubgraphId &subgraph) {
  NodeId node{};
  if (!text.consume("for"))
    return true;
  SourceRange range = text.here();
  if (!readNode(node))
    return false;
  if (auto inside = graph->inside(node)) {
    subgraph = *inside;
    return true;
  }
  diags.report(range, diag::IrUnknownName, "service for", graph->nameOf(node));
  return false;
}

bool GraphParser::parseGroup() {
  Group group;
  group.range = text.here();
  // The index that comes next has a default only when all instances are read.
  group.nextIndex = ~0u;
  SmallVector<Name> members;
  if (!text.readName(group.name) || !readGroupSubgraph(group.subgraph) ||
      !readOptionalType(TypeInfo::Kind::Group, group.type) ||
      !text.expect("members") || !text.readNames(members) ||
      (text.consume("next") && !text.readNumber(group.nextIndex)) ||
      (text.consume("each") && !text.readNumber(group.perContainer.emplace())))
    return false;
  group.members.assign(members.begin(), members.end());
  bool good = !text.isAt("{") || text.readBlock([&] {
    if (text.consume("property"))
      return parseColumn(group.properties);
    if (text.consume("instance"))
      return parseGroupInstance(group);
    return text.fail("property or instance");
  });
  if (group.nextIndex == ~0u)
    group.nextIndex =
        group.instances.empty() ? 0 : group.instances.back().index + 1;
  graph->groups.push_back(std::move(group));
  return good;
}

bool GraphParser::parseGroupInstance(Group &group) {
  Group::Instance &instance = group.instances.emplace_back();
  return text.readIndex(instance.index) && text.readList([&] {
    NodeId node{};
    if (!readNode(node))
      return false;
    instance.nodes.push_back(node);
    return true;
  });
}

bool GraphParser::parseDeployment() {
  Deployment &deployment = graph->deployment;
  Name name;
  if (!text.readName(name))
    return false;
  deployment.name = name.str();
  return text.readBlock([&] { return parseDeploymentPart(deployment); });
}

bool GraphParser::parseDeploymentPart(Deployment &deployment) {
  if (text.consume("root"))
    return text.readText(deployment.root);
  if (text.consume("file")) {
    Deployment::File &file = deployment.files.emplace_back();
    return text.readText(file.name) && text.readText(file.digest);
  }
  if (text.consume("state")) {
    graph->hasRecorded = true;
    return text.readText(deployment.state);
  }
  if (text.consume("operations"))
    return text.readLiteral(deployment.operations);
  if (text.consume("obsolete")) {
    Deployment::Obsolete &obsolete = deployment.obsolete.emplace_back();
    return text.readText(obsolete.name) && text.readNumber(obsolete.nextIndex);
  }
  if (!text.consume("shares"))
    return text.fail("root, file, state, shares, operations or obsolete");
  return deployment.tellsShared = true;
}

bool GraphParser::parseGoal() {
  Goal &goal = graph->goal;
  if (!text.readName(goal.workflow))
    return false;
  goal.mayBeMissing = text.consume("usual");
  if (text.consume("change"))
    goal.reach = Goal::Reach::Change;
  else if (text.consume("update"))
    goal.reach = Goal::Reach::Update;
  else if (text.consume("check"))
    goal.reach = Goal::Reach::Check;
  return !text.isAt("{") || text.readBlock([&] {
    InputValue parameter{};
    Value value;
    if (!text.expect("input") || !text.readName(parameter.name) ||
        !text.expect("=") || !text.readLiteral(value))
      return false;
    parameter.value = graph->arena.make(Expr::literal(value));
    goal.parameters.push_back(parameter);
    return true;
  });
}
