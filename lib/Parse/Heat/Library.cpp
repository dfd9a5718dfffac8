//===- Library.cpp - Templates, each read once ----------------------------===//

#include "toscac/Parse/Heat/Library.h"

#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Basic/Files.h"
#include "toscac/Parse/ReadYAML.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
namespace path = llvm::sys::path;

std::string heat::joinPath(StringRef folder, StringRef name) {
  name.consume_front("file://");
  if (name.contains("://"))
    return name.str();
  llvm::SmallString<128> result(path::is_absolute(name) ? "" : folder);
  path::append(result, name);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

/// Why \p path cannot be read.
static std::string reasonFor(const DiagnosticEngine &diags) {
  StringRef message = diags.all().back().message;
  return message.substr(message.find(": ") + 2).str();
}

FileId Library::load(StringRef path, SourceRange place) {
  DiagnosticEngine problems;
  bool isRemote = path.contains("://");
  auto buffer = isRemote ? nullptr : readFile(path, problems, fileSystem);
  if (!buffer) {
    diags.report(place, diag::FileNotFound, path,
                 isRemote ? "the network is never touched"
                          : reasonFor(problems));
    return {};
  }
  FileId source = sources.add(path.str(), std::move(buffer));
  if (!source.isValid())
    diags.report({}, diag::TooMuchSource, path);
  return source;
}

syntax::Tree Library::readTree(FileId source, StringRef path) {
  DiagnosticEngine problems;
  syntax::Tree tree = readYAML(sources, source, problems, YAMLDialect::PyYAML);
  bool isBroken = problems.hasErrors();
  if (isBroken) {
    const Diagnostic *first = nullptr;
    for (const Diagnostic &problem : problems.all())
      if (problem.severity == Severity::Error &&
          (!first || problem.range.begin < first->range.begin))
        first = &problem;
    diags.report(first->range, diag::YamlInvalid, path, first->message);
    tree.valid = false;
  } else {
    diags.take(std::move(problems));
  }
  return tree;
}

File *Library::add(const std::string &path, FileId source) {
  auto file = std::make_unique<File>();
  file->path = path;
  file->source = source;
  file->tree = readTree(source, path);
  if (!file->tree.valid)
    return nullptr;
  if (!isTemplate(file->tree.root)) {
    SourceRange start = sources.begin(source);
    diags.report(start, diag::NotATemplate, path);
    return nullptr;
  }
  file->capabilities = parseCapabilities(file->tree.root, diags);
  File *result = file.get();
  files[path] = std::move(file);
  return result;
}

File *Library::open(StringRef path, SourceRange place) {
  auto known = files.find(path);
  if (known != files.end())
    return known->second.get();
  files[path] = nullptr;
  FileId source = load(path, place);
  return source.isValid() ? add(path.str(), source) : nullptr;
}

const Template &Library::parse(File &file) {
  if (!file.parsed) {
    size_t errors = diags.numErrors();
    file.parsed = parseTemplate(file.tree.root, diags);
    file.isBroken = diags.numErrors() != errors;
  }
  return *file.parsed;
}

std::vector<StringRef> Library::declaredKeys() const {
  std::vector<StringRef> keys;
  for (const auto &entry : files)
    if (const File *file = entry.second.get(); file && file->capabilities)
      for (const Capability &capability : *file->capabilities)
        keys.push_back(capability.key.text);
  llvm::sort(keys);
  keys.erase(llvm::unique(keys), keys.end());
  return keys;
}

/// The tree of a file that the command line names; null if it cannot be read.
const syntax::Tree *Library::readNamed(StringRef path) {
  auto buffer = readFile(path, diags, fileSystem);
  if (!buffer)
    return nullptr;
  FileId source = sources.add(path.str(), std::move(buffer));
  if (!source.isValid()) {
    diags.report({}, diag::TooMuchSource, path);
    return nullptr;
  }
  trees.push_back(std::make_unique<syntax::Tree>(readTree(source, path)));
  return trees.back().get();
}

bool Library::readEnvironment(StringRef path, Environment &environment) {
  const syntax::Tree *tree = readNamed(path);
  if (tree && tree->valid)
    parseEnvironment(tree->root, path::parent_path(path), environment, diags);
  return tree;
}

bool Library::readParameters(StringRef path, Environment &environment) {
  const syntax::Tree *tree = readNamed(path);
  if (tree && tree->valid)
    parseParameters(tree->root, environment, diags);
  return tree;
}

std::optional<StringRef> Library::readText(StringRef path, SourceRange place) {
  auto known = texts.find(path);
  FileId source = known != texts.end() ? known->second : load(path, place);
  texts[path] = source;
  if (!source.isValid())
    return std::nullopt;
  return sources.text(source);
}
