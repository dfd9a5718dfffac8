//===- toscac/Basic/Counted.h - Numbers of things ---------------*- C++ -*-===//

#ifndef TOSCAC_BASIC_COUNTED_H
#define TOSCAC_BASIC_COUNTED_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace toscac {

/// `1 call`, `3 calls`.
inline std::string counted(uint64_t count, llvm::StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

/// `1 entity`, `3 entities`.
inline std::string counted(uint64_t count, llvm::StringRef one,
                           llvm::StringRef many) {
  return std::to_string(count) + " " + (count == 1 ? one : many).str();
}

} // namespace toscac

#endif
