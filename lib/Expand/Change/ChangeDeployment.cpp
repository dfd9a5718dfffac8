//===- ChangeDeployment.cpp - Changes of deployments ----------------------===//

#include "toscac/Expand/ChangeDeployment.h"

#include "ChangeBuilder.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Sema/Service.h"
#include "toscac/Value/Expr.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::StringRef;

const DayTwoWorkflow *toscac::findDayTwo(StringRef workflow) {
  static constexpr DayTwoWorkflow all[] = {
#define DAY_TWO(function, name, changesCounts) {name, changesCounts},
#include "toscac/IR/DayTwo.def"
  };
  const auto *found = llvm::find_if(
      all, [&](const DayTwoWorkflow &row) { return row.name == workflow; });
  return found == std::end(all) ? nullptr : found;
}

/// What `instances` was called once.
static constexpr llvm::StringLiteral formerInstances = "instance";

const Value *ChangeBuilder::parameter(StringRef name) const {
  for (const ir::InputValue &given : request.parameters)
    if (given.name.str() == name)
      return &given.value->value();
  return nullptr;
}

bool ChangeBuilder::knowsParameters(llvm::ArrayRef<StringRef> known) const {
  bool isKnown = true;
  if (request.isDefinedByService)
    return true;
  for (const ir::InputValue &given : request.parameters) {
    if (llvm::is_contained(known, given.name.str()) ||
        (given.name.str() == formerInstances &&
         llvm::is_contained(known, "instances")))
      continue;
    diags.report({}, diag::NoSuchParameter, request.workflow, given.name.str(),
                 didYouMean(given.name.str(), known));
    isKnown = false;
  }
  return isKnown;
}

std::vector<uint32_t> ChangeBuilder::instances(StringRef parameterName,
                                               bool &isComplete) const {
  std::vector<uint32_t> rows;
  const Value *given = parameter(parameterName);
  if (!given)
    return rows;
  llvm::SmallVector<StringRef> names;
  if (given->isString())
    llvm::SplitString(given->asString(), names, ", ");
  else if (given->isList())
    for (const Value &item : given->items())
      names.push_back(item.isString() ? item.asString() : StringRef());
  for (StringRef name : names) {
    uint32_t row = recorded.find(name);
    if (row != Recorded::none &&
        recorded[row].kind == state::EntityKind::Node) {
      rows.push_back(row);
      continue;
    }
    isComplete = false;
    std::string hint;
    StringRef path = templatePath(name);
    if (auto near = nearestName(path, recorded.templates()))
      path = *near;
    if (llvm::ArrayRef<uint32_t> alike = recorded.nodesOf(path); !alike.empty())
      hint = ("; there are '" + recorded[alike.front()].name + "' to '" +
              recorded[alike.back()].name + "'")
                 .str();
    diags.report({}, diag::UnknownInstance, recorded.deployment.name, name,
                 hint);
  }
  return rows;
}

StringRef ChangeBuilder::instancesParameter() const {
  if (parameter("instances"))
    return "instances";
  if (!parameter(formerInstances))
    return "";
  diags.report({}, diag::OldParameter, formerInstances, request.workflow,
               "instances");
  return formerInstances;
}

const sema::NodeTemplate *ChangeBuilder::findTemplate(StringRef name) const {
  for (const sema::NodeTemplate &node : service.nodes)
    if (node.name.str() == name)
      return &node;
  return nullptr;
}

/// Those named in `instances`, with all that is inside of them, or all.
bool ChangeBuilder::takeDown() {
  bool isComplete = true;
  if (!knowsParameters({"instances"}))
    return false;
  if (StringRef given = instancesParameter(); !given.empty()) {
    for (uint32_t row : instances(given, isComplete))
      containment.addTree(row, result.removed);
    return isComplete;
  }
  for (const state::Entity &entity : recorded.deployment.entities)
    if (entity.kind == state::EntityKind::Node)
      result.removed.insert(entity.name);
  return true;
}

std::optional<DeploymentChange>
toscac::changeOf(const ChangeRequest &request,
                 const state::Deployment &recorded,
                 const sema::CheckedProgram &program, DiagnosticEngine &diags) {
  ChangeBuilder change(request, recorded, program, diags);
  bool good = true;
  if (request.workflow == program.roles.bringUp)
    good = change.update();
  else if (request.workflow == program.roles.takeDown)
    good = change.takeDown();
#define DAY_TWO(function, name, changesCounts)                                 \
  else if (request.workflow == (name)) good = change.function();
#include "toscac/IR/DayTwo.def"
  return good ? std::optional(std::move(change.result)) : std::nullopt;
}
