//===- fuzz-yaml - Bytes to syntax tree -----------------------------------===//

#include "Walk.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/ReadYAML.h"

using namespace toscac;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceManager sources;
  DiagnosticEngine diags;
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  FileId file =
      sources.add("input", llvm::MemoryBuffer::getMemBufferCopy(bytes));
  syntax::Tree tree = readYAML(sources, file, diags);
  volatile size_t sum = walk(tree.root);
  (void)sum;
  checkPlaces(sources, diags.all());
  return 0;
}
