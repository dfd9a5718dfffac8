//===- FindTemplates.cpp - Templates by capability ------------------------===//
///
/// \file
/// Files count as templates by their names and their first keys; all others are
/// passed over. A shell has replaced patterns before we see them, so a folder
/// that stands beside files is one that a pattern like `./*` happened to match:
/// it is looked into only if that was asked for. Alone, it was meant.
///
//===----------------------------------------------------------------------===//

#include "DeclaredTags.h"
#include "Language.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Driver/Capabilities.h"
#include "toscac/Driver/Driver.h"
#include "toscac/Parse/Heat/Library.h"
#include "toscac/Parse/ReadYAML.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace toscac;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static bool hasTemplateName(StringRef name) {
  return llvm::StringSwitch<bool>(path::extension(name))
      .CasesLower(".yaml", ".yml", ".template", ".tosca", true)
      .Default(false);
}

namespace {

/// The files to look at, each once, in the order of their names.
class FileList {
public:
  FileList(const FindOptions &options, DiagnosticEngine &diags);

  std::set<std::string> names;
  bool isReadable = true;

private:
  void add(StringRef name);
  void addFolder(const std::string &folder);
  void fail(const std::string &name, std::error_code error);

  const FindOptions &options;
  DiagnosticEngine &diags;
  std::set<fs::UniqueID> seen;
};

} // namespace

FileList::FileList(const FindOptions &options, DiagnosticEngine &diags)
    : options(options), diags(diags) {
  bool hasFiles = llvm::any_of(options.paths, [](const std::string &name) {
    return fs::is_regular_file(name);
  });
  for (const std::string &name : options.paths) {
    fs::file_status status;
    if (std::error_code error = fs::status(name, status))
      fail(name, error);
    else if (status.type() != fs::file_type::directory_file)
      add(name);
    else if (options.recursive || !hasFiles)
      addFolder(name);
  }
}

void FileList::fail(const std::string &name, std::error_code error) {
  diags.report({}, diag::CannotReadFile, name, error.message());
  isReadable = false;
}

void FileList::add(StringRef name) {
  fs::UniqueID id;
  bool isNew = hasTemplateName(name) && fs::is_regular_file(name) &&
               !fs::getUniqueID(name, id) && seen.insert(id).second;
  if (isNew)
    names.insert(heat::joinPath("", name));
}

void FileList::addFolder(const std::string &folder) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error,
                                      /*follow_symlinks=*/false);
  for (fs::recursive_directory_iterator end; at != end && !error;
       at.increment(error)) {
    bool isFolder = at->type() == fs::file_type::directory_file;
    bool isHidden = path::filename(at->path()).starts_with(".");
    if (isFolder && (isHidden || !options.recursive))
      at.no_push();
    if (!isFolder)
      found.push_back(at->path());
  }
  if (error)
    fail(folder, error);
  // Of several names for one file, the first counts.
  llvm::sort(found);
  for (const std::string &name : found)
    add(name);
}

static bool fits(llvm::ArrayRef<DeclaredTag> tags, StringRef condition) {
  auto [key, value] = condition.split('=');
  return llvm::any_of(
      tags, [&, key = key, value = value](const DeclaredTag &tag) {
        return tag.key == key &&
               llvm::any_of(tag.values, [&](const syntax::Node *node) {
                 return node->text() == value;
               });
      });
}

/// Whether the file \p name has all that is asked for. What is wrong with it is
/// shown at once, since its text is not kept.
static bool isWanted(const std::string &name, const FindOptions &options,
                     llvm::raw_fd_ostream &err) {
  SourceManager sources;
  DiagnosticEngine diags;
  bool result = false;
  if (auto text = readFile(name, diags)) {
    FileId file = sources.add(name, std::move(text));
    DiagnosticEngine problems;
    syntax::Tree tree =
        readYAML(sources, file, problems,
                 dialectOf(recognizeLanguage(sources.text(file))));
    if (problems.hasErrors()) {
      const Diagnostic &first = problems.all().front();
      diags.report(first.range, diag::YamlInvalid, name, first.message);
    } else {
      std::vector<DeclaredTag> tags = declaredTags(tree.root, diags);
      result = llvm::all_of(options.conditions, [&](StringRef condition) {
        return fits(tags, condition);
      });
    }
  }
  showAsWarnings(diags, sources, err);
  return result;
}

static void printPaths(llvm::ArrayRef<std::string> names, PathFormat format,
                       llvm::raw_ostream &out) {
  if (format != PathFormat::JSON) {
    for (const std::string &name : names)
      out << name << (format == PathFormat::Nul ? '\0' : '\n');
    return;
  }
  JSONWriter json(out);
  json.array([&] {
    for (const std::string &name : names)
      json.value(name);
  });
  out << '\n';
}

int toscac::findTemplates(const FindOptions &options, llvm::raw_fd_ostream &out,
                          llvm::raw_fd_ostream &err) {
  DiagnosticEngine diags;
  FileList files(options, diags);
  std::vector<std::string> found;
  for (const std::string &name : files.names)
    if (isWanted(name, options, err))
      found.push_back(name);
  printPaths(found, options.format, out);
  showProblems(diags, SourceManager(), err);
  return files.isReadable ? ExitGood : ExitFile;
}
