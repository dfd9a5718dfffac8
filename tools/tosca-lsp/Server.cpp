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
#include "mlir/Tools/lsp-server-support/Protocol.h"
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
using mlir::lsp::Callback;
using mlir::lsp::ErrorCode;
using mlir::lsp::LSPError;
using mlir::lsp::URIForFile;

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
  using Question = Value (Server::*)(edit::Document &, const Params &);

  template <Question question>
  void onDocument(const Params &params, Callback<Value> reply) {
    if (edit::Document *document = workspace.find(pathOf(params.uri())))
      reply((this->*question)(*document, params));
    else
      reply(llvm::make_error<LSPError>(
          ("'" + params.uri() + "' is not open").str(),
          ErrorCode::InvalidParams));
    settle();
  }
  template <Question question>
  void add(llvm::StringLiteral method) {
    messages.method<Params, Value>(method, this, &Server::onDocument<question>);
  }

  void onInitialize(const Params &params, Callback<Value> reply);
  void onInitialized(const Params &) { settle(); }
  void onShutdown(const Params &params, Callback<Value> reply);
  void onOpen(const Params &params);
  void onChange(const Params &params);
  void onClose(const Params &params);
  void onSave(const Params &) { settle(); }
  void onFolders(const Params &params);
  void onFilesOnDisk(const Params &params);
  void onSymbols(const Params &params, Callback<Value> reply);
  void onRename(const Params &params, Callback<Value> reply);
  void onCommand(const Params &params, Callback<Value> reply);
  void onPrepareRename(const Params &params, Callback<Value> reply);

  Value hover(edit::Document &document, const Params &params);
  Value completion(edit::Document &document, const Params &params);
  Value signature(edit::Document &document, const Params &params);
  Value hints(edit::Document &document, const Params &params);
  Value definition(edit::Document &document, const Params &params);
  Value typeDefinition(edit::Document &document, const Params &params);
  Value references(edit::Document &document, const Params &params);
  Value highlights(edit::Document &document, const Params &params);
  Value documentSymbols(edit::Document &document, const Params &params);
  Value folds(edit::Document &document, const Params &params);
  Value selections(edit::Document &document, const Params &params);
  Value links(edit::Document &document, const Params &params);
  Value tokens(edit::Document &document, const Params &params);
  Value codeActions(edit::Document &document, const Params &params);
  Value formatting(edit::Document &document, const Params &params);
  Value lenses(edit::Document &document, const Params &params);
  void onResolveLens(const Params &params, Callback<Value> reply);

  std::string uriOf(StringRef path) const;
  auto toURI() const {
    return [this](StringRef path) { return uriOf(path); };
  }
  bool isInputWaiting() const;
  void settle();

  const ServerOptions &options;
  mlir::lsp::JSONTransport &transport;
  mlir::lsp::MessageHandler messages;
  edit::Workspace workspace;
  /// What the client calls the files that it has opened.
  std::map<std::string, std::string, std::less<>> uris;
  bool isShutDown = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Names of files
//===----------------------------------------------------------------------===//

std::string Server::uriOf(StringRef path) const {
  if (auto known = uris.find(path); known != uris.end())
    return known->second;
  llvm::Expected<URIForFile> file = URIForFile::fromFile(path);
  if (file)
    return file->uri().str();
  llvm::consumeError(file.takeError());
  return "";
}

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

void Server::onInitialize(const Params &params, Callback<Value> reply) {
  std::vector<std::string> folders;
  if (const Array *given = params.object.getArray("workspaceFolders"))
    for (const Value &folder : *given)
      if (const Object *object = folder.getAsObject())
        folders.push_back(pathOf(object->getString("uri").value_or("")));
  if (folders.empty())
    folders.push_back(pathOf(params.text("rootUri")));
  for (std::string &folder : folders)
    if (!folder.empty())
      workspace.addFolder(std::move(folder));
  reply(serverCapabilities());
}

void Server::onShutdown(const Params &, Callback<Value> reply) {
  isShutDown = true;
  reply(nullptr);
}

/// Whether the client has sent more. Standard input has no buffer, so that the
/// system knows.
bool Server::isInputWaiting() const {
  if (options.isTest)
    return false;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, /*timeout=*/0) > 0;
}

/// Brings everything up to date and tells the client, unless it has more to
/// say.
void Server::settle() {
  if (isShutDown || isInputWaiting())
    return;
  for (const edit::Workspace::Published &file :
       workspace.update([this] { return isInputWaiting(); })) {
    Object params{{"uri", uriOf(file.path)},
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
  messages.method("workspace/symbol", this, &Server::onSymbols);
  messages.method("textDocument/rename", this, &Server::onRename);
  messages.method("textDocument/prepareRename", this, &Server::onPrepareRename);
  add<&Server::hover>("textDocument/hover");
  add<&Server::completion>("textDocument/completion");
  add<&Server::signature>("textDocument/signatureHelp");
  add<&Server::hints>("textDocument/inlayHint");
  add<&Server::definition>("textDocument/definition");
  add<&Server::typeDefinition>("textDocument/typeDefinition");
  add<&Server::references>("textDocument/references");
  add<&Server::highlights>("textDocument/documentHighlight");
  add<&Server::documentSymbols>("textDocument/documentSymbol");
  add<&Server::folds>("textDocument/foldingRange");
  add<&Server::selections>("textDocument/selectionRange");
  add<&Server::links>("textDocument/documentLink");
  add<&Server::tokens>("textDocument/semanticTokens/full");
  add<&Server::codeActions>("textDocument/codeAction");
  add<&Server::formatting>("textDocument/formatting");
  add<&Server::lenses>("textDocument/codeLens");
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

void Server::onOpen(const Params &params) {
  const Object *document = params.object.getObject("textDocument");
  std::string path = pathOf(params.uri());
  if (!document || path.empty())
    return;
  uris[path] = params.uri().str();
  workspace.open(path, document->getString("text").value_or("").str(),
                 document->getInteger("version").value_or(0));
  settle();
}

void Server::onChange(const Params &params) {
  const Object *document = params.object.getObject("textDocument");
  if (!document)
    return;
  workspace.change(pathOf(params.uri()), changesOf(params),
                   document->getInteger("version").value_or(0));
  settle();
}

void Server::onClose(const Params &params) {
  std::string path = pathOf(params.uri());
  workspace.close(path);
  settle();
  uris.erase(path);
}

void Server::onFolders(const Params &params) {
  const Object *event = params.object.getObject("event");
  if (!event)
    return;
  auto each = [&](StringRef key, auto act) {
    if (const Array *folders = event->getArray(key))
      for (const Value &folder : *folders)
        if (const Object *object = folder.getAsObject())
          act(pathOf(object->getString("uri").value_or("")));
  };
  each("removed", [&](std::string path) { workspace.removeFolder(path); });
  each("added", [&](std::string path) { workspace.addFolder(path); });
  settle();
}

void Server::onFilesOnDisk(const Params &params) {
  if (const Array *changes = params.object.getArray("changes"))
    for (const Value &change : *changes)
      if (const Object *object = change.getAsObject())
        workspace.changedOnDisk(pathOf(object->getString("uri").value_or("")));
  settle();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

Value Server::hover(edit::Document &document, const Params &params) {
  auto found = edit::describe(workspace, document, params.position());
  return found ? toJSON(*found) : Value(nullptr);
}

Value Server::completion(edit::Document &document, const Params &params) {
  return toJSON(edit::complete(workspace, document, params.position()));
}

Value Server::signature(edit::Document &document, const Params &params) {
  auto found = edit::findSignatures(workspace, document, params.position());
  return found ? toJSON(*found) : Value(nullptr);
}

Value Server::hints(edit::Document &document, const Params &params) {
  return toArray(edit::hintsIn(workspace, document, params.range()));
}

Value Server::definition(edit::Document &document, const Params &params) {
  return toArray(edit::findDefinitions(workspace, document, params.position()),
                 toURI());
}

Value Server::typeDefinition(edit::Document &document, const Params &params) {
  return toArray(
      edit::findTypeDefinitions(workspace, document, params.position()),
      toURI());
}

Value Server::references(edit::Document &document, const Params &params) {
  return toArray(
      edit::findReferences(workspace, document, params.position(),
                           params.flag("context", "includeDeclaration")),
      toURI());
}

Value Server::highlights(edit::Document &document, const Params &params) {
  Array result;
  for (const edit::TextRange &range :
       edit::findHighlights(workspace, document, params.position()))
    result.push_back(Object{{"range", toJSON(range)}});
  return result;
}

void Server::onPrepareRename(const Params &params, Callback<Value> reply) {
  edit::Document *document = workspace.find(pathOf(params.uri()));
  edit::Renaming result;
  if (document)
    result = edit::prepareRename(workspace, *document, params.position());
  if (document && result.problem.empty())
    reply(
        Object{{"range", toJSON(result.range)}, {"placeholder", result.name}});
  else
    reply(llvm::make_error<LSPError>(result.problem, ErrorCode::RequestFailed));
  settle();
}

void Server::onRename(const Params &params, Callback<Value> reply) {
  edit::Document *document = workspace.find(pathOf(params.uri()));
  edit::Renaming result;
  if (document)
    result = edit::rename(workspace, *document, params.position(),
                          params.text("newName"));
  if (document && result.problem.empty())
    reply(toJSON(llvm::ArrayRef(result.edits), toURI()));
  else
    reply(llvm::make_error<LSPError>(result.problem, ErrorCode::RequestFailed));
  settle();
}

void Server::onSymbols(const Params &params, Callback<Value> reply) {
  reply(toArray(edit::findSymbols(workspace, params.text("query")), toURI()));
  settle();
}

Value Server::links(edit::Document &document, const Params &) {
  Array result;
  for (const edit::Link &link : edit::findLinks(workspace, document))
    result.push_back(
        Object{{"range", toJSON(link.range)}, {"target", uriOf(link.target)}});
  return result;
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

Value Server::documentSymbols(edit::Document &document, const Params &) {
  return toArray(edit::symbolsOf(workspace.outline(document)));
}

Value Server::folds(edit::Document &document, const Params &) {
  return toArray(edit::foldsOf(workspace.outline(document)));
}

Value Server::selections(edit::Document &document, const Params &params) {
  Array result;
  if (const Array *positions = params.object.getArray("positions"))
    for (const Value &position : *positions)
      result.push_back(selectionToJSON(edit::selectionsAt(
          workspace.outline(document), positionOf(position.getAsObject()))));
  return result;
}

Value Server::tokens(edit::Document &document, const Params &) {
  return toJSON(llvm::ArrayRef(edit::tokensOf(workspace.outline(document))));
}

//===----------------------------------------------------------------------===//
// Code actions
//===----------------------------------------------------------------------===//

Value Server::codeActions(edit::Document &document, const Params &params) {
  // What is shown has to be what is there.
  settle();
  Array result;
  for (const edit::Action &action :
       edit::findActions(workspace, document, params.range())) {
    Object shown{{"title", action.title},
                 {"kind", action.kind},
                 {"edit", toJSON(llvm::ArrayRef(action.edits), toURI())}};
    if (action.isPreferred)
      shown["isPreferred"] = true;
    if (action.cures)
      shown["diagnostics"] = Array{toJSON(*action.cures, toURI())};
    result.push_back(std::move(shown));
  }
  return result;
}

Value Server::formatting(edit::Document &document, const Params &params) {
  auto edits = edit::formatDocument(workspace, document,
                                    params.flag("options", "orderKeynames"));
  return edits ? Value(toArray(*edits)) : Value(nullptr);
}

static Object commandOf(StringRef title, StringRef command, StringRef uri) {
  return Object{{"title", title.str()},
                {"command", command.str()},
                {"arguments", Array{uri.str()}}};
}

Value Server::lenses(edit::Document &document, const Params &) {
  Array result;
  for (const edit::Lens &lens : edit::findLenses(workspace, document)) {
    std::string uri = uriOf(document.path);
    Object shown{{"range", toJSON(lens.range)}};
    if (lens.title.empty())
      shown["data"] = Object{{"uri", uri}, {"command", lens.command}};
    else
      shown["command"] = commandOf(lens.title, lens.command, uri);
    result.push_back(std::move(shown));
  }
  return result;
}

/// Gives a lens that came without one its title.
void Server::onResolveLens(const Params &params, Callback<Value> reply) {
  Object lens = params.object;
  const Object *data = lens.getObject("data");
  std::string uri = data ? data->getString("uri").value_or("").str() : "";
  std::string command =
      data ? data->getString("command").value_or("").str() : "";
  if (edit::Document *document = workspace.find(pathOf(uri)))
    lens["command"] =
        commandOf(edit::summarizePlan(workspace, *document), command, uri);
  reply(std::move(lens));
  settle();
}

/// The first argument is the document.
void Server::onCommand(const Params &params, Callback<Value> reply) {
  const Array *arguments = params.object.getArray("arguments");
  StringRef uri = arguments && !arguments->empty()
                      ? arguments->front().getAsString().value_or("")
                      : "";
  edit::Document *document = workspace.find(pathOf(uri));
  edit::Preview preview;
  if (document)
    preview = edit::showPreview(workspace, *document, params.text("command"));
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
