//===- RegularYAML.h - Reads the YAML that people write ---------*- C++ -*-===//
///
/// \file
/// yaml-cpp takes each character through a tree of regular expressions: a file
/// with ten thousand templates takes it longer than all the rest of a compile.
/// Nearly all that people write (maps and lists by indentation or in brackets,
/// values on one line, comments, anchors) can be told at a glance. This scanner
/// knows that much and gives up at the first character that may mean anything
/// else; then yaml-cpp reads the file, and explains what is wrong with it.
///
/// Values that are folded, escaped or stand in several lines are cut out and
/// given to yaml-cpp one by one.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_REGULARYAML_H
#define TOSCAC_LIB_PARSE_REGULARYAML_H

#include "YAMLEvents.h"
#include "toscac/Parse/ReadYAML.h"
#include <optional>

namespace toscac {

/// The events that yaml-cpp would give for \p source, or nothing if there is
/// something in it that is left to yaml-cpp. Unlike yaml-cpp, the dialects of
/// older loaders know `{key:[a]}`.
std::optional<YAMLEvents> scanRegularYAML(llvm::StringRef source,
                                          YAMLDialect dialect);

} // namespace toscac

#endif
