//===- toscac/State/FindStore.h - The store nobody named --------*- C++ -*-===//

#ifndef TOSCAC_STATE_FINDSTORE_H
#define TOSCAC_STATE_FINDSTORE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace toscac::state {

/// `toscac.db` in \p folder (empty: here), or the only store there.
std::string findStore(llvm::StringRef folder);

/// The store for \p plan: `toscac.db` beside it or, where it goes on from what
/// is recorded somewhere, the only store there.
std::string storeBeside(llvm::StringRef plan, bool goesOn);

} // namespace toscac::state

#endif
