//===- Language.h - Which language a file is in -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_LANGUAGE_H
#define TOSCAC_LIB_DRIVER_LANGUAGE_H

#include "toscac/Driver/Driver.h"
#include "llvm/ADT/StringRef.h"

namespace toscac {

/// The language that the keys of \p text tell; TOSCA, if they tell nothing.
Language recognizeLanguage(llvm::StringRef text);

} // namespace toscac

#endif
