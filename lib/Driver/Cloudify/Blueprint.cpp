//===- Blueprint.cpp - Cloudify blueprints on their way -------------------===//

#include "Blueprint.h"

#include "BundledProfiles.h"
#include "ReadRecorded.h"
#include "toscac/Parse/Cloudify/Load.h"
#include "toscac/Parse/ReadYAML.h"

using namespace toscac;

void toscac::loadBlueprint(Compilation &compilation, InputFile input) {
  FileId file = compilation.sources.add(input.name, std::move(input.text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, input.name);
    return;
  }
  const ImportOptions &imports = compilation.options.imports;
  compilation.blueprint = std::make_shared<BlueprintInput>();
  compilation.blueprint->blueprint =
      cloudify::load(file, input.name,
                     {bundledProfiles(), imports.searchPaths,
                      imports.remoteMaps, compilation.files.get()},
                     compilation.sources, compilation.diags);
}

static cloudify::WorkflowRequest requestOf(Compilation &compilation) {
  const PlanFlags &flags = compilation.options.plan;
  cloudify::WorkflowRequest request;
  request.workflow = compilation.workflow();
  request.listsAll = flags.listWorkflows;
  for (auto &[name, text] : parameterTexts(compilation)) {
    cloudify::WorkflowRequest::Parameter &parameter =
        request.parameters.emplace_back();
    if (llvm::StringRef(text).trim().starts_with("{")) {
      FileId file = compilation.sources.add(
          "<" + name + ">", llvm::MemoryBuffer::getMemBufferCopy(text));
      syntax::Tree &tree = compilation.blueprint->parameters.emplace_back(
          readYAML(compilation.sources, file, compilation.diags));
      if (tree.root.isMapping())
        parameter.map = &tree.root;
    }
    parameter.name = std::move(name);
    parameter.text = std::move(text);
  }
  return request;
}

/// What somebody runs by hand; empty: nothing.
static std::string executedOperation(Compilation &compilation) {
  if (compilation.options.plan.workflow == "execute_operation")
    for (auto &[name, text] : parameterTexts(compilation))
      if (name == "operation")
        return text;
  return "";
}

void toscac::checkBlueprint(Compilation &compilation) {
  // Names of half a blueprint would only confuse.
  if (compilation.diags.hasErrors())
    return;
  sema::Profile *profile = checkProfile(compilation, "cloudify");
  if (!profile)
    return;
  auto checked = cloudify::analyze(compilation.blueprint->blueprint, *profile,
                                   compilation.names, compilation.diags,
                                   compilation.checked);
  if (checked)
    checked->reportUnused(executedOperation(compilation));
  compilation.blueprint->checked = checked.get();
  compilation.models = std::move(checked);
}

void toscac::defineWorkflow(Compilation &compilation) {
  compilation.blueprint->checked->define(requestOf(compilation));
}
