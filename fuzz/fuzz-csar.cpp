//===- fuzz-csar - Bytes to the entry of an archive -----------------------===//

#include "Walk.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/Csar.h"
#include "toscac/Parse/ReadYAML.h"

using namespace toscac;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceManager sources;
  DiagnosticEngine diags;
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  std::optional<Csar> csar = openCsar("input.csar", bytes, sources, diags);
  checkPlaces(sources, diags.all());
  if (!csar) {
    if (!diags.hasErrors())
      __builtin_trap();
    return 0;
  }
  auto entry = csar->files->getBufferForFile(csar->entry);
  if (!entry)
    __builtin_trap();
  FileId file = sources.add("input.csar/" + csar->entry, std::move(*entry));
  syntax::Tree tree = readYAML(sources, file, diags);
  volatile size_t sum = walk(tree.root);
  (void)sum;
  checkPlaces(sources, diags.all());
  return 0;
}
