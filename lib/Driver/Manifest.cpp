//===- Manifest.cpp - BOSH manifests on their way -------------------------===//

#include "Manifest.h"

#include "Emit.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Parse/Bosh/Load.h"

using namespace toscac;

void toscac::loadManifest(Compilation &compilation, InputFile input) {
  const BoshOptions &options = compilation.options.bosh;
  FileId file = compilation.sources.add(input.name, std::move(input.text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, input.name);
    return;
  }
  compilation.manifest = std::make_shared<ManifestInput>();
  bool isReadable = bosh::load(file, {options.releases, options.cloud},
                               compilation.sources, compilation.diags,
                               compilation.manifest->deployment);
  if (!isReadable)
    compilation.fileCode = ExitFile;
}

void toscac::checkManifest(Compilation &compilation) {
  // Links of half a manifest would only confuse.
  if (compilation.diags.hasErrors())
    return;
  const bosh::Deployment &deployment = compilation.manifest->deployment;
  const std::string &name = compilation.options.state.deployment;
  readKnownState(compilation);
  compilation.manifest->links = bosh::resolveLinks(
      deployment, name.empty() ? deployment.manifest.name.text : name,
      compilation.known ? &*compilation.known : nullptr, compilation.diags);
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
