//===- Shapes.h - What entries of blueprints must look like -----*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_CLOUDIFY_SHAPES_H
#define TOSCAC_LIB_PARSE_CLOUDIFY_SHAPES_H

#include "toscac/Basic/DiagnosticsCloudify.h"
#include "toscac/Parse/Cloudify/AST.h"

namespace toscac::cloudify {

/// A key that an entry may have, and the version that brought it.
struct KeyRow {
  llvm::StringRef name;
  unsigned since = 0;
};

/// Reads what stands under the keys of a map. Each function gives nothing where
/// the key is missing or null, and after a report where the value has another
/// form.
class Fields {
public:
  /// Reports where \p node is not a map (null is an empty one); \p what names
  /// it: `node type 'vm'`.
  Fields(const syntax::Node &node, std::string what, DiagnosticEngine &diags);

  /// Reports keys that are not among \p rows, or newer than \p version.
  void check(llvm::ArrayRef<KeyRow> rows, unsigned version) const;

  /// The value whatever it is, if it is not null.
  const syntax::Node *find(llvm::StringRef key) const;
  llvm::ArrayRef<syntax::Node> list(llvm::StringRef key) const;
  llvm::ArrayRef<syntax::Entry> entries(llvm::StringRef key) const;
  std::vector<NamedValue> values(llvm::StringRef key) const;
  /// Any scalar, as text.
  Word word(llvm::StringRef key) const;
  /// The same; reports where there is none.
  Word requiredWord(llvm::StringRef key) const;
  std::vector<Word> words(llvm::StringRef key) const;
  std::optional<bool> boolean(llvm::StringRef key) const;
  std::optional<uint32_t> number(llvm::StringRef key) const;
  void reportMissing(llvm::StringRef key) const;

  const std::string what;

private:
  void reportShape(llvm::StringRef key, const syntax::Node &value,
                   llvm::StringRef form) const;

  const syntax::Node &node;
  DiagnosticEngine &diags;
};

/// The name that \p key is; nothing after a report.
std::optional<Word> nameOf(const syntax::Node &key, llvm::StringRef what,
                           DiagnosticEngine &diags);

/// Adds what \p root, a blueprint or a file that one imports, defines. All its
/// names begin with \p prefix.
void parseFile(const syntax::Node &root, bool isImported,
               llvm::StringRef prefix, Blueprint &blueprint,
               DiagnosticEngine &diags);

/// The version that \p root says, 0 to 5; nothing after a report.
std::optional<unsigned> parseVersion(const syntax::Node &root,
                                     DiagnosticEngine &diags);

} // namespace toscac::cloudify

#endif
