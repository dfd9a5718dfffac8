//===- Language.h - Which language a file is in -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_LANGUAGE_H
#define TOSCAC_LIB_DRIVER_LANGUAGE_H

#include "toscac/Driver/Driver.h"
#include "toscac/Parse/ReadYAML.h"
#include "llvm/ADT/StringRef.h"

namespace toscac {

/// The language that the keys of \p text tell; TOSCA, if they tell nothing.
Language recognizeLanguage(llvm::StringRef text);

/// Whether the keys of \p text tell a language, be it in a file that nobody has
/// named. Files for other tools have `jobs`, too.
bool isOfKnownLanguage(llvm::StringRef text);

/// What results in YAML begin with.
inline constexpr llvm::StringLiteral resultMark = "# Made by toscac.\n";

/// How files of \p language are read.
YAMLDialect dialectOf(Language language);

} // namespace toscac

#endif
