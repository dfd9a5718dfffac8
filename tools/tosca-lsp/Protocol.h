//===- Protocol.h - What the protocol's library lacks -----------*- C++ -*-===//
///
/// \file
/// From answers of lib/Edit to the structs of MLIR's library, and the structs
/// that it lacks.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_TOOLS_TOSCA_LSP_PROTOCOL_H
#define TOSCAC_TOOLS_TOSCA_LSP_PROTOCOL_H

#include "mlir/Tools/lsp-server-support/Protocol.h"
#include "toscac/Edit/Complete.h"
#include "toscac/Edit/Describe.h"
#include "toscac/Edit/Diagnose.h"
#include "toscac/Edit/Navigate.h"
#include "toscac/Edit/Structure.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"

namespace toscac {

namespace lsp = mlir::lsp;

/// The URI that the client has for a path.
using ToURI = llvm::function_ref<lsp::URIForFile(llvm::StringRef path)>;

// What the library has a struct for.
lsp::Position toProtocol(const edit::TextPosition &position);
lsp::Range toProtocol(const edit::TextRange &range);
lsp::TextEdit toProtocol(const edit::TextEdit &edit);
lsp::DocumentSymbol toProtocol(const edit::Symbol &symbol);
lsp::InlayHint toProtocol(const edit::Hint &hint);
lsp::Hover toProtocol(const edit::Hover &hover);
lsp::CompletionList toProtocol(const edit::Completions &completions);
lsp::WorkspaceEdit toProtocol(llvm::ArrayRef<edit::FileEdit> edits, ToURI uri);

// What it has none for, or one that lacks something, or one with a URI: its
// JSON of that refers to the struct, which would have to stay.
llvm::json::Value toJSON(const edit::Location &location, ToURI uri);
llvm::json::Value toJSON(const edit::Link &link, ToURI uri);
llvm::json::Value toJSON(const edit::ShownDiagnostic &diagnostic, ToURI uri);
llvm::json::Value toJSON(const edit::FoundSymbol &symbol, ToURI uri);
llvm::json::Value toJSON(const edit::Fold &fold);
llvm::json::Value toJSON(const edit::SignaturesAt &found);
/// The numbers of textDocument/semanticTokens/full.
llvm::json::Value toJSON(llvm::ArrayRef<edit::Token> tokens);
/// A SelectionRange with its parents.
llvm::json::Value selectionToJSON(llvm::ArrayRef<edit::TextRange> ranges);

template <typename T>
llvm::json::Array toArray(const std::vector<T> &values) {
  llvm::json::Array array;
  for (const T &value : values) {
    if constexpr (requires { toProtocol(value); })
      array.push_back(lsp::toJSON(toProtocol(value)));
    else
      array.push_back(toJSON(value));
  }
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

edit::TextPosition fromProtocol(const lsp::Position &position);
edit::TextRange fromProtocol(const lsp::Range &range);
edit::Change fromProtocol(const lsp::TextDocumentContentChangeEvent &change);

//===----------------------------------------------------------------------===//
// Parameters that the library lacks
//===----------------------------------------------------------------------===//

/// Of `initialize`.
struct FolderParams {
  std::string rootUri;
  std::vector<std::string> folders;
};
struct NamedFile {
  std::string uri;
};
struct FolderChange {
  std::vector<NamedFile> added, removed;
};
struct FolderChangeParams {
  FolderChange event;
};
struct FileChangeParams {
  std::vector<NamedFile> changes;
};
struct DocumentParams {
  lsp::TextDocumentIdentifier textDocument;
};
/// Of `codeAction`: the library refuses diagnostics of other servers.
struct RangeParams {
  lsp::TextDocumentIdentifier textDocument;
  lsp::Range range;
};
struct RenameParams : lsp::TextDocumentPositionParams {
  std::string newName;
};
struct SelectionParams {
  lsp::TextDocumentIdentifier textDocument;
  std::vector<lsp::Position> positions;
};
struct FormattingOptions {
  bool orderKeynames = false;
};
struct FormattingParams {
  lsp::TextDocumentIdentifier textDocument;
  FormattingOptions options;
};
struct SymbolParams {
  std::string query;
};
struct CommandParams {
  std::string command;
  /// The first argument: the URI of a document.
  std::string document;
};
/// What a lens is to be resolved from.
struct LensData {
  std::string uri;
  std::string command;
};
struct CodeLens {
  lsp::Range range;
  LensData data;
};

bool fromJSON(const llvm::json::Value &value, FolderParams &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, NamedFile &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, FolderChange &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, FolderChangeParams &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, FileChangeParams &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, DocumentParams &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, RangeParams &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, RenameParams &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, SelectionParams &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, FormattingOptions &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, FormattingParams &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, SymbolParams &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, CommandParams &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, LensData &result,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, CodeLens &result,
              llvm::json::Path path);

} // namespace toscac

#endif
