//===- FindStore.cpp - The store that nobody named ------------------------===//

#include "toscac/State/FindStore.h"

#include "toscac/State/Store.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <unistd.h>

using namespace toscac;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool state::isStoreAt(StringRef name) {
  if (isStoreUrl(name))
    return true;
  int file = ::open(name.str().c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool result = isStore(file);
  ::close(file);
  return result;
}

static std::string within(StringRef folder, StringRef name) {
  llvm::SmallString<128> result(folder);
  path::append(result, name);
  return result.str().str();
}

std::string state::findStore(StringRef folder) {
  std::string usual = within(folder, "toscac.db");
  if (fs::exists(usual))
    return usual;
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator i(folder.empty() ? "." : folder, error), end;
       !error && i != end; i.increment(error))
    if (path::extension(i->path()) == ".db" && isStoreAt(i->path()))
      found.push_back(within(folder, path::filename(i->path())));
  return found.size() == 1 ? found.front() : usual;
}

std::string state::storeBeside(StringRef plan, bool goesOn) {
  StringRef folder = path::parent_path(plan);
  return goesOn ? findStore(folder) : within(folder, "toscac.db");
}
