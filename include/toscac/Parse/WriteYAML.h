//===- toscac/Parse/WriteYAML.h - Syntax tree to text -----------*- C++ -*-===//

#ifndef TOSCAC_PARSE_WRITEYAML_H
#define TOSCAC_PARSE_WRITEYAML_H

#include "toscac/Parse/SyntaxTree.h"

namespace llvm {
class raw_ostream;
}

namespace toscac {

/// Writes \p node as a YAML document in blocks, which every version of YAML
/// reads as the same value. Aliases are written out.
void writeYAML(const syntax::Node &node, llvm::raw_ostream &os);

} // namespace toscac

#endif
