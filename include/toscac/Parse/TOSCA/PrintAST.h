//===- toscac/Parse/TOSCA/PrintAST.h - The AST as text ----------*- C++ -*-===//
///
/// \file
/// A stable text form of the AST for --emit=ast: one entity a line, nested
/// entities indented below, values as JSON; after each file the files that its
/// imports have led to.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_TOSCA_PRINTAST_H
#define TOSCAC_PARSE_TOSCA_PRINTAST_H

namespace llvm {
class raw_ostream;
}

namespace toscac {
class SourceManager;
namespace tosca {
struct Package;

/// Prints every file of \p package in the order of reading.
void printAST(const Package &package, const SourceManager &sources,
              llvm::raw_ostream &os);

} // namespace tosca
} // namespace toscac

#endif
