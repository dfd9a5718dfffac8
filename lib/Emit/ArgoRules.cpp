//===- ArgoRules.cpp - What Argo's schema cannot see ----------------------===//

#include "Argo.h"

#include "EngineConfig.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace toscac;
using namespace toscac::emit;
using llvm::StringRef;

std::string emit::argoName(StringRef text) {
  std::string result;
  for (char c : text) {
    bool isDash = !llvm::isAlnum(c);
    if (!isDash || (!result.empty() && result.back() != '-'))
      result += isDash ? '-' : c;
  }
  return StringRef(result).rtrim('-').str();
}

static bool isArgoName(StringRef name) {
  return !name.empty() && name.size() <= 128 && llvm::isAlpha(name[0]) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '-'; });
}

/// What is wrong with \p dag, whose templates are \p templates.
static std::string problemOf(const ArgoDag &dag,
                             const llvm::StringSet<> &templates) {
  llvm::StringSet<> known;
  for (const ArgoTask &task : dag.tasks) {
    if (!isArgoName(task.name))
      return "'" + task.name + "' is no name of a task";
    if (!templates.contains(task.templateName))
      return "there is no template '" + task.templateName + "'";
    // Tasks are in an order in which they can run: there is no cycle.
    for (const std::string &other : task.after)
      if (!known.contains(other))
        return "'" + task.name + "' depends on '" + other + "'";
    if (!known.insert(task.name).second)
      return "two tasks are called '" + task.name + "'";
  }
  return "";
}

void emit::verifyArgo(const ArgoWorkflow &workflow, size_t size,
                      DiagnosticEngine &diags) {
  constexpr size_t most = 200, maxSize = 1 << 20;
  auto tooLarge = [&](size_t count, StringRef what, size_t limit) {
    if (count > limit)
      diags.report({}, diag::WorkflowTooLarge, count, what, limit);
  };
  llvm::StringSet<> templates = {"collect", "end", "join"};
  for (const ArgoContainer &container : workflow.containers)
    templates.insert(container.name);
  for (const ArgoDag &dag : workflow.dags)
    templates.insert(dag.name);
  tooLarge(templates.size(), "templates", most);
  for (const ArgoDag &dag : workflow.dags) {
    tooLarge(dag.tasks.size(), "tasks in a DAG", most);
    [[maybe_unused]] std::string problem = problemOf(dag, templates);
    assert(problem.empty() && "the workflow breaks a rule of Argo");
  }
  tooLarge(size, "bytes", maxSize);
}

std::optional<ArgoConfig> emit::readArgoConfig(StringRef path,
                                               DiagnosticEngine &diags) {
  ArgoConfig config;
  auto readImages = [&](StringRef type, JSONField &image) {
    std::optional<StringRef> name = image.string();
    if (name)
      config.images.push_back({type.lower(), name->str()});
    return name.has_value();
  };
  auto readMember = [&](StringRef key, JSONField &value) {
    if (key == "images")
      return value.fields(readImages);
    std::string *target = key == "image"   ? &config.image
                          : key == "claim" ? &config.claim
                                           : nullptr;
    std::optional<StringRef> name = target ? value.string() : std::nullopt;
    if (name)
      *target = name->str();
    return name.has_value();
  };
  if (!readEngineConfig(path, readMember, diags))
    return std::nullopt;
  return config;
}
