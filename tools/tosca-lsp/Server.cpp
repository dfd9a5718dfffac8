//===- Server.cpp - The language server -----------------------------------===//
///
/// \file
/// From methods of the protocol to questions of lib/Edit. One thread reads,
/// answers and checks, in this order: what is asked while somebody types is
/// answered before files are checked again.
///
//===----------------------------------------------------------------------===//

#include "Server.h"

#include "Protocol.h"
#include "mlir/Tools/lsp-server-support/Logging.h"
#include "mlir/Tools/lsp-server-support/Transport.h"
#include "toscac/Edit/Actions.h"
#include "toscac/Edit/Navigate.h"
#include "toscac/Edit/Structure.h"
#include "toscac/Edit/Workspace.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <poll.h>

using namespace toscac;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using lsp::Callback;
using lsp::ErrorCode;
using lsp::LSPError;
using lsp::URIForFile;
using At = lsp::TextDocumentPositionParams;

/// Empty for what is no file.
static std::string pathOf(StringRef uri) {
  llvm::Expected<URIForFile> file = URIForFile::fromURI(uri);
  if (file)
    return file->file().str();
  llvm::consumeError(file.takeError());
  return "";
}

namespace {

class Server {
public:
  Server(const ServerOptions &options, mlir::lsp::JSONTransport &transport)
      : options(options), transport(transport), messages(transport),
        workspace(options.driver) {}

  int run();

private:
  /// A question about a document that is open.
  template <typename Params>
  using Question = Value (Server::*)(edit::Document &, const Params &);

  template <typename Params, Question<Params> question>
  void onDocument(const Params &params, Callback<Value> reply) {
    const URIForFile &uri = params.textDocument.uri;
    if (edit::Document *document = workspace.find(uri.file()))
      reply((this->*question)(*document, params));
    else
      reply(llvm::make_error<LSPError>(
          ("'" + uri.uri() + "' is not open").str(), ErrorCode::InvalidParams));
    settle();
  }
  template <typename Params, Question<Params> question>
  void add(llvm::StringLiteral method) {
    messages.method<Params, Value>(method, this,
                                   &Server::onDocument<Params, question>);
  }

  void onInitialize(const FolderParams &params, Callback<Value> reply);
  void onInitialized(const lsp::NoParams &) { settle(); }
  void onShutdown(const lsp::NoParams &params, Callback<Value> reply);
  void onOpen(const lsp::DidOpenTextDocumentParams &params);
  void onChange(const lsp::DidChangeTextDocumentParams &params);
  void onClose(const lsp::DidCloseTextDocumentParams &params);
  void onSave(const lsp::NoParams &) { settle(); }
  void onFolders(const FolderChangeParams &params);
  void onFilesOnDisk(const FileChangeParams &params);
  void onSymbols(const SymbolParams &params, Callback<Value> reply);
  void onRename(const RenameParams &params, Callback<Value> reply);
  void onCommand(const CommandParams &params, Callback<Value> reply);
  void onPrepareRename(const At &params, Callback<Value> reply);

  Value hover(edit::Document &document, const At &params);
  Value completion(edit::Document &document, const At &params);
  Value signature(edit::Document &document, const At &params);
  Value hints(edit::Document &document, const lsp::InlayHintsParams &params);
  Value definition(edit::Document &document, const At &params);
  Value typeDefinition(edit::Document &document, const At &params);
  Value references(edit::Document &document,
                   const lsp::ReferenceParams &params);
  Value highlights(edit::Document &document, const At &params);
  Value documentSymbols(edit::Document &document,
                        const lsp::DocumentSymbolParams &params);
  Value folds(edit::Document &document, const DocumentParams &params);
  Value selections(edit::Document &document, const SelectionParams &params);
  Value links(edit::Document &document, const lsp::DocumentLinkParams &params);
  Value tokens(edit::Document &document, const DocumentParams &params);
  Value codeActions(edit::Document &document, const RangeParams &params);
  Value formatting(edit::Document &document, const FormattingParams &params);
  Value lenses(edit::Document &document, const DocumentParams &params);
  void onResolveLens(const CodeLens &params, Callback<Value> reply);

  URIForFile uriOf(StringRef path) const;
  auto toURI() const {
    return [this](StringRef path) { return uriOf(path); };
  }
  edit::Document *find(const lsp::TextDocumentIdentifier &document) {
    return workspace.find(document.uri.file());
  }
  void settle();

  const ServerOptions &options;
  mlir::lsp::JSONTransport &transport;
  mlir::lsp::MessageHandler messages;
  edit::Workspace workspace;
  /// What the client calls the files that it has opened.
  std::map<std::string, URIForFile, std::less<>> uris;
  bool isShutDown = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Names of files
//===----------------------------------------------------------------------===//

URIForFile Server::uriOf(StringRef path) const {
  if (auto known = uris.find(path); known != uris.end())
    return known->second;
  llvm::Expected<URIForFile> file = URIForFile::fromFile(path);
  if (file)
    return *file;
  llvm::consumeError(file.takeError());
  return {};
}

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

void Server::onInitialize(const FolderParams &params, Callback<Value> reply) {
  std::vector<std::string> folders = params.folders;
  if (folders.empty())
    folders.push_back(params.rootUri);
  for (const std::string &folder : folders)
    if (std::string path = pathOf(folder); !path.empty())
      workspace.addFolder(std::move(path));
  reply(serverCapabilities());
}

void Server::onShutdown(const lsp::NoParams &, Callback<Value> reply) {
  isShutDown = true;
  reply(nullptr);
}

/// Whether the client has sent more. Standard input has no buffer, so that the
/// system knows.
static bool isInputWaiting(const ServerOptions &options) {
  if (options.isTest)
    return false;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, /*timeout=*/0) > 0;
}

/// Brings everything up to date and tells the client, unless it has more to
/// say.
void Server::settle() {
  if (isShutDown || isInputWaiting(options))
    return;
  for (const edit::Workspace::Published &file :
       workspace.update([this] { return isInputWaiting(options); })) {
    Object params{{"uri", uriOf(file.path).uri().str()},
                  {"diagnostics", toArray(file.diagnostics, toURI())}};
    if (file.version)
      params["version"] = *file.version;
    transport.notify("textDocument/publishDiagnostics", std::move(params));
  }
}

int Server::run() {
  messages.method("initialize", this, &Server::onInitialize);
  messages.notification("initialized", this, &Server::onInitialized);
  messages.method("shutdown", this, &Server::onShutdown);
  messages.notification("textDocument/didOpen", this, &Server::onOpen);
  messages.notification("textDocument/didChange", this, &Server::onChange);
  messages.notification("textDocument/didClose", this, &Server::onClose);
  messages.notification("textDocument/didSave", this, &Server::onSave);
  messages.notification("workspace/didChangeWorkspaceFolders", this,
                        &Server::onFolders);
  messages.notification("workspace/didChangeWatchedFiles", this,
                        &Server::onFilesOnDisk);
  // They ask for nothing, but what waited for them goes on.
  for (llvm::StringLiteral method :
       {llvm::StringLiteral("workspace/didChangeConfiguration"),
        llvm::StringLiteral("textDocument/willSave"),
        llvm::StringLiteral("$/cancelRequest"),
        llvm::StringLiteral("$/setTrace")})
    messages.notification(method, this, &Server::onSave);
  messages.method("workspace/symbol", this, &Server::onSymbols);
  messages.method("textDocument/rename", this, &Server::onRename);
  messages.method("textDocument/prepareRename", this, &Server::onPrepareRename);
  add<At, &Server::hover>("textDocument/hover");
  add<At, &Server::completion>("textDocument/completion");
  add<At, &Server::signature>("textDocument/signatureHelp");
  add<lsp::InlayHintsParams, &Server::hints>("textDocument/inlayHint");
  add<At, &Server::definition>("textDocument/definition");
  add<At, &Server::typeDefinition>("textDocument/typeDefinition");
  add<lsp::ReferenceParams, &Server::references>("textDocument/references");
  add<At, &Server::highlights>("textDocument/documentHighlight");
  add<lsp::DocumentSymbolParams, &Server::documentSymbols>(
      "textDocument/documentSymbol");
  add<DocumentParams, &Server::folds>("textDocument/foldingRange");
  add<SelectionParams, &Server::selections>("textDocument/selectionRange");
  add<lsp::DocumentLinkParams, &Server::links>("textDocument/documentLink");
  add<DocumentParams, &Server::tokens>("textDocument/semanticTokens/full");
  add<RangeParams, &Server::codeActions>("textDocument/codeAction");
  add<FormattingParams, &Server::formatting>("textDocument/formatting");
  add<DocumentParams, &Server::lenses>("textDocument/codeLens");
  messages.method("codeLens/resolve", this, &Server::onResolveLens);
  messages.method("workspace/executeCommand", this, &Server::onCommand);
  llvm::Error error = transport.run(messages);
  bool isBroken = static_cast<bool>(error);
  llvm::consumeError(std::move(error));
  // The protocol asks for 1 where nobody said goodbye.
  return isShutDown && !isBroken ? 0 : 1;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

void Server::onOpen(const lsp::DidOpenTextDocumentParams &params) {
  const lsp::TextDocumentItem &document = params.textDocument;
  std::string path = document.uri.file().str();
  uris[path] = document.uri;
  workspace.open(path, document.text, document.version);
  settle();
}

void Server::onChange(const lsp::DidChangeTextDocumentParams &params) {
  std::vector<edit::Change> changes;
  for (const lsp::TextDocumentContentChangeEvent &change :
       params.contentChanges)
    changes.push_back(fromProtocol(change));
  workspace.change(params.textDocument.uri.file(), changes,
                   params.textDocument.version);
  settle();
}

void Server::onClose(const lsp::DidCloseTextDocumentParams &params) {
  std::string path = params.textDocument.uri.file().str();
  workspace.close(path);
  settle();
  uris.erase(path);
}

void Server::onFolders(const FolderChangeParams &params) {
  for (const NamedFile &folder : params.event.removed)
    workspace.removeFolder(pathOf(folder.uri));
  for (const NamedFile &folder : params.event.added)
    workspace.addFolder(pathOf(folder.uri));
  settle();
}

void Server::onFilesOnDisk(const FileChangeParams &params) {
  for (const NamedFile &file : params.changes)
    workspace.changedOnDisk(pathOf(file.uri));
  settle();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

Value Server::hover(edit::Document &document, const At &params) {
  auto found =
      edit::describe(workspace, document, fromProtocol(params.position));
  return found ? lsp::toJSON(toProtocol(*found)) : Value(nullptr);
}

Value Server::completion(edit::Document &document, const At &params) {
  return lsp::toJSON(toProtocol(
      edit::complete(workspace, document, fromProtocol(params.position))));
}

Value Server::signature(edit::Document &document, const At &params) {
  auto found =
      edit::findSignatures(workspace, document, fromProtocol(params.position));
  return found ? toJSON(*found) : Value(nullptr);
}

Value Server::hints(edit::Document &document,
                    const lsp::InlayHintsParams &params) {
  return toArray(
      edit::hintsIn(workspace, document, fromProtocol(params.range)));
}

Value Server::definition(edit::Document &document, const At &params) {
  return toArray(
      edit::findDefinitions(workspace, document, fromProtocol(params.position)),
      toURI());
}

Value Server::typeDefinition(edit::Document &document, const At &params) {
  return toArray(edit::findTypeDefinitions(workspace, document,
                                           fromProtocol(params.position)),
                 toURI());
}

Value Server::references(edit::Document &document,
                         const lsp::ReferenceParams &params) {
  return toArray(edit::findReferences(workspace, document,
                                      fromProtocol(params.position),
                                      params.context.includeDeclaration),
                 toURI());
}

Value Server::highlights(edit::Document &document, const At &params) {
  Array result;
  for (const edit::TextRange &range :
       edit::findHighlights(workspace, document, fromProtocol(params.position)))
    result.push_back(Object{{"range", lsp::toJSON(toProtocol(range))}});
  return result;
}

void Server::onPrepareRename(const At &params, Callback<Value> reply) {
  edit::Document *document = find(params.textDocument);
  edit::Renaming result;
  if (document)
    result = edit::prepareRename(workspace, *document,
                                 fromProtocol(params.position));
  if (document && result.problem.empty())
    reply(Object{{"range", lsp::toJSON(toProtocol(result.range))},
                 {"placeholder", result.name}});
  else
    reply(llvm::make_error<LSPError>(result.problem, ErrorCode::RequestFailed));
  settle();
}

void Server::onRename(const RenameParams &params, Callback<Value> reply) {
  edit::Document *document = find(params.textDocument);
  edit::Renaming result;
  if (document)
    result = edit::rename(workspace, *document, fromProtocol(params.position),
                          params.newName);
  if (document && result.problem.empty())
    reply(lsp::toJSON(toProtocol(llvm::ArrayRef(result.edits), toURI())));
  else
    reply(llvm::make_error<LSPError>(result.problem, ErrorCode::RequestFailed));
  settle();
}

void Server::onSymbols(const SymbolParams &params, Callback<Value> reply) {
  reply(toArray(edit::findSymbols(workspace, params.query), toURI()));
  settle();
}

Value Server::links(edit::Document &document, const lsp::DocumentLinkParams &) {
  return toArray(edit::findLinks(workspace, document), toURI());
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

Value Server::documentSymbols(edit::Document &document,
                              const lsp::DocumentSymbolParams &) {
  return toArray(edit::symbolsOf(workspace.outline(document)));
}

Value Server::folds(edit::Document &document, const DocumentParams &) {
  return toArray(edit::foldsOf(workspace.outline(document)));
}

Value Server::selections(edit::Document &document,
                         const SelectionParams &params) {
  Array result;
  for (const lsp::Position &position : params.positions)
    result.push_back(selectionToJSON(edit::selectionsAt(
        workspace.outline(document), fromProtocol(position))));
  return result;
}

Value Server::tokens(edit::Document &document, const DocumentParams &) {
  return toJSON(llvm::ArrayRef(edit::tokensOf(workspace.outline(document))));
}

//===----------------------------------------------------------------------===//
// Code actions
//===----------------------------------------------------------------------===//

Value Server::codeActions(edit::Document &document, const RangeParams &params) {
  // What is shown has to be what is there.
  settle();
  Array result;
  for (const edit::Action &action :
       edit::findActions(workspace, document, fromProtocol(params.range))) {
    lsp::CodeAction shown;
    shown.title = action.title;
    shown.kind = action.kind;
    shown.edit = toProtocol(llvm::ArrayRef(action.edits), toURI());
    shown.isPreferred = action.isPreferred;
    Value value = lsp::toJSON(shown);
    if (action.cures)
      (*value.getAsObject())["diagnostics"] =
          Array{toJSON(*action.cures, toURI())};
    result.push_back(std::move(value));
  }
  return result;
}

Value Server::formatting(edit::Document &document,
                         const FormattingParams &params) {
  auto edits =
      edit::formatDocument(workspace, document, params.options.orderKeynames);
  return edits ? Value(toArray(*edits)) : Value(nullptr);
}

static Object commandOf(StringRef title, StringRef command, StringRef uri) {
  return Object{{"title", title.str()},
                {"command", command.str()},
                {"arguments", Array{uri.str()}}};
}

Value Server::lenses(edit::Document &document, const DocumentParams &) {
  Array result;
  for (const edit::Lens &lens : edit::findLenses(workspace, document)) {
    std::string uri = uriOf(document.path).uri().str();
    Object shown{{"range", lsp::toJSON(toProtocol(lens.range))}};
    if (lens.title.empty())
      shown["data"] = Object{{"uri", uri}, {"command", lens.command}};
    else
      shown["command"] = commandOf(lens.title, lens.command, uri);
    result.push_back(std::move(shown));
  }
  return result;
}

/// Gives a lens that came without one its title.
void Server::onResolveLens(const CodeLens &params, Callback<Value> reply) {
  Object lens{{"range", lsp::toJSON(params.range)}};
  const auto &[uri, command] = params.data;
  if (edit::Document *document = workspace.find(pathOf(uri)))
    lens["command"] =
        commandOf(edit::summarizePlan(workspace, *document), command, uri);
  reply(std::move(lens));
  settle();
}

/// The first argument is the document.
void Server::onCommand(const CommandParams &params, Callback<Value> reply) {
  StringRef uri = params.document;
  edit::Document *document = workspace.find(pathOf(uri));
  edit::Preview preview;
  if (document)
    preview = edit::showPreview(workspace, *document, params.command);
  else
    preview.problem = ("'" + uri + "' is not open").str();
  if (preview.problem.empty())
    reply(Object{{"text", preview.text},
                 {"format", preview.format},
                 {"view", preview.view}});
  else
    reply(
        llvm::make_error<LSPError>(preview.problem, ErrorCode::RequestFailed));
  settle();
}

int toscac::runServer(const ServerOptions &options) {
  using namespace mlir::lsp;
  // Nobody but the protocol writes there.
  llvm::sys::ChangeStdinToBinary();
  setvbuf(stdin, nullptr, _IONBF, 0);
  if (options.isTest)
    URIForFile::registerSupportedScheme("test");
  Logger::setLogLevel(options.isVerbose ? Logger::Level::Info
                                        : Logger::Level::Error);
  JSONTransport transport(stdin, llvm::outs(),
                          options.isTest ? JSONStreamStyle::Delimited
                                         : JSONStreamStyle::Standard,
                          /*prettyOutput=*/options.isTest);
  return Server(options, transport).run();
}
