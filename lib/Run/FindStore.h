//===- FindStore.h - The store that nobody named ----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_FINDSTORE_H
#define TOSCAC_LIB_RUN_FINDSTORE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace toscac::run {

/// `toscac.db` in \p folder (empty: here), or the only store there.
std::string findStore(llvm::StringRef folder);

/// The store for \p plan: `toscac.db` beside it or, where it goes on from what
/// is recorded somewhere, the only store there.
std::string storeBeside(llvm::StringRef plan, bool goesOn);

} // namespace toscac::run

#endif
