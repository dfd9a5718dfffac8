//===- Deployment.h - What a graph tells of its deployment ------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_DEPLOYMENT_H
#define TOSCAC_LIB_DRIVER_DEPLOYMENT_H

#include "Compilation.h"

namespace toscac {

/// Has the graph say where it comes from, and what is recorded besides
/// instances.
void describeDeployment(Compilation &compilation);

/// The same of a graph that was read: what its text leaves open, and what the
/// command line says otherwise.
void completeDeployment(Compilation &compilation);

} // namespace toscac

#endif
