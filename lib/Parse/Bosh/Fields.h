//===- Fields.h - Values in manifests ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_BOSH_FIELDS_H
#define TOSCAC_LIB_PARSE_BOSH_FIELDS_H

#include "MapFields.h"
#include "toscac/Parse/Bosh/AST.h"

namespace toscac::bosh {

class Fields : public syntax::MapFields {
public:
  /// Reports where \p node is not a map; \p what names it: `an addon`.
  Fields(const syntax::Node &node, llvm::StringRef what,
         DiagnosticEngine &diags);

  bool isValid() const { return node.isMapping(); }
  SourceRange range() const { return node.range(); }
  std::optional<uint32_t> number(llvm::StringRef key) const {
    return MapFields::number(key, "an integer from 0 on");
  }
  /// Reports keys that nothing reads where one of \p known is nearly written
  /// so, and missing. All others are the business of whoever wrote them.
  void checkKeys(llvm::ArrayRef<llvm::StringRef> known) const;
};

} // namespace toscac::bosh

#endif
