//===- Shapes.h - What sections and entries must look like ------*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_HEAT_SHAPES_H
#define TOSCAC_LIB_PARSE_HEAT_SHAPES_H

#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Parse/Heat/Template.h"

namespace toscac::heat {

/// `a map`, `the text 'x'`: how messages call a node.
std::string describe(const syntax::Node &node);

/// Whether \p node is a map; reports where it is not. \p what is the subject
/// of the message.
bool expectMap(const syntax::Node &node, llvm::StringRef what,
               DiagnosticEngine &diags);
bool expectList(const syntax::Node &node, llvm::StringRef what,
                DiagnosticEngine &diags);
/// The text of a scalar; nothing after a report.
std::optional<llvm::StringRef> expectText(const syntax::Node &node,
                                          llvm::StringRef what,
                                          DiagnosticEngine &diags);
/// True, false, or a word that Heat takes for it.
std::optional<bool> expectBoolean(const syntax::Node &node,
                                  llvm::StringRef what,
                                  DiagnosticEngine &diags);

/// Calls \p parse for each entry of the section \p key of \p root.
void parseSection(const syntax::Node &root, llvm::StringRef key,
                  DiagnosticEngine &diags,
                  llvm::function_ref<void(Word, const syntax::Node &)> parse);
/// Adds the names that \p node, one or a list of them, has.
void parseNames(const syntax::Node &node, llvm::StringRef what,
                std::vector<Word> &names, DiagnosticEngine &diags);

/// The sections of a template in the form of CloudFormation.
bool isCfnTemplate(const syntax::Node &root);
Template parseCfnTemplate(const syntax::Node &root, DiagnosticEngine &diags);

/// A key that an entry may have.
struct KeyRow {
  llvm::StringRef name;
  /// The version that brought it; empty: the first.
  llvm::StringRef since = "";
};

/// Reports the keys of \p map that are not among \p rows, or that are newer
/// than \p version (null: there are no versions).
void checkKeys(const syntax::Node &map, llvm::StringRef what,
               llvm::ArrayRef<KeyRow> rows, const Version *version,
               DiagnosticEngine &diags);

} // namespace toscac::heat

#endif
