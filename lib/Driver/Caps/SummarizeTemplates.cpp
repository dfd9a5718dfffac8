//===- SummarizeTemplates.cpp - All capabilities of some templates --------===//

#include "DeclaredTags.h"
#include "Language.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Basic/Files.h"
#include "toscac/Driver/Capabilities.h"
#include "toscac/Driver/Driver.h"
#include "toscac/Parse/Heat/Library.h"
#include "toscac/Parse/ReadYAML.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using llvm::StringRef;
using syntax::Node;
using syntax::ScalarType;

namespace {

class Summary {
public:
  /// Adds the template \p path and those nested in it; false if it cannot be
  /// read.
  bool addFile(const std::string &path);
  bool addEnvironment(const std::string &path);
  void print(llvm::raw_ostream &os) const;

  SourceManager sources;
  DiagnosticEngine diags;

private:
  void addTags(const Node &root, const std::string &path);
  void addNested(const Node &root, StringRef folder);
  void addRegistry(const heat::Registry &registry);

  heat::Library library{sources, diags};
  std::vector<std::unique_ptr<syntax::Tree>> trees;
  llvm::StringSet<> seen;
  /// In the order of appearance: values of capabilities, and templates that
  /// can stand for types.
  struct Value {
    std::string text;
    ScalarType type;
  };
  llvm::MapVector<StringRef, std::vector<Value>> values;
};

} // namespace

static void addOnce(std::vector<std::string> &list, const std::string &item) {
  if (!llvm::is_contained(list, item))
    list.push_back(item);
}

void Summary::addTags(const Node &root, const std::string &path) {
  auto add = [&](StringRef key, std::string text, ScalarType type) {
    std::vector<Value> &known = values[key];
    bool isNew = llvm::none_of(known, [&](const Value &other) {
      return other.text == text && other.type == type;
    });
    if (isNew)
      known.push_back({std::move(text), type});
  };
  for (const DeclaredTag &tag : declaredTags(root, diags))
    for (const Node *value : tag.values) {
      if (tag.namesTypes)
        add(value->text(), path, ScalarType::String);
      else
        add(tag.key, value->text().str(), value->scalarType());
    }
}

/// Names of templates that stand as types of resources.
static void collectTypes(const Node &resource,
                         std::vector<std::string> &found) {
  if (!resource.isMapping())
    return;
  const Node *type = resource.find("type");
  if (type && type->isScalar() && heat::namesTemplate(type->text()))
    addOnce(found, type->text().str());
  const Node *properties = resource.find("properties");
  if (properties && properties->isMapping())
    if (const Node *member = properties->find("resource_def"))
      collectTypes(*member, found);
}

void Summary::addNested(const Node &root, StringRef folder) {
  const Node *resources = root.isMapping() ? root.find("resources") : nullptr;
  if (!heat::isTemplate(root) || !resources || !resources->isMapping())
    return;
  std::vector<std::string> names;
  for (const syntax::Entry &entry : resources->entries())
    collectTypes(entry.value, names);
  for (const std::string &name : names)
    addFile(heat::joinPath(folder, name));
}

bool Summary::addFile(const std::string &path) {
  if (!seen.insert(path).second)
    return true;
  auto text = readFile(path, diags);
  if (!text)
    return false;
  FileId file = sources.add(path, std::move(text));
  DiagnosticEngine problems;
  auto tree = std::make_unique<syntax::Tree>(
      readYAML(sources, file, problems,
               dialectOf(recognizeLanguage(sources.text(file)))));
  if (problems.hasErrors()) {
    const Diagnostic &first = problems.all().front();
    diags.report(first.range, diag::YamlInvalid, path, first.message);
    return true;
  }
  const Node &root = tree->root;
  addTags(root, path);
  addNested(root, llvm::sys::path::parent_path(path));
  trees.push_back(std::move(tree));
  return true;
}

void Summary::addRegistry(const heat::Registry &registry) {
  for (const auto &[key, entry] : registry.entries)
    for (const heat::Word &target : entry.targets)
      if (heat::namesTemplate(target.text))
        addFile(heat::joinPath(entry.folder, target.text));
  for (const auto &[name, section] : registry.resources)
    addRegistry(*section);
}

bool Summary::addEnvironment(const std::string &path) {
  heat::Environment environment;
  if (!library.readEnvironment(path, environment))
    return false;
  addRegistry(environment.registry);
  return true;
}

void Summary::print(llvm::raw_ostream &os) const {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    for (const auto &[key, list] : values)
      json.attributeArray(key, [&, &list = list] {
        for (const Value &value : list)
          if (value.type == ScalarType::String)
            json.value(llvm::json::fixUTF8(value.text));
          else if (auto parsed = llvm::json::parse(value.text))
            json.value(*parsed);
          else {
            llvm::consumeError(parsed.takeError());
            json.value(llvm::json::fixUTF8(value.text));
          }
      });
  });
  os << '\n';
}

int toscac::summarizeTemplates(const SummaryOptions &options,
                               llvm::raw_fd_ostream &out,
                               llvm::raw_fd_ostream &err) {
  Summary summary;
  int code = ExitGood;
  for (const std::string &file : options.files)
    if (!summary.addFile(heat::joinPath("", file)))
      code = ExitFile;
  for (const std::string &file : options.environments)
    if (!summary.addEnvironment(file))
      code = ExitFile;
  if (code == ExitGood)
    summary.print(out);
  showAsWarnings(summary.diags, summary.sources, err);
  return code;
}
