//===- toscac/Parse/TOSCA/ReadTags.h - What a service can stand for -------===//

#ifndef TOSCAC_PARSE_TOSCA_READTAGS_H
#define TOSCAC_PARSE_TOSCA_READTAGS_H

#include "toscac/Parse/SyntaxTree.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace toscac::tosca {

/// A key with any of these values.
struct ServiceTag {
  llvm::StringRef key;
  llvm::SmallVector<const syntax::Node *, 1> values;
};

/// Whether a file with this root is written in TOSCA.
bool isToscaFile(const syntax::Node &root);

/// What the service template of a file declares: the node type that it
/// substitutes, as `node_type`; the properties that its substitution filter
/// compares with a value; its metadata, and those of the file. Looks at the
/// file alone, and passes over what is wrong in it.
std::vector<ServiceTag> readTags(const syntax::Node &root);

} // namespace toscac::tosca

#endif
