//===- Confinement.cpp - What an input may read ---------------------------===//

#include "toscac/Basic/Confinement.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using llvm::StringRef;
namespace path = llvm::sys::path;
namespace vfs = llvm::vfs;

namespace {

/// So that whoever reports that a file cannot be read says what to do.
class OutsideCategory : public std::error_category {
  const char *name() const noexcept override { return "toscac.outside"; }
  std::string message(int) const override {
    return "it lies outside of the folders that the input may read; "
           "--allow-read FOLDER adds one";
  }
};

class ConfinedFileSystem : public vfs::ProxyFileSystem {
public:
  ConfinedFileSystem(llvm::IntrusiveRefCntPtr<vfs::FileSystem> files,
                     llvm::ArrayRef<std::string> given)
      : ProxyFileSystem(std::move(files)) {
    for (StringRef folder : given)
      folders.push_back(real(folder));
  }

  llvm::ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const llvm::Twine &file) override {
    static const OutsideCategory outside;
    if (isAllowed(file.str()))
      return ProxyFileSystem::openFileForRead(file);
    // What is not there at all is said first.
    llvm::ErrorOr<vfs::Status> found = status(file);
    if (!found)
      return found.getError();
    if (found->isRegularFile() && isTemplate(file))
      return ProxyFileSystem::openFileForRead(file);
    return std::error_code(1, outside);
  }

private:
  /// Where \p name leads over all links, as far as there is something.
  std::string real(StringRef name) {
    llvm::SmallString<256> absolute(name);
    makeAbsolute(absolute);
    llvm::SmallString<256> found;
    std::string rest;
    for (StringRef at = absolute; !at.empty(); at = path::parent_path(at)) {
      if (!getRealPath(at, found)) {
        path::append(found, rest);
        path::remove_dots(found, /*remove_dot_dot=*/true);
        return found.str().str();
      }
      rest = rest.empty() ? path::filename(at).str()
                          : (path::filename(at) + "/" + rest).str();
    }
    path::remove_dots(absolute, /*remove_dot_dot=*/true);
    return absolute.str().str();
  }

  /// Templates may import each other from anywhere: whatever is shown of one,
  /// it says that it is one.
  bool isTemplate(const llvm::Twine &name) {
    llvm::ErrorOr<std::unique_ptr<vfs::File>> file =
        ProxyFileSystem::openFileForRead(name);
    if (!file)
      return false;
    auto text = (*file)->getBuffer(name, /*FileSize=*/-1,
                                   /*RequiresNullTerminator=*/false,
                                   /*IsVolatile=*/true);
    return text && llvm::any_of(llvm::split((*text)->getBuffer(), '\n'),
                                [](StringRef line) {
                                  // Files of types for TOSCA 1.x often say no
                                  // version.
                                  StringRef key = line.take_until(
                                      [](char c) { return c == ':'; });
                                  return key.size() != line.size() &&
                                         (key == "tosca_definitions_version" ||
                                          key == "heat_template_version" ||
                                          key.ends_with("_types"));
                                });
  }

  bool isAllowed(StringRef file) {
    std::string target = real(file);
    return llvm::any_of(folders, [&](StringRef folder) {
      StringRef rest = target;
      return rest.consume_front(folder) &&
             (rest.empty() || folder.ends_with("/") || rest.starts_with("/"));
    });
  }

  std::vector<std::string> folders;
};

} // namespace

llvm::IntrusiveRefCntPtr<vfs::FileSystem>
toscac::confine(llvm::IntrusiveRefCntPtr<vfs::FileSystem> files,
                llvm::ArrayRef<std::string> folders) {
  return llvm::makeIntrusiveRefCnt<ConfinedFileSystem>(std::move(files),
                                                       folders);
}
