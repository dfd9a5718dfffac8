//===- toscac/Parse/TOSCA/AST.h - The tree of a TOSCA file ------*- C++ -*-===//
///
/// \file
/// The syntax tree of a file, read by the grammar: every entity with its
/// keynames, short forms spelt out. Values, conditions and paths stay syntax
/// nodes; what they mean depends on types, which are Sema's matter.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_TOSCA_AST_H
#define TOSCAC_PARSE_TOSCA_AST_H

#include "toscac/Basic/Name.h"
#include "toscac/Parse/SyntaxTree.h"
#include "toscac/Parse/TOSCA/Grammar.h"

namespace toscac::tosca {

struct Entity;

/// A keyname of an entity with its value.
struct Field {
  /// Other spellings have been replaced: `events` is Key::Operations.
  Key key;
  /// Set if the value did not have the shape that the grammar asks for.
  bool valid = true;
  /// Where the keyname stands; null in a short form, which has none.
  const syntax::Node *keyNode = nullptr;
  const syntax::Node *value = nullptr;
  /// The entities of the shapes One, Map, List, NamedList and Reaction.
  llvm::ArrayRef<Entity> entities;

  SourceRange range() const {
    return keyNode ? keyNode->range() : value->range();
  }
};

struct Entity {
  EntityKind kind;
  bool isShort = false;
  /// False if something in the entity itself (not below it) was reported:
  /// what is missing in it is not reported again.
  bool valid = true;
  /// The key in a map of entities; empty for entities without a name.
  Name name;
  const syntax::Node *nameNode = nullptr;
  const syntax::Node *node = nullptr;
  /// In source order. A key stands once, except in a Reaction that is written
  /// as a list.
  llvm::ArrayRef<Field> fields;

  const Field *find(Key key) const {
    for (const Field &field : fields)
      if (field.key == key)
        return &field;
    return nullptr;
  }
  /// The value of \p key, or null if it is missing or has a wrong shape.
  const syntax::Node *value(Key key) const {
    const Field *field = find(key);
    return field && field->valid ? field->value : nullptr;
  }
  /// The text of \p key's value if it is a scalar, else empty.
  llvm::StringRef text(Key key) const {
    const syntax::Node *node = value(key);
    return node && node->isScalar() ? node->text() : llvm::StringRef();
  }
  llvm::ArrayRef<Entity> entities(Key key) const {
    const Field *field = find(key);
    return field ? field->entities : llvm::ArrayRef<Entity>();
  }
  SourceRange range() const {
    return nameNode ? nameNode->range() : node->range();
  }
};

/// Where a keyname that \p entity lacks is reported: at its name, or where a
/// map ends that has nothing in it.
inline SourceRange placeForKeyname(const Entity &entity) {
  const syntax::Node *node = entity.node;
  bool isEmptyMap = node && node->isMapping() && node->entries().empty() &&
                    node->range().size() > 2;
  if (!isEmptyMap)
    return entity.range();
  SourceLoc end = node->range().end;
  return {SourceLoc{end.raw - 1}, end};
}

} // namespace toscac::tosca

#endif
