//===- BundledProfiles.h - Profiles that come with toscac -------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_BUNDLEDPROFILES_H
#define TOSCAC_LIB_DRIVER_BUNDLEDPROFILES_H

#include <string>
#include <vector>

namespace toscac {

/// The folders of profiles that belong to the running program: one beside it
/// where it is installed, or that of the source tree where it was just built.
std::vector<std::string> bundledProfiles();

/// The files with bindings among them.
std::vector<std::string> bundledBindings();

} // namespace toscac

#endif
