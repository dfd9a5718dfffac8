//===- toscac/Sema/Bosh/Lower.h - Manifests as services ---------*- C++ -*-===//
///
/// \file
/// Makes the checked service of a deployment whose links are resolved.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_BOSH_LOWER_H
#define TOSCAC_SEMA_BOSH_LOWER_H

#include "toscac/Sema/Bosh/Links.h"
#include "toscac/Sema/Service.h"

namespace toscac {
class NameTable;

namespace bosh {

/// A service template in TOSCA with one node of each type that a manifest
/// becomes: what the types are, how they live and who waits for whom comes from
/// the profile `bosh` that it imports.
llvm::StringRef patternText();

/// Makes of \p pattern, which is what TOSCA's front end made of patternText(),
/// the service of \p deployment. Every instance group becomes a node with its
/// instances, every job a node of its own, every link within the deployment a
/// relationship between jobs. What \p recorded, which may be null, has besides
/// is in it with a count of 0. Refers to \p links.
void lowerDeployment(const Deployment &deployment, const Links &links,
                     const state::Deployment *recorded, NameTable &names,
                     DiagnosticEngine &diags, sema::CheckedProgram &pattern);

} // namespace bosh
} // namespace toscac

#endif
