//===- FoldReasons.h - Many reasons as one ----------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_FOLDREASONS_H
#define TOSCAC_LIB_PLAN_FOLDREASONS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace toscac::planfile {

/// What changes, by \p reason, without the values: `city, size` of
/// `city: "A" -> "B", size: 1 -> 2`. Empty: it says something else.
std::string changedNames(llvm::StringRef reason);

/// \p reason for those whose values differ: `city changes, such as "A" -> "B"`.
std::string foldReason(llvm::StringRef reason);

} // namespace toscac::planfile

#endif
