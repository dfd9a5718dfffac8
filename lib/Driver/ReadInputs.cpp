//===- ReadInputs.cpp - What the command line names -----------------------===//
///
/// \file
/// Below a folder, a file counts as an input if its name is that of YAML and it
/// has keys of one of the languages, or if it is a CSAR. Hidden folders
/// (`.git`) and folders behind links are passed over. Names are sorted, so that
/// the order does not depend on the file system.
///
//===----------------------------------------------------------------------===//

#include "ReadInputs.h"

#include "Language.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/Files.h"
#include "toscac/Driver/Project.h"
#include "toscac/Parse/Archive.h"
#include "toscac/Parse/TopLevelKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <set>

using namespace toscac;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string toscac::shownInputName(const std::string &input,
                                   const std::string &stdinName) {
  if (input != "-")
    return input;
  return stdinName.empty() ? "<stdin>" : stdinName;
}

namespace {

/// A file to be read, and what came of it.
struct Candidate {
  std::string name;
  /// It is an input only if it looks like one.
  bool mustLookLikeOne = false;
  /// The folder of the command line that it was found in, if it was.
  const std::string *folder = nullptr;
  /// Whether files in any language are inputs, not those in TOSCA alone.
  bool inAnyLanguage = false;
  std::unique_ptr<llvm::MemoryBuffer> text = nullptr;
  DiagnosticEngine diags = {};
};

} // namespace

static bool isYAML(StringRef name) {
  return llvm::StringSwitch<bool>(path::extension(name))
      .CasesLower(".yaml", ".yml", ".tosca", true)
      .Default(false);
}

static bool isCsar(StringRef name) {
  return path::extension(name).equals_insensitive(".csar");
}

static bool looksLikeInput(const Candidate &candidate) {
  StringRef text = candidate.text->getBuffer();
  return candidate.inAnyLanguage
             ? isOfKnownLanguage(text)
             : hasTopLevelKey(text, "tosca_definitions_version");
}

static void reportUnreadable(StringRef name, std::error_code error,
                             DiagnosticEngine &diags) {
  diags.report({}, diag::CannotReadFile, name, error.message());
}

/// Adds what may be an input below \p folder.
static void walk(const std::string &folder, const DriverOptions &options,
                 std::vector<Candidate> &found, DiagnosticEngine &diags) {
  std::vector<std::string> names;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error,
                                      /*follow_symlinks=*/false);
  for (fs::recursive_directory_iterator end; at != end && !error;
       at.increment(error)) {
    StringRef name = at->path();
    bool isFolder = at->type() == fs::file_type::directory_file;
    if (isFolder && path::filename(name).starts_with("."))
      at.no_push();
    bool hasName = isYAML(name) || isCsar(name);
    // A link may lead to a file; a pipe or a device is no input.
    if (hasName && fs::is_regular_file(name) && !isExcluded(options, name))
      names.push_back(name.str());
  }
  if (error)
    reportUnreadable(folder, error, diags);
  llvm::sort(names);
  for (std::string &name : names) {
    StringRef shown = name;
    shown.consume_front("./");
    found.push_back({shown.str(), /*mustLookLikeOne=*/true, &folder});
  }
}

static void readOne(Candidate &candidate, llvm::vfs::FileSystem *files) {
  if (candidate.name == "-") {
    candidate.text = readStdin(candidate.diags);
  } else if (!files) {
    candidate.text = readFile(candidate.name, candidate.diags);
  } else if (auto text = files->getBufferForFile(candidate.name)) {
    candidate.text = std::move(*text);
  } else {
    reportUnreadable(candidate.name, text.getError(), candidate.diags);
  }
  bool isInput = !candidate.mustLookLikeOne || !candidate.text ||
                 isCsar(candidate.name) || looksLikeInput(candidate);
  if (!isInput)
    candidate.text.reset();
}

static void readAll(std::vector<Candidate> &candidates,
                    const DriverOptions &options) {
  if (candidates.size() == 1 || options.jobs == 1) {
    for (Candidate &candidate : candidates)
      readOne(candidate, options.files);
    return;
  }
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.jobs));
  for (Candidate &candidate : candidates)
    pool.async([&candidate, &options] { readOne(candidate, options.files); });
  pool.wait();
}

/// Names for one file, the first of which counts.
static void dropRepeated(std::vector<Candidate> &candidates) {
  std::set<fs::UniqueID> seen;
  llvm::erase_if(candidates, [&](const Candidate &candidate) {
    fs::UniqueID id;
    return candidate.name != "-" && !fs::getUniqueID(candidate.name, id) &&
           !seen.insert(id).second;
  });
}

std::vector<InputFile> toscac::readInputs(const DriverOptions &options,
                                          DiagnosticEngine &diags) {
  std::vector<Candidate> candidates;
  for (const std::string &name : options.inputs)
    if (options.checkOnly && fs::is_directory(name))
      walk(name, options, candidates, diags);
    else
      candidates.push_back({name, options.toscaOnly});
  dropRepeated(candidates);
  for (Candidate &candidate : candidates)
    candidate.inAnyLanguage = candidate.folder && !options.toscaOnly;
  readAll(candidates, options);
  std::vector<InputFile> inputs;
  std::set<StringRef> fruitful;
  for (Candidate &candidate : candidates) {
    diags.take(std::move(candidate.diags));
    if (!candidate.text)
      continue;
    if (candidate.folder)
      fruitful.insert(*candidate.folder);
    inputs.push_back({shownInputName(candidate.name, options.stdinName),
                      std::move(candidate.text)});
  }
  // To check nothing must not look like finding nothing wrong.
  for (const std::string &name : options.inputs)
    if (options.checkOnly && fs::is_directory(name) && !fruitful.count(name))
      diags.report({}, diag::NothingToCheck, name);
  return inputs;
}

/// Whether a template says that it can stand for nodes. A file that only seems
/// to do so is read for nothing, no more.
static bool looksLikeCandidate(const Candidate &candidate) {
  return candidate.text &&
         candidate.text->getBuffer().contains("substitution_mappings");
}

std::vector<InputFile> toscac::readCandidates(
    const DriverOptions &options, const InputFile &input, bool hadThem,
    std::vector<std::pair<std::string, std::string>> &unreadable) {
  llvm::StringRef text = input.text->getBuffer();
  bool mayWantThem = looksLikeArchive(text) || text.contains("substitute") ||
                     (hadThem && text.contains("tosca_definitions_version"));
  if (!mayWantThem)
    return {};
  std::vector<Candidate> candidates;
  auto pass = [&](const std::string &name, const DiagnosticEngine &problems) {
    for (const Diagnostic &problem : problems.all())
      unreadable.push_back({name, problem.message});
  };
  for (const std::string &folder : options.imports.searchPaths) {
    DiagnosticEngine problems;
    if (fs::is_directory(folder))
      walk(folder, options, candidates, problems);
    pass(folder, problems);
  }
  llvm::erase_if(candidates,
                 [](const Candidate &found) { return isCsar(found.name); });
  // The input itself may lie in one of the folders.
  candidates.insert(candidates.begin(), Candidate{input.name});
  dropRepeated(candidates);
  candidates.erase(candidates.begin());
  readAll(candidates, options);
  std::vector<InputFile> result;
  for (Candidate &candidate : candidates) {
    pass(candidate.name, candidate.diags);
    if (looksLikeCandidate(candidate))
      result.push_back({candidate.name, std::move(candidate.text)});
  }
  return result;
}
