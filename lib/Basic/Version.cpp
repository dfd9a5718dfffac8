//===- Version.cpp - The version of toscac --------------------------------===//

#include "toscac/Basic/Version.h"

const char *toscac::version() { return TOSCAC_VERSION; }
