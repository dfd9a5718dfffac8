//===- Manifest.cpp - BOSH manifests on their way -------------------------===//

#include "Manifest.h"

#include "Bosh/RenderWithRuby.h"
#include "Emit.h"
#include "Language.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/Files.h"
#include "toscac/Parse/Bosh/Load.h"
#include "toscac/Parse/WriteYAML.h"
#include "toscac/Sema/Bosh/Lower.h"
#include "toscac/Sema/Bosh/Render.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

void toscac::loadManifest(Compilation &compilation, InputFile input) {
  const BoshOptions &options = compilation.options.bosh;
  FileId file = compilation.sources.add(input.name, std::move(input.text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, input.name);
    return;
  }
  compilation.manifest = std::make_shared<ManifestInput>();
  bool isReadable = bosh::load(
      file,
      {options.releases,
       options.cloud,
       {options.opsFiles, options.variables, options.variableFiles,
        options.variableMaps, options.variableStore}},
      compilation.sources, compilation.diags, compilation.manifest->deployment);
  if (!isReadable)
    compilation.fileCode = ExitFile;
}

/// What the state has of others.
static std::vector<bosh::OtherDeployment>
otherDeployments(Compilation &compilation) {
  readKnownState(compilation);
  std::vector<bosh::OtherDeployment> others;
  if (!compilation.known)
    return others;
  for (const state::Deployment &known : compilation.known->deployments) {
    if (known.name == deploymentName(compilation))
      continue;
    bosh::OtherDeployment &other = others.emplace_back();
    other.name = known.name;
    for (const state::SharedLink &link : known.shared)
      other.shared.push_back(
          {link.name, link.type, link.provider, link.content});
    for (const state::Entity &entity : known.entities)
      if (const Value *provided = entity.properties.isMap()
                                      ? entity.properties.find("provides")
                                      : nullptr)
        if (provided->isList())
          other.jobs.emplace_back(entity.name, *provided);
  }
  return others;
}

void toscac::checkManifest(Compilation &compilation) {
  // Links of half a manifest would only confuse.
  if (compilation.diags.hasErrors())
    return;
  const bosh::Deployment &deployment = compilation.manifest->deployment;
  compilation.manifest->links =
      bosh::resolveLinks(deployment, deploymentName(compilation),
                         otherDeployments(compilation), compilation.diags);
  if (compilation.diags.hasErrors())
    return;
  if (sema::Profile *profile = checkProfile(compilation, "bosh"))
    compilation.models = bosh::lowerDeployment(
        deployment, compilation.manifest->links, *profile, compilation.names,
        compilation.diags, compilation.checked);
}

std::vector<bosh::SharedLink>
toscac::sharedAfter(const Compilation &compilation) {
  if (compilation.workflow() == compilation.checked.roles.takeDown &&
      compilation.options.plan.parameters.empty())
    return {};
  auto stays = [&](llvm::StringRef instance) {
    return !compilation.deploymentChange ||
           !compilation.deploymentChange->removed.contains(instance);
  };
  return bosh::sharedLinks(compilation.manifest->links, stays);
}

/// Writes the files of jobs; what is in `bin` can be run.
static int writeRendered(Compilation &compilation) {
  DiagnosticEngine &diags = compilation.diags;
  const ManifestInput &input = *compilation.manifest;
  size_t errors = diags.numErrors();
  bool isRuby = compilation.options.bosh.rendersWithRuby;
  std::vector<bosh::RenderedFile> files =
      isRuby ? renderWithRuby(compilation,
                              bosh::renderTasks(input.deployment, input.links,
                                                compilation.sources, diags))
             : bosh::renderJobs(input.deployment, input.links,
                                compilation.sources, diags);
  // One template that cannot be rendered does not stop the others.
  bool isWhole = diags.numErrors() == errors;
  errors = diags.numErrors();
  for (const bosh::RenderedFile &file : files) {
    llvm::SmallString<128> target(compilation.options.bosh.render);
    path::append(target, file.path);
    if (std::error_code error =
            fs::create_directories(path::parent_path(target))) {
      diags.report({}, diag::CannotWriteFile, target, error.message());
      return ExitFile;
    }
    writeFile(
        target, [&](llvm::raw_ostream &os) { os << file.content; }, diags);
    if (diags.numErrors() != errors)
      return ExitFile;
    if (path::filename(path::parent_path(target)) == "bin")
      fs::setPermissions(target, fs::all_read | fs::all_exe | fs::owner_write);
  }
  return isWhole ? ExitGood : ExitInvalid;
}

/// Says why a link is what it is.
static int writeExplanation(Compilation &compilation, Output &output) {
  const std::string &link = compilation.options.bosh.explainedLink;
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!bosh::explainLink(compilation.manifest->links, link, os)) {
    compilation.diags.report({}, diag::LinkUnknown, link);
    return ExitInvalid;
  }
  return output.write([&](llvm::raw_ostream &out) { out << text; },
                      compilation.diags);
}

/// Whether there is a manifest; reports where there is none.
static bool expectManifest(Compilation &compilation) {
  if (!compilation.manifest)
    compilation.diags.report({}, diag::NotAManifest,
                             shownInputName(compilation.options.inputs.front(),
                                            compilation.options.stdinName));
  return compilation.manifest != nullptr;
}

int toscac::emitManifest(Compilation &compilation, Output &output) {
  if (!expectManifest(compilation))
    return ExitInvalid;
  std::optional<syntax::Node> part =
      bosh::findByPath(compilation.manifest->deployment.document,
                       compilation.options.bosh.path, compilation.diags);
  if (!part)
    return ExitInvalid;
  auto print = [&](llvm::raw_ostream &os) {
    if (compilation.options.bosh.path.empty())
      os << resultMark;
    writeYAML(*part, os);
  };
  return output.write(print, compilation.diags);
}

int toscac::emitLinks(Compilation &compilation, Output &output) {
  if (!expectManifest(compilation))
    return ExitInvalid;
  const BoshOptions &options = compilation.options.bosh;
  if (!options.render.empty())
    return writeRendered(compilation);
  if (!options.explainedLink.empty())
    return writeExplanation(compilation, output);
  auto print = [&](llvm::raw_ostream &os) {
    bosh::writeLinks(compilation.manifest->links, os);
  };
  return output.write(print, compilation.diags);
}
