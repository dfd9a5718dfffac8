//===- PrivateFile.cpp - Files of one user --------------------------------===//

#include "toscac/Basic/PrivateFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace toscac;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static llvm::Error systemError() {
  return llvm::createStringError(std::generic_category().message(errno));
}

static llvm::Error checkOwner(const struct stat &status) {
  if (status.st_uid == geteuid())
    return llvm::Error::success();
  return llvm::createStringError("it belongs to another user (number " +
                                 llvm::Twine(status.st_uid) + ")");
}

llvm::Error toscac::checkOwnFile(StringRef path) {
  struct stat status;
  if (lstat(path.str().c_str(), &status) != 0)
    return errno == ENOENT ? llvm::Error::success() : systemError();
  if (S_ISLNK(status.st_mode))
    return llvm::createStringError("it is a link");
  return checkOwner(status);
}

llvm::Expected<std::string> toscac::readPrivateFile(StringRef path) {
  int file =
      open(path.str().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && errno == ELOOP)
    return llvm::createStringError("it is a link");
  if (file < 0)
    return systemError();
  auto closer = llvm::make_scope_exit([&] { close(file); });
  struct stat status;
  if (fstat(file, &status) != 0)
    return systemError();
  if (!S_ISREG(status.st_mode))
    return llvm::createStringError("it is no regular file");
  if (llvm::Error error = checkOwner(status))
    return error;
  if (status.st_mode & 077)
    return llvm::createStringError(
        "others can read it; chmod 600 makes it private");
  constexpr size_t most = 1 << 16;
  std::string text(most, '\0');
  ssize_t size = read(file, text.data(), most);
  if (size < 0)
    return systemError();
  text.resize(size);
  return text;
}

llvm::Error toscac::makePrivateFile(StringRef path, StringRef text) {
  std::string draft = (path + ".XXXXXX").str();
  int file = mkostemp(draft.data(), O_CLOEXEC);
  if (file < 0)
    return systemError();
  bool isWritten = write(file, text.data(), text.size()) ==
                       static_cast<ssize_t>(text.size()) &&
                   fsync(file) == 0;
  close(file);
  // Unlike rename, this does not replace what somebody else has made.
  bool isThere = isWritten && (link(draft.c_str(), path.str().c_str()) == 0 ||
                               errno == EEXIST);
  llvm::Error error = isThere ? llvm::Error::success() : systemError();
  unlink(draft.c_str());
  return error;
}

/// Makes the folder \p name within \p above, or finds it there. False if \p
/// above or the folder found has been removed meanwhile.
static llvm::Expected<bool> makeFolderIn(int above, const char *name) {
  struct stat status;
  if (mkdirat(above, name, 0700) == 0)
    return true;
  if (errno == ENOENT) {
    // A file system where nothing can be made, such as /proc, answers the same.
    if (fstat(above, &status) == 0 && status.st_nlink == 0)
      return false;
    errno = ENOENT;
  }
  if (errno != EEXIST)
    return systemError();
  if (fstatat(above, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? llvm::Expected<bool>(false) : systemError();
  if (S_ISLNK(status.st_mode))
    return llvm::createStringError("it is a link");
  if (!S_ISDIR(status.st_mode))
    return llvm::createStringError("it is no folder");
  if (llvm::Error error = checkOwner(status))
    return error;
  return true;
}

llvm::Error toscac::makePrivateFolder(StringRef path) {
  StringRef parent = llvm::sys::path::parent_path(path);
  std::string above = parent.empty() ? "." : parent.str();
  std::string name = llvm::sys::path::filename(path).str();
  // Steps that run side by side share the folders above, and the last one to
  // leave removes them: they may vanish at any moment.
  while (true) {
    int folder = open(above.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
      auto closer = llvm::make_scope_exit([&] { close(folder); });
      llvm::Expected<bool> isMade = makeFolderIn(folder, name.c_str());
      if (!isMade)
        return isMade.takeError();
      if (*isMade)
        return llvm::Error::success();
    } else if (errno != ENOENT || above == ".") {
      return systemError();
    } else if (llvm::Error error = makePrivateFolder(above)) {
      return error;
    }
  }
}
