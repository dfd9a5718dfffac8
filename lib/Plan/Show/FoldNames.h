//===- FoldNames.h - Many instances as one name -----------------*- C++ -*-===//
///
/// \file
/// `site[0..2]` stands for three instances, `site[0..2].vpn[0]` for as many
/// relationships: what is shown to people has as many lines as there are
/// templates, not instances.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_FOLDNAMES_H
#define TOSCAC_LIB_PLAN_FOLDNAMES_H

#include "toscac/Plan/Plan.h"

namespace toscac::planfile {

/// \p text without the indices of instances, so that it fits all of them:
/// `db[0]/` as `db/`. They are added to \p indices, if it is given.
std::string withoutIndices(llvm::StringRef text,
                           llvm::SmallVectorImpl<uint32_t> *indices = nullptr);

class FoldedNames {
public:
  explicit FoldedNames(const Plan &plan);

  /// The number of what the name of \p entity is without its indices: `site`,
  /// `site.vpn`, `db/vm`.
  uint32_t pattern(uint32_t entity) const { return patterns[entity]; }
  llvm::StringRef text(uint32_t pattern) const { return names[pattern]; }
  size_t numPatterns() const { return names.size(); }
  /// One name for \p entities, which have the same pattern.
  std::string fold(llvm::ArrayRef<uint32_t> entities) const;

private:
  uint32_t add(const std::string &name);
  uint32_t find(uint32_t entity);
  /// The indices in the name of \p entity, from left to right.
  void addIndices(uint32_t entity, llvm::SmallVectorImpl<uint32_t> &to) const;

  const Plan &plan;
  std::vector<uint32_t> patterns;
  llvm::StringMap<uint32_t> numbers;
  std::vector<llvm::StringRef> names;
  /// By the name before it and its own.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> nodes;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> relationships;
};

} // namespace toscac::planfile

#endif
