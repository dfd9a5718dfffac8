//===- toscac/Sema/TOSCA/PackageNames.h - What names mean -------*- C++ -*-===//
///
/// \file
/// What a checked package knows of names, for those who ask about places in
/// files: what a name stands for, what is visible, what a type holds. It gives
/// views of what the analysis has made; nothing is worked out anew.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_TOSCA_PACKAGENAMES_H
#define TOSCAC_SEMA_TOSCA_PACKAGENAMES_H

#include "toscac/Parse/TOSCA/AST.h"
#include <string>
#include <vector>

namespace toscac {
struct Type;

/// A name as it is used somewhere, and what it stands for there. A definition
/// that refines another one uses it by its own name.
struct NameUse {
  SourceRange range;
  const tosca::Entity *declaration;
};

namespace tosca {
struct File;
}

namespace sema {
struct Program;
/// A declared type or function, and a type or part of one with all it inherits.
struct TypeDecl;
struct Flat;

class PackageNames {
public:
  explicit PackageNames(const Program &program) : program(program) {}

  /// In no order; some stand there several times.
  llvm::ArrayRef<NameUse> uses() const;
  /// What \p name means in \p file, a file of the package; null: nothing.
  const TypeDecl *find(const tosca::File &file, tosca::EntityKind kind,
                       llvm::StringRef name) const;
  /// All names of \p kind that are visible in \p file, sorted.
  std::vector<std::string> visible(const tosca::File &file,
                                   tosca::EntityKind kind) const;

  /// The type of the values of \p definition, a property, attribute or input;
  /// null if it is not known.
  const Type *valueType(const Flat &definition) const;

private:
  const Program &program;
};

/// Null for types that are built in.
const tosca::Entity *entityOf(const TypeDecl &type);
llvm::StringRef nameOf(const TypeDecl &type);
const TypeDecl *parentOf(const TypeDecl &type);
bool isDerivedFrom(const TypeDecl &type, const TypeDecl &ancestor);
/// All that the type holds; null where something is wrong with it.
const Flat *flatOf(const TypeDecl &type);

llvm::StringRef nameOf(const Flat &definition);
/// The parts under \p key, those of the ancestors first.
std::vector<const Flat *> partsOf(const Flat &owner, tosca::Key key);
const Flat *partOf(const Flat &owner, tosca::Key key, llvm::StringRef name);
/// The type that \p definition has, or null.
const TypeDecl *typeOf(const Flat &definition);
/// The type of \p kind that \p key of \p definition names, or null.
const TypeDecl *typeUnder(const Flat &definition, tosca::Key key,
                          tosca::EntityKind kind);
/// Where it was defined and refined, nearest first.
std::vector<const tosca::Entity *> layersOf(const Flat &definition);
/// The nearest value of \p key, or null.
const syntax::Node *valueOf(const Flat &definition, tosca::Key key);
/// Whether somebody has to give \p definition, a property or input, a value.
bool needsAssignment(const Flat &definition);

} // namespace sema
} // namespace toscac

#endif
