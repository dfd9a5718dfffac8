//===- ArchiveLibrary.cpp - libarchive, loaded when needed ----------------===//

#include "ArchiveLibrary.h"

#include <dlfcn.h>
#include <optional>

using namespace toscac;

template <typename Function>
static bool find(void *handle, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  return function;
}

static std::optional<ArchiveLibrary> load() {
  // The 13 is libarchive's ABI, the same since version 3.0.
  void *handle = dlopen("libarchive.so.13", RTLD_LAZY | RTLD_LOCAL);
  if (!handle)
    return std::nullopt;
  ArchiveLibrary library;
  bool complete = true;
#define FUNCTION(NAME) complete &= find(handle, #NAME, library.NAME);
  TOSCAC_ARCHIVE_FUNCTIONS(FUNCTION)
#undef FUNCTION
  if (!complete)
    return std::nullopt;
  return library;
}

const ArchiveLibrary *toscac::archiveLibrary() {
  static const std::optional<ArchiveLibrary> library = load();
  return library ? &*library : nullptr;
}
