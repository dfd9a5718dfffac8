//===- Version.cpp - The version of toscac --------------------------------===//
///
/// \file
/// The only file that is compiled anew when the version changes.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/Version.h"

const char *toscac::version() { return TOSCAC_VERSION; }
