//===- toscac/Value/CheckValue.h - Values against types ---------*- C++ -*-===//
///
/// \file
/// Whether a value, or an expression as far as it is known, is of a type.
/// Strings become timestamps, versions, scalars or bytes where the type says
/// so, and integers floats (TOSCA 2.0 §9.1.1.3); nothing else is converted.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_CHECKVALUE_H
#define TOSCAC_VALUE_CHECKVALUE_H

#include "toscac/Value/Environment.h"
#include "toscac/Value/Type.h"

namespace toscac {

/// The way into a value, from the outside.
struct PathStep {
  /// An index of a list or a key of a map.
  Value key;
  /// The key itself is meant, not what it leads to; only in the last step.
  bool isKey = false;
};
using ReportViolation =
    llvm::function_ref<void(llvm::ArrayRef<PathStep>, Problem)>;

/// `ports[2].protocol`: how people write a path.
std::string toText(llvm::ArrayRef<PathStep> path);

/// Checks \p value against \p type with all its validation clauses and gives
/// it converted, with defaults filled in; nothing if there was a violation.
/// Reports every violation. Clauses that ask for something unknown are passed
/// over. The problems have no range unless they stand in a clause.
std::optional<Value> checkValue(const Value &value, const Type &type,
                                Environment &environment, ValueArena &arena,
                                ReportViolation report);

/// Where the part of \p expr that \p path leads to was written, as far as the
/// path can be followed.
SourceRange rangeAt(const Expr &expr, llvm::ArrayRef<PathStep> path);

} // namespace toscac

#endif
