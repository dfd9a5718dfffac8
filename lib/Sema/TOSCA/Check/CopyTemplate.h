//===- CopyTemplate.h - Templates that start as copies ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_COPYTEMPLATE_H
#define TOSCAC_LIB_SEMA_TOSCA_COPYTEMPLATE_H

#include "TOSCA/Types/Scope.h"

namespace toscac::sema {

/// \p copy with all that \p source has and it has not: keynames, and below them
/// properties, attributes, requirements and parts of capabilities, interfaces
/// and artifacts by their names (TOSCA 2.0 §7.2). It lies in \p arena.
const Entity *copyTemplate(const Entity &copy, const Entity &source,
                           ValueArena &arena);

} // namespace toscac::sema

#endif
