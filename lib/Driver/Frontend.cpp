//===- Frontend.cpp - From a source buffer to a program -------------------===//
///
/// \file
/// Reads the YAML of the input. The grammar of TOSCA is not applied to it.
///
//===----------------------------------------------------------------------===//

#include "Frontend.h"

#include "toscac/Parse/ReadYAML.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;

Program toscac::loadProgram(FileId file, const DriverOptions &,
                            SourceManager &sources, DiagnosticEngine &diags) {
  return {readYAML(sources, file, diags)};
}

static void printNode(const syntax::Node &node, unsigned depth,
                      llvm::raw_ostream &os) {
  switch (node.kind()) {
  case syntax::NodeKind::Null:
    os << "null\n";
    return;
  case syntax::NodeKind::Scalar:
    os << "scalar '";
    os.write_escaped(node.text()) << "'\n";
    return;
  case syntax::NodeKind::Sequence:
    os << "sequence\n";
    for (const syntax::Node &item : node.items())
      printNode(item, depth + 1, os.indent(2 * depth + 2));
    return;
  case syntax::NodeKind::Mapping:
    os << "mapping\n";
    for (const syntax::Entry &entry : node.entries()) {
      printNode(entry.key, depth + 1, os.indent(2 * depth + 2) << "key ");
      printNode(entry.value, depth + 1, os.indent(2 * depth + 2) << "value ");
    }
    return;
  }
}

void toscac::printProgram(const Program &program, llvm::raw_ostream &os) {
  printNode(program.tree.root, /*depth=*/0, os);
}
