//===- EngineConfig.cpp - Settings of an engine ---------------------------===//

#include "EngineConfig.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/Files.h"

using namespace toscac;

bool emit::readEngineConfig(llvm::StringRef path, JSONField::Visit visit,
                            DiagnosticEngine &diags) {
  if (path.empty())
    return true;
  std::unique_ptr<llvm::MemoryBuffer> text = readFile(path, diags);
  if (!text)
    return false;
  ValueArena arena;
  NameTable names;
  JSONReader reader(arena, names);
  llvm::Error error = reader.fields(text->getBuffer(), visit);
  if (!error)
    return true;
  diags.report({}, diag::BrokenEngineConfig, path,
               llvm::toString(std::move(error)));
  return false;
}
