//===- RandomService.h - Templates at random --------------------*- C++ -*-===//

#ifndef TOSCAC_TOOLS_TOSCA_WALK_RANDOMSERVICE_H
#define TOSCAC_TOOLS_TOSCA_WALK_RANDOMSERVICE_H

#include "Planner.h"
#include <random>

namespace toscac::walk {

/// A service with the simple profile: nodes in machines and in each other,
/// hubs, pairs, meshes, and perhaps a scaling group. How many instances there
/// are, and their properties, are inputs. It need not be deployable.
struct RandomService {
  /// Without the templates of some bits, and what leads to them.
  ServiceText text;
  unsigned numTemplates;
};
RandomService randomService(std::mt19937 &random);

} // namespace toscac::walk

#endif
