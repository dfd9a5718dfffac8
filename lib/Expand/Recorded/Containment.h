//===- Containment.h - What is inside of what -------------------*- C++ -*-===//
///
/// \file
/// Recorded nodes as trees: a node is inside the target of a relationship whose
/// type the profile marks with `containment: true`.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EXPAND_CONTAINMENT_H
#define TOSCAC_LIB_EXPAND_CONTAINMENT_H

#include "Recorded.h"
#include "toscac/IR/Types.h"
#include "llvm/ADT/StringSet.h"

namespace toscac::expanding {

class Containment {
public:
  Containment(const Recorded &recorded, llvm::ArrayRef<ir::TypeInfo> types);

  const Recorded &recorded;

  /// The node that \p row is inside of; Recorded::none: of no other.
  uint32_t containerOf(uint32_t row) const { return containers[row]; }
  /// Adds the names of \p row and of all that is inside of it to \p names.
  void addTree(uint32_t row, llvm::StringSet<> &names) const;
  /// Whether the type of the node \p row is marked with `compute: true`.
  bool isCompute(uint32_t row) const;
  /// The rows that are directly inside of \p row.
  std::vector<uint32_t> contentsOf(uint32_t row) const;

private:
  bool isMarked(llvm::StringRef type, ir::TypeInfo::Kind kind,
                llvm::StringRef mark) const;

  llvm::ArrayRef<ir::TypeInfo> types;
  std::vector<uint32_t> containers;
};

} // namespace toscac::expanding

#endif
