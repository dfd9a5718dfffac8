//===- Csar.cpp - Cloud service archives ----------------------------------===//

#include "toscac/Parse/Csar.h"

#include "CsarDigests.h"
#include "EntryName.h"
#include "ToscaMeta.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Parse/Archive.h"
#include "toscac/Parse/TopLevelKey.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using llvm::StringRef;

namespace {

/// The two places where TOSCA.meta may be.
constexpr StringRef metaPaths[] = {"TOSCA.meta", "TOSCA-Metadata/TOSCA.meta"};

/// The keynames of block_0 (§17.2.1).
constexpr StringRef block0Keynames[] = {
    "CSAR-Version", "Created-By", "Entry-Definitions", "Other-Definitions"};

/// Largest TOSCA.meta that is read: room for a digest of every file.
constexpr uint64_t maxMetaSize = 16 << 20;

/// Comparing names is quadratic in their length; beyond this many letters in
/// all candidates together, nothing is suggested.
constexpr size_t maxComparedLetters = 1 << 18;

/// File names in a message are not more than this.
constexpr size_t maxListed = 5;

class CsarReader {
public:
  CsarReader(StringRef name, Archive archive, SourceManager &sources,
             DiagnosticEngine &diags)
      : name(name), archive(std::move(archive)), sources(sources), diags(diags),
        digests(diags) {}

  /// The result is of use only if no error was reported.
  Csar run();

private:
  bool hasFile(StringRef path) const {
    return llvm::binary_search(archive.names, path);
  }
  bool isTosca(StringRef path) const;
  /// Finds TOSCA.meta; an invalid id where it cannot be read.
  std::optional<FileId> addMeta();
  void readMeta(FileId file);
  void checkKeynames(llvm::ArrayRef<MetaBlock> blocks);
  void checkKeyname(const MetaPair &pair, bool inBlock0);
  void checkVersion(const MetaBlock &block0, SourceRange top);
  void checkDigestBlock(const MetaBlock &block);
  /// The normal form of a path that TOSCA.meta names at \p range; reports a
  /// file that is not there.
  std::optional<std::string> findFile(StringRef path, SourceRange range);
  std::string suggestionFor(StringRef path) const;
  /// The single YAML file at the root (§17.3), or the single one among them
  /// that is of TOSCA (§17.1). Problems are reported at
  /// \p range.
  void findRootEntry(SourceRange range);

  std::string name;
  Archive archive;
  SourceManager &sources;
  DiagnosticEngine &diags;
  DigestCheck digests;
  Csar csar;
};

} // namespace

static std::string quotedList(llvm::ArrayRef<StringRef> names) {
  std::string list;
  for (StringRef name : names.take_front(maxListed))
    list += (list.empty() ? "'" : ", '") + printableName(name) + "'";
  if (names.size() > maxListed)
    list += " and " + std::to_string(names.size() - maxListed) + " more";
  return list;
}

//===----------------------------------------------------------------------===//
// TOSCA.meta
//===----------------------------------------------------------------------===//

std::optional<FileId> CsarReader::addMeta() {
  std::optional<FileId> file;
  for (StringRef path : metaPaths) {
    if (!hasFile(path))
      continue;
    if (file) {
      diags.report({}, diag::TwoMetaFiles, name);
      continue;
    }
    auto buffer = archive.files->getBufferForFile(path);
    assert(buffer && "a file of the archive is in memory");
    std::string shown = name + "/" + path.str();
    if (uint64_t size = (*buffer)->getBufferSize(); size > maxMetaSize) {
      diags.report({}, diag::FileTooLarge, shown, size, maxMetaSize);
      return FileId();
    }
    // A copy, since sources outlive the archive.
    file = sources.add(shown, llvm::MemoryBuffer::getMemBufferCopy(
                                  (*buffer)->getBuffer(), shown));
    if (!file->isValid())
      diags.report({}, diag::TooMuchSource, shown);
  }
  return file;
}

void CsarReader::readMeta(FileId file) {
  size_t errorsBefore = diags.numErrors();
  std::vector<MetaBlock> blocks = parseToscaMeta(sources, file, diags);
  // What a broken line was to say is not known; nothing is missed for it.
  bool readable = diags.numErrors() == errorsBefore;
  const MetaBlock &block0 = blocks.front();
  SourceRange top(sources.begin(file));
  checkKeynames(blocks);
  if (readable || block0.find("CSAR-Version"))
    checkVersion(block0, top);
  if (const MetaPair *entry = block0.find("Entry-Definitions")) {
    StringRef path = entry->value;
    if (path.size() >= 2 && path.front() == '"' && path.back() == '"')
      path = path.drop_front().drop_back();
    csar.entry = findFile(path, entry->valueRange).value_or("");
  } else if (readable) {
    findRootEntry(top);
  }
  if (const MetaPair *others = block0.find("Other-Definitions"))
    for (const MetaItem &item : splitFileNames(*others, sources, diags))
      if (std::optional<std::string> path = findFile(item.text, item.range))
        csar.others.push_back(std::move(*path));
  for (const MetaBlock &block : llvm::drop_begin(blocks))
    checkDigestBlock(block);
}

void CsarReader::checkKeynames(llvm::ArrayRef<MetaBlock> blocks) {
  for (const MetaBlock &block : blocks)
    for (const MetaPair &pair : block.pairs)
      checkKeyname(pair, /*inBlock0=*/&block == blocks.begin());
}

void CsarReader::checkKeyname(const MetaPair &pair, bool inBlock0) {
  StringRef keyname = pair.keyname;
  if (llvm::is_contained(block0Keynames, keyname)) {
    if (!inBlock0)
      diags.report(pair.keynameRange, diag::MetaKeynameMisplaced, keyname);
    return;
  }
  if (keyname.starts_with("TOSCA") || keyname.starts_with("tosca")) {
    diags.report(pair.keynameRange, diag::ReservedMetaKeyname, keyname,
                 keyname.take_front(strlen("TOSCA")));
    return;
  }
  if (!inBlock0)
    return;
  Suggestion meant(keyname, block0Keynames);
  auto report = diags.report(pair.keynameRange, diag::UnknownMetaKeyname,
                             keyname, meant.clause());
  meant.fixIn(report, pair.keynameRange);
}

void CsarReader::checkVersion(const MetaBlock &block0, SourceRange top) {
  const MetaPair *version = block0.find("CSAR-Version");
  if (!version)
    diags.report(top, diag::MissingCsarVersion);
  else if (version->value == "1.0" || version->value == "1.1")
    diags.report(version->valueRange, diag::OldCsarVersion, version->value);
  else if (version->value != "2.0")
    diags.report(version->valueRange, diag::UnknownCsarVersion, version->value);
}

void CsarReader::checkDigestBlock(const MetaBlock &block) {
  const MetaPair *file = findDigestedFile(block);
  if (!file)
    return;
  // SOL004 also lists files that are not in the archive, by their URL.
  if (StringRef(file->value).contains("://")) {
    diags.report(file->valueRange, diag::DigestOfRemoteFile, file->value);
    return;
  }
  std::optional<std::string> path = findFile(file->value, file->valueRange);
  if (!path)
    return;
  auto buffer = archive.files->getBufferForFile(*path);
  assert(buffer && "a file of the archive is in memory");
  digests.run(block, *file, (*buffer)->getBuffer());
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static StringRef baseName(StringRef path) {
  return path.substr(path.rfind('/') + 1);
}

/// A file of the same name in another folder, or else the nearest path.
std::string CsarReader::suggestionFor(StringRef path) const {
  llvm::SmallVector<StringRef> sameName, similar;
  for (StringRef candidate : archive.names) {
    if (baseName(candidate) == baseName(path))
      sameName.push_back(candidate);
    if (std::max(candidate.size(), path.size()) -
            std::min(candidate.size(), path.size()) <=
        path.size() / 3)
      similar.push_back(candidate);
  }
  if (sameName.size() == 1)
    return Suggestion(sameName.front()).clause();
  if (similar.size() * path.size() > maxComparedLetters)
    return "";
  return didYouMean(path, similar);
}

std::optional<std::string> CsarReader::findFile(StringRef path,
                                                SourceRange range) {
  std::optional<std::string> normalised = normalisedName(path);
  bool isRelative = !path.starts_with("/");
  if (isRelative && normalised && hasFile(*normalised))
    return normalised;
  diags.report(range, diag::FileNotInArchive, printableName(path),
               suggestionFor(path));
  return std::nullopt;
}

bool CsarReader::isTosca(StringRef path) const {
  auto buffer = archive.files->getBufferForFile(path);
  assert(buffer && "a file of the archive is in memory");
  return hasTopLevelKey((*buffer)->getBuffer(), "tosca_definitions_version");
}

void CsarReader::findRootEntry(SourceRange range) {
  llvm::SmallVector<StringRef> found;
  for (StringRef path : archive.names)
    if (!path.contains('/') &&
        (path.ends_with(".yaml") || path.ends_with(".yml")))
      found.push_back(path);
  // Other files may stand there, of whatever content.
  llvm::SmallVector<StringRef> tosca;
  llvm::copy_if(found, std::back_inserter(tosca),
                [&](StringRef path) { return isTosca(path); });
  if (found.size() > 1 && !tosca.empty())
    found = std::move(tosca);
  if (found.size() == 1)
    csar.entry = found.front().str();
  else if (found.empty())
    diags.report(range, diag::NoEntryDefinitions, name);
  else
    diags.report(range, diag::AmbiguousEntryDefinitions, name,
                 quotedList(found));
}

Csar CsarReader::run() {
  std::optional<FileId> meta = addMeta();
  if (!meta)
    findRootEntry({});
  else if (meta->isValid())
    readMeta(*meta);
  csar.files = archive.files;
  return std::move(csar);
}

std::optional<Csar> toscac::openCsar(StringRef name, StringRef bytes,
                                     SourceManager &sources,
                                     DiagnosticEngine &diags) {
  std::optional<Archive> archive = readArchive({bytes, name}, diags);
  if (!archive)
    return std::nullopt;
  size_t errorsBefore = diags.numErrors();
  Csar csar = CsarReader(name, std::move(*archive), sources, diags).run();
  if (diags.numErrors() != errorsBefore)
    return std::nullopt;
  return csar;
}
