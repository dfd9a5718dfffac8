//===- CheckChecksums.cpp - Checksums of artifacts ------------------------===//

#include "CheckChecksums.h"

#include "ResolveImport.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/Digest.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;

namespace {

class ChecksumCheck {
public:
  explicit ChecksumCheck(DiagnosticEngine &diags) : diags(diags) {}

  void walk(const Entity &entity, const File &from);

private:
  /// The digest of a file, or why there is none.
  struct Outcome {
    std::string digest;
    std::string problem;
  };

  void check(const Entity &artifact, const File &from);
  const Outcome &digestOf(const FileLocation &file, StringRef algorithm);

  DiagnosticEngine &diags;
  /// A file is read once per algorithm, however many artifacts name it.
  std::map<std::tuple<const void *, std::string, std::string>, Outcome> known;
};

} // namespace

static std::string readAndDigest(const FileLocation &file, StringRef algorithm,
                                 std::string &problem) {
  llvm::vfs::FileSystem &files = *file.volume->files;
  auto status = files.status(file.path);
  if (!status)
    problem = status.getError().message();
  else if (!status->isRegularFile())
    problem = "it is not a regular file";
  else if (status->getSize() > SourceManager::maxFileSize)
    problem = "it is larger than " +
              std::to_string(SourceManager::maxFileSize) + " bytes";
  if (!problem.empty())
    return "";
  auto buffer = files.getBufferForFile(file.path, /*FileSize=*/-1,
                                       /*RequiresNullTerminator=*/false,
                                       /*IsVolatile=*/true);
  if (!buffer)
    problem = buffer.getError().message();
  return buffer ? *hexDigest(algorithm, (*buffer)->getBuffer()) : "";
}

const ChecksumCheck::Outcome &ChecksumCheck::digestOf(const FileLocation &file,
                                                      StringRef algorithm) {
  auto [entry, isNew] = known.try_emplace(
      {file.volume->files.get(), file.path, algorithm.lower()});
  Outcome &outcome = entry->second;
  if (isNew)
    outcome.digest = readAndDigest(file, algorithm, outcome.problem);
  return outcome;
}

void ChecksumCheck::check(const Entity &artifact, const File &from) {
  const Field *checksum = artifact.find(Key::Checksum);
  const Field *algorithm = artifact.find(Key::ChecksumAlgorithm);
  const Field *name = artifact.find(Key::File);
  auto isRead = [](const Field *field) { return field && field->valid; };
  if (!isRead(checksum) || !isRead(algorithm) || !isRead(name) ||
      artifact.find(Key::Repository))
    return;
  auto file = findLocalFile(name->value->text(), from);
  if (!file)
    return;
  std::string shown = shownName(*file->volume, file->path);
  StringRef algorithmName = algorithm->value->text();
  if (!hexDigest(algorithmName, "")) {
    diags.report(
        algorithm->value->range(), diag::ChecksumNotVerified, shown,
        ("algorithm '" + algorithmName + "' is none of SHA-256, SHA-1 and MD5")
            .str());
    return;
  }
  const Outcome &outcome = digestOf(*file, algorithmName);
  StringRef stated = checksum->value->text();
  if (!outcome.problem.empty())
    diags.report(name->value->range(), diag::ChecksumNotVerified, shown,
                 outcome.problem);
  else if (!stated.trim().equals_insensitive(outcome.digest))
    diags.report(checksum->value->range(), diag::ChecksumMismatch, shown,
                 algorithmName, outcome.digest, stated);
}

void ChecksumCheck::walk(const Entity &entity, const File &from) {
  if (entity.kind == EntityKind::ArtifactDefinition ||
      entity.kind == EntityKind::ArtifactReference)
    check(entity, from);
  for (const Field &field : entity.fields)
    for (const Entity &inner : field.entities)
      walk(inner, from);
}

void tosca::checkChecksums(const Package &package, const SourceManager &sources,
                           DiagnosticEngine &diags) {
  ChecksumCheck check(diags);
  for (const auto &file : package.files)
    // Few files state any; finding a word is cheaper than the walk.
    if (sources.text(file->source).contains(word(Key::Checksum)))
      check.walk(file->root, *file);
}
