//===- MapFields.h - Values of a certain form -------------------*- C++ -*-===//
///
/// \file
/// Reads what stands under the keys of a map. Each function gives nothing where
/// the key is missing or null, and after a report where the value has another
/// form.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_MAPFIELDS_H
#define TOSCAC_LIB_PARSE_MAPFIELDS_H

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/SyntaxTree.h"
#include "toscac/Parse/Word.h"
#include <optional>
#include <string>
#include <vector>

namespace toscac::syntax {

class MapFields {
public:
  /// The value whatever it is, if it is not null.
  const Node *find(llvm::StringRef key) const;
  const Node *findMap(llvm::StringRef key) const;
  llvm::ArrayRef<Node> list(llvm::StringRef key) const;
  llvm::ArrayRef<Entry> entries(llvm::StringRef key) const;
  /// Any scalar, as text.
  Word word(llvm::StringRef key) const;
  /// The same; reports where there is none, or an empty one.
  Word requiredWord(llvm::StringRef key) const;
  std::vector<Word> words(llvm::StringRef key) const;
  std::optional<bool> boolean(llvm::StringRef key) const;

  /// What the map is, for reports: `an addon`, `node type 'vm'`.
  const std::string what;

protected:
  /// How a language says that \p what should have \p form, or lacks a key.
  using Report = void (*)(const Node &node, llvm::StringRef what,
                          llvm::StringRef formOrKey, DiagnosticEngine &diags);
  MapFields(const Node &node, std::string what, Report wrongForm,
            Report missingKey, DiagnosticEngine &diags)
      : what(std::move(what)), node(node), diags(diags), wrongForm(wrongForm),
        missingKey(missingKey) {}

  /// A number that is not negative; it is called \p form.
  std::optional<uint32_t> number(llvm::StringRef key,
                                 llvm::StringRef form) const;
  void reportForm(llvm::StringRef key, const Node &value,
                  llvm::StringRef form) const;
  void reportMissing(llvm::StringRef key) const;

  const Node &node;
  DiagnosticEngine &diags;

private:
  Report wrongForm;
  Report missingKey;
};

} // namespace toscac::syntax

#endif
