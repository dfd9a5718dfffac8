//===- Walk.h - Visits a syntax tree ----------------------------*- C++ -*-===//
///
/// \file
/// What fuzz targets do with a tree: read every byte of it, so that the
/// sanitizers see a node that points at nothing.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_FUZZ_WALK_H
#define TOSCAC_FUZZ_WALK_H

#include "toscac/Parse/SyntaxTree.h"
#include "llvm/ADT/STLExtras.h"

namespace toscac {

/// Returns a number that depends on all of \p node.
inline size_t walk(const syntax::Node &node) {
  size_t sum = node.range().size();
  switch (node.kind()) {
  case syntax::NodeKind::Null:
    return sum;
  case syntax::NodeKind::Scalar:
    for (char c : node.text())
      sum += static_cast<unsigned char>(c);
    return sum + static_cast<size_t>(node.scalarType());
  case syntax::NodeKind::Sequence:
    for (const syntax::Node &item : node.items())
      sum += walk(item);
    return sum;
  case syntax::NodeKind::Mapping:
    for (const syntax::Entry &entry : node.entries())
      sum += walk(entry.key) + walk(entry.value);
    return sum;
  }
  llvm_unreachable("all kinds are handled");
}

/// Whether every diagnostic points into a file, with its notes and fix-its.
template <typename Diagnostics>
void checkPlaces(const SourceManager &sources, const Diagnostics &all) {
  auto check = [&](SourceRange range) {
    if (!range.isValid())
      return;
    FileId file = sources.fileOf(range.begin);
    uint32_t begin = sources.offsetInFile(range.begin);
    if (range.end < range.begin ||
        begin + range.size() > sources.text(file).size())
      __builtin_trap();
  };
  for (const auto &diagnostic : all) {
    check(diagnostic.range);
    for (const auto &note : diagnostic.notes)
      check(note.range);
    for (const auto &fix : diagnostic.fixes)
      check(fix.range);
  }
}

} // namespace toscac

#endif
