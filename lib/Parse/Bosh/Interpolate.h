//===- Interpolate.h - Variables of manifests -------------------*- C++ -*-===//
///
/// \file
/// Puts values in place of `((name))`, as `bosh interpolate` does. A variable
/// without a value stays as it is written: it is open, and only what needs its
/// value complains. A value stands at the place of its variable.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_BOSH_INTERPOLATE_H
#define TOSCAC_LIB_PARSE_BOSH_INTERPOLATE_H

#include "toscac/Parse/SyntaxTree.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::bosh {

/// Values of variables by name, which may lead into a map: `a.b`.
class VariableValues {
public:
  explicit VariableValues(llvm::BumpPtrAllocator &arena) : arena(arena) {}

  /// A later value is stronger, but parts of maps add up.
  void set(llvm::StringRef name, const syntax::Node &value);
  /// Adds the entries of \p map as far as there is no value yet.
  void addWeak(const syntax::Node &map);

  const syntax::Node *find(llvm::StringRef name) const;
  bool isEmpty() const { return values.empty(); }

private:
  llvm::StringMap<syntax::Node> values;
  llvm::BumpPtrAllocator &arena;
};

/// \p document with the values of variables. New nodes lie in \p arena.
syntax::Node interpolate(const syntax::Node &document,
                         const VariableValues &values,
                         llvm::BumpPtrAllocator &arena,
                         DiagnosticEngine &diags);

} // namespace toscac::bosh

#endif
