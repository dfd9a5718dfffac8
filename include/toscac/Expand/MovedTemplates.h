//===- toscac/Expand/MovedTemplates.h - Renamed templates -------*- C++ -*-===//

#ifndef TOSCAC_EXPAND_MOVEDTEMPLATES_H
#define TOSCAC_EXPAND_MOVEDTEMPLATES_H

#include "toscac/State/State.h"

namespace toscac {
namespace sema {
struct Service;
}

/// Gives instances of templates that \p service has under another name their
/// new names in \p recorded, whose digest stays what it was.
void moveTemplates(const sema::Service &service, state::Deployment &recorded,
                   ValueArena &arena);

} // namespace toscac

#endif
