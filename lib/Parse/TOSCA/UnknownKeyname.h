//===- UnknownKeyname.h - What a keyname may have meant ---------*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_TOSCA_UNKNOWNKEYNAME_H
#define TOSCAC_LIB_PARSE_TOSCA_UNKNOWNKEYNAME_H

#include "toscac/Basic/Suggest.h"
#include "toscac/Parse/TOSCA/Grammar.h"

namespace toscac::tosca {

/// The keyname of \p entity that is nearest to \p keyname, which it lacks.
Suggestion nearestKeyname(const EntityRule &entity, llvm::StringRef keyname);

/// Whether vendors give \p entity the keyname \p keyname: by Extensions.def, or
/// by \p extensions, each `entity.keyname`.
bool isExtension(const EntityRule &entity, llvm::StringRef keyname,
                 llvm::ArrayRef<std::string> extensions);

/// A clause that says where \p keyname, which \p entity lacks, has a meaning,
/// by the tables of \p ruleOf; empty if nobody knows.
std::string
whereItBelongs(const EntityRule &entity, llvm::StringRef keyname,
               llvm::function_ref<const EntityRule &(EntityKind)> ruleOf);

} // namespace toscac::tosca

#endif
