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
/// "'count' of node template 'db'", or "requirement assignment 'host'" where a
/// short form has no keyname.
struct Subject {
  Key key;
  const Entity &owner;

  std::string str() const;
};

/// Checks that \p node has \p shape (one without entities). Returns false if
/// something was reported.
bool checkShape(const syntax::Node &node, ShapeKind shape,
                const Subject &subject, DiagnosticEngine &diags);

/// Reports that \p node, which is \p what, is not \p expected; always false.
bool reportShape(const syntax::Node &node, llvm::StringRef what,
                 llvm::StringRef expected, DiagnosticEngine &diags);

/// Checks that a key of a map is a name.
bool checkName(const syntax::Node &key, DiagnosticEngine &diags);

/// Checks the function calls in a value, at any depth.
bool checkValue(const syntax::Node &node, DiagnosticEngine &diags);
/// The same for the arguments of a call or the steps of a path, where the index
/// words of old drafts are understood.
bool checkArguments(const syntax::Node &arguments, DiagnosticEngine &diags);

//===----------------------------------------------------------------------===//
// Earlier versions (Parse/TOSCA1)
//===----------------------------------------------------------------------===//

/// Today's form of \p node, the value of a keyname of a dialect; null after a
/// report.
const syntax::Node *modernize(const KeyRule &rule, const syntax::Node &node,
                              const Subject &subject,
                              llvm::BumpPtrAllocator &arena,
                              DiagnosticEngine &diags);

/// \p node, a value of a dialect, with the functions of today.
const syntax::Node *modernizeValue(const syntax::Node &node,
                                   llvm::BumpPtrAllocator &arena);

/// Whether \p node is a call of a function in the words of a dialect.
bool isOlderCall(const syntax::Node &node);
/// Whether TOSCA 1.x takes \p node, the value of \p rule, for none at all.
bool isLeftOut(const KeyRule &rule, const syntax::Node &node);
/// Adds to \p fields, those of an entity of \p kind in a dialect that is
/// written as \p map, what follows from what was left out.
void completeFields(EntityKind kind, const syntax::Node &map,
                    llvm::BumpPtrAllocator &arena,
                    llvm::SmallVectorImpl<Field> &fields);

} // namespace toscac::tosca

#endif
