//===- Values.h - Values of manifests ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_BOSH_VALUES_H
#define TOSCAC_LIB_SEMA_BOSH_VALUES_H

#include "toscac/Parse/SyntaxTree.h"
#include "toscac/Value/Value.h"
#include "llvm/ADT/MapVector.h"
#include <memory>
#include <optional>

namespace toscac::bosh {

/// What was written, by YAML's core schema. Numbers that are too large stay
/// texts.
Value toValue(const syntax::Node &node, ValueArena &arena);

/// What stands under the dotted \p path in \p maps, the first of which is the
/// strongest: maps are merged. Null maps are passed over. Nothing where the
/// path leads nowhere; a null that was written is a value.
std::optional<Value> findPath(llvm::ArrayRef<const syntax::Node *> maps,
                              llvm::StringRef path, ValueArena &arena);

/// Builds the map that dotted paths describe.
class NestedMap {
public:
  /// Sets what stands under \p path; a later path may lead into an earlier
  /// value.
  void set(llvm::StringRef path, Value value);
  Value toValue(ValueArena &arena) const;

private:
  struct Child {
    Value value;
    /// Where the value is a map.
    std::unique_ptr<NestedMap> map;
  };
  static Child makeChild(Value value);

  llvm::MapVector<llvm::StringRef, Child> children;
};

} // namespace toscac::bosh

#endif
