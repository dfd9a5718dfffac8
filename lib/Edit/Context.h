//===- Context.h - What the words of a place mean ---------------*- C++ -*-===//
///
/// \file
/// Joins a place in an outline, which is always up to date, with the types that
/// the analysis knows.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EDIT_CONTEXT_H
#define TOSCAC_LIB_EDIT_CONTEXT_H

#include "toscac/Edit/Outline.h"
#include "toscac/Edit/Workspace.h"
#include "toscac/Sema/TOSCA/PackageNames.h"

namespace toscac::edit {

using tosca::Entity;
using tosca::EntityKind;
using tosca::Field;
using tosca::Key;

/// The kind of types that \p key of an entity of \p owner names, if it does.
std::optional<EntityKind> typeKindUnder(EntityKind owner, Key key);

class Context {
public:
  /// \p checked may be of an earlier state of the document.
  Context(const Checked &checked, const Document &document);

  /// The type that \p name means in the document.
  const sema::TypeDecl *findType(EntityKind kind, llvm::StringRef name) const;
  std::vector<std::string> typeNames(EntityKind kind) const;
  /// What the entity at the end of the first \p count steps of \p place holds
  /// by its type; null if that is not known.
  const sema::Flat *flatOf(const Place &place, size_t count) const;
  const sema::Flat *flatOf(const Place &place) const {
    return flatOf(place, place.steps.size());
  }
  /// The type of the template \p entity.
  const sema::TypeDecl *typeOfTemplate(const Entity &entity) const;
  /// The type of the values of \p definition, or null.
  const Type *valueType(const sema::Flat &definition) const;
  const tosca::File *file() const { return known; }

private:
  const Checked &checked;
  const tosca::File *known;
};

/// The text of a node for people, on one line.
std::string shortText(const syntax::Node &node, const SourceManager &sources);

} // namespace toscac::edit

#endif
