//===- WritePlan.cpp - plan.json ------------------------------------------===//

#include "toscac/Plan/WritePlan.h"

#include "FinishedContent.h"
#include "StepText.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Basic/Version.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;
using planfile::none;

namespace {

class PlanWriter {
public:
  PlanWriter(const FinishedPlan &plan, raw_ostream &os)
      : plan(plan), content(*plan), graph(content.graph), os(os), json(os) {}

  void write();
  void writeEntity(uint32_t number);

private:
  void writeHeader();
  /// Why it is changed, and when; when it leaves.
  void writeChange(uint32_t number);
  void writeNode(uint32_t number);
  void writeRelationship(uint32_t number);
  void writeColumns(StringRef key, ArrayRef<ir::ValueColumn> columns,
                    uint32_t row);
  void writeType(ir::TypeId type) {
    json.attribute("type", type ? graph.types[type.index].name.str() : "");
  }
  void writeArtifacts();
  void writeSteps();
  void writeFigures();
  void writeFinalState();
  void key(StringRef name) {
    json.newLine();
    json.attributeBegin(name);
  }
  void raw(StringRef name, StringRef text) {
    key(name);
    json.rawValue(text);
  }
  void text(StringRef name, StringRef content) {
    key(name);
    json.value(content);
  }

  const FinishedPlan &plan;
  const FinishedPlan::Content &content;
  const ir::Graph &graph;
  raw_ostream &os;
  JSONWriter json;
};

} // namespace

void PlanWriter::writeHeader() {
  const planfile::PlanHeader &header = plan.header();
  key("plan");
  json.value(1u);
  text("tool", std::string("toscac ") + version());
  text("service", header.service);
  text("root", header.root);
  text("deployment", header.deployment);
  key("workflow");
  json.object([&] {
    json.attribute("name", header.workflow);
    json.rawAttribute("params", header.params);
    if (!header.goesOn.empty())
      json.attribute("goes_on", header.goesOn);
  });
  key("inputs");
  json.object([&] {
    for (const auto &[file, digest] : header.inputs)
      json.attribute(file, digest);
  });
  raw("values", header.values);
  if (header.sensitive != "{}")
    raw("sensitive", header.sensitive);
  key("state");
  if (header.state.empty())
    json.value(nullptr);
  else
    json.value(header.state);
  raw("next_index", header.nextIndex);
  raw("counts", header.counts);
  if (graph.deployment.operations.isMap())
    raw("operations", header.operations);
  if (!header.shared.empty())
    raw("shared", header.shared);
}

void PlanWriter::writeColumns(StringRef key, ArrayRef<ir::ValueColumn> columns,
                              uint32_t row) {
  auto isEmpty = [&](const ir::ValueColumn &column) {
    return !column.values.at(row);
  };
  // A node always has its properties.
  if (key != "properties" && llvm::all_of(columns, isEmpty))
    return;
  json.attributeBegin(key);
  json.object([&] {
    for (const ir::ValueColumn &column : columns)
      if (const Expr *value = content.valueOf(column, row)) {
        json.attributeBegin(column.name.str());
        writeJSON(json, *value);
      }
  });
}

void PlanWriter::writeNode(uint32_t number) {
  ir::NodeId node = graph.node(content.listed[number]);
  const ir::NodeClass &own = graph.classOf(node);
  json.rawAttribute("kind", "\"node\"");
  json.attribute("template", own.name.str());
  json.attribute("index", graph.indexOfNode[node.index]);
  writeType(own.type);
  if (ArrayRef<std::string> groups = content.groups.of(node); !groups.empty()) {
    json.attributeBegin("groups");
    json.array([&] {
      for (const std::string &name : groups)
        json.value(name);
    });
  }
  writeColumns("properties", own.properties, graph.row(node));
  writeColumns("attributes", own.attributes, graph.row(node));
}

void PlanWriter::writeRelationship(uint32_t number) {
  ir::RelationshipId id = graph.relationship(content.listed[number]);
  const ir::RelationshipClass &own = graph.classOf(id);
  ir::NodeId target = graph.target[id.index];
  json.rawAttribute("kind", "\"relationship\"");
  json.attribute("requirement", own.requirement.str());
  json.attribute("index", graph.indexOfRelationship[id.index]);
  writeType(own.type);
  json.attribute("source", plan.entities()[number].source);
  json.attribute("target", content.numbers[graph.entity(target).index]);
  const auto &capabilities = graph.classOf(target).capabilities;
  if (graph.capability[id.index] < capabilities.size())
    json.attribute("capability",
                   capabilities[graph.capability[id.index]].name.str());
  if (!own.properties.empty())
    writeColumns("properties", own.properties, graph.row(id));
  if (!own.attributes.empty())
    writeColumns("attributes", own.attributes, graph.row(id));
}

void PlanWriter::writeChange(uint32_t number) {
  ir::EntityId entity = content.listed[number];
  const planfile::EntityHead &head = plan.entities()[number];
  // Where nothing was there, all is new.
  if (StringRef change = spelling(head.change);
      !change.empty() && !plan.header().state.empty())
    json.attribute("change", change);
  if (head.reason != none)
    json.attribute("reason", plan.text(head.reason));
  if (head.movedFrom != none)
    json.attribute("moved_from", plan.text(head.movedFrom));
  auto writeSteps =
      [&](StringRef key,
          const llvm::DenseMap<uint32_t, std::vector<uint32_t>> &steps) {
        auto own = steps.find(number);
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
      head.change == state::PlannedChange::Replaced) {
    json.attributeBegin("former");
    writeJSON(json, former->second);
  }
  writeSteps("renewed", content.renewed);
  writeSteps("gone", content.gone);
}

void PlanWriter::writeEntity(uint32_t number) {
  json.objectBegin();
  json.attribute("id", number);
  json.attributeBegin("name");
  json.escaped([&] { content.names.write(content.listed[number], os); });
  switch (plan.entities()[number].kind) {
  case state::EntityKind::Node:
    writeNode(number);
    break;
  case state::EntityKind::Relationship:
    writeRelationship(number);
    break;
  case state::EntityKind::Service:
    json.attribute("kind", "service");
    break;
  }
  if (uint32_t cells = content.cellsBefore[number]; cells != none)
    json.rawAttribute("cells", plan.text(cells));
  if (auto lasting = content.lasting.find(number);
      lasting != content.lasting.end()) {
    json.attributeBegin("lasting");
    writeJSON(json, lasting->second);
  }
  writeChange(number);
  json.objectEnd();
}

void PlanWriter::writeArtifacts() {
  key("artifacts");
  json.arrayBegin();
  for (auto [i, artifact] : llvm::enumerate(plan.artifacts())) {
    json.newLine();
    json.object([&, i = i, &artifact = artifact] {
      json.attribute("id", uint32_t(i));
      json.attribute("type", artifact.type);
      json.attribute("file", artifact.file);
      if (!artifact.sha256.empty())
        json.attribute("sha256", artifact.sha256);
      if (!artifact.placeBeside.empty())
        json.attribute("as", artifact.placeBeside);
    });
  }
  json.newLine();
  json.arrayEnd();
}

void PlanWriter::writeSteps() {
  StepText text(plan);
  auto write = [&](StringRef name, uint32_t begin, uint32_t end) {
    key(name);
    json.rawValue("[");
    for (uint32_t i = begin; i != end; ++i) {
      os << (i == begin ? "\n" : ",\n");
      text.write(i, os);
    }
  };
  write("steps", 0, plan.numSteps());
  os << "\n]";
  write("failure_steps", plan.numSteps(), plan.steps().size());
  os << (plan.numSteps() == plan.steps().size() ? "]" : "\n]");
}

void PlanWriter::writeFigures() {
  const planfile::Figures &figures = plan.figures();
  size_t edges = 0;
  for (uint32_t i = 0; i != plan.numSteps(); ++i)
    edges += plan.deps(i).size();
  key("figures");
  json.object([&] {
    json.attribute("entities", uint32_t(plan.numEntities()));
    json.attribute("steps", uint32_t(plan.numSteps()));
    json.attribute("calls", figures.calls);
    json.attribute("edges", uint64_t(edges));
    json.attribute("depth", figures.depth);
    json.attribute("width", figures.width);
    if (!plan.header().state.empty())
      json.attribute("kept", plan.header().kept);
    json.attributeBegin("critical_path");
    json.array([&] {
      for (uint32_t step : figures.criticalPath)
        json.value(step);
    });
  });
}

void PlanWriter::writeFinalState() {
  key("final_state");
  json.objectBegin();
  for (auto [number, entity] : llvm::enumerate(content.listed)) {
    uint32_t cells = content.cellsAfter[number];
    if (cells == none)
      continue;
    json.newLine();
    json.escapedKey([&, &entity = entity] { content.names.write(entity, os); });
    json.rawValue(plan.text(cells));
  }
  json.newLine();
  json.objectEnd();
}

void PlanWriter::write() {
  json.objectBegin();
  writeHeader();
  key("entities");
  json.arrayBegin();
  for (uint32_t number = 0; number != plan.numEntities(); ++number) {
    json.newLine();
    writeEntity(number);
  }
  json.newLine();
  json.arrayEnd();
  writeArtifacts();
  writeSteps();
  raw("outputs", plan.header().outputs);
  writeFigures();
  writeFinalState();
  json.newLine();
  json.objectEnd();
  os << '\n';
}

std::optional<std::vector<state::SharedLink>>
toscac::plan::sharedAfter(const ir::Graph &graph, ValueArena &arena) {
  if (!graph.deployment.tellsShared)
    return std::nullopt;
  std::vector<state::SharedLink> links;
  for (const ir::SharedValue &shared : graph.shared) {
    bool isKnown = shared.value && shared.value->isLiteral();
    Value content = isKnown ? shared.value->value() : Value();
    MapEntry entry{Value::string("value"), content};
    links.push_back(
        {shared.name.str(), shared.type.str(), shared.provider.str(),
         shared.isRecord ? content : arena.map(ArrayRef<MapEntry>(entry))});
  }
  return links;
}

void toscac::plan::writePlan(const FinishedPlan &plan, raw_ostream &os) {
  PlanWriter(plan, os).write();
}

void toscac::plan::writeEntity(const FinishedPlan &plan, uint32_t id,
                               raw_ostream &os) {
  PlanWriter(plan, os).writeEntity(id);
}
