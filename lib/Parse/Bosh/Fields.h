//===- Fields.h - Values of a certain form ----------------------*- C++ -*-===//
///
/// \file
/// Reads what stands under the keys of a map. Each function gives nothing where
/// the key is missing or null, and after a report where the value has another
/// form.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_BOSH_FIELDS_H
#define TOSCAC_LIB_PARSE_BOSH_FIELDS_H

#include "toscac/Parse/Bosh/AST.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::bosh {

class Fields {
public:
  /// Reports where \p node is not a map; \p what names it: `an addon`.
  Fields(const syntax::Node &node, llvm::StringRef what,
         DiagnosticEngine &diags);

  bool isValid() const { return isMap; }
  SourceRange range() const { return node.range(); }

  /// The value whatever it is, if it is not null.
  const syntax::Node *find(llvm::StringRef key) const;
  const syntax::Node *findMap(llvm::StringRef key) const;
  llvm::ArrayRef<syntax::Node> list(llvm::StringRef key) const;
  llvm::ArrayRef<syntax::Entry> entries(llvm::StringRef key) const;
  /// Any scalar, as text.
  Word word(llvm::StringRef key) const;
  /// The same; reports where there is none.
  Word requiredWord(llvm::StringRef key) const;
  std::vector<Word> words(llvm::StringRef key) const;
  std::optional<bool> boolean(llvm::StringRef key) const;
  std::optional<uint32_t> number(llvm::StringRef key) const;

private:
  void reportShape(llvm::StringRef key, const syntax::Node &value,
                   llvm::StringRef form) const;

  const syntax::Node &node;
  std::string what;
  DiagnosticEngine &diags;
  bool isMap = false;
};

} // namespace toscac::bosh

#endif
