//===- Slots.cpp - Folders and logs of steps ------------------------------===//

#include "StepFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Slots whose files, two each, stay open between steps: some, but a small part
/// of the files that may be open at all.
static unsigned slotsToKeepOpen() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return 0;
  return std::clamp<rlim_t>(limit.rlim_cur, 24, 280) / 4 - 6;
}

static llvm::Error slotError(StringRef path) {
  return llvm::createStringError(
      "cannot make '" + path + "': " + std::generic_category().message(errno));
}

/// A name of a file that people can type, and that no name leaves.
static std::string fileName(uint32_t id, StringRef name) {
  std::string result = (llvm::Twine(id) + "-" + name.take_front(100)).str();
  for (char &c : result)
    if (!llvm::isAlnum(c) && !StringRef("._-[]#").contains(c))
      c = '_';
  return result;
}

Slots::Slots(const RunFolder &run, const Secrets &secrets)
    : run(run), secrets(secrets), numOpen(slotsToKeepOpen()) {}

Slots::~Slots() {
  for (const Slot &slot : slots)
    for (int file : {slot.logFile, slot.contextFile})
      if (file >= 0)
        ::close(file);
}

/// The next step gets another one.
void Slots::forgetFolder(Slot &slot) {
  if (slot.contextFile >= 0)
    ::close(slot.contextFile);
  slot.contextFile = -1;
  slot.hasFolder = false;
}

llvm::Expected<StepFiles> Slots::open(unsigned number) {
  if (slots.size() <= number)
    slots.resize(number + 1);
  Slot &slot = slots[number];
  StepFiles files;
  files.slot = number;
  files.folder = path(number);
  files.context = files.folder + "/context.json";
  files.outputs = files.folder + "/outputs.json";
  if (!slot.hasFolder && mkdir(files.folder.c_str(), 0700) != 0) {
    // Left by a run that died.
    if (errno == EEXIST)
      fs::remove_directories(files.folder);
    if (mkdir(files.folder.c_str(), 0700) != 0)
      return slotError(files.folder);
  }
  slot.hasFolder = true;
  if (slot.contextFile < 0)
    slot.contextFile =
        ::open(files.context.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (slot.contextFile < 0)
    return slotError(files.context);
  files.contextFile = slot.contextFile;
  if (slot.logFile < 0) {
    std::string log = files.folder + ".log";
    // Where there are secrets, nothing is kept that was not looked through.
    slot.logFile =
        run.hasSecrets
            ? ::open(run.path.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)
            : ::open(log.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC,
                     0600);
    if (slot.logFile < 0)
      return slotError(log);
  }
  files.logFile = slot.logFile;
  return files;
}

void Slots::started(StepFiles &files) {
  if (files.slot < numOpen || run.hasSecrets)
    return;
  Slot &slot = slots[files.slot];
  ::close(slot.logFile);
  ::close(slot.contextFile);
  slot.logFile = slot.contextFile = -1;
}

/// Copies the nameless file with the output to \p target, without secrets.
std::string Slots::closeSecretLog(StepFiles &files, StringRef target) {
  auto text = llvm::MemoryBuffer::getOpenFile(
      files.logFile, target, /*FileSize=*/-1, /*RequiresNullTerminator=*/false,
      /*IsVolatile=*/true);
  std::string hidden = text ? secrets.hidden((*text)->getBuffer()) : "";
  ::close(files.logFile);
  slots[files.slot].logFile = -1;
  if (hidden.empty())
    return "";
  std::error_code error;
  llvm::raw_fd_ostream os(target, error);
  os << hidden;
  os.flush();
  os.clear_error();
  return target.str();
}

std::string Slots::closeLog(StepFiles &files, StringRef target, bool isInUse) {
  Slot &slot = slots[files.slot];
  std::string log = files.folder + ".log";
  struct stat status;
  bool isKnown = slot.logFile >= 0 ? fstat(slot.logFile, &status) == 0
                                   : stat(log.c_str(), &status) == 0;
  bool isEmpty = isKnown && status.st_size == 0;
  if (isEmpty && !isInUse)
    return "";
  if (slot.logFile >= 0)
    ::close(slot.logFile);
  slot.logFile = -1;
  if (!isKnown || rename(log.c_str(), target.str().c_str()) != 0)
    return "";
  return isEmpty ? "" : target.str();
}

/// Whether nothing lies in \p folder but what we put there.
static bool isAsFound(const StepFiles &files) {
  std::error_code error;
  bool hasOutputs = false;
  for (fs::directory_iterator entry(files.folder, error,
                                    /*follow_symlinks=*/false),
       end;
       !error && entry != end; entry.increment(error)) {
    bool isOurs = entry->path() == files.context;
    hasOutputs |= entry->path() == files.outputs;
    if (!isOurs && entry->path() != files.outputs)
      return false;
  }
  return !error && (!hasOutputs || unlink(files.outputs.c_str()) == 0);
}

std::string Slots::close(StepFiles &files, uint32_t id, StringRef name,
                         bool hasFailed, pid_t group) {
  if (files.folder.empty())
    return "";
  bool isInUse = group && kill(-group, 0) == 0;
  std::string target = run.path + "/logs/" + fileName(id, name) + ".log";
  std::string log = run.hasSecrets ? closeSecretLog(files, target)
                                   : closeLog(files, target, isInUse);
  Slot &slot = slots[files.slot];
  if (hasFailed) {
    // For those who look for the reason; secrets are not kept.
    if (run.hasSecrets)
      unlink(files.context.c_str());
    std::string kept = run.path + "/failed/" + fileName(id, name);
    mkdir((run.path + "/failed").c_str(), 0700);
    rename(files.folder.c_str(), kept.c_str());
    forgetFolder(slot);
  } else if (isInUse || !isAsFound(files)) {
    fs::remove_directories(files.folder);
    forgetFolder(slot);
  }
  files = StepFiles();
  return log;
}

std::string run::logTail(StringRef log) {
  constexpr size_t maxLines = 20, maxBytes = 8192;
  llvm::Expected<llvm::sys::fs::file_t> file =
      llvm::sys::fs::openNativeFileForRead(log);
  if (!file) {
    llvm::consumeError(file.takeError());
    return "";
  }
  uint64_t size = 0;
  llvm::sys::fs::file_size(log, size);
  uint64_t start = size > maxBytes ? size - maxBytes : 0;
  auto text =
      llvm::MemoryBuffer::getOpenFileSlice(*file, log, size - start, start);
  llvm::sys::fs::closeFile(*file);
  if (!text)
    return "";
  StringRef tail = (*text)->getBuffer().rtrim('\n');
  size_t begin = tail.size();
  for (size_t line = 0; line < maxLines && begin != StringRef::npos; ++line)
    begin = tail.take_front(begin).rfind('\n');
  return (begin == StringRef::npos ? tail : tail.substr(begin + 1)).str();
}
