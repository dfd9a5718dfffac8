//===- Manifest.cpp - BOSH manifests on their way -------------------------===//

#include "Manifest.h"

#include "Emit.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Parse/Bosh/Load.h"
#include "toscac/Sema/Bosh/Lower.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;

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
      llvm::sys::path::parent_path(compilation.options.inputs.front());
  auto volume = std::make_shared<tosca::Volume>(
      tosca::Volume{llvm::vfs::getRealFileSystem(), folder.str(), ""});
  // Files are named as seen from the manifest.
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "<bosh>");
  FileId file = compilation.sources.add(
      "<bosh>", llvm::MemoryBuffer::getMemBuffer(bosh::patternText()));
  compilation.package = tosca::load(
      {{volume, path.str().str(), file}}, loadOptions(compilation.options),
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
  bosh::lowerDeployment(deployment, compilation.manifest->links, {},
                        compilation.names, compilation.diags, pattern);
  compilation.checked = std::move(pattern);
}

int toscac::emitLinks(Compilation &compilation, Output &output) {
  if (!compilation.manifest) {
    compilation.diags.report(
        {}, diag::NotAManifest,
        shownInputName(compilation.options.inputs.front()));
    return ExitInvalid;
  }
  auto print = [&](llvm::raw_ostream &os) {
    bosh::writeLinks(compilation.manifest->links, os);
  };
  return output.write(print, compilation.diags);
}
