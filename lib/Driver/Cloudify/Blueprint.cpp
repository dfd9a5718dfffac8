//===- Blueprint.cpp - Cloudify blueprints on their way -------------------===//

#include "Blueprint.h"

#include "BundledProfiles.h"
#include "Recorded.h"
#include "toscac/Parse/Cloudify/Load.h"
#include "toscac/Parse/ReadYAML.h"
#include "toscac/Sema/Cloudify/Analyze.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
namespace path = llvm::sys::path;

void toscac::loadBlueprint(Compilation &compilation, InputFile input) {
  FileId file = compilation.sources.add(input.name, std::move(input.text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, input.name);
    return;
  }
  const ImportOptions &imports = compilation.options.imports;
  compilation.blueprint = std::make_shared<BlueprintInput>();
  compilation.blueprint->blueprint = cloudify::load(
      file, input.name,
      {bundledProfiles(), imports.searchPaths, imports.remoteMaps},
      compilation.sources, compilation.diags);
}

/// The template that blueprints follow, by the front end of TOSCA.
static sema::CheckedProgram loadBlueprintPattern(Compilation &compilation,
                                                 llvm::StringRef text) {
  llvm::StringRef folder =
      path::parent_path(compilation.options.inputs.front());
  auto volume = std::make_shared<tosca::Volume>(
      tosca::Volume{llvm::vfs::getRealFileSystem(), folder.str(), ""});
  // Files are named as seen from the blueprint.
  llvm::SmallString<128> entry(folder);
  path::append(entry, "<cloudify>");
  FileId file = compilation.sources.add(
      "<cloudify>", llvm::MemoryBuffer::getMemBufferCopy(text));
  compilation.package = tosca::load(
      {{volume, entry.str().str(), file}}, loadOptions(compilation.options),
      compilation.sources, compilation.names, compilation.diags);
  return analyze(compilation.package, compilation.names, compilation.diags);
}

static cloudify::WorkflowRequest requestOf(Compilation &compilation) {
  const PlanFlags &flags = compilation.options.plan;
  cloudify::WorkflowRequest request;
  request.workflow = flags.workflow;
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

void toscac::checkBlueprint(Compilation &compilation) {
  // Names of half a blueprint would only confuse.
  if (compilation.diags.hasErrors())
    return;
  compilation.checked = cloudify::analyze(
      compilation.blueprint->blueprint, requestOf(compilation),
      [&](llvm::StringRef text) {
        return loadBlueprintPattern(compilation, text);
      },
      recordedDeployment(compilation), compilation.names, compilation.diags);
}
