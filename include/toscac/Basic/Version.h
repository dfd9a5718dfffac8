//===- toscac/Basic/Version.h - The version of toscac -----------*- C++ -*-===//
///
/// \file
/// The project's version, as CMake knows it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_VERSION_H
#define TOSCAC_BASIC_VERSION_H

namespace toscac {

/// "0.1.0"
const char *version();

} // namespace toscac

#endif
