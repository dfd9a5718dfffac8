//===- LibraryYAML.h - What yaml-cpp tells ----------------------*- C++ -*-===//
///
/// \file
/// The door to yaml-cpp. It understands all of YAML.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_LIBRARYYAML_H
#define TOSCAC_LIB_PARSE_LIBRARYYAML_H

#include "BrokenYAML.h"
#include "YAMLEvents.h"
#include "YAMLInput.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace toscac {

/// Why yaml-cpp gave up.
struct YAMLFault {
  size_t at;
  bool isTooDeep;
  syntax::BrokenText::Kind kind = syntax::BrokenText::Other;
  /// For people.
  std::string message;
};

/// Takes an event and the tag of its node, which may be empty.
using YAMLSink = llvm::function_ref<void(const YAMLEvent &, llvm::StringRef)>;

/// Gives all events of \p input to \p sink, up to the end of the second
/// document.
std::optional<YAMLFault> readByLibrary(YAMLInput &input, YAMLSink sink);

/// The events of \p text; nothing if it is not one document without tags.
std::optional<YAMLEvents> recordYAML(llvm::StringRef text);

} // namespace toscac

#endif
