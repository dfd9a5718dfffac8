//===- YaqlFunctions.h - Functions of queries over values -------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_HEAT_YAQLFUNCTIONS_H
#define TOSCAC_LIB_SEMA_HEAT_YAQLFUNCTIONS_H

#include "toscac/Value/Value.h"
#include <optional>

namespace toscac::heat {

/// What the function or operator \p name gives; nothing where there is none, or
/// the arguments do not fit.
std::optional<Value> callYaqlFunction(llvm::StringRef name,
                                      llvm::ArrayRef<Value> arguments,
                                      ValueArena &arena);

/// Whether a condition with this value holds: nothing, zero and what is empty
/// do not.
bool isTruthy(const Value &value);
void setEntry(llvm::SmallVectorImpl<MapEntry> &entries, const Value &key,
              const Value &value);

} // namespace toscac::heat

#endif
