//===- Project.cpp - Settings that files share ----------------------------===//
///
/// \file
/// The settings are rows of ProjectSettings.def; a form says what a value looks
/// like, for the reader and for the schema.
///
//===----------------------------------------------------------------------===//

#include "toscac/Driver/Project.h"

#include "Paths.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Basic/WarningOptions.h"
#include "toscac/Parse/ReadYAML.h"
#include "toscac/Parse/TOSCA/Grammar.h"
#include "toscac/Parse/WriteYAML.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;
namespace path = llvm::sys::path;
namespace json = llvm::json;

static constexpr StringRef projectFileName = ".toscac.yaml";

namespace {

enum class Form {
  Word,
  Words,
  Paths,
  PathMap,
  WordsMap,
  Levels,
  Switch,
  Values,
  Check
};

struct Setting {
  StringRef word;
  Form form;
  StringRef help;
};

constexpr Setting settings[] = {
#define SETTING(WORD, FORM, HELP) {WORD, Form::FORM, HELP},
#include "ProjectSettings.def"
};

constexpr Setting checkSettings[] = {
#define SETTING(WORD, FORM, HELP)
#define CHECK_SETTING(WORD, FORM, HELP) {WORD, Form::FORM, HELP},
#include "ProjectSettings.def"
};

/// Reads one file into options.
class ProjectReader {
public:
  ProjectReader(std::string folder, DriverOptions &options,
                DiagnosticEngine &diags)
      : folder(std::move(folder)), options(options), diags(diags) {}

  void read(const Node &root);

private:
  void readSettings(const Node &map, llvm::ArrayRef<Setting> known,
                    const std::string &what,
                    llvm::function_ref<void(const Entry &)> take);
  void take(const Entry &entry);
  void takeForCheck(const Entry &entry);
  void takeWarnings(const Entry &entry);
  void takeExtensions(const Entry &entry);
  void takeExcludes(const Entry &entry);

  bool expect(bool isRight, const Entry &entry, StringRef form);
  std::vector<std::string> words(const Entry &entry, bool arePaths);
  std::vector<std::string> paths(const Entry &entry) {
    return words(entry, /*arePaths=*/true);
  }
  /// `NAME=VALUE`, with the value as text in YAML.
  std::vector<std::string> assignments(const Entry &entry, bool arePaths);
  std::string word(const Entry &entry);
  std::string pathOf(StringRef name) const;

  std::string folder;
  DriverOptions &options;
  DiagnosticEngine &diags;
};

} // namespace

std::string ProjectReader::pathOf(StringRef name) const {
  if (folder.empty() || path::is_absolute(name))
    return name.str();
  llvm::SmallString<128> result(folder);
  path::append(result, name);
  path::remove_dots(result, /*remove_dot_dot=*/false);
  return result.str().str();
}

bool ProjectReader::expect(bool isRight, const Entry &entry, StringRef form) {
  if (!isRight)
    diags.report(entry.value.isNull() ? entry.key.range() : entry.value.range(),
                 diag::WrongSetting, ("'" + entry.key.text() + "'").str(),
                 form);
  return isRight;
}

static bool isWord(const Node &node) {
  return node.isScalar() && !node.text().empty();
}

std::vector<std::string> ProjectReader::words(const Entry &entry,
                                              bool arePaths) {
  // One word is a list of one.
  llvm::ArrayRef<Node> items;
  if (entry.value.isSequence())
    items = entry.value.items();
  else if (isWord(entry.value))
    items = entry.value;
  if (!expect((entry.value.isSequence() || isWord(entry.value)) &&
                  llvm::all_of(items, isWord),
              entry, arePaths ? "a list of paths" : "a list of words"))
    return {};
  std::vector<std::string> result;
  for (const Node &item : items)
    result.push_back(arePaths ? pathOf(item.text()) : item.text().str());
  return result;
}

std::vector<std::string> ProjectReader::assignments(const Entry &entry,
                                                    bool arePaths) {
  if (!expect(entry.value.isMapping() &&
                  llvm::all_of(entry.value.entries(),
                               [&](const Entry &inner) {
                                 return isWord(inner.key) &&
                                        (!arePaths || isWord(inner.value));
                               }),
              entry,
              arePaths ? "a map from names to paths"
                       : "a map from names to values"))
    return {};
  std::vector<std::string> result;
  for (const Entry &inner : entry.value.entries()) {
    std::string text = inner.key.text().str() + "=";
    if (arePaths) {
      text += pathOf(inner.value.text());
    } else {
      llvm::raw_string_ostream os(text);
      writeYAML(inner.value, os);
    }
    result.push_back(StringRef(text).rtrim("\n").str());
  }
  return result;
}

std::string ProjectReader::word(const Entry &entry) {
  return expect(isWord(entry.value), entry, "a word") ? entry.value.text().str()
                                                      : "";
}

/// Appends, so that what was there first stays stronger.
static void add(std::vector<std::string> &list, std::vector<std::string> more) {
  llvm::append_range(list, more);
}

/// Puts \p more before what was there, since the last one of a name counts.
static void addBefore(std::vector<std::string> &list,
                      std::vector<std::string> more) {
  list.insert(list.begin(), more.begin(), more.end());
}

/// Calls \p take for each entry of \p map that \p known has.
void ProjectReader::readSettings(const Node &map, llvm::ArrayRef<Setting> known,
                                 const std::string &what,
                                 llvm::function_ref<void(const Entry &)> take) {
  llvm::SmallVector<StringRef> names;
  for (const Setting &setting : known)
    names.push_back(setting.word);
  for (const Entry &entry : map.entries()) {
    StringRef name = entry.key.isScalar() ? entry.key.text() : "";
    if (llvm::is_contained(names, name)) {
      take(entry);
      continue;
    }
    Suggestion meant(name, names);
    auto report = diags.report(entry.key.range(), diag::UnknownSetting, what,
                               name, meant.clause());
    meant.fixIn(report, entry.key.range());
  }
}

void ProjectReader::read(const Node &root) {
  if (root.isNull())
    return;
  if (!root.isMapping()) {
    diags.report(root.range(), diag::WrongSetting, "the project file",
                 "a map of settings");
    return;
  }
  readSettings(root, settings, "the project file",
               [&](const Entry &entry) { take(entry); });
}

void ProjectReader::take(const Entry &entry) {
  StringRef name = entry.key.text();
  ImportOptions &imports = options.imports;
  if (name == "imports")
    add(imports.searchPaths, paths(entry));
  else if (name == "profiles")
    addBefore(imports.profiles, assignments(entry, /*arePaths=*/true));
  else if (name == "profile_maps")
    addBefore(imports.profileMaps, paths(entry));
  else if (name == "remote_maps")
    addBefore(imports.remoteMaps, paths(entry));
  else if (name == "functions")
    add(imports.functions, words(entry, /*arePaths=*/false));
  else if (name == "extensions")
    takeExtensions(entry);
  else if (name == "warnings")
    takeWarnings(entry);
  else if (name == "exclude")
    takeExcludes(entry);
  else if (name == "lifecycle") {
    std::string given = word(entry);
    bool isFile = StringRef(given).contains('/') ||
                  StringRef(given).ends_with(".yaml") ||
                  StringRef(given).ends_with(".yml");
    if (imports.lifecycle.empty())
      imports.lifecycle = isFile ? pathOf(given) : given;
  } else if (name == "pedantic") {
    bool isSwitch = entry.value.isPlain() &&
                    entry.value.scalarType() == syntax::ScalarType::Boolean;
    if (expect(isSwitch, entry, "true or false"))
      options.diagnostics.isPedantic |= entry.value.text() == "true";
  } else if (expect(entry.value.isMapping(), entry, "a map of settings")) {
    readSettings(entry.value, checkSettings, "'check'",
                 [&](const Entry &inner) { takeForCheck(inner); });
  }
}

/// Only where nothing is made, and only what the command line leaves open.
void ProjectReader::takeForCheck(const Entry &entry) {
  StringRef name = entry.key.text();
  bool isFree = options.checkOnly;
  InputOptions &inputs = options.inputValues;
  if (name == "inputs") {
    std::vector<std::string> values = assignments(entry, /*arePaths=*/false);
    if (isFree && inputs.values.empty())
      inputs.values = std::move(values);
  } else if (name == "input_files") {
    std::vector<std::string> files = paths(entry);
    if (isFree && inputs.files.empty())
      inputs.files = std::move(files);
  } else if (name == "workflow") {
    std::string workflow = word(entry);
    if (isFree && options.plan.workflow.empty())
      options.plan.workflow = workflow;
  } else {
    std::vector<std::string> values = assignments(entry, /*arePaths=*/false);
    if (isFree && options.plan.parameters.empty())
      options.plan.parameters = std::move(values);
  }
}

/// `deprecated: ignore` is `-Wno-deprecated`. Flags of the command line come
/// later, which makes them stronger.
void ProjectReader::takeWarnings(const Entry &entry) {
  if (!expect(entry.value.isMapping(), entry,
              "a map from warnings to ignore, warn or error"))
    return;
  std::vector<std::string> flags;
  for (const Entry &inner : entry.value.entries()) {
    StringRef level = inner.value.isScalar() ? inner.value.text() : "";
    if (!expect(level == "ignore" || level == "warn" || level == "error", inner,
                "ignore, warn or error"))
      continue;
    std::string flag = level == "ignore"  ? "no-"
                       : level == "error" ? "error="
                                          : "";
    flag += inner.key.text();
    WarningOptions tried;
    size_t before = diags.numErrors();
    tried.apply(flag, diags, inner.key.range());
    if (diags.numErrors() == before)
      flags.push_back(std::move(flag));
  }
  std::vector<std::string> &all = options.diagnostics.warnings;
  all.insert(all.begin(), flags.begin(), flags.end());
}

/// `relationship_type: [ kind ]`
void ProjectReader::takeExtensions(const Entry &entry) {
  if (!expect(entry.value.isMapping(), entry,
              "a map from entities to keynames"))
    return;
  std::vector<std::string> nouns;
  for (const tosca::EntityRule &rule : tosca::allEntities())
    nouns.push_back(llvm::join(llvm::split(rule.noun, ' '), "_"));
  std::vector<StringRef> known(nouns.begin(), nouns.end());
  for (const Entry &inner : entry.value.entries()) {
    StringRef noun = inner.key.isScalar() ? inner.key.text() : "";
    if (!llvm::is_contained(known, noun)) {
      Suggestion meant(noun, known);
      auto report = diags.report(inner.key.range(), diag::UnknownSetting,
                                 "'extensions'", noun, meant.clause());
      meant.fixIn(report, inner.key.range());
      continue;
    }
    for (const std::string &keyname : words(inner, /*arePaths=*/false))
      options.imports.extensions.push_back((noun + "." + keyname).str());
  }
}

void ProjectReader::takeExcludes(const Entry &entry) {
  options.project.folder = folder;
  for (const std::string &pattern : words(entry, /*arePaths=*/false)) {
    auto glob = llvm::GlobPattern::create(pattern);
    if (expect(bool(glob), entry, "a list of patterns such as 'vendor/*'"))
      options.project.excludes.push_back(pattern);
    else
      llvm::consumeError(glob.takeError());
  }
}

//===----------------------------------------------------------------------===//
// Where the file is
//===----------------------------------------------------------------------===//

static llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
filesOf(const DriverOptions &options) {
  return options.files ? llvm::IntrusiveRefCntPtr(options.files)
                       : llvm::vfs::getRealFileSystem();
}

/// The folder that the search starts in.
static std::string startFolder(const DriverOptions &options,
                               llvm::vfs::FileSystem &files) {
  std::string first = options.inputs.empty() ? "" : options.inputs.front();
  if (first == "-")
    first = options.stdinName;
  auto status = files.status(first);
  bool isFolder = status && status->isDirectory();
  return absolutePath(isFolder ? StringRef(first) : path::parent_path(first));
}

std::string toscac::findProjectFile(const DriverOptions &options) {
  if (options.project.isIgnored)
    return "";
  if (!options.project.file.empty())
    return options.project.file;
  auto files = filesOf(options);
  std::string start = startFolder(options, *files);
  bool isAbsolute =
      !options.inputs.empty() && path::is_absolute(options.inputs.front());
  for (StringRef folder = start; !folder.empty();
       folder = path::parent_path(folder)) {
    llvm::SmallString<128> found(folder);
    path::append(found, projectFileName);
    auto status = files->status(found);
    if (!status || !status->isRegularFile())
      continue;
    return isAbsolute ? found.str().str()
                      : relativePath(found, absolutePath(""));
  }
  return "";
}

bool toscac::applyProject(const std::string &file, DriverOptions &options,
                          SourceManager &sources, DiagnosticEngine &diags) {
  auto text = filesOf(options)->getBufferForFile(
      file, /*FileSize=*/-1, /*RequiresNullTerminator=*/false,
      /*IsVolatile=*/true);
  if (!text) {
    diags.report({}, diag::CannotReadFile, file, text.getError().message());
    return false;
  }
  FileId id = sources.add(file, std::move(*text));
  syntax::Tree tree = readYAML(sources, id, diags);
  if (tree.valid)
    ProjectReader(path::parent_path(file).str(), options, diags)
        .read(tree.root);
  return true;
}

bool toscac::isProjectFile(StringRef file) {
  return path::filename(file) == projectFileName;
}

bool toscac::isExcluded(const DriverOptions &options, StringRef name) {
  const ProjectOptions &project = options.project;
  if (project.excludes.empty())
    return false;
  std::string shown =
      relativePath(absolutePath(name), absolutePath(project.folder));
  for (const std::string &pattern : project.excludes) {
    auto glob = llvm::GlobPattern::create(pattern);
    if (!glob) {
      llvm::consumeError(glob.takeError());
      continue;
    }
    // A pattern may name the file, its end or a folder above it.
    for (StringRef whole = shown; !whole.empty();
         whole = path::parent_path(whole))
      if (glob->match(whole) || glob->match(path::filename(whole)))
        return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The schema
//===----------------------------------------------------------------------===//

static json::Object schemaOf(llvm::ArrayRef<Setting> known);

static json::Object mapOf(json::Value inner) {
  return json::Object{{"type", "object"},
                      {"additionalProperties", std::move(inner)}};
}

static json::Object schemaOf(Form form) {
  json::Object text{{"type", "string"}};
  json::Object texts{
      {"type", json::Array{"array", "string"}},
      {"items", json::Object{{"type", "string"}}},
  };
  switch (form) {
  case Form::Word:
    return text;
  case Form::Words:
  case Form::Paths:
    return texts;
  case Form::PathMap:
    return mapOf(std::move(text));
  case Form::WordsMap:
    return mapOf(std::move(texts));
  case Form::Levels:
    return mapOf(
        json::Object{{"enum", json::Array{"ignore", "warn", "error"}}});
  case Form::Switch:
    return json::Object{{"type", "boolean"}};
  case Form::Values:
    return mapOf(true);
  case Form::Check:
    return schemaOf(checkSettings);
  }
  llvm_unreachable("all forms are handled");
}

static json::Object schemaOf(llvm::ArrayRef<Setting> known) {
  json::Object properties;
  for (const Setting &setting : known) {
    json::Object one = schemaOf(setting.form);
    one["description"] = setting.help;
    properties[setting.word] = std::move(one);
  }
  return json::Object{{"type", "object"},
                      {"additionalProperties", false},
                      {"properties", std::move(properties)}};
}

void toscac::printProjectSchema(llvm::raw_ostream &os) {
  json::Object schema = schemaOf(settings);
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "project file of toscac";
  os << llvm::formatv("{0:2}", json::Value(std::move(schema))) << '\n';
}
