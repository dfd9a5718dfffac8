//===- Shapes.h - What entries of blueprints must look like -----*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_CLOUDIFY_SHAPES_H
#define TOSCAC_LIB_PARSE_CLOUDIFY_SHAPES_H

#include "MapFields.h"
#include "toscac/Basic/DiagnosticsCloudify.h"
#include "toscac/Parse/Cloudify/AST.h"

namespace toscac::cloudify {

/// A key that an entry may have, and the version that brought it.
struct KeyRow {
  llvm::StringRef name;
  unsigned since = 0;
};

class Fields : public syntax::MapFields {
public:
  /// Reports where \p node is not a map (null is an empty one); \p what names
  /// it: `node type 'vm'`.
  Fields(const syntax::Node &node, std::string what, DiagnosticEngine &diags);

  /// Reports keys that are not among \p rows, or newer than \p version.
  void check(llvm::ArrayRef<KeyRow> rows, unsigned version) const;

  std::vector<NamedValue> values(llvm::StringRef key) const;
  /// Nothing for -1, too, which stands for no limit.
  std::optional<uint32_t> number(llvm::StringRef key) const;
  using MapFields::reportMissing;
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
