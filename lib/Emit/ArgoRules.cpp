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

/// Whether \p text has a variable other than \p known.
static bool hasOtherVariable(StringRef text, StringRef known) {
  size_t at = text.find("{{");
  while (at != StringRef::npos && !known.empty() &&
         text.substr(at).starts_with(known))
    at = text.find("{{", at + known.size());
  return at != StringRef::npos;
}

/// What is wrong with \p task of \p dag.
static std::string problemOf(const ArgoTask &task, const ArgoDag &dag,
                             const llvm::StringSet<> &templates,
                             const llvm::StringSet<> &earlier) {
  if (!isArgoName(task.name))
    return "'" + task.name + "' is no name of a task";
  if (!templates.contains(task.templateName))
    return "there is no template '" + task.templateName + "'";
  // Tasks are in an order in which they can run: there is no cycle.
  for (const std::string &other : task.after)
    if (!earlier.contains(other))
      return "'" + task.name + "' depends on '" + other + "'";
  if (earlier.contains(task.name))
    return "two tasks are called '" + task.name + "'";
  StringRef known = task.sequence  ? "{{item}}"
                    : dag.hasIndex ? "{{inputs.parameters.index}}"
                                   : "";
  if (hasOtherVariable(task.parameter.second, known))
    return "'" + task.parameter.second + "' has a variable that nobody sets";
  return "";
}

/// What is wrong with \p workflow; its templates are added to \p templates.
static std::string problemOf(const ArgoWorkflow &workflow,
                             llvm::StringSet<> &templates) {
  std::vector<StringRef> names = {"collect", "end", "join"};
  for (const ArgoContainer &container : workflow.containers) {
    names.push_back(container.name);
    if (hasOtherVariable(container.image, ""))
      return "'" + container.image + "' has a variable that nobody sets";
  }
  for (const ArgoDag &dag : workflow.dags)
    names.push_back(dag.name);
  for (StringRef name : names) {
    if (!isArgoName(name))
      return ("'" + name + "' is no name of a template").str();
    if (!templates.insert(name).second)
      return ("two templates are called '" + name + "'").str();
  }
  for (const ArgoDag &dag : workflow.dags) {
    llvm::StringSet<> earlier;
    for (const ArgoTask &task : dag.tasks) {
      std::string problem = problemOf(task, dag, templates, earlier);
      if (!problem.empty())
        return problem;
      earlier.insert(task.name);
    }
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
  llvm::StringSet<> templates;
  if (std::string problem = problemOf(workflow, templates); !problem.empty()) {
    diags.report({}, diag::BrokenWorkflow, problem);
    return;
  }
  tooLarge(templates.size(), "templates", most);
  for (const ArgoDag &dag : workflow.dags)
    tooLarge(dag.tasks.size(), "tasks in a DAG", most);
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
