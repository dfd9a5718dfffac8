//===- toscac/Basic/DiagnosticsParse.h - Syntax and grammar -----*- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSPARSE_H
#define TOSCAC_BASIC_DIAGNOSTICSPARSE_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE Parse
#define DIAG_TABLE "toscac/Basic/DiagnosticsParse.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
