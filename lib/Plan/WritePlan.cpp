//===- WritePlan.cpp - plan.json ------------------------------------------===//

#include "toscac/Plan/WritePlan.h"

#include "ActivityMachines.h"
#include "CellText.h"
#include "Figures.h"
#include "ListedEntities.h"
#include "NodeGroups.h"
#include "StepInputs.h"
#include "StepText.h"
#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

class PlanWriter {
public:
  PlanWriter(const Plan &plan, const PlanHeader &header, raw_ostream &os)
      : plan(*plan), graph(plan->graph()), header(header),
        artifacts(artifactsOf(plan)), entities(*plan), groups(plan->graph()),
        names(plan->graph()), cells(*plan), numbers(entities.numbers),
        hasLasting(llvm::any_of(
            graph.scopes,
            [](const ir::Scope &scope) { return !scope.operations.empty(); })),
        os(os), json(os) {}

  void write();

private:
  void numberArtifacts();
  void writeHeader();
  void writeIndices();
  void writeEntity(ir::EntityId entity);
  /// Why it is changed, and when; when it leaves.
  void writeChange(ir::EntityId entity);
  void writeNode(ir::NodeId node);
  void writeRelationship(ir::RelationshipId relationship);
  void writeColumns(StringRef key, ArrayRef<ir::ValueColumn> columns,
                    uint32_t row, ir::EntityId entity);
  void writeGroups(ir::NodeId node);
  void writeType(ir::TypeId type) {
    json.attribute("type", type ? graph.types[type.index].name.str() : "");
  }
  void writeCells(ir::EntityId entity);
  /// Operations that other steps carry out: what they write as long as they
  /// last, and where they fail.
  void writeLasting(ir::EntityId entity);
  void writeArtifacts();
  void writeSteps();
  void writeOutputs();
  void writeFigures();
  void writeFinalState();
  void key(StringRef name) {
    json.newLine();
    json.attributeBegin(name);
  }

  const PlanData &plan;
  const ir::Graph &graph;
  const PlanHeader &header;
  std::vector<ir::ArtifactId> artifacts;
  ListedEntities entities;
  NodeGroups groups;
  EntityNames names;
  CellText cells;
  ArrayRef<uint32_t> numbers;
  bool hasLasting;
  /// By artifact of the graph.
  std::vector<uint32_t> artifactNumbers;
  raw_ostream &os;
  JSONWriter json;
  ValueArena arena;
};

} // namespace

void PlanWriter::numberArtifacts() {
  artifactNumbers.resize(graph.artifacts.size());
  for (auto [i, artifact] : llvm::enumerate(artifacts))
    artifactNumbers[artifact.index] = i;
}

void PlanWriter::writeHeader() {
  json.newLine();
  json.attribute("plan", 1u);
  json.newLine();
  json.attribute("tool", header.tool);
  json.newLine();
  json.attribute("service",
                 graph.scopes.empty() ? "" : graph.scopes[0].service.str());
  json.newLine();
  json.attribute("root", header.root);
  json.newLine();
  json.attribute("deployment", header.deployment);
  key("workflow");
  json.object([&] {
    json.attribute("name", plan.goal.workflow.str());
    json.attributeBegin("params");
    json.object([&] {
      for (const ir::InputValue &parameter : plan.goal.parameters) {
        json.attributeBegin(parameter.name.str());
        writeJSON(json, *parameter.value);
      }
    });
  });
  key("inputs");
  json.object([&] {
    for (const auto &[file, digest] : header.inputs)
      json.attribute(file, digest);
  });
  key("values");
  json.object([&] {
    for (const ir::InputValue &input : graph.inputs) {
      json.attributeBegin(input.name.str());
      if (!input.sensitive && input.value) {
        writeJSON(json, *input.value);
        continue;
      }
      json.object([&] { json.attribute("$get_input", input.name.str()); });
    }
  });
  key("state");
  if (header.state.empty())
    json.value(nullptr);
  else
    json.value(header.state);
  writeIndices();
  if (header.shared) {
    key("shared");
    state::writeShared(json, *header.shared);
  }
}

/// Of the service itself; what is inside a substituted node does not count.
void PlanWriter::writeIndices() {
  std::vector<InstanceNumbers> numbers = instanceNumbers(graph, header.former);
  key("next_index");
  json.object([&] {
    for (const InstanceNumbers &each : numbers)
      json.attribute(each.name, each.nextIndex);
  });
  key("counts");
  json.object([&] {
    for (const InstanceNumbers &each : numbers)
      if (each.count)
        json.attribute(each.name, *each.count);
  });
  if (header.operations.isMap()) {
    key("operations");
    writeJSON(json, header.operations);
  }
}

void PlanWriter::writeColumns(StringRef key, ArrayRef<ir::ValueColumn> columns,
                              uint32_t row, ir::EntityId entity) {
  auto isEmpty = [&](const ir::ValueColumn &column) {
    return !column.values.at(row);
  };
  // A node always has its properties.
  if (key != "properties" && llvm::all_of(columns, isEmpty))
    return;
  json.attributeBegin(key);
  json.object([&] {
    for (const ir::ValueColumn &column : columns) {
      const Expr *value = column.values.at(row);
      if (!value)
        continue;
      const Expr *known = residual(plan.run, *value, entity, arena);
      if (!known)
        continue;
      json.attributeBegin(column.name.str());
      writeJSON(json, renumber(*known, numbers, arena));
    }
  });
}

void PlanWriter::writeCells(ir::EntityId entity) {
  StringRef text = cells.of(entity, /*atEnd=*/false);
  if (!text.empty())
    json.rawAttribute("cells", text);
}

/// Nothing: not all of them are known.
static std::optional<Value> knownSets(const ir::Machine &machine,
                                      ArrayRef<ir::Set> sets,
                                      ValueArena &arena) {
  llvm::SmallVector<MapEntry, 2> entries;
  for (const ir::Set &set : sets) {
    if (!set.value->isLiteral())
      return std::nullopt;
    entries.push_back({Value::string(machine.cells[set.cell].name.str()),
                       set.value->value()});
  }
  if (entries.empty())
    return std::nullopt;
  return arena.map(entries);
}

void PlanWriter::writeLasting(ir::EntityId entity) {
  const Layout &layout = plan.system.layout;
  NameTable &all = plan.system.conditions.names;
  bool isOpen = false;
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    const ir::Machine &machine = layout.machine(slot);
    for (const ir::Operation &operation : machine.operations) {
      Name failed = failedName(operation.name, all);
      const ir::Operation *end =
          llvm::find_if(machine.operations, [&](const ir::Operation &other) {
            return other.name == failed;
          });
      if (end == machine.operations.end())
        continue;
      auto entry = knownSets(machine, operation.success.sets, arena);
      auto failure = knownSets(machine, end->success.sets, arena);
      if (!entry || !failure)
        continue;
      if (!std::exchange(isOpen, true)) {
        json.attributeBegin("lasting");
        json.arrayBegin();
      }
      json.object([&] {
        json.attribute("interface", machine.interface.str());
        json.attributeBegin("entry");
        writeJSON(json, *entry);
        json.attributeBegin("failure");
        writeJSON(json, *failure);
      });
    }
  }
  if (isOpen)
    json.arrayEnd();
}

void PlanWriter::writeGroups(ir::NodeId node) {
  ArrayRef<std::string> names = groups.of(node);
  if (names.empty())
    return;
  json.attributeBegin("groups");
  json.array([&] {
    for (const std::string &name : names)
      json.value(name);
  });
}

void PlanWriter::writeNode(ir::NodeId node) {
  const ir::NodeClass &c = graph.classOf(node);
  ir::EntityId entity = graph.entity(node);
  json.rawAttribute("kind", "\"node\"");
  json.attribute("template", c.name.str());
  json.attribute("index", graph.indexOfNode[node.index]);
  writeType(c.type);
  writeGroups(node);
  writeColumns("properties", c.properties, graph.row(node), entity);
  writeColumns("attributes", c.attributes, graph.row(node), entity);
}

void PlanWriter::writeRelationship(ir::RelationshipId relationship) {
  const ir::RelationshipClass &c = graph.classOf(relationship);
  ir::EntityId entity = graph.entity(relationship);
  ir::NodeId source = graph.source[relationship.index];
  ir::NodeId target = graph.target[relationship.index];
  json.rawAttribute("kind", "\"relationship\"");
  json.attribute("requirement", c.requirement.str());
  json.attribute("index", graph.indexOfRelationship[relationship.index]);
  writeType(c.type);
  json.attribute("source", numbers[graph.entity(source).index]);
  json.attribute("target", numbers[graph.entity(target).index]);
  const auto &capabilities = graph.classOf(target).capabilities;
  if (graph.capability[relationship.index] < capabilities.size())
    json.attribute(
        "capability",
        capabilities[graph.capability[relationship.index]].name.str());
  uint32_t row = graph.row(relationship);
  if (!c.properties.empty())
    writeColumns("properties", c.properties, row, entity);
  if (!c.attributes.empty())
    writeColumns("attributes", c.attributes, row, entity);
}

void PlanWriter::writeChange(ir::EntityId entity) {
  if (auto reason = graph.reasons.find(entity.index);
      reason != graph.reasons.end())
    json.attribute("reason", reason->second);
  auto writeSteps =
      [&](StringRef key,
          const llvm::DenseMap<uint32_t, std::vector<uint32_t>> &steps) {
        auto own = steps.find(entity.index);
        if (own == steps.end())
          return;
        json.attributeBegin(key);
        json.array([&] {
          for (uint32_t step : own->second)
            json.value(step);
        });
      };
  if (auto former = graph.former.find(entity.index);
      former != graph.former.end() && former->second.isMap() &&
      graph.presenceOf(entity) == ir::Presence::Replaced) {
    json.attributeBegin("former");
    writeJSON(json, former->second);
  }
  writeSteps("renewed", entities.renewed);
  writeSteps("gone", entities.gone);
}

void PlanWriter::writeEntity(ir::EntityId entity) {
  json.newLine();
  json.objectBegin();
  json.attribute("id", numbers[entity.index]);
  json.attributeBegin("name");
  json.escaped([&] { names.write(entity, os); });
  if (graph.isNode(entity))
    writeNode(graph.node(entity));
  else if (graph.isRelationship(entity))
    writeRelationship(graph.relationship(entity));
  else
    json.attribute("kind", "service");
  writeCells(entity);
  if (hasLasting && graph.isNode(entity))
    writeLasting(entity);
  writeChange(entity);
  json.objectEnd();
}

void PlanWriter::writeArtifacts() {
  key("artifacts");
  json.arrayBegin();
  for (auto [i, id] : llvm::enumerate(artifacts)) {
    const ir::Artifact &artifact = graph.artifacts[id.index];
    json.newLine();
    json.object([&, i = i] {
      json.attribute("id", uint32_t(i));
      json.attribute("type", artifact.type.str());
      json.attribute("file", artifact.file);
      if (i < header.artifactDigests.size() &&
          !header.artifactDigests[i].empty())
        json.attribute("sha256", header.artifactDigests[i]);
    });
  }
  json.newLine();
  json.arrayEnd();
}

void PlanWriter::writeSteps() {
  StepText text(plan, names, numbers, artifactNumbers);
  key("steps");
  json.rawValue("[");
  StringRef separator = "\n";
  for (uint32_t i = 0; i != plan.steps.size(); ++i) {
    os << separator;
    text.write({i}, os);
    separator = ",\n";
  }
  os << "\n]";
  key("failure_steps");
  json.rawValue("[");
  separator = "\n";
  for (auto [i, step] : llvm::enumerate(plan.failureSteps)) {
    os << separator;
    text.write(step, plan.steps.size() + i, os);
    separator = ",\n";
  }
  os << (plan.failureSteps.empty() ? "]" : "\n]");
}

void PlanWriter::writeOutputs() {
  key("outputs");
  json.object([&] {
    if (graph.scopes.empty())
      return;
    ir::EntityId service = graph.entity(ir::ScopeId{0});
    for (const ir::OutputValue &output : graph.outputs) {
      const Expr *value =
          output.value ? residual(plan.run, *output.value, service, arena)
                       : nullptr;
      if (!value)
        continue;
      json.attributeBegin(output.name.str());
      writeJSON(json, renumber(*value, numbers, arena));
    }
  });
}

void PlanWriter::writeFigures() {
  Figures figures = figuresOf(plan);
  key("figures");
  json.object([&] {
    json.attribute("entities", uint32_t(entities.listed.size()));
    json.attribute("steps", uint32_t(plan.steps.size()));
    json.attribute("calls", figures.calls);
    json.attribute("edges", uint64_t(plan.steps.numEdges()));
    json.attribute("depth", figures.depth);
    json.attribute("width", figures.width);
    json.attributeBegin("critical_path");
    json.array([&] {
      for (StepId step : figures.criticalPath)
        json.value(step.index);
    });
  });
}

void PlanWriter::writeFinalState() {
  key("final_state");
  json.objectBegin();
  for (ir::EntityId entity : entities.listed) {
    StringRef text = cells.of(entity, /*atEnd=*/true);
    if (text.empty())
      continue;
    json.newLine();
    json.escapedKey([&] { names.write(entity, os); });
    json.rawValue(text);
  }
  json.newLine();
  json.objectEnd();
}

void PlanWriter::write() {
  numberArtifacts();
  json.objectBegin();
  writeHeader();
  key("entities");
  json.arrayBegin();
  for (ir::EntityId entity : entities.listed)
    writeEntity(entity);
  json.newLine();
  json.arrayEnd();
  writeArtifacts();
  writeSteps();
  writeOutputs();
  writeFigures();
  writeFinalState();
  json.newLine();
  json.objectEnd();
  os << '\n';
}

void toscac::plan::writePlan(const Plan &plan, const PlanHeader &header,
                             raw_ostream &os) {
  PlanWriter(plan, header, os).write();
}
