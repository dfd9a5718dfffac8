//===- Workspace.cpp - The files of an editor -----------------------------===//

#include "toscac/Edit/Workspace.h"

#include "toscac/Driver/Project.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
namespace path = llvm::sys::path;
namespace vfs = llvm::vfs;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static bool saysFileIsMissing(const Diagnostic &diagnostic) {
  const std::string &group = info(diagnostic.id).group;
  return group == "imports" || group == "files";
}

Checked::Checked(DriverOptions options,
                 llvm::IntrusiveRefCntPtr<vfs::FileSystem> given)
    : files(std::move(given)),
      isGivenInputs(!options.inputValues.files.empty() ||
                    !options.inputValues.values.empty()) {
  options.files = files.get();
  check = std::make_unique<Check>(std::move(options));
  const SourceManager &sources = check->sources();
  for (uint32_t i = 0; i < sources.numFiles(); ++i)
    read.insert(sources.name({i}).str());
  isLacking = llvm::any_of(check->diagnostics().items, [](const auto &item) {
    return saysFileIsMissing(*item.diagnostic);
  });
}

Checked::~Checked() = default;

const tosca::File *Checked::find(StringRef path) const {
  for (const auto &file : check->package().files)
    if (check->sources().name(file->source) == path)
      return file.get();
  return nullptr;
}

Workspace::Workspace(DriverOptions options) : driver(std::move(options)) {
  // Threads that are made for each check cost more than they gain.
  driver.jobs = 1;
}

Workspace::~Workspace() = default;

llvm::IntrusiveRefCntPtr<vfs::FileSystem>
Workspace::overlay(StringRef replacedPath, StringRef replacement) const {
  auto memory = llvm::makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const auto &[path, document] : documents)
    memory->addFile(
        path, /*ModificationTime=*/0,
        llvm::MemoryBuffer::getMemBufferCopy(
            path == replacedPath ? replacement : StringRef(document->content),
            path));
  auto files = llvm::makeIntrusiveRefCnt<vfs::OverlayFileSystem>(
      vfs::getRealFileSystem());
  files->pushOverlay(std::move(memory));
  return files;
}

DriverOptions Workspace::optionsFor(std::vector<std::string> inputs) const {
  DriverOptions result = driver;
  result.inputs = std::move(inputs);
  return result;
}

const Outline &Workspace::outline(Document &document) {
  if (!document.outline)
    document.outline = std::make_unique<Outline>(document.content);
  return *document.outline;
}

const Checked &Workspace::checked(Document &document) {
  if (!document.checked) {
    document.checked =
        std::make_unique<Checked>(optionsFor({document.path}), overlay());
    document.earlier.reset();
  }
  return *document.checked;
}

const Checked &Workspace::names(Document &document) {
  const Outline &read = outline(document);
  if (!read.isRepaired)
    return checked(document);
  if (!document.mended)
    document.mended = std::make_unique<Checked>(
        optionsFor({document.path}), overlay(document.path, read.repaired));
  return *document.mended;
}

const Checked &Workspace::recentNames(Document &document) {
  bool isFresh = document.checked && !outline(document).isRepaired;
  if (isFresh || !document.earlier)
    return names(document);
  return *document.earlier;
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

void Workspace::setOptions(DriverOptions options) {
  driver = std::move(options);
  driver.jobs = 1;
  for (auto &[path, document] : documents) {
    document->checked.reset();
    document->mended.reset();
    changed.insert(path);
  }
  allIsStale = true;
  closed.clear();
  files.reset();
  llvm::copy(filesOfFolders(), std::inserter(waiting, waiting.end()));
}

void Workspace::addFolder(std::string path) {
  roots.push_back(std::move(path));
  files.reset();
  allIsStale = true;
  llvm::copy(filesOfFolders(), std::inserter(waiting, waiting.end()));
}

void Workspace::removeFolder(StringRef path) {
  llvm::erase_if(roots, [&](const std::string &root) { return root == path; });
  files.reset();
  allIsStale = true;
  for (auto at = closed.begin(); at != closed.end();)
    at = inFolders(at->first) ? std::next(at) : closed.erase(at);
}

bool Workspace::inFolders(StringRef file) const {
  return llvm::any_of(roots, [&](StringRef root) {
    return file.consume_front(root) && (file.empty() || file.front() == '/');
  });
}

/// Forgets what depends on the file at \p path.
void Workspace::invalidate(StringRef path, bool isNewOrGone) {
  if (isProjectFile(path))
    return setOptions(driver);
  allIsStale = true;
  for (auto &[other, document] : documents) {
    auto depends = [&](const std::unique_ptr<Checked> &checked) {
      return checked && (other == path || checked->paths().count(path.str()) ||
                         (isNewOrGone && checked->lacksFiles()));
    };
    if (depends(document->checked) || depends(document->mended)) {
      std::unique_ptr<Checked> &last =
          document->mended ? document->mended : document->checked;
      document->earlier = std::move(last);
      document->checked.reset();
      document->mended.reset();
      changed.insert(other);
    }
  }
}

/// The file at \p path, and those that import it, are to be checked.
void Workspace::waitForImporters(StringRef path) {
  std::vector<std::string> concerned = {path.str()};
  std::set<std::string> seen;
  while (!concerned.empty()) {
    std::string next = concerned.back();
    concerned.pop_back();
    if (!seen.insert(next).second)
      continue;
    waiting.insert(next);
    auto [first, last] = importers.equal_range(next);
    for (auto at = first; at != last; ++at)
      concerned.push_back(at->second);
  }
}

bool Workspace::isAsOnDisk(StringRef path, StringRef text) const {
  auto onDisk = vfs::getRealFileSystem()->getBufferForFile(path);
  return onDisk && (*onDisk)->getBuffer() == text;
}

void Workspace::open(const std::string &path, std::string text,
                     int64_t version) {
  bool isNew = !vfs::getRealFileSystem()->exists(path);
  auto &document = documents[path];
  if (!document)
    document.reset(new Document(path));
  document->content = std::move(text);
  document->version = version;
  document->outline.reset();
  document->checked.reset();
  document->mended.reset();
  closed.erase(path);
  changed.insert(path);
  files.reset();
  invalidate(path, isNew);
  if (!isAsOnDisk(path, document->content))
    waitForImporters(path);
}

void Workspace::change(StringRef path, llvm::ArrayRef<Change> changes,
                       int64_t version) {
  Document *document = find(path);
  if (!document)
    return;
  for (const Change &change : changes)
    applyChange(document->content, change);
  document->version = version;
  document->outline.reset();
  changed.insert(path.str());
  invalidate(path, /*isNewOrGone=*/false);
  waitForImporters(path);
}

void Workspace::close(StringRef path) {
  auto found = documents.find(path);
  if (found == documents.end())
    return;
  bool wasSaved = isAsOnDisk(path, found->second->content);
  documents.erase(found);
  changed.erase(path.str());
  files.reset();
  invalidate(path, !vfs::getRealFileSystem()->exists(path));
  if (wasSaved)
    waiting.insert(path.str());
  else
    waitForImporters(path);
}

void Workspace::changedOnDisk(StringRef path) {
  if (find(path))
    return;
  closed.erase(path.str());
  files.reset();
  invalidate(path, /*isNewOrGone=*/true);
  waitForImporters(path);
  // It may be what others were waiting for.
  for (const auto &[file, diagnostics] : closed)
    if (llvm::any_of(diagnostics, [](const ShownDiagnostic &diagnostic) {
          return StringRef(diagnostic.code).contains("import");
        }))
      waiting.insert(file);
}

Document *Workspace::find(StringRef path) {
  auto found = documents.find(path);
  return found == documents.end() ? nullptr : found->second.get();
}

std::optional<std::string> Workspace::textOf(StringRef path) {
  if (Document *document = find(path))
    return document->content;
  auto buffer = vfs::getRealFileSystem()->getBufferForFile(path);
  if (!buffer)
    return std::nullopt;
  return (*buffer)->getBuffer().str();
}

//===----------------------------------------------------------------------===//
// Files that are not open
//===----------------------------------------------------------------------===//

const std::vector<std::string> &Workspace::filesOfFolders() {
  if (files)
    return *files;
  files.emplace();
  if (!roots.empty())
    files = inputsBelow(roots);
  for (const auto &[path, document] : documents)
    if (inFolders(path) && !llvm::is_contained(*files, path))
      files->push_back(path);
  llvm::sort(*files);
  return *files;
}

const Checked &Workspace::everything() {
  if (all && !allIsStale)
    return *all;
  // Both at once would be twice the memory.
  all.reset();
  std::vector<std::string> inputs = filesOfFolders();
  for (const auto &[path, document] : documents)
    if (!llvm::is_contained(inputs, path))
      inputs.push_back(path);
  all = std::make_unique<Checked>(optionsFor(std::move(inputs)), overlay());
  allIsStale = false;
  importers.clear();
  const tosca::Package &package = (*all)->package();
  const SourceManager &sources = (*all)->sources();
  for (const auto &file : package.files)
    for (const tosca::Import &import : file->imports)
      importers.emplace(
          sources.name(package.files[import.target]->source).str(),
          sources.name(file->source).str());
  return *all;
}

/// Checks the files that wait. If that is all of them, it is what everything()
/// wants to know, too.
void Workspace::checkClosed() {
  std::vector<std::string> due;
  for (const std::string &file : filesOfFolders())
    if (waiting.count(file) && !find(file))
      due.push_back(file);
  // Those that are gone have nothing to say.
  for (const std::string &file : waiting)
    closed.erase(file);
  waiting.clear();
  if (due.empty())
    return;
  std::unique_ptr<Checked> some;
  bool isAll = !all || due.size() == files->size();
  if (!isAll)
    some = std::make_unique<Checked>(optionsFor(due), overlay());
  const Checked &result = isAll ? everything() : *some;
  FileDiagnostics found = diagnose(*result, due.front());
  for (auto &[file, diagnostics] : found)
    if (isProjectFile(file) || llvm::is_contained(due, file))
      closed[file] = std::move(diagnostics);
}

//===----------------------------------------------------------------------===//
// What is shown
//===----------------------------------------------------------------------===//

std::vector<Workspace::Published>
Workspace::update(llvm::function_ref<bool()> isInterrupted) {
  for (auto &[path, document] : documents) {
    if (document->checked)
      continue;
    if (isInterrupted())
      return {};
    checked(*document);
  }
  std::vector<Published> result = publish();
  if (waiting.empty() || isInterrupted())
    return result;
  checkClosed();
  llvm::append_range(result, publish());
  return result;
}

std::vector<Workspace::Published> Workspace::publish() {
  FileDiagnostics now = closed;
  for (auto &[path, document] : documents) {
    FileDiagnostics found = diagnose(**document->checked, path);
    now[path] = std::move(found[path]);
    // What is wrong in a file that nobody else looks at is shown here.
    for (auto &[other, diagnostics] : found)
      if (!find(other) && (isProjectFile(other) || !inFolders(other)))
        now.try_emplace(other, std::move(diagnostics));
  }
  std::vector<Published> result;
  auto show = [&](const std::string &path,
                  const std::vector<ShownDiagnostic> &diagnostics) {
    Document *document = find(path);
    result.push_back(
        {path, document ? std::optional(document->version) : std::nullopt,
         diagnostics});
  };
  for (const auto &[path, diagnostics] : now) {
    auto before = published.find(path);
    bool isSame = before == published.end() ? diagnostics.empty()
                                            : before->second == diagnostics;
    if (!isSame || changed.count(path))
      show(path, diagnostics);
  }
  for (const auto &[path, diagnostics] : published)
    if (!diagnostics.empty() && !now.count(path))
      show(path, {});
  changed.clear();
  published = std::move(now);
  return result;
}

llvm::ArrayRef<ShownDiagnostic> Workspace::diagnosticsOf(StringRef path) const {
  auto found = published.find(path.str());
  if (found == published.end())
    return {};
  return found->second;
}
