//===- ExplainName.h - What --explain says of a name ------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_EXPLAINNAME_H
#define TOSCAC_LIB_DRIVER_EXPLAINNAME_H

#include "toscac/Basic/Diagnostics.h"

namespace toscac {

/// Prints what is known of \p name: of the diagnostic or group that is called
/// so, of the keyname, of the function, and of the role in metadata. False:
/// nothing is.
bool explainName(llvm::StringRef name, llvm::raw_ostream &os);

/// Prints what the machines of bundled profiles say of the operation \p name,
/// which may have the name of its interface type before it: `standard.create`.
/// False: none has it.
bool explainOperation(llvm::StringRef name, llvm::raw_ostream &os);

/// All that can be asked for, but for names with a part that is free.
std::vector<llvm::StringRef> explainedNames();

} // namespace toscac

#endif
