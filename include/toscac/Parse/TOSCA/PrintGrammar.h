//===- toscac/Parse/TOSCA/PrintGrammar.h - The grammar as text --*- C++ -*-===//
///
/// \file
/// The tables of Grammar.def as Markdown: --print-grammar and docs/Coverage.md.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_TOSCA_PRINTGRAMMAR_H
#define TOSCAC_PARSE_TOSCA_PRINTGRAMMAR_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace toscac::tosca {

/// Prints one heading and one table for each entity, in the order of the spec.
void printGrammar(llvm::raw_ostream &os);

/// Prints which entities have the keyname \p keyname, and what stands under it;
/// false: none has it.
bool explainKeyname(llvm::StringRef keyname, llvm::raw_ostream &os);

} // namespace toscac::tosca

#endif
