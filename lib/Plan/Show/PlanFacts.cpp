//===- PlanFacts.cpp - A plan for pages -----------------------------------===//

#include "toscac/Plan/PlanFacts.h"

#include "AfterFailure.h"
#include "EntityFacts.h"
#include "toscac/Basic/JSONWriter.h"

using namespace toscac;
using namespace toscac::planfile;
using llvm::StringRef;

/// With more steps, only the first of each kind is told in full.
static constexpr size_t maxToldSteps = 1500;
/// With more boxes, those of all stages fall together.
static constexpr size_t maxShownBoxes = 3000;
/// Steps of the critical path that are named.
static constexpr size_t maxToldPath = 300;

namespace {

class PlanFacts {
public:
  PlanFacts(Plan &plan, const ViewOptions &options, llvm::raw_ostream &os)
      : plan(plan), options(options), names(plan), folded(fold(plan, names)),
        isWhole(plan.steps().size() <= maxToldSteps), json(os) {}

  llvm::Error write();

private:
  static FoldedSteps fold(const Plan &plan, const FoldedNames &names);
  void writeHeader();
  void writeTotals();
  void writeFigures();
  void writeArtifacts();
  void writeBoxes();
  void writeCounts(StringRef key, const AfterFailure::Counts &counts);
  llvm::Error writeCriticalPath();
  llvm::Error writeSteps();
  llvm::Error writeStep(uint32_t id);
  void writeOrder(uint32_t id);
  void writeHandlers(const Step &step, ValueArena &arena);
  void writeExpr(StringRef key, const Expr *expr, ValueArena &arena);
  bool isTold(uint32_t step) const;

  Plan &plan;
  const ViewOptions &options;
  FoldedNames names;
  FoldedSteps folded;
  /// Every step is told.
  bool isWhole;
  JSONWriter json;
};

} // namespace

FoldedSteps PlanFacts::fold(const Plan &plan, const FoldedNames &names) {
  FoldedSteps folded(plan, names, FoldedSteps::By::Stage);
  return folded.boxes.size() <= maxShownBoxes
             ? std::move(folded)
             : FoldedSteps(plan, names, FoldedSteps::By::Operation);
}

void PlanFacts::writeHeader() {
  const PlanHeader &header = plan.header();
  json.attribute("service", header.service);
  json.attribute("deployment", header.deployment);
  json.attribute("workflow", header.workflow);
  json.rawAttribute("params", header.params);
  json.rawAttribute("values", header.values);
  json.attributeBegin("inputs");
  json.object([&] {
    for (const auto &[file, digest] : header.inputs)
      json.attribute(StringRef(file), digest);
  });
  std::string view;
  llvm::raw_string_ostream text(view);
  viewPlan(plan, options, text);
  json.newLine();
  json.attribute("view", view);
}

void PlanFacts::writeTotals() {
  PlanTotals totals = totalsOf(plan);
  json.newLine();
  json.attributeBegin("totals");
  json.object([&] {
    json.attribute("added", totals.added);
    json.attribute("changed", totals.changed);
    json.attribute("replaced", totals.replaced);
    json.attribute("removed", totals.removed);
    json.attribute("kept", totals.kept);
    json.attribute("calls", totals.calls);
    json.attribute("stages", totals.stages);
    json.attribute("chain", totals.chain);
  });
}

void PlanFacts::writeFigures() {
  uint64_t edges = 0;
  for (uint32_t i = 0; i != plan.numSteps(); ++i)
    edges += plan.deps(i).size();
  json.newLine();
  json.attributeBegin("figures");
  json.object([&] {
    json.attribute("entities", uint64_t(plan.numEntities()));
    json.attribute("steps", uint64_t(plan.numSteps()));
    json.attribute("failure_steps",
                   uint64_t(plan.steps().size() - plan.numSteps()));
    json.attribute("edges", edges);
    json.attribute("depth", plan.figures().depth);
    json.attribute("width", plan.figures().width);
    if (plan.figures().seconds)
      json.rawAttribute("seconds", std::to_string(*plan.figures().seconds));
  });
}

void PlanFacts::writeArtifacts() {
  json.newLine();
  json.attributeBegin("artifacts");
  json.array([&] {
    for (const Artifact &artifact : plan.artifacts()) {
      json.newLine();
      json.object([&] {
        json.attribute("type", artifact.type);
        json.attribute("file", artifact.file);
        if (!artifact.sha256.empty())
          json.attribute("sha256", artifact.sha256);
      });
    }
  });
}

void PlanFacts::writeCounts(StringRef key, const AfterFailure::Counts &counts) {
  if (counts.empty())
    return;
  json.attributeBegin(key);
  json.array([&] {
    for (auto [box, count] : counts)
      json.array([&, box = box, count = count] {
        json.value(box);
        json.value(count);
      });
  });
}

void PlanFacts::writeBoxes() {
  std::vector<std::vector<uint32_t>> after(folded.boxes.size());
  for (const auto &[ends, isCritical] : folded.arrows)
    after[ends.second].push_back(ends.first);
  std::vector<AfterFailure> failures = findAfterFailure(plan, folded);
  json.newLine();
  json.attributeBegin("boxes");
  json.array([&] {
    for (auto [i, box] : llvm::enumerate(folded.boxes)) {
      json.newLine();
      json.objectBegin();
      json.attribute("name", nameOf(box, plan, names));
      json.attribute("family", box.pattern);
      json.attribute("interface", plan.text(box.interface));
      json.attribute("operation", plan.text(box.operation));
      json.attribute("kind", box.kind == StepKind::Call ? "call" : "set");
      json.attribute("stage", box.firstStage);
      if (box.lastStage != box.firstStage)
        json.attribute("last", box.lastStage);
      json.attribute("count", uint64_t(box.steps.size()));
      json.attribute("first", box.steps.front());
      if (box.isCritical)
        json.attribute("critical", true);
      json.attributeBegin("after");
      json.array([&, &own = after[i]] {
        llvm::sort(own);
        for (uint32_t other : own)
          json.value(other);
      });
      writeCounts("never", failures[i].never);
      writeCounts("held", failures[i].heldBack);
      json.objectEnd();
    }
  });
}

llvm::Error PlanFacts::writeCriticalPath() {
  json.newLine();
  json.attributeBegin("critical");
  json.arrayBegin();
  size_t left = maxToldPath;
  for (uint32_t id : plan.figures().criticalPath) {
    if (plan.steps()[id].kind == StepKind::Join)
      continue;
    if (left-- == 0)
      break;
    llvm::Expected<std::string> name = plan.stepName(id);
    if (!name)
      return name.takeError();
    json.object([&] {
      json.attribute("name", *name);
      json.attribute("box", folded.boxOf[id]);
    });
  }
  json.arrayEnd();
  return llvm::Error::success();
}

void PlanFacts::writeExpr(StringRef key, const Expr *expr, ValueArena &arena) {
  if (!expr)
    return;
  json.attributeBegin(key);
  writeJSON(json, withNames(*expr, plan, arena));
}

void PlanFacts::writeHandlers(const Step &step, ValueArena &arena) {
  if (step.handlers.empty())
    return;
  json.attributeBegin("handlers");
  json.array([&] {
    for (const StepHandler &handler : step.handlers)
      json.object([&] {
        if (handler.artifact != none)
          json.attribute("artifact", handler.artifact);
        writeExpr("inputs", handler.inputs, arena);
        if (handler.outputs.empty())
          return;
        json.attributeBegin("outputs");
        json.array([&] {
          for (const OutputMapping &output : handler.outputs)
            json.value(output.name);
        });
      });
  });
}

/// What it waits for and must not overlap. Where not every step is told, boxes
/// say that.
void PlanFacts::writeOrder(uint32_t id) {
  if (!isWhole)
    return;
  json.attributeBegin("deps");
  json.array([&] {
    for (uint32_t dep : plan.deps(id))
      json.value(dep);
  });
  if (plan.exclusions(id).empty())
    return;
  json.attributeBegin("excludes");
  json.array([&] {
    for (const Exclusion &pair : plan.exclusions(id))
      json.value(pair.earlier);
  });
}

llvm::Error PlanFacts::writeStep(uint32_t id) {
  const StepHead &head = plan.steps()[id];
  ValueArena arena;
  NameTable interned;
  JSONReader reader(arena, interned);
  std::optional<Step> step;
  if (head.kind != StepKind::Join) {
    llvm::Expected<Step> read = plan.step(id, reader, arena);
    if (!read)
      return read.takeError();
    step = std::move(*read);
  }
  json.newLine();
  json.objectBegin();
  json.attribute("id", id);
  if (step) {
    json.attribute("name", step->name);
    if (id < plan.numSteps())
      json.attribute("box", folded.boxOf[id]);
    json.attribute("entity", head.entity);
    json.attribute("interface", plan.text(head.interface));
  }
  if (head.afterFailure != none)
    json.attribute("after_failure", head.afterFailure);
  writeOrder(id);
  if (step) {
    writeHandlers(*step, arena);
    writeExpr("guard", step->guard, arena);
    writeExpr("entry", step->entry, arena);
    writeExpr("success", step->success, arena);
    writeExpr("failure", step->failure, arena);
    if (step->timeout > 0)
      json.rawAttribute("timeout", std::to_string(step->timeout));
    if (step->retries)
      json.attribute("retries", step->retries);
  }
  json.objectEnd();
  return llvm::Error::success();
}

/// Where not every step is: the first of each box, and what its failure starts.
bool PlanFacts::isTold(uint32_t step) const {
  if (isWhole)
    return true;
  if (step >= plan.numSteps())
    step = plan.steps()[step].afterFailure;
  uint32_t box = folded.boxOf[step];
  return box != none && folded.boxes[box].steps.front() == step;
}

llvm::Error PlanFacts::writeSteps() {
  json.newLine();
  json.attribute("whole", isWhole);
  json.attributeBegin("steps");
  json.arrayBegin();
  for (uint32_t i = 0; i != plan.steps().size(); ++i)
    if (isTold(i))
      if (llvm::Error error = writeStep(i))
        return error;
  json.arrayEnd();
  return llvm::Error::success();
}

llvm::Error PlanFacts::write() {
  json.objectBegin();
  writeHeader();
  writeTotals();
  writeFigures();
  if (llvm::Error error = writeEntityFacts(plan, names, json))
    return error;
  writeArtifacts();
  writeBoxes();
  if (llvm::Error error = writeCriticalPath())
    return error;
  if (llvm::Error error = writeSteps())
    return error;
  json.objectEnd();
  return llvm::Error::success();
}

llvm::Error planfile::writePlanFacts(Plan &plan, const ViewOptions &options,
                                     llvm::raw_ostream &os) {
  return PlanFacts(plan, options, os).write();
}
