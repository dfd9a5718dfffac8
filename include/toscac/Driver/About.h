//===- toscac/Driver/About.h - What this compiler is ------------*- C++ -*-===//
///
/// \file
/// For reports: which build it is, and which profiles it comes with.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_DRIVER_ABOUT_H
#define TOSCAC_DRIVER_ABOUT_H

#include <string>

namespace toscac {

/// Lines: the version of \p program, how it was built, its profiles with their
/// versions and where they are, and the licence.
std::string describeBuild(const std::string &program);

} // namespace toscac

#endif
