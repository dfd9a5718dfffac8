//===- toscac/Basic/DiagnosticsBosh.h - BOSH manifests and links *- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSBOSH_H
#define TOSCAC_BASIC_DIAGNOSTICSBOSH_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE Bosh
#define DIAG_TABLE "toscac/Basic/DiagnosticsBosh.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
