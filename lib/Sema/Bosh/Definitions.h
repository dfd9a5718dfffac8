//===- Definitions.h - What instances have to know --------------*- C++ -*-===//
///
/// \file
/// A definition is a short text that changes with whatever an instance has to
/// know: where it is, its jobs with their properties, and what their links
/// hold. An instance that runs by another one is out of date.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_BOSH_DEFINITIONS_H
#define TOSCAC_LIB_SEMA_BOSH_DEFINITIONS_H

#include "toscac/Sema/Bosh/Links.h"

namespace toscac::bosh {

/// The definitions of the instances of all groups.
std::vector<std::vector<std::string>>
findDefinitions(const Deployment &deployment, const Links &links);

/// One for several: it changes with each of \p definitions.
std::string joinDefinitions(llvm::ArrayRef<std::string> definitions);

} // namespace toscac::bosh

#endif
