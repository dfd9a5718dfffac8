//===- ResolveEvent.h - Where triggers send their events --------*- C++ -*-===//
///
/// \file
/// Binds the event of a trigger to operations that exist.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_RESOLVEEVENT_H
#define TOSCAC_LIB_SEMA_TOSCA_RESOLVEEVENT_H

#include "BindCondition.h"

namespace toscac::sema {

/// The interface under which a machine of service events is known.
inline constexpr llvm::StringLiteral serviceInterface = "events";

/// Appends what \p trigger, an event trigger of \p layer, sends: one Trigger
/// for each interface that has the operation, mostly one. Reports what may
/// stand at the end of the path and cannot receive it.
void resolveTrigger(const EventScope &scope, const Layer &layer,
                    const Entity &trigger,
                    llvm::SmallVectorImpl<ir::Trigger> &into);

} // namespace toscac::sema

#endif
