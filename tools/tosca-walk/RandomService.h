//===- RandomService.h - Templates at random --------------------*- C++ -*-===//

#ifndef TOSCAC_TOOLS_TOSCA_WALK_RANDOMSERVICE_H
#define TOSCAC_TOOLS_TOSCA_WALK_RANDOMSERVICE_H

#include <random>
#include <string>

namespace toscac::walk {

/// A service with the simple profile: nodes in machines and in each other,
/// hubs, pairs, meshes, and perhaps a scaling group. How many instances there
/// are, and their properties, are inputs. It need not be deployable.
std::string randomService(std::mt19937 &random);

} // namespace toscac::walk

#endif
