//===- Protocol.cpp - What the protocol's library lacks -------------------===//

#include "Protocol.h"

#include "toscac/Basic/Version.h"

using namespace toscac;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using tosca::EntityKind;

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

Value toscac::toJSON(const edit::TextPosition &position) {
  return Object{{"line", position.line}, {"character", position.character}};
}

Value toscac::toJSON(const edit::TextRange &range) {
  return Object{{"start", toJSON(range.start)}, {"end", toJSON(range.end)}};
}

Value toscac::toJSON(const edit::TextEdit &edit) {
  return Object{{"range", toJSON(edit.range)}, {"newText", edit.text}};
}

Value toscac::toJSON(const edit::Location &location, ToURI uri) {
  return Object{{"uri", uri(location.path)}, {"range", toJSON(location.range)}};
}

Value toscac::toJSON(const edit::ShownDiagnostic &diagnostic, ToURI uri) {
  constexpr int error = 1, warning = 2, unnecessary = 1, deprecated = 2;
  Object result{{"range", toJSON(diagnostic.range)},
                {"severity", diagnostic.isError ? error : warning},
                {"code", diagnostic.code},
                {"source", "toscac"},
                {"message", diagnostic.message}};
  if (std::string page = edit::pageOf(diagnostic.code); !page.empty())
    result["codeDescription"] = Object{{"href", page}};
  Array tags;
  if (diagnostic.isUnnecessary)
    tags.push_back(unnecessary);
  if (diagnostic.isDeprecated)
    tags.push_back(deprecated);
  if (!tags.empty())
    result["tags"] = std::move(tags);
  Array related;
  for (const edit::RelatedPlace &place : diagnostic.related)
    related.push_back(Object{{"location", toJSON(place.location, uri)},
                             {"message", place.message}});
  if (!related.empty())
    result["relatedInformation"] = std::move(related);
  return result;
}

/// What the protocol calls things that have a name.
static int symbolKind(EntityKind kind) {
  enum {
    Module = 2,
    Namespace = 3,
    Class = 5,
    Method = 6,
    Property = 7,
    Interface = 11,
    Function = 12,
    Variable = 13,
    Object = 19,
    Key = 20,
    Struct = 23,
    Event = 24
  };
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

Value toscac::toJSON(const edit::Symbol &symbol) {
  Object result{{"name", symbol.name},
                {"kind", symbolKind(symbol.kind)},
                {"range", toJSON(symbol.range)},
                {"selectionRange", toJSON(symbol.selection)}};
  if (!symbol.noun.empty())
    result["detail"] = symbol.noun;
  if (!symbol.children.empty())
    result["children"] = toArray(symbol.children);
  return result;
}

Value toscac::toJSON(const edit::FoundSymbol &symbol, ToURI uri) {
  return Object{{"name", symbol.name},
                {"kind", symbolKind(symbol.kind)},
                {"location", toJSON(symbol.location, uri)},
                {"containerName", symbol.container}};
}

Value toscac::toJSON(const edit::Fold &fold) {
  return Object{{"startLine", fold.first},
                {"endLine", fold.last},
                {"kind", fold.isComment ? "comment" : "region"}};
}

Value toscac::toJSON(const edit::Hint &hint) {
  return Object{{"position", toJSON(hint.position)},
                {"label", hint.label},
                {"paddingLeft", true}};
}

static Value markdown(StringRef text) {
  return Object{{"kind", "markdown"}, {"value", text.str()}};
}

Value toscac::toJSON(const edit::Hover &hover) {
  return Object{{"contents", markdown(hover.text)},
                {"range", toJSON(hover.range)}};
}

/// What the protocol calls things to choose from.
static int completionKind(edit::CompletionKind kind) {
  switch (kind) {
  case edit::CompletionKind::Keyname:
    return 14;
  case edit::CompletionKind::Type:
    return 7;
  case edit::CompletionKind::Template:
    return 18;
  case edit::CompletionKind::Member:
    return 10;
  case edit::CompletionKind::Operation:
    return 2;
  case edit::CompletionKind::Input:
    return 6;
  case edit::CompletionKind::Function:
    return 3;
  case edit::CompletionKind::Value:
    return 12;
  case edit::CompletionKind::PathWord:
    return 21;
  case edit::CompletionKind::Unit:
    return 11;
  case edit::CompletionKind::File:
    return 17;
  case edit::CompletionKind::Snippet:
    return 15;
  }
  llvm_unreachable("all kinds are handled");
}

Value toscac::toJSON(const edit::Completions &completions) {
  // There may be hundreds: what clients assume anyway is not said.
  constexpr int snippet = 2;
  Array items;
  for (const edit::Completion &item : completions.items) {
    Object object{{"label", item.label},
                  {"kind", completionKind(item.kind)},
                  {"sortText", std::to_string(item.rank) + item.label},
                  {"textEdit",
                   toJSON(edit::TextEdit{completions.replaced, item.insert})}};
    if (item.isSnippet)
      object["insertTextFormat"] = snippet;
    if (!item.detail.empty())
      object["detail"] = item.detail;
    if (!item.documentation.empty())
      object["documentation"] = item.documentation;
    items.push_back(std::move(object));
  }
  return Object{{"isIncomplete", false}, {"items", std::move(items)}};
}

Value toscac::toJSON(const edit::Signature &signature) {
  Array parameters;
  for (auto [begin, end] : signature.parameters)
    parameters.push_back(Object{{"label", Array{begin, end}}});
  Object shown{{"label", signature.label},
               {"parameters", std::move(parameters)}};
  if (!signature.documentation.empty())
    shown["documentation"] = markdown(signature.documentation);
  return shown;
}

Value toscac::toJSON(const edit::SignaturesAt &found) {
  return Object{{"signatures", toArray(found.signatures)},
                {"activeSignature", found.active},
                {"activeParameter", found.activeParameter}};
}

Value toscac::toJSON(llvm::ArrayRef<edit::FileEdit> edits, ToURI uri) {
  Object changes;
  for (const edit::FileEdit &edit : edits)
    changes[uri(edit.path)] = toArray(edit.edits);
  return Object{{"changes", std::move(changes)}};
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
    Object next{{"range", toJSON(range)}};
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

bool toscac::fromJSON(const Value &value, Params &params,
                      llvm::json::Path path) {
  if (value.getAsNull())
    return true;
  const Object *object = value.getAsObject();
  if (!object) {
    path.report("expected object");
    return false;
  }
  params.object = *object;
  return true;
}

/// Numbers that are too large or negative mean the end, or the start.
static uint32_t countOf(const Object &object, StringRef key) {
  int64_t number = object.getInteger(key).value_or(0);
  return static_cast<uint32_t>(
      std::clamp<int64_t>(number, 0, int64_t(1) << 31));
}

edit::TextPosition toscac::positionOf(const Object *object) {
  if (!object)
    return {};
  return {countOf(*object, "line"), countOf(*object, "character")};
}

edit::TextRange toscac::rangeOf(const Object *object) {
  if (!object)
    return {};
  return {positionOf(object->getObject("start")),
          positionOf(object->getObject("end"))};
}

StringRef Params::uri() const {
  const Object *document = object.getObject("textDocument");
  return document ? document->getString("uri").value_or("") : "";
}

edit::TextPosition Params::position() const {
  return positionOf(object.getObject("position"));
}

edit::TextRange Params::range(StringRef key) const {
  return rangeOf(object.getObject(key));
}

bool Params::flag(StringRef owner, StringRef key) const {
  const Object *inner = object.getObject(owner);
  return inner && inner->getBoolean(key).value_or(false);
}

std::vector<edit::Change> toscac::changesOf(const Params &params) {
  std::vector<edit::Change> changes;
  if (const Array *given = params.object.getArray("contentChanges"))
    for (const Value &value : *given) {
      const Object *change = value.getAsObject();
      if (!change)
        continue;
      edit::Change next;
      if (const Object *range = change->getObject("range"))
        next.range = rangeOf(range);
      next.text = change->getString("text").value_or("").str();
      changes.push_back(std::move(next));
    }
  return changes;
}
