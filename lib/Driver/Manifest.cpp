//===- Manifest.cpp - BOSH manifests on their way -------------------------===//

#include "Manifest.h"

#include "Emit.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/Files.h"
#include "toscac/Parse/Bosh/Load.h"
#include "toscac/Sema/Bosh/Lower.h"
#include "toscac/Sema/Bosh/Render.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

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
  bool isReadable =
      bosh::load(file, {options.releases, options.cloud}, compilation.sources,
                 compilation.diags, compilation.manifest->deployment);
  if (!isReadable)
    compilation.fileCode = ExitFile;
}

/// The service that manifests follow, by the front end of TOSCA.
static sema::CheckedProgram loadPattern(Compilation &compilation) {
  llvm::StringRef folder =
      path::parent_path(compilation.options.inputs.front());
  auto volume = std::make_shared<tosca::Volume>(
      tosca::Volume{llvm::vfs::getRealFileSystem(), folder.str(), ""});
  // Files are named as seen from the manifest.
  llvm::SmallString<128> entry(folder);
  path::append(entry, "<bosh>");
  FileId file = compilation.sources.add(
      "<bosh>", llvm::MemoryBuffer::getMemBuffer(bosh::patternText()));
  compilation.package = tosca::load(
      {{volume, entry.str().str(), file}}, loadOptions(compilation.options),
      compilation.sources, compilation.names, compilation.diags);
  return analyze(compilation.package, compilation.names, compilation.diags);
}

void toscac::checkManifest(Compilation &compilation) {
  // Links of half a manifest would only confuse.
  if (compilation.diags.hasErrors())
    return;
  const bosh::Deployment &deployment = compilation.manifest->deployment;
  readKnownState(compilation);
  compilation.manifest->links = bosh::resolveLinks(
      deployment, deploymentName(compilation),
      compilation.known ? &*compilation.known : nullptr, compilation.diags);
  if (compilation.diags.hasErrors())
    return;
  sema::CheckedProgram pattern = loadPattern(compilation);
  if (!pattern.hasEntry || compilation.diags.hasErrors())
    return;
  bosh::lowerDeployment(deployment, compilation.manifest->links,
                        recordedDeployment(compilation), compilation.names,
                        compilation.diags, pattern);
  compilation.checked = std::move(pattern);
}

std::vector<state::SharedLink>
toscac::sharedAfter(const Compilation &compilation) {
  const PlanFlags &plan = compilation.options.plan;
  if (plan.workflow == "undeploy" && plan.parameters.empty())
    return {};
  auto stays = [&](llvm::StringRef instance) {
    return !compilation.continuation ||
           !compilation.continuation->removed.contains(instance);
  };
  return bosh::sharedLinks(compilation.manifest->links, stays);
}

/// Writes the files of jobs; what is in `bin` can be run.
static int writeRendered(Compilation &compilation) {
  DiagnosticEngine &diags = compilation.diags;
  const ManifestInput &input = *compilation.manifest;
  size_t errors = diags.numErrors();
  std::vector<bosh::RenderedFile> files = bosh::renderJobs(
      input.deployment, input.links, compilation.sources, diags);
  if (diags.numErrors() != errors)
    return ExitInvalid;
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
  return ExitGood;
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

int toscac::emitLinks(Compilation &compilation, Output &output) {
  if (!compilation.manifest) {
    compilation.diags.report(
        {}, diag::NotAManifest,
        shownInputName(compilation.options.inputs.front()));
    return ExitInvalid;
  }
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
