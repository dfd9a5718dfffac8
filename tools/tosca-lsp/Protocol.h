//===- Protocol.h - What the protocol's library lacks -----------*- C++ -*-===//
///
/// \file
/// Answers of lib/Edit in JSON, and the parameters of methods for which MLIR's
/// library has no struct.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_TOOLS_TOSCA_LSP_PROTOCOL_H
#define TOSCAC_TOOLS_TOSCA_LSP_PROTOCOL_H

#include "toscac/Edit/Complete.h"
#include "toscac/Edit/Describe.h"
#include "toscac/Edit/Diagnose.h"
#include "toscac/Edit/Structure.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

namespace toscac {

/// The URI that the client has for a path.
using ToURI = llvm::function_ref<std::string(llvm::StringRef path)>;

llvm::json::Value toJSON(const edit::TextPosition &position);
llvm::json::Value toJSON(const edit::TextRange &range);
llvm::json::Value toJSON(const edit::TextEdit &edit);
llvm::json::Value toJSON(const edit::Location &location, ToURI uri);
llvm::json::Value toJSON(const edit::ShownDiagnostic &diagnostic, ToURI uri);
llvm::json::Value toJSON(const edit::Symbol &symbol);
llvm::json::Value toJSON(const edit::FoundSymbol &symbol, ToURI uri);
llvm::json::Value toJSON(const edit::Fold &fold);
llvm::json::Value toJSON(const edit::Hint &hint);
llvm::json::Value toJSON(const edit::Hover &hover);
llvm::json::Value toJSON(const edit::Completions &completions);
llvm::json::Value toJSON(const edit::Signature &signature);
llvm::json::Value toJSON(const edit::SignaturesAt &found);
/// A WorkspaceEdit.
llvm::json::Value toJSON(llvm::ArrayRef<edit::FileEdit> edits, ToURI uri);
/// The numbers of textDocument/semanticTokens/full.
llvm::json::Value toJSON(llvm::ArrayRef<edit::Token> tokens);
/// A SelectionRange with its parents.
llvm::json::Value selectionToJSON(llvm::ArrayRef<edit::TextRange> ranges);

template <typename T>
llvm::json::Array toArray(const std::vector<T> &values) {
  llvm::json::Array array;
  for (const T &value : values)
    array.push_back(toJSON(value));
  return array;
}
template <typename T>
llvm::json::Array toArray(const std::vector<T> &values, ToURI uri) {
  llvm::json::Array array;
  for (const T &value : values)
    array.push_back(toJSON(value, uri));
  return array;
}

/// What the server can do: the answer to `initialize`.
llvm::json::Value serverCapabilities();

/// Parameters as they come; missing ones have default values.
struct Params {
  llvm::json::Object object;

  /// `textDocument.uri`
  llvm::StringRef uri() const;
  edit::TextPosition position() const;
  /// The range under \p key.
  edit::TextRange range(llvm::StringRef key = "range") const;
  llvm::StringRef text(llvm::StringRef key) const {
    return object.getString(key).value_or("");
  }
  /// The member \p key of the object \p owner, or false.
  bool flag(llvm::StringRef owner, llvm::StringRef key) const;
};
bool fromJSON(const llvm::json::Value &value, Params &params,
              llvm::json::Path path);

edit::TextPosition positionOf(const llvm::json::Object *object);
edit::TextRange rangeOf(const llvm::json::Object *object);
/// Of textDocument/didChange.
std::vector<edit::Change> changesOf(const Params &params);

} // namespace toscac

#endif
