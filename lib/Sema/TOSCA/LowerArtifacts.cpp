//===- LowerArtifacts.cpp - The files that operations run -----------------===//
///
/// \file
/// Plans name files by their way from the entry file's folder. Those of
/// profiles, which lie elsewhere on every machine, are named by the profile.
///
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

ir::ArtifactId sema::lowerArtifact(Lowering &lowering, const Scope &,
                                   const Entity &definition) {
  auto [known, isNew] = lowering.artifactIds.try_emplace(&definition);
  if (!isNew)
    return known->second;
  std::vector<ir::Artifact> &artifacts = lowering.result.artifacts;
  known->second = {static_cast<uint32_t>(artifacts.size())};
  StringRef file = definition.text(Key::File);
  artifacts.push_back({lowering.intern(definition.text(Key::Type)), file, file,
                       definition.range()});
  return known->second;
}
