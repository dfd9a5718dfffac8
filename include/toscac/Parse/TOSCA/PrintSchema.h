//===- toscac/Parse/TOSCA/PrintSchema.h - Grammar as JSON schema *- C++ -*-===//

#ifndef TOSCAC_PARSE_TOSCA_PRINTSCHEMA_H
#define TOSCAC_PARSE_TOSCA_PRINTSCHEMA_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace toscac::tosca {

/// Prints a JSON schema (draft 7) of files that say \p version, for editors and
/// validators that know nothing else of TOSCA. It accepts whatever the grammar
/// accepts: what only types can tell is left open.
void printSchema(llvm::StringRef version, llvm::raw_ostream &os);

} // namespace toscac::tosca

#endif
