//===- Load.cpp - A blueprint and its imports -----------------------------===//
///
/// \file
/// Imports are followed depth first; each file is read once, however often and
/// under whatever name it is imported.
///
//===----------------------------------------------------------------------===//

#include "toscac/Parse/Cloudify/Load.h"

#include "Shapes.h"
#include "toscac/Basic/Files.h"
#include "toscac/Parse/ReadYAML.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::StringRef;
using syntax::Node;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

class BlueprintLoader {
public:
  BlueprintLoader(const LoadOptions &options, SourceManager &sources,
                  DiagnosticEngine &diags, Blueprint &result)
      : options(options), sources(sources), diags(diags), result(result) {}

  void loadEntry(FileId file, StringRef path);

private:
  void import(const Node &written, StringRef folder);
  void followImports(const Node &root, StringRef folder);
  /// The file that an import means; nothing if there is none.
  std::optional<std::string> locate(StringRef written, StringRef folder) const;
  std::optional<std::string> locatePlugin(StringRef name) const;
  std::optional<std::string> locateRemote(StringRef url) const;
  const Node *read(FileId file);

  const LoadOptions &options;
  SourceManager &sources;
  DiagnosticEngine &diags;
  Blueprint &result;
  llvm::StringSet<> seen;
};

} // namespace

static std::string joined(StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<128> result(folder);
  path::append(result, name);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

/// Whether \p written is the file of built-in types: by the name it has on a
/// manager, or by one of the URLs under which each version is published.
static bool isTypesFile(StringRef written) {
  static const llvm::Regex url(
      "^https?://(www\\.)?(getcloudify\\.org|cloudify\\.co)/spec/cloudify/"
      "[^/]+/types\\.yaml$");
  return written == "cloudify/types/types.yaml" || url.match(written);
}

const Node *BlueprintLoader::read(FileId file) {
  syntax::Tree &tree =
      result.trees.emplace_back(readYAML(sources, file, diags));
  return tree.valid ? &tree.root : nullptr;
}

/// `plugin:NAME?version=…`; what stands behind the question mark only tells a
/// manager which of several to take.
std::optional<std::string> BlueprintLoader::locatePlugin(StringRef name) const {
  name = name.split('?').first;
  for (StringRef folder : options.searchPaths)
    for (const char *end : {"/plugin.yaml", ".yaml"})
      if (std::string file = joined(folder, name + end); fs::exists(file))
        return file;
  return std::nullopt;
}

std::optional<std::string> BlueprintLoader::locateRemote(StringRef url) const {
  for (const std::string &table : options.remoteMaps) {
    auto buffer = llvm::MemoryBuffer::getFile(table);
    if (!buffer)
      continue;
    for (llvm::line_iterator line(**buffer, /*SkipBlanks=*/true, '#');
         !line.is_at_end(); ++line) {
      auto [prefix, rest] = line->split('\t');
      StringRef end = url;
      if (prefix.empty() || !end.consume_front(prefix))
        continue;
      std::string target = joined(path::parent_path(table),
                                  rest.split('\t').first.rtrim("\r") + end);
      if (fs::exists(target))
        return target;
    }
  }
  return std::nullopt;
}

std::optional<std::string> BlueprintLoader::locate(StringRef written,
                                                   StringRef folder) const {
  // A prefix for the names in it, which are unique enough without.
  if (auto [prefix, rest] = written.split("--");
      !rest.empty() && !prefix.contains('/'))
    written = rest;
  if (isTypesFile(written)) {
    for (StringRef bundled : options.bundled)
      if (std::string file = joined(bundled, "cloudify/types.yaml");
          fs::exists(file))
        return file;
    return std::nullopt;
  }
  if (written.consume_front("plugin:"))
    return locatePlugin(written);
  if (written.contains("://"))
    return locateRemote(written);
  std::string near = joined(folder, written);
  if (path::is_absolute(written))
    near = written.str();
  if (fs::exists(near))
    return near;
  for (StringRef other : options.searchPaths)
    if (std::string file = joined(other, written); fs::exists(file))
      return file;
  return std::nullopt;
}

void BlueprintLoader::import(const Node &written, StringRef folder) {
  if (!written.isScalar()) {
    diags.report(written.range(), diag::BlueprintShape, "an import",
                 "a string");
    return;
  }
  std::optional<std::string> file = locate(written.text(), folder);
  if (!file) {
    bool isRemote =
        written.text().contains("://") || written.text().starts_with("plugin:");
    diags.report(written.range(), diag::BlueprintImportMissing, written.text(),
                 isRemote ? "the network is never touched; -I or --remote-map "
                            "says where it lies"
                          : "there is no such file");
    return;
  }
  if (!seen.insert(*file).second)
    return;
  auto text = readFile(*file, diags);
  if (!text)
    return;
  FileId id = sources.add(*file, std::move(text));
  if (!id.isValid()) {
    diags.report({}, diag::TooMuchSource, *file);
    return;
  }
  const Node *root = read(id);
  if (!root)
    return;
  if (root->isMapping() && root->find("tosca_definitions_version"))
    parseVersion(*root, diags);
  followImports(*root, path::parent_path(*file));
  parseFile(*root, /*isImported=*/true, result, diags);
}

void BlueprintLoader::followImports(const Node &root, StringRef folder) {
  if (!root.isMapping())
    return;
  Fields fields(root, "a blueprint", diags);
  for (const Node &written : fields.list("imports"))
    import(written, folder);
}

void BlueprintLoader::loadEntry(FileId file, StringRef name) {
  const Node *root = read(file);
  if (!root)
    return;
  seen.insert(joined("", name));
  result.range = root->range();
  result.folder = path::parent_path(name).str();
  result.name = path::stem(name).str();
  auto version = parseVersion(*root, diags);
  // With the newest, nothing is too new.
  result.version = version.value_or(5);
  followImports(*root, result.folder);
  parseFile(*root, /*isImported=*/false, result, diags);
}

Blueprint cloudify::load(FileId file, StringRef path,
                         const LoadOptions &options, SourceManager &sources,
                         DiagnosticEngine &diags) {
  Blueprint blueprint;
  BlueprintLoader(options, sources, diags, blueprint).loadEntry(file, path);
  return blueprint;
}
