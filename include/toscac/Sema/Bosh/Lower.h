//===- toscac/Sema/Bosh/Lower.h - Manifests as services ---------*- C++ -*-===//
///
/// \file
/// Makes the checked service of a deployment whose links are resolved.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_BOSH_LOWER_H
#define TOSCAC_SEMA_BOSH_LOWER_H

#include "toscac/Sema/Bosh/Links.h"
#include "toscac/Sema/Models.h"

namespace toscac {
class NameTable;

namespace bosh {

/// Makes the service of \p deployment the one of \p program, which has the
/// types of \p profile: what nodes are, how they live and who waits for whom
/// comes from there. Every instance group becomes a node with its instances,
/// every job a node of its own, every link within the deployment a relationship
/// between jobs. Refers to \p links and, for former parts, to \p profile.
std::unique_ptr<sema::ObsoleteModels>
lowerDeployment(const Deployment &deployment, const Links &links,
                sema::Profile &profile, NameTable &names,
                DiagnosticEngine &diags, sema::CheckedProgram &program);

} // namespace bosh
} // namespace toscac

#endif
