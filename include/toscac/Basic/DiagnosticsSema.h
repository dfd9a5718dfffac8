//===- toscac/Basic/DiagnosticsSema.h - Names, types, templates -*- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSSEMA_H
#define TOSCAC_BASIC_DIAGNOSTICSSEMA_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE Sema
#define DIAG_TABLE "toscac/Basic/DiagnosticsSema.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
