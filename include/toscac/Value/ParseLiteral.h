//===- toscac/Value/ParseLiteral.h - Text to values -------------*- C++ -*-===//
///
/// \file
/// The literal forms of TOSCA's built-in types, TOSCA 2.0 §9.1. Each function
/// takes the whole text and either gives a value or says what is wrong; the
/// problem has no place.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_PARSELITERAL_H
#define TOSCAC_VALUE_PARSELITERAL_H

#include "toscac/Value/Problem.h"
#include "toscac/Value/Value.h"

namespace toscac {

/// Whether YAML's core schema (1.2, §10.3.2) takes a plain scalar for one;
/// every integer in decimal digits is also a float.
bool isInteger(llvm::StringRef text);
bool isFloat(llvm::StringRef text);
/// `-12`, `0o17`, `0xFF`; it must fit 64 bits.
OrProblem<Value> parseInteger(llvm::StringRef text);
/// The floats of YAML's core schema: `1.5`, `1e3`, `.inf`, `-.INF`, `.NaN`,
/// and integers. What is too large is infinite, as IEEE 754 rounds it.
OrProblem<Value> parseFloat(llvm::StringRef text);
/// An integer if it looks like one, else a float.
OrProblem<Value> parseNumber(llvm::StringRef text);
/// RFC 3339, or a date alone: the midnight of UTC.
OrProblem<Value> parseTimestamp(llvm::StringRef text, ValueArena &arena);
/// `major.minor[.fix[.qualifier[-build]]]`
OrProblem<Value> parseVersion(llvm::StringRef text, ValueArena &arena);
/// Base64 by RFC 2045 §6.8: line breaks are skipped, padding is needed.
OrProblem<Value> parseBytes(llvm::StringRef text, ValueArena &arena);
/// `<number> <unit>` with at least one blank between, for a type of kind
/// Scalar that defines units. Validation clauses are not looked at.
OrProblem<Value> parseScalar(llvm::StringRef text, const Type &type,
                             ValueArena &arena);
/// A scalar of \p type whose magnitude in the canonical unit is \p magnitude.
Value canonicalScalar(Value magnitude, const Type &type, ValueArena &arena);

} // namespace toscac

#endif
