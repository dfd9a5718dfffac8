//===- LowerActivities.h - What steps and triggers do -----------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_LOWERACTIVITIES_H
#define TOSCAC_LIB_SEMA_TOSCA_LOWERACTIVITIES_H

#include "Lower.h"

namespace toscac::sema {

/// Lowers \p activities (TOSCA 2.0 §13.2.3), whose inputs stand at \p site.
/// They address entities of the types \p targets.
llvm::SmallVector<ir::Activity>
lowerActivities(Lowering &lowering, const Site &site,
                llvm::ArrayRef<const Flat *> targets,
                llvm::ArrayRef<Entity> activities);

} // namespace toscac::sema

#endif
