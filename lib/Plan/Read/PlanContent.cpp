//===- PlanContent.cpp - A plan by names ----------------------------------===//

#include "PlanContent.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::planfile;
using llvm::StringRef;

std::string PlanContent::textOf(const Expr &expr) {
  return toText(expr.isLiteral() ? expr : withNames(expr, plan, arena));
}

void PlanContent::addParts(StringRef prefix, const Expr *map, Texts &into) {
  if (!map)
    return;
  auto add = [&](StringRef key, std::string text) {
    into[arena.save((prefix + key).str())] = std::move(text);
  };
  if (map->isLiteral() && map->value().isMap()) {
    for (const MapEntry &entry : map->value().entries())
      add(entry.key.asString(), toText(entry.value));
    return;
  }
  for (size_t i = 0; i + 1 < map->children().size(); i += 2) {
    const Expr &key = map->children()[i];
    if (key.isLiteral() && key.value().isString())
      add(key.value().asString(), textOf(map->children()[i + 1]));
  }
}

llvm::Error PlanContent::readTexts(StringRef json, Texts &into) {
  JSONReader reader(arena, names);
  llvm::Expected<const Expr *> map = reader.expr(json);
  if (!map)
    return map.takeError();
  addParts("", *map, into);
  return llvm::Error::success();
}

static void addValues(StringRef kind, const Value &map, Texts &into,
                      ValueArena &arena) {
  if (map.isMap())
    for (const MapEntry &entry : map.entries())
      into[arena.save((kind + " '" + entry.key.asString() + "'").str())] =
          toText(entry.value);
}

llvm::Error PlanContent::readEntities() {
  JSONReader reader(arena, names);
  for (uint32_t i = 0; i != plan.numEntities(); ++i) {
    llvm::Expected<state::PlannedEntity> entity = plan.entity(i, reader, arena);
    if (!entity)
      return entity.takeError();
    const state::Entity &content = entity->content;
    entityNames.push_back(content.name.str());
    Texts &texts = entities[arena.save(content.name)];
    texts["type"] = content.type.str();
    if (content.kind == state::EntityKind::Relationship &&
        entity->target < entityNames.size())
      texts["target"] = entityNames[entity->target];
    addValues("property", content.properties, texts, arena);
    addValues("attribute", content.attributes, texts, arena);
    if (entity->gone)
      texts["fate"] = "to be removed";
  }
  return llvm::Error::success();
}

void PlanContent::describe(const Step &step, StepContent &content) {
  for (const StepHandler &handler : step.handlers) {
    if (handler.artifact < plan.artifacts().size()) {
      const Artifact &artifact = plan.artifacts()[handler.artifact];
      content.files += (content.files.empty() ? "" : ", ") + artifact.file;
      content.digests += artifact.sha256 + " ";
      if (!artifact.type.empty())
        content.others[arena.save("type of " + artifact.file)] = artifact.type;
    }
    for (uint32_t file : handler.files)
      if (file < plan.artifacts().size()) {
        const Artifact &artifact = plan.artifacts()[file];
        content.others[arena.save("content of " + artifact.file)] =
            artifact.sha256.empty() ? "missing" : artifact.sha256;
      }
    if (handler.host < entityNames.size())
      content.others["machine"] = entityNames[handler.host];
    addParts("", handler.inputs, content.inputs);
    for (const OutputMapping &output : handler.outputs) {
      std::string &path =
          content.others[arena.save(("output '" + output.name + "'").str())];
      for (const Value &word : output.path)
        path += (path.empty() ? "" : ".") + toText(word);
    }
  }
  addParts("entry: ", step.entry, content.others);
  addParts("success: ", step.success, content.others);
  addParts("failure: ", step.failure, content.others);
  if (step.guard)
    content.others["guard"] = textOf(*step.guard);
  if (step.timeout > 0)
    llvm::raw_string_ostream(content.others["timeout"])
        << llvm::format("%g", step.timeout);
  if (step.retries)
    content.others["retries"] = std::to_string(step.retries);
}

/// What a join waits for is waited for.
void PlanContent::resolveDeps(uint32_t id) {
  StepContent &content = steps[id];
  for (uint32_t dep : plan.deps(id)) {
    const StepContent &before = steps[dep];
    bool isJoin = before.kind == StepKind::Join;
    content.stage = std::max(content.stage, before.stage + (isJoin ? 0 : 1));
    if (isJoin)
      content.deps.append(before.deps.begin(), before.deps.end());
    else
      content.deps.push_back(dep);
  }
  llvm::sort(content.deps);
  content.deps.erase(llvm::unique(content.deps), content.deps.end());
}

llvm::Error PlanContent::readSteps() {
  JSONReader reader(arena, names);
  steps.resize(plan.steps().size());
  for (uint32_t i = 0; i != steps.size(); ++i) {
    const StepHead &head = plan.steps()[i];
    steps[i].kind = head.kind;
    resolveDeps(i);
    if (head.kind == StepKind::Join)
      continue;
    llvm::Expected<Step> step = plan.step(i, reader, arena);
    if (!step)
      return step.takeError();
    steps[i].name = step->name;
    steps[i].entity = head.entity;
    if (head.afterFailure != none)
      steps[i].name += " after a failure of " + steps[head.afterFailure].name;
    describe(*step, steps[i]);
    stepsByName[steps[i].name] = i;
  }
  return llvm::Error::success();
}

llvm::Error PlanContent::read() {
  if (llvm::Error error = readEntities())
    return error;
  if (llvm::Error error = readSteps())
    return error;
  if (llvm::Error error = readTexts(plan.header().values, values))
    return error;
  return readTexts(plan.header().outputs, outputs);
}
