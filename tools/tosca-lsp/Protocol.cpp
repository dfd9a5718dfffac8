//===- Protocol.cpp - What the protocol's library lacks -------------------===//

#include "Protocol.h"

#include "toscac/Basic/Version.h"
#include <limits>

using namespace toscac;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using tosca::EntityKind;

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

static int toInt(uint32_t number) {
  return static_cast<int>(
      std::min<uint32_t>(number, std::numeric_limits<int>::max()));
}

lsp::Position toscac::toProtocol(const edit::TextPosition &position) {
  return {toInt(position.line), toInt(position.character)};
}

lsp::Range toscac::toProtocol(const edit::TextRange &range) {
  return {toProtocol(range.start), toProtocol(range.end)};
}

lsp::TextEdit toscac::toProtocol(const edit::TextEdit &edit) {
  return {toProtocol(edit.range), edit.text};
}

static lsp::Location locationOf(const edit::Location &location, ToURI uri) {
  return {uri(location.path), toProtocol(location.range)};
}

/// Lets \p object own its URI under \p key.
static void ownURI(Object &object, StringRef key) {
  object[key] = object.getString(key).value_or("").str();
}

Value toscac::toJSON(const edit::Location &location, ToURI uri) {
  lsp::Location shown = locationOf(location, uri);
  Value result = lsp::toJSON(shown);
  ownURI(*result.getAsObject(), "uri");
  return result;
}

Value toscac::toJSON(const edit::Link &link, ToURI uri) {
  lsp::DocumentLink shown(toProtocol(link.range), uri(link.target));
  Value result = lsp::toJSON(shown);
  ownURI(*result.getAsObject(), "target");
  return result;
}

/// The library has neither codes nor pages.
Value toscac::toJSON(const edit::ShownDiagnostic &diagnostic, ToURI uri) {
  lsp::Diagnostic shown;
  shown.range = toProtocol(diagnostic.range);
  shown.severity = diagnostic.isError ? lsp::DiagnosticSeverity::Error
                                      : lsp::DiagnosticSeverity::Warning;
  shown.source = "toscac";
  shown.message = diagnostic.message;
  if (diagnostic.isUnnecessary)
    shown.tags.push_back(lsp::DiagnosticTag::Unnecessary);
  if (diagnostic.isDeprecated)
    shown.tags.push_back(lsp::DiagnosticTag::Deprecated);
  for (const edit::RelatedPlace &place : diagnostic.related) {
    if (!shown.relatedInformation)
      shown.relatedInformation.emplace();
    shown.relatedInformation->push_back(
        {locationOf(place.location, uri), place.message});
  }
  Value result = lsp::toJSON(shown);
  Object &object = *result.getAsObject();
  if (Array *related = object.getArray("relatedInformation"))
    for (Value &place : *related)
      ownURI(*place.getAsObject()->getObject("location"), "uri");
  object["code"] = diagnostic.code;
  if (std::string page = edit::pageOf(diagnostic.code); !page.empty())
    object["codeDescription"] = Object{{"href", page}};
  return result;
}

/// What the protocol calls things that have a name.
static lsp::SymbolKind symbolKind(EntityKind kind) {
  using enum lsp::SymbolKind;
  switch (kind) {
  case EntityKind::NodeType:
  case EntityKind::RelationshipType:
  case EntityKind::CapabilityType:
  case EntityKind::ArtifactType:
  case EntityKind::GroupType:
  case EntityKind::PolicyType:
    return Class;
  case EntityKind::DataType:
    return Struct;
  case EntityKind::InterfaceType:
  case EntityKind::InterfaceDefinition:
  case EntityKind::InterfaceAssignment:
    return Interface;
  case EntityKind::NodeTemplate:
  case EntityKind::RelationshipTemplate:
  case EntityKind::Group:
  case EntityKind::Policy:
    return Object;
  case EntityKind::OperationDefinition:
  case EntityKind::OperationAssignment:
  case EntityKind::Workflow:
    return Method;
  case EntityKind::NotificationDefinition:
  case EntityKind::NotificationAssignment:
  case EntityKind::EventTrigger:
  case EntityKind::PolicyTrigger:
    return Event;
  case EntityKind::Function:
    return Function;
  case EntityKind::ParameterDefinition:
  case EntityKind::OutputDefinition:
    return Variable;
  case EntityKind::Repository:
    return Namespace;
  case EntityKind::File:
    return Key;
  default:
    return Property;
  }
}

lsp::DocumentSymbol toscac::toProtocol(const edit::Symbol &symbol) {
  lsp::DocumentSymbol result(symbol.name, symbolKind(symbol.kind),
                             toProtocol(symbol.range),
                             toProtocol(symbol.selection));
  result.detail = symbol.noun;
  for (const edit::Symbol &child : symbol.children)
    result.children.push_back(toProtocol(child));
  return result;
}

Value toscac::toJSON(const edit::FoundSymbol &symbol, ToURI uri) {
  return Object{{"name", symbol.name},
                {"kind", static_cast<int>(symbolKind(symbol.kind))},
                {"location", toJSON(symbol.location, uri)},
                {"containerName", symbol.container}};
}

Value toscac::toJSON(const edit::Fold &fold) {
  return Object{{"startLine", fold.first},
                {"endLine", fold.last},
                {"kind", fold.isComment ? "comment" : "region"}};
}

lsp::InlayHint toscac::toProtocol(const edit::Hint &hint) {
  lsp::InlayHint result(lsp::InlayHintKind::Type, toProtocol(hint.position));
  result.label = hint.label;
  result.paddingLeft = true;
  return result;
}

lsp::Hover toscac::toProtocol(const edit::Hover &hover) {
  lsp::Hover result(toProtocol(hover.range));
  result.contents = {lsp::MarkupKind::Markdown, hover.text};
  return result;
}

/// What the protocol calls things to choose from.
static lsp::CompletionItemKind completionKind(edit::CompletionKind kind) {
  using Kind = lsp::CompletionItemKind;
  switch (kind) {
  case edit::CompletionKind::Keyname:
    return Kind::Keyword;
  case edit::CompletionKind::Type:
    return Kind::Class;
  case edit::CompletionKind::Template:
    return Kind::Reference;
  case edit::CompletionKind::Member:
    return Kind::Property;
  case edit::CompletionKind::Operation:
    return Kind::Method;
  case edit::CompletionKind::Input:
    return Kind::Variable;
  case edit::CompletionKind::Function:
    return Kind::Function;
  case edit::CompletionKind::Value:
    return Kind::Value;
  case edit::CompletionKind::PathWord:
    return Kind::Constant;
  case edit::CompletionKind::Unit:
    return Kind::Unit;
  case edit::CompletionKind::File:
    return Kind::File;
  case edit::CompletionKind::Snippet:
    return Kind::Snippet;
  }
  llvm_unreachable("all kinds are handled");
}

lsp::CompletionList toscac::toProtocol(const edit::Completions &completions) {
  // There may be hundreds: what clients assume anyway is not said.
  lsp::CompletionList result;
  for (const edit::Completion &item : completions.items) {
    lsp::CompletionItem &shown = result.items.emplace_back();
    shown.label = item.label;
    shown.kind = completionKind(item.kind);
    shown.sortText = std::to_string(item.rank) + item.label;
    shown.textEdit =
        toProtocol(edit::TextEdit{completions.replaced, item.insert});
    if (item.isSnippet)
      shown.insertTextFormat = lsp::InsertTextFormat::Snippet;
    shown.detail = item.detail;
    if (!item.documentation.empty())
      shown.documentation = {lsp::MarkupKind::PlainText, item.documentation};
  }
  return result;
}

/// The library has no documentation in Markdown.
Value toscac::toJSON(const edit::SignaturesAt &found) {
  lsp::SignatureHelp help;
  help.activeSignature = toInt(found.active);
  help.activeParameter = toInt(found.activeParameter);
  for (const edit::Signature &signature : found.signatures) {
    lsp::SignatureInformation &shown = help.signatures.emplace_back();
    shown.label = signature.label;
    for (auto [begin, end] : signature.parameters)
      shown.parameters.push_back({"", std::pair(begin, end), ""});
  }
  Value result = lsp::toJSON(help);
  Array &shown = *result.getAsObject()->getArray("signatures");
  for (auto [signature, value] : llvm::zip(found.signatures, shown))
    if (!signature.documentation.empty())
      (*value.getAsObject())["documentation"] = lsp::toJSON(lsp::MarkupContent{
          lsp::MarkupKind::Markdown, signature.documentation});
  return result;
}

lsp::WorkspaceEdit toscac::toProtocol(llvm::ArrayRef<edit::FileEdit> edits,
                                      ToURI uri) {
  lsp::WorkspaceEdit result;
  for (const edit::FileEdit &edit : edits)
    for (const edit::TextEdit &change : edit.edits)
      result.changes[uri(edit.path).uri().str()].push_back(toProtocol(change));
  return result;
}

Value toscac::toJSON(llvm::ArrayRef<edit::Token> tokens) {
  Array data;
  edit::TextPosition last;
  for (const edit::Token &token : tokens) {
    edit::TextPosition start = token.range.start;
    bool isSameLine = start.line == last.line;
    data.push_back(start.line - last.line);
    data.push_back(isSameLine ? start.character - last.character
                              : start.character);
    data.push_back(token.range.end.character - start.character);
    data.push_back(static_cast<int>(token.kind));
    data.push_back(token.isDeclaration ? 1 : 0);
    last = start;
  }
  return Object{{"data", std::move(data)}};
}

Value toscac::selectionToJSON(llvm::ArrayRef<edit::TextRange> ranges) {
  std::optional<Object> outer;
  for (const edit::TextRange &range : llvm::reverse(ranges)) {
    Object next{{"range", lsp::toJSON(toProtocol(range))}};
    if (outer)
      next["parent"] = std::move(*outer);
    outer = std::move(next);
  }
  return outer ? Value(std::move(*outer)) : Value(nullptr);
}

static Array tokenWords() {
  return Array{
#define TOKEN(NAME, WORD) WORD,
#include "toscac/Edit/Tokens.def"
  };
}

Value toscac::serverCapabilities() {
  constexpr int incremental = 2;
  Object capabilities{
      {"textDocumentSync",
       Object{{"openClose", true}, {"change", incremental}, {"save", true}}},
      {"hoverProvider", true},
      {"completionProvider",
       Object{{"triggerCharacters", Array{":", " ", "$", "[", "-"}}}},
      {"signatureHelpProvider", Object{{"triggerCharacters", Array{"[", ","}}}},
      {"inlayHintProvider", true},
      {"definitionProvider", true},
      {"typeDefinitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"documentSymbolProvider", true},
      {"workspaceSymbolProvider", true},
      {"foldingRangeProvider", true},
      {"selectionRangeProvider", true},
      {"documentLinkProvider", Object{{"resolveProvider", false}}},
      {"renameProvider", Object{{"prepareProvider", true}}},
      {"semanticTokensProvider",
       Object{{"legend", Object{{"tokenTypes", tokenWords()},
                                {"tokenModifiers", Array{"declaration"}}}},
              {"full", true}}},
      {"codeActionProvider",
       Object{{"codeActionKinds",
               Array{"quickfix", "source.fixAll", "refactor"}}}},
      {"documentFormattingProvider", true},
      {"codeLensProvider", Object{{"resolveProvider", true}}},
      {"executeCommandProvider",
       Object{{"commands", Array{"toscac.showPlan", "toscac.showTopology",
                                 "toscac.showMachine"}}}},
      {"workspace",
       Object{{"workspaceFolders",
               Object{{"supported", true}, {"changeNotifications", true}}}}}};
  return Object{
      {"serverInfo", Object{{"name", "tosca-lsp"}, {"version", version()}}},
      {"capabilities", std::move(capabilities)}};
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// What does not fit the library's numbers was meant to be the end.
static uint32_t toCount(int number) {
  return number < 0 ? std::numeric_limits<int>::max() : number;
}

edit::TextPosition toscac::fromProtocol(const lsp::Position &position) {
  return {toCount(position.line), toCount(position.character)};
}

edit::TextRange toscac::fromProtocol(const lsp::Range &range) {
  return {fromProtocol(range.start), fromProtocol(range.end)};
}

edit::Change
toscac::fromProtocol(const lsp::TextDocumentContentChangeEvent &change) {
  edit::Change result;
  if (change.range)
    result.range = fromProtocol(*change.range);
  result.text = change.text;
  return result;
}

bool toscac::fromJSON(const Value &value, FolderParams &result,
                      llvm::json::Path) {
  // Either of them may be null.
  if (const Object *object = value.getAsObject()) {
    result.rootUri = object->getString("rootUri").value_or("").str();
    if (const Array *folders = object->getArray("workspaceFolders"))
      for (const Value &folder : *folders)
        if (const Object *named = folder.getAsObject())
          result.folders.push_back(named->getString("uri").value_or("").str());
  }
  return true;
}

bool toscac::fromJSON(const Value &value, FolderChange &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("added", result.added) &&
         mapper.map("removed", result.removed);
}

bool toscac::fromJSON(const Value &value, FolderChangeParams &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("event", result.event);
}

bool toscac::fromJSON(const Value &value, NamedFile &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("uri", result.uri);
}

bool toscac::fromJSON(const Value &value, FileChangeParams &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("changes", result.changes);
}

bool toscac::fromJSON(const Value &value, DocumentParams &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("textDocument", result.textDocument);
}

bool toscac::fromJSON(const Value &value, RangeParams &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("textDocument", result.textDocument) &&
         mapper.map("range", result.range);
}

bool toscac::fromJSON(const Value &value, RenameParams &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return fromJSON(value, static_cast<lsp::TextDocumentPositionParams &>(result),
                  path) &&
         mapper && mapper.map("newName", result.newName);
}

bool toscac::fromJSON(const Value &value, SelectionParams &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("textDocument", result.textDocument) &&
         mapper.map("positions", result.positions);
}

bool toscac::fromJSON(const Value &value, FormattingOptions &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.mapOptional("orderKeynames", result.orderKeynames);
}

bool toscac::fromJSON(const Value &value, FormattingParams &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("textDocument", result.textDocument) &&
         mapper.mapOptional("options", result.options);
}

bool toscac::fromJSON(const Value &value, SymbolParams &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("query", result.query);
}

bool toscac::fromJSON(const Value &value, CommandParams &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  if (!mapper || !mapper.map("command", result.command))
    return false;
  const Array *arguments = value.getAsObject()->getArray("arguments");
  if (arguments && !arguments->empty())
    result.document = arguments->front().getAsString().value_or("").str();
  return true;
}

bool toscac::fromJSON(const Value &value, LensData &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("uri", result.uri) &&
         mapper.map("command", result.command);
}

bool toscac::fromJSON(const Value &value, CodeLens &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper mapper(value, path);
  return mapper && mapper.map("range", result.range) &&
         mapper.mapOptional("data", result.data);
}
