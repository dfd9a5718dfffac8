//===- StepFolders.cpp - Folders and logs of steps ------------------------===//

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
  return (llvm::Twine(id) + "-" + run::logName(name)).str();
}

std::string run::logName(StringRef step) {
  std::string result = step.take_front(100).str();
  for (char &c : result)
    if (!llvm::isAlnum(c) && !StringRef("._-[]#").contains(c))
      c = '_';
  return result;
}

StepFolders::StepFolders(const RunFolder &run, const Secrets &secrets)
    : run(run), secrets(secrets), numOpen(slotsToKeepOpen()) {}

StepFolders::~StepFolders() {
  for (const StepFolder &folderNumber : stepFolders)
    for (int file : {folderNumber.logFile, folderNumber.contextFile})
      if (file >= 0)
        ::close(file);
}

/// The next step gets another one.
void StepFolders::forgetFolder(StepFolder &folderNumber) {
  if (folderNumber.contextFile >= 0)
    ::close(folderNumber.contextFile);
  folderNumber.contextFile = -1;
  folderNumber.hasFolder = false;
}

llvm::Expected<StepFiles> StepFolders::open(unsigned number) {
  if (stepFolders.size() <= number)
    stepFolders.resize(number + 1);
  StepFolder &folderNumber = stepFolders[number];
  StepFiles files;
  files.folderNumber = number;
  files.folder = path(number);
  files.context = files.folder + "/context.json";
  files.outputs = files.folder + "/outputs.json";
  if (!folderNumber.hasFolder && mkdir(files.folder.c_str(), 0700) != 0) {
    // Left by a run that died.
    if (errno == EEXIST)
      fs::remove_directories(files.folder);
    if (mkdir(files.folder.c_str(), 0700) != 0)
      return slotError(files.folder);
  }
  folderNumber.hasFolder = true;
  if (folderNumber.contextFile < 0)
    folderNumber.contextFile =
        ::open(files.context.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (folderNumber.contextFile < 0)
    return slotError(files.context);
  files.contextFile = folderNumber.contextFile;
  if (folderNumber.logFile < 0) {
    std::string log = files.folder + ".log";
    // Where there are secrets, nothing is kept that was not looked through.
    folderNumber.logFile =
        run.hasSecrets
            ? ::open(run.path.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)
            : ::open(log.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC,
                     0600);
    if (folderNumber.logFile < 0)
      return slotError(log);
  }
  files.logFile = folderNumber.logFile;
  return files;
}

void StepFolders::started(StepFiles &files) {
  if (files.folderNumber < numOpen || run.hasSecrets)
    return;
  StepFolder &folderNumber = stepFolders[files.folderNumber];
  ::close(folderNumber.logFile);
  ::close(folderNumber.contextFile);
  folderNumber.logFile = folderNumber.contextFile = -1;
}

/// Copies the nameless file with the output to \p target, without secrets: as a
/// stream, of whatever size.
std::string StepFolders::closeSecretLog(StepFiles &files, StringRef target) {
  int from = std::exchange(stepFolders[files.folderNumber].logFile, -1);
  std::vector<char> buffer(1 << 16);
  off_t position = 0;
  ssize_t size = pread(from, buffer.data(), buffer.size(), 0);
  if (size <= 0) {
    ::close(from);
    return "";
  }
  int to = ::open(target.str().c_str(),
                  O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (to < 0) {
    ::close(from);
    return "";
  }
  llvm::raw_fd_ostream os(to, /*shouldClose=*/true);
  SecretFilter::Stream stream(secrets.filter(), os);
  while (size > 0) {
    stream.write(StringRef(buffer.data(), size));
    position += size;
    size = pread(from, buffer.data(), buffer.size(), position);
  }
  stream.finish();
  os.flush();
  os.clear_error();
  ::close(from);
  return target.str();
}

std::string StepFolders::closeLog(StepFiles &files, StringRef target,
                                  bool isInUse) {
  StepFolder &folderNumber = stepFolders[files.folderNumber];
  std::string log = files.folder + ".log";
  struct stat status;
  bool isKnown = folderNumber.logFile >= 0
                     ? fstat(folderNumber.logFile, &status) == 0
                     : stat(log.c_str(), &status) == 0;
  bool isEmpty = isKnown && status.st_size == 0;
  if (isEmpty && !isInUse)
    return "";
  if (folderNumber.logFile >= 0)
    ::close(folderNumber.logFile);
  folderNumber.logFile = -1;
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

std::string StepFolders::close(StepFiles &files, uint32_t id, StringRef name,
                               bool hasFailed, pid_t group) {
  if (files.folder.empty())
    return "";
  bool isInUse = group && kill(-group, 0) == 0;
  std::string target = run.path + "/logs/" + fileName(id, name) + ".log";
  std::string log = run.hasSecrets ? closeSecretLog(files, target)
                                   : closeLog(files, target, isInUse);
  StepFolder &folderNumber = stepFolders[files.folderNumber];
  if (hasFailed) {
    // For those who look for the reason; secrets are not kept.
    if (run.hasSecrets) {
      for (const std::string &file : {files.context, files.outputs})
        unlink(file.c_str());
      fs::remove_directories(files.staging());
    }
    std::string kept = run.path + "/failed/" + fileName(id, name);
    mkdir((run.path + "/failed").c_str(), 0700);
    rename(files.folder.c_str(), kept.c_str());
    forgetFolder(folderNumber);
  } else if (isInUse || !isAsFound(files)) {
    fs::remove_directories(files.folder);
    forgetFolder(folderNumber);
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
