//===- TypeFolders.h - Types that lie in folders of their own ---*- C++ -*-===//
///
/// \file
/// In a repository of Winery each type has a folder, which is called after its
/// namespace and name: `nodetypes/shop.nodes/Till/NodeType.tosca`. Files there
/// name types, and import nothing.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_TOSCA_TYPEFOLDERS_H
#define TOSCAC_LIB_PARSE_TOSCA_TYPEFOLDERS_H

#include "toscac/Parse/TOSCA/Load.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace toscac::tosca {

class TypeFolders {
public:
  /// Where the types lie that \p file names; nothing if it is in no such
  /// repository.
  std::vector<std::string> filesFor(const File &file);

private:
  using Index = llvm::StringMap<std::vector<std::string>>;
  const Index &indexOf(const Volume &volume, llvm::StringRef root);

  std::map<std::pair<const void *, std::string>, Index> indices;
};

} // namespace toscac::tosca

#endif
