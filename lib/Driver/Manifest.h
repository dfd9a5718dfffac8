//===- Manifest.h - BOSH manifests on their way -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_MANIFEST_H
#define TOSCAC_LIB_DRIVER_MANIFEST_H

#include "Compilation.h"
#include "toscac/Parse/Bosh/AST.h"
#include "toscac/Sema/Bosh/Links.h"

namespace toscac {

struct ManifestInput {
  bosh::Deployment deployment;
  bosh::Links links;
};

/// Parse: reads \p input, a manifest, and the releases and cloud that the
/// options name.
void loadManifest(Compilation &compilation, InputFile input);

/// Sema: resolves the links of the manifest.
void checkManifest(Compilation &compilation);

/// What other deployments may consume when the plan has run. A deployment that
/// goes shares nothing.
std::vector<bosh::SharedLink> sharedAfter(const Compilation &compilation);

} // namespace toscac

#endif
