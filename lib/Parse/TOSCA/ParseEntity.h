//===- ParseEntity.h - Syntax tree to AST, by the tables --------*- C++ -*-===//
///
/// \file
/// Shared by the parts of the TOSCA parser: entities (ParseEntity.cpp) and the
/// shapes of single values (CheckShape.cpp).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_TOSCA_PARSEENTITY_H
#define TOSCAC_LIB_PARSE_TOSCA_PARSEENTITY_H

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/TOSCA/AST.h"
#include "toscac/Parse/TOSCA/Parse.h"

namespace toscac::tosca {

/// What messages call \p node: "a list", "an integer", …
llvm::StringRef describe(const syntax::Node &node);
/// What messages call \p shape: "a map from names to node types", …
std::string describe(Shape shape);

/// What messages call \p entity: "node template 'db'", "import".
std::string describe(const Entity &entity);

/// The subject of a message, put into words only when there is one:
/// "'count' of node template 'db'".
struct Subject {
  Key key;
  const Entity &owner;

  std::string str() const;
};

/// Checks that \p node has \p shape (one without entities). Returns false if
/// something was reported.
bool checkShape(const syntax::Node &node, ShapeKind shape,
                const Subject &subject, DiagnosticEngine &diags);

/// Reports that \p node is not of \p shape; always false.
bool reportShape(const syntax::Node &node, llvm::StringRef what, Shape shape,
                 DiagnosticEngine &diags);

/// Checks that a key of a map is a name.
bool checkName(const syntax::Node &key, DiagnosticEngine &diags);

/// Checks the function calls in a value, at any depth.
bool checkValue(const syntax::Node &node, DiagnosticEngine &diags);

} // namespace toscac::tosca

#endif
