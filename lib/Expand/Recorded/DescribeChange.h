//===- DescribeChange.h - How one value differs from another ----*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_RECORDED_DESCRIBECHANGE_H
#define TOSCAC_LIB_EXPAND_RECORDED_DESCRIBECHANGE_H

#include "toscac/Value/Value.h"
#include <string>
#include <vector>

namespace toscac::expanding {

/// Whether they are the same once they have gone through JSON, as what is
/// recorded has.
bool isSame(const Value &a, const Value &b);

/// Adds to \p changes the parts of \p name in which \p now differs from
/// \p before: `location.city: "Austin" -> "Denver"`. Null is none.
void describeChange(const std::string &name, const Value *before,
                    const Value *now, std::vector<std::string> &changes);

/// \p changes as one text; of many, the first.
std::string joinChanges(llvm::ArrayRef<std::string> changes);

} // namespace toscac::expanding

#endif
