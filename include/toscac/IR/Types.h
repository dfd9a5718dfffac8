//===- toscac/IR/Types.h - Types of entities --------------------*- C++ -*-===//
///
/// \file
/// What later stages still ask of the types of nodes, relationships,
/// capabilities and groups: their names, ancestors and marks.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_TYPES_H
#define TOSCAC_IR_TYPES_H

#include "toscac/IR/Machine.h"

namespace toscac::ir {

/// An entry of the metadata of a type: `containment: true`.
struct Mark {
  Name key;
  llvm::StringRef value;
};

struct TypeInfo {
  enum class Kind : uint8_t { Node, Relationship, Capability, Group, Policy };
  Kind kind;
  /// As plans show it.
  Name name;
  TypeId parent;
  llvm::ArrayRef<Mark> marks;
};

/// Whether \p type is \p ancestor or derived from it.
inline bool isDerivedFrom(llvm::ArrayRef<TypeInfo> types, TypeId type,
                          TypeId ancestor) {
  for (; type; type = types[type.index].parent)
    if (type == ancestor)
      return true;
  return false;
}

/// The mark \p key of \p type or its nearest ancestor that has it; empty if
/// none does.
inline llvm::StringRef findMark(llvm::ArrayRef<TypeInfo> types, TypeId type,
                                llvm::StringRef key) {
  for (; type; type = types[type.index].parent)
    for (const Mark &mark : types[type.index].marks)
      if (mark.key.str() == key)
        return mark.value;
  return {};
}

} // namespace toscac::ir

#endif
