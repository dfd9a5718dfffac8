//===- Signatures.h - What functions take -----------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EDIT_SIGNATURES_H
#define TOSCAC_LIB_EDIT_SIGNATURES_H

#include "Context.h"
#include "toscac/Edit/Complete.h"

namespace toscac::edit {

/// The ways to call the function \p name, which is given without its dollar
/// sign: one that is built in, or one that the document can see. Empty for any
/// other name.
std::vector<Signature> signaturesOf(llvm::StringRef name,
                                    const Context &context);

} // namespace toscac::edit

#endif
