//===- GraphvizLibrary.cpp - Graphviz, loaded when needed -----------------===//

#include "GraphvizLibrary.h"

#include <dlfcn.h>
#include <optional>

using namespace toscac;
using namespace toscac::page;

template <typename Function>
static bool findIn(void *handle, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(handle, name));
  return function;
}

static std::optional<GraphvizLibrary> load() {
  // The 6 is the ABI of Graphviz 2.42 to 9.
  void *handle = dlopen("libgvc.so.6", RTLD_LAZY | RTLD_LOCAL);
  if (!handle)
    return std::nullopt;
  GraphvizLibrary library;
  bool complete = true;
#define FUNCTION(NAME) complete &= findIn(handle, #NAME, library.NAME);
  TOSCAC_GRAPHVIZ_FUNCTIONS(FUNCTION)
#undef FUNCTION
  if (!complete)
    return std::nullopt;
  // What it cannot draw is drawn in rows; nobody needs to hear of it.
  library.agseterr(AGMAX);
  library.context = library.gvContext();
  if (!library.context)
    return std::nullopt;
  return library;
}

const GraphvizLibrary *page::graphvizLibrary() {
  static const std::optional<GraphvizLibrary> library = load();
  return library ? &*library : nullptr;
}
