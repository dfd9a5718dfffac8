//===- UnknownKeyname.h - What a keyname may have meant ---------*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_TOSCA_UNKNOWNKEYNAME_H
#define TOSCAC_LIB_PARSE_TOSCA_UNKNOWNKEYNAME_H

#include "toscac/Basic/Suggest.h"
#include "toscac/Parse/SyntaxTree.h"
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

/// `interfaces:`, which is \p empty, and on the next line, no further to the
/// right, what can only be meant to be in it. Returns false if that is not so.
bool reportOutdented(llvm::StringRef entity, const EntityRule &table,
                     const KeyRule &empty, const syntax::Node &next,
                     DiagnosticEngine &diags);

/// Whether \p key begins with a dash that no blank follows.
bool isDashedKey(const syntax::Node &key);
void reportDash(const syntax::Node &key, DiagnosticEngine &diags);
/// `-event: …` is a map with a strange key where a list item was meant.
bool reportMissingDash(const syntax::Node &node, DiagnosticEngine &diags);

} // namespace toscac::tosca

#endif
