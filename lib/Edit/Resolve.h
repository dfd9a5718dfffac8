//===- Resolve.h - What the compiler makes of a template --------*- C++ -*-===//
///
/// \file
/// What does not stand in a file but follows from it with the values that its
/// inputs have: instances, values and machines.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EDIT_RESOLVE_H
#define TOSCAC_LIB_EDIT_RESOLVE_H

#include "toscac/Edit/Outline.h"
#include "toscac/Edit/Workspace.h"

namespace toscac::edit {

/// How many instances the node template \p name of the service has; nothing if
/// that is not known.
std::optional<uint32_t> instancesOf(const Checked &checked,
                                    llvm::StringRef name);

/// The value of \p property of the template \p node, or those of its first
/// instances where they differ; empty if it is not known before the plan runs,
/// or nobody may see it.
std::string resolvedValue(const Checked &checked, llvm::StringRef node,
                          llvm::StringRef property);

/// In Markdown, what \p operation of the interface around \p place does to
/// the cells of its machine; empty if it leads nowhere.
std::string transitionsOf(const Checked &checked, const Place &place,
                          llvm::StringRef operation);

} // namespace toscac::edit

#endif
