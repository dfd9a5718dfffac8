//===- ChangeDeployment.cpp - Changes of deployments ----------------------===//

#include "toscac/Expand/ChangeDeployment.h"

#include "Change.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Sema/Service.h"
#include "toscac/Value/Expr.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::StringRef;

bool toscac::isChange(StringRef workflow) {
  return workflow == "scale" || workflow == "heal" || workflow == "update";
}

const Value *Change::parameter(StringRef name) const {
  for (const ir::InputValue &given : request.parameters)
    if (given.name.str() == name)
      return &given.value->value();
  return nullptr;
}

bool Change::knowsParameters(llvm::ArrayRef<StringRef> known) const {
  bool isKnown = true;
  for (const ir::InputValue &given : request.parameters) {
    if (llvm::is_contained(known, given.name.str()))
      continue;
    std::string hint;
    if (auto near = nearestName(given.name.str(), known))
      hint = "; did you mean '" + near->str() + "'?";
    diags.report({}, diag::NoSuchParameter, request.workflow, given.name.str(),
                 hint);
    isKnown = false;
  }
  return isKnown;
}

std::vector<uint32_t> Change::instances(StringRef parameterName,
                                        bool &isComplete) const {
  std::vector<uint32_t> rows;
  const Value *given = parameter(parameterName);
  if (!given)
    return rows;
  llvm::SmallVector<StringRef> names;
  if (given->isString())
    llvm::SplitString(given->asString(), names, ", ");
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

/// Those named in `instances`, with all that is inside of them, or all.
bool Change::undeploy() {
  bool isComplete = true;
  if (parameter("instances")) {
    for (uint32_t row : instances("instances", isComplete))
      containment.addTree(row, result.removed);
    return isComplete;
  }
  for (const state::Entity &entity : recorded.deployment.entities)
    if (entity.kind == state::EntityKind::Node)
      result.removed.insert(entity.name);
  return true;
}

std::optional<Continuation>
toscac::changeOf(const ChangeRequest &request,
                 const state::Deployment &recorded,
                 const sema::CheckedProgram &program, DiagnosticEngine &diags) {
  Change change(request, recorded, program, diags);
  bool good = true;
  if (request.workflow == "update" || request.workflow == "deploy")
    change.update();
  else if (request.workflow == "scale")
    good = change.scale();
  else if (request.workflow == "heal") {
    good = change.heal();
    change.spareHealthy();
  } else if (request.workflow == "undeploy")
    good = change.undeploy();
  return good ? std::optional(std::move(change.result)) : std::nullopt;
}
