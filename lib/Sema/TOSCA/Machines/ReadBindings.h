//===- ReadBindings.h - Bindings as files have them -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_READBINDINGS_H
#define TOSCAC_LIB_SEMA_TOSCA_READBINDINGS_H

#include "TOSCA/Types/Scope.h"

namespace toscac::sema {

/// Which interface types a machine drives.
struct InterfaceRule {
  llvm::SmallVector<llvm::StringRef, 2> types;
  llvm::SmallVector<llvm::StringRef, 2> must, may;
  TypeDecl *machine = nullptr;
  /// A map of names to names; null: none.
  const syntax::Node *operations = nullptr;
};

/// Which node or relationship types have the interfaces of another.
struct LikeRule {
  /// Both empty: all types.
  llvm::SmallVector<llvm::StringRef, 2> types;
  llvm::SmallVector<llvm::StringRef, 2> requirements;
  TypeDecl *like = nullptr;
};

struct Binding {
  llvm::StringRef name;
  SourceRange range;
  const Scope *scope = nullptr;
  std::vector<InterfaceRule> interfaces;
  std::vector<LikeRule> nodes, relationships, providers;

  /// What comes with the program counts only where nothing else fits.
  bool isBundled() const { return scope->file->volume->isBundled; }
};

/// The bindings of all files, in their order. Reports what is wrong with them.
std::vector<Binding> readBindings(Program &program);

} // namespace toscac::sema

#endif
