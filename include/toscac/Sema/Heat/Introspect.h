//===- toscac/Sema/Heat/Introspect.h - What is left to decide ---*- C++ -*-===//
///
/// \file
/// For those who compose a stack step by step (seed 004): first the choices
/// that are still open, then the parameters of what was chosen.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_HEAT_INTROSPECT_H
#define TOSCAC_SEMA_HEAT_INTROSPECT_H

#include "toscac/Sema/Heat/Compose.h"

namespace toscac::heat {

/// Prints, as a JSON list, the choices of \p stack that are open: resource,
/// type, and each candidate with what requiring it takes (`requires`), the
/// parameters that it would still need, and the choices that it would open.
/// What is wrong inside a candidate is not said.
void printChoices(const Stack &stack, const ComposeInput &input,
                  Library &library, NameTable &names, ValueArena &arena,
                  llvm::raw_ostream &os);

/// Prints, as a JSON object by path of resource, the parameters of all
/// templates of \p stack and who gives them a value.
void printParameters(const Stack &stack, llvm::raw_ostream &os);

} // namespace toscac::heat

#endif
