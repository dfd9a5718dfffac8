//===- Load.cpp - A blueprint and its imports -----------------------------===//
///
/// \file
/// Imports are followed depth first; each file is read once for each prefix of
/// names that it is imported under, however often.
///
//===----------------------------------------------------------------------===//

#include "toscac/Parse/Cloudify/Load.h"

#include "Shapes.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/Files.h"
#include "toscac/Parse/ReadYAML.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::StringRef;
using syntax::Entry;
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
  struct Place {
    /// The folder that imports are named from, that of scripts, and the prefix
    /// of all names.
    StringRef folder, scripts, prefix;
    bool isBundled = false;
  };
  void import(const Node &written, const Place &from);
  void load(const std::string &file, const Node &written, const Place &at);
  void followImports(const Node &root, const Place &at);
  void giveProperties(size_t firstPlugin, const Node &import);
  /// The file that an import means; nothing if there is none.
  std::optional<std::string> locate(StringRef written, StringRef folder) const;
  /// In a folder of its own, or by itself.
  std::optional<std::string> locateNamed(StringRef name, StringRef main) const;
  std::optional<std::string> locateRemote(StringRef url) const;
  const Node *read(FileId file);
  void checkImported(const Node &root);

  const LoadOptions &options;
  SourceManager &sources;
  DiagnosticEngine &diags;
  Blueprint &result;
  /// Files with their prefixes.
  llvm::StringSet<> seen;
  /// Files whose imports are being followed.
  std::vector<std::string> open;
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
  syntax::Tree &tree = result.trees.emplace_back(
      readYAML(sources, file, diags, YAMLDialect::PyYAML));
  return tree.valid ? &tree.root : nullptr;
}

std::optional<std::string> BlueprintLoader::locateNamed(StringRef name,
                                                        StringRef main) const {
  for (StringRef folder : options.searchPaths)
    for (const std::string &end : {"/" + main.str(), std::string(".yaml")})
      if (std::string file = joined(folder, name + end); fs::exists(file))
        return file;
  return std::nullopt;
}

std::optional<std::string> BlueprintLoader::locateRemote(StringRef url) const {
  for (const std::string &table : options.remoteMaps) {
    auto buffer = llvm::MemoryBuffer::getFile(table);
    // Said once, when loading began.
    if (!buffer)
      continue;
    for (llvm::line_iterator line(**buffer, /*SkipBlanks=*/true, '#');
         !line.is_at_end(); ++line) {
      auto [prefix, rest] = line->split('\t');
      StringRef end = url;
      if (prefix.empty() || !end.consume_front(prefix))
        continue;
      StringRef place = rest.split('\t').first.rtrim("\r");
      StringRef folder =
          path::is_absolute(place) ? "" : path::parent_path(table);
      std::string target = joined(folder, place);
      if (!end.empty())
        target = joined(target, end);
      if (fs::exists(target))
        return target;
    }
  }
  return std::nullopt;
}

std::optional<std::string> BlueprintLoader::locate(StringRef written,
                                                   StringRef folder) const {
  if (isTypesFile(written)) {
    for (StringRef bundled : options.bundled)
      if (std::string file = joined(bundled, "cloudify/types.yaml");
          fs::exists(file))
        return file;
    return std::nullopt;
  }
  // What stands behind a question mark only tells a manager which of several
  // to take.
  if (written.consume_front("plugin:"))
    return locateNamed(written.split('?').first, "plugin.yaml");
  if (written.consume_front("blueprint:"))
    return locateNamed(written, "blueprint.yaml");
  if (written.contains("://"))
    return locateRemote(written);
  std::string near = joined(folder, written);
  if (path::is_absolute(written))
    near = written.str();
  bool isThere = options.files ? options.files->exists(near) : fs::exists(near);
  if (isThere)
    return near;
  for (StringRef other : options.searchPaths)
    if (std::string file = joined(other, written); fs::exists(file))
      return file;
  return std::nullopt;
}

/// Plugins that came with an import are told what stands below it.
void BlueprintLoader::giveProperties(size_t firstPlugin, const Node &import) {
  Fields fields(import, "an import", diags);
  for (Plugin &plugin :
       llvm::MutableArrayRef(result.plugins).drop_front(firstPlugin))
    for (const Entry &entry : import.entries())
      plugin.properties = fields.values(entry.key.text());
}

/// `network--net.yaml` puts `network--` before all names of the file.
static std::pair<StringRef, StringRef> splitPrefix(StringRef written) {
  auto [prefix, rest] = written.rsplit("--");
  if (rest.empty() || prefix.contains('/') || prefix.contains(':'))
    return {"", written};
  return {written.drop_back(rest.size()), rest};
}

void BlueprintLoader::load(const std::string &file, const Node &written,
                           const Place &at) {
  auto text = readFile(file, diags, options.files);
  if (!text)
    return;
  FileId id = sources.add(file, std::move(text));
  if (!id.isValid()) {
    diags.report({}, diag::TooMuchSource, file);
    return;
  }
  result.files.push_back(
      {sources.rangeOf(id), at.prefix.str(), at.scripts.str(), at.isBundled});
  const Node *root = read(id);
  if (!root)
    return;
  if (root->isMapping() && root->find("tosca_definitions_version"))
    parseVersion(*root, diags);
  followImports(*root, at);
  size_t firstPlugin = result.plugins.size();
  // What comes with the compiler serves all versions.
  llvm::SaveAndRestore version(result.version,
                               at.isBundled ? 5 : result.version);
  parseFile(*root, /*isImported=*/true, at.prefix, result, diags);
  if (written.isMapping())
    giveProperties(firstPlugin, written);
}

void BlueprintLoader::import(const Node &written, const Place &from) {
  // `plugin:NAME: { property: value }`
  bool isWithProperties = written.isMapping() &&
                          written.entries().size() == 1 &&
                          written.entries().front().key.isScalar();
  if (!written.isScalar() && !isWithProperties) {
    diags.report(written.range(), diag::BlueprintShape, "an import",
                 "a string, or one with properties below it");
    return;
  }
  const Node &what =
      written.isScalar() ? written : written.entries().front().key;
  auto [prefix, name] = splitPrefix(what.text());
  std::optional<std::string> file = locate(name, from.folder);
  bool isBlueprint = name.starts_with("blueprint:");
  if (!file) {
    bool isRemote =
        name.contains("://") || name.starts_with("plugin:") || isBlueprint;
    auto report = diags.report(
        what.range(), diag::BlueprintImportMissing, what.text(),
        isRemote ? "the network is never touched; -I or --remote-map says "
                   "where it lies"
                 : "there is no such file");
    if (auto meant = nearestName(name, {"cloudify/types/types.yaml"});
        meant && *meant != name)
      report.note({}, diag::DidYouMean, *meant)
          .fixIt(what.range(), (prefix + *meant).str());
    return;
  }
  if (prefix.empty() && isBlueprint) {
    diags.report(what.range(), diag::BlueprintShape,
                 "the import of a blueprint",
                 "'PREFIX--blueprint:NAME', so that its names are its own");
    return;
  }
  StringRef folder = path::parent_path(*file);
  std::string whole =
      isTypesFile(name) ? std::string() : (from.prefix + prefix).str();
  if (!seen.insert(whole + *file).second)
    return;
  // Prefixes would grow without end.
  if (!prefix.empty() && llvm::is_contained(open, *file)) {
    diags.report(what.range(), diag::BlueprintImportMissing, what.text(),
                 "a file cannot have itself inside under a prefix");
    return;
  }
  open.push_back(*file);
  load(*file, written,
       {folder, isBlueprint ? folder : from.scripts, whole, isTypesFile(name)});
  open.pop_back();
}

void BlueprintLoader::followImports(const Node &root, const Place &at) {
  if (!root.isMapping())
    return;
  Fields fields(root, "a blueprint", diags);
  for (const Node &written : fields.list("imports"))
    import(written, at);
}

void BlueprintLoader::loadEntry(FileId file, StringRef name) {
  const Node *root = read(file);
  result.folder = path::parent_path(name).str();
  result.files.push_back({sources.rangeOf(file), "", result.folder});
  if (!root)
    return;
  seen.insert(joined("", name));
  open.push_back(joined("", name));
  result.range = root->range();
  result.name = path::stem(name).str();
  auto version = parseVersion(*root, diags);
  // With the newest, nothing is too new.
  result.version = version.value_or(5);
  followImports(*root, {result.folder, result.folder, ""});
  parseFile(*root, /*isImported=*/false, "", result, diags);
  if (result.files.size() == 1 && !diags.hasErrors())
    checkImported(*root);
}

/// Without an import, a type of Cloudify's is unknown, and so is all that is
/// made of it: the first one is enough to say.
void BlueprintLoader::checkImported(const Node &root) {
  auto report = [&](StringRef kind, const Word &name) {
    bool isMissing = name.text.starts_with("cloudify.") &&
                     !result.defined.contains((kind + "s " + name.text).str());
    const Node *version = root.find("tosca_definitions_version");
    if (isMissing)
      diags.report(version ? version->range() : name.range,
                   diag::BlueprintImportsNothing, kind, name.text);
    return isMissing;
  };
  for (const NodeType &type : result.nodeTypes)
    if (report("node type", type.parent))
      return;
  for (const NodeTemplate &node : result.nodes)
    if (report("node type", node.type))
      return;
}

Blueprint cloudify::load(FileId file, StringRef path,
                         const LoadOptions &options, SourceManager &sources,
                         DiagnosticEngine &diags) {
  Blueprint blueprint;
  for (const std::string &table : options.remoteMaps)
    if (auto buffer = llvm::MemoryBuffer::getFile(table); !buffer)
      diags.report({}, diag::CannotReadMap, table, buffer.getError().message());
  BlueprintLoader(options, sources, diags, blueprint).loadEntry(file, path);
  return blueprint;
}
