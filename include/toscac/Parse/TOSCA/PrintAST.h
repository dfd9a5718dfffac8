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

enum class ASTLocations {
  Hide,
  /// Behind each name where it stands, `@3:5-3:9`; behind each keyname where it
  /// stands (nothing in a short form) and where its value does:
  /// `type@3:5-3:9@…`. Keynames whose values are entities are shown, too.
  Show
};

/// Prints every file of \p package in the order of reading.
void printAST(const Package &package, const SourceManager &sources,
              ASTLocations locations, llvm::raw_ostream &os);

} // namespace tosca
} // namespace toscac

#endif
