//===- RubyProgram.h - Templates by Ruby itself -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_BOSH_RUBYPROGRAM_H
#define TOSCAC_LIB_DRIVER_BOSH_RUBYPROGRAM_H

#include "llvm/ADT/StringRef.h"

namespace toscac {

extern const llvm::StringLiteral rubyProgram;

} // namespace toscac

#endif
