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
  size_t errorsBefore = diags.numErrors();
  ParsedText parsed(sources, file, names, diags);
  if (!GraphParser(parsed).parse() || diags.numErrors() > errorsBefore)
    return nullptr;
  parsed.graph->linkIncoming();
  return std::move(parsed.graph);
}

/// All parts that begin with \p keyword and stand here.
template <typename Parser>
bool GraphParser::parseAll(StringRef keyword, Parser &parser,
                           bool (Parser::*parse)()) {
  while (text.consume(keyword))
    if (!(parser.*parse)())
      return false;
  return true;
}

bool GraphParser::parse() {
  if (!parseAll("type", *this, &GraphParser::parseType) || !resolveParents() ||
      !parseAll("artifact", *this, &GraphParser::parseArtifact) ||
      !parseAll("input", *this, &GraphParser::parseInput) ||
      !parseAll("output", *this, &GraphParser::parseOutput) ||
      !parseAll("shared", *this, &GraphParser::parseShared) ||
      !parseAll("machine", machines, &MachineParser::parseMachine) ||
      !parseAll("service", services, &ServiceParser::parseService))
    return false;
  graph->linkClasses();
  if (!services.resolveNodes() ||
      !parseAll("relationship", relationships,
                &RelationshipParser::parseRelationship))
    return false;
  relationships.finish();
  graph->linkClasses();
  if (!parseAll("group", *this, &GraphParser::parseGroup) ||
      (text.consume("deployment") && !parseDeployment()) ||
      (text.consume("goal") && !parseGoal()))
    return false;
  return text.atEnd() ||
         text.fail("the next section: type, artifact, input, output, shared, "
                   "machine, service, relationship, group, deployment, goal");
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
  if (!declare("type", label, parsed.types[static_cast<size_t>(*kind)],
               id.index))
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
    auto found =
        parsed.types[static_cast<size_t>(type.kind)].find(pending.parent);
    if (!found)
      return unknown((nameOf(type.kind) + " type").str(), pending.parent);
    type.parent = {*found};
  }
  return true;
}

bool GraphParser::parseArtifact() {
  Artifact artifact;
  Label file;
  if (!text.readName(artifact.type) || !text.readLabel(file))
    return false;
  artifact.file = file.name.str();
  artifact.range = file.range;
  if ((text.consume("sha256") && !text.readText(artifact.sha256)) ||
      (text.consume("as") && !text.readText(artifact.placeBeside)))
    return false;
  uint32_t number = graph->artifacts.size();
  graph->artifacts.push_back(artifact);
  return declare("artifact", file, parsed.artifacts, number);
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
  if (!nodes.readNode(node))
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
      return instances.parseColumn(group.properties);
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
    if (!nodes.readNode(node))
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
