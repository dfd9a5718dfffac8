//===- An embedder: reads YAML from a string and prints its keys ----------===//

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/ReadYAML.h"
#include "llvm/Support/raw_ostream.h"

int main() {
  toscac::SourceManager sources;
  toscac::DiagnosticEngine diags;
  toscac::FileId file = sources.add(
      "string", llvm::MemoryBuffer::getMemBuffer("color: green\nsize: 3\n"));
  toscac::syntax::Tree tree = toscac::readYAML(sources, file, diags);
  for (const toscac::syntax::Entry &entry : tree.root.entries())
    llvm::outs() << entry.key.text() << " is " << entry.value.text() << "\n";
  llvm::outs() << diags.numErrors() << " errors\n";
  return diags.hasErrors();
}
