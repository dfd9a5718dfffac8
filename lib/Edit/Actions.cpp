//===- Actions.cpp - What an editor can do for people ---------------------===//

#include "toscac/Edit/Actions.h"

#include "Context.h"
#include "toscac/Driver/Format.h"
#include "toscac/Value/Type.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
using syntax::Node;

namespace {

class ActionFinder {
public:
  ActionFinder(Workspace &workspace, Document &document, TextRange range)
      : workspace(workspace), document(document), range(range),
        outline(workspace.outline(document)),
        context(workspace.names(document), document),
        place(findPlace(outline, outline.lines.offset(range.start))) {}

  std::vector<Action> find();

private:
  void fixes();
  void ignoreComment(const ShownDiagnostic &diagnostic);
  void addProperties(const Entity &node);
  void addInterfaces(const Entity &node);
  void makeInput(const Entity &node);
  void extractType(const Entity &node);

  /// The column of the keys of the block map \p node.
  size_t columnOf(const Node &node) const {
    return outline.range(node.range()).start.character;
  }
  bool isBlock(const Node &node) const {
    return node.isMapping() && !node.entries().empty() &&
           !outline.sources.text(node.range()).starts_with("{");
  }
  /// The last line with something of \p node on it.
  TextPosition endOf(const Node &node) const {
    StringRef text = outline.sources.text(node.range()).rtrim();
    size_t end = outline.offset(node.range().begin) + text.size();
    TextPosition at = outline.lines.position(end);
    // A comment behind it stays there.
    size_t start = outline.lines.lineStart(at.line);
    return outline.lines.position(start + outline.lines.line(at.line).size());
  }
  void add(std::string title, std::string kind, std::vector<TextEdit> edits) {
    actions.push_back(
        {std::move(title), std::move(kind), {{document.path, edits}}});
  }

  Workspace &workspace;
  Document &document;
  TextRange range;
  const Outline &outline;
  Context context;
  Place place;
  std::vector<Action> actions;
};

} // namespace

//===----------------------------------------------------------------------===//
// Cures of diagnostics
//===----------------------------------------------------------------------===//

void ActionFinder::fixes() {
  llvm::ArrayRef<ShownDiagnostic> diagnostics =
      workspace.diagnosticsOf(document.path);
  for (const ShownDiagnostic &diagnostic : diagnostics) {
    bool isHere = diagnostic.range.start <= range.end &&
                  range.start <= diagnostic.range.end;
    if (!isHere)
      continue;
    if (!diagnostic.fix.empty()) {
      const TextEdit &first = diagnostic.fix.front().edits.front();
      std::string title =
          first.text.empty() ? "Remove it" : "Change to '" + first.text + "'";
      actions.push_back({title, "quickfix", diagnostic.fix,
                         diagnostic.isSafeFix, diagnostic});
    }
    if (!diagnostic.isError)
      ignoreComment(diagnostic);
  }
  std::vector<TextEdit> safe = safeFixes(diagnostics, document.path);
  if (!safe.empty())
    add("Fix all that toscac can fix", "source.fixAll", safe);
  std::vector<ShownDiagnostic> earlier;
  llvm::copy_if(diagnostics, std::back_inserter(earlier),
                [](const ShownDiagnostic &each) { return each.isDeprecated; });
  std::vector<TextEdit> forms = safeFixes(earlier, document.path);
  if (!forms.empty())
    add("Convert all forms of earlier versions", "refactor.rewrite", forms);
}

void ActionFinder::ignoreComment(const ShownDiagnostic &diagnostic) {
  uint32_t number = diagnostic.range.start.line;
  if (number >= outline.lines.numLines())
    return;
  StringRef line = outline.lines.line(number);
  size_t end = outline.lines.lineStart(number) + line.rtrim().size();
  // Text of a scalar that goes on would swallow it.
  if (line.contains('#') || line.trim().empty())
    return;
  TextPosition at = outline.lines.position(end);
  actions.push_back(
      {"Ignore '" + diagnostic.code + "' on this line",
       "quickfix",
       {{document.path,
         {{{at, at}, "  # toscac: ignore[" + diagnostic.code + "]"}}}},
       false,
       diagnostic});
}

//===----------------------------------------------------------------------===//
// Things to write
//===----------------------------------------------------------------------===//

/// Properties that need a value and have none.
void ActionFinder::addProperties(const Entity &node) {
  const sema::TypeDecl *type = context.typeOfTemplate(node);
  const sema::Flat *flat = type ? sema::flatOf(*type) : nullptr;
  if (!flat || !isBlock(*node.node))
    return;
  const Field *given = node.find(Key::Properties);
  std::vector<std::string> missing;
  for (const sema::Flat *part : sema::partsOf(*flat, Key::Properties))
    if (sema::needsAssignment(*part) &&
        !(given && given->value->isMapping() &&
          given->value->find(sema::nameOf(*part))))
      missing.push_back(sema::nameOf(*part).str());
  if (missing.empty())
    return;
  std::string indent(columnOf(*node.node), ' ');
  std::vector<TextEdit> edits;
  if (!given) {
    std::string text = "\n" + indent + "properties:";
    for (const std::string &name : missing)
      text += "\n" + indent + "  " + name + ": ";
    TextPosition end = endOf(*node.node);
    edits.push_back({{end, end}, text});
  } else if (isBlock(*given->value)) {
    std::string inner(columnOf(*given->value), ' ');
    std::string text;
    for (const std::string &name : missing)
      text += "\n" + inner + name + ": ";
    TextPosition end = endOf(*given->value);
    edits.push_back({{end, end}, text});
  } else if (given->value->isNull() && given->keyNode) {
    std::string text;
    for (const std::string &name : missing)
      text += "\n" + indent + "  " + name + ": ";
    TextPosition end = endOf(*given->keyNode);
    edits.push_back({{end, end}, text});
  } else {
    return;
  }
  add(missing.size() == 1
          ? "Add the missing property '" + missing[0] + "'"
          : "Add " + std::to_string(missing.size()) + " missing properties",
      "quickfix", edits);
}

/// Interfaces of the type that the template says nothing of.
void ActionFinder::addInterfaces(const Entity &node) {
  const sema::TypeDecl *type = context.typeOfTemplate(node);
  const sema::Flat *flat = type ? sema::flatOf(*type) : nullptr;
  if (!flat || !isBlock(*node.node) || node.find(Key::Interfaces))
    return;
  std::string indent(columnOf(*node.node), ' ');
  for (const sema::Flat *interface : sema::partsOf(*flat, Key::Interfaces)) {
    std::string text = "\n" + indent + "interfaces:\n" + indent + "  " +
                       sema::nameOf(*interface).str() + ":\n" + indent +
                       "    operations:";
    bool any = false;
    for (const sema::Flat *operation :
         sema::partsOf(*interface, Key::Operations)) {
      any = true;
      text += "\n" + indent + "      " + sema::nameOf(*operation).str() + ": ";
    }
    if (!any)
      continue;
    TextPosition end = endOf(*node.node);
    add("Implement interface '" + sema::nameOf(*interface).str() + "'",
        "refactor.rewrite", {{{end, end}, text}});
  }
}

/// A value of a property becomes the default of an input.
void ActionFinder::makeInput(const Entity &node) {
  const Field *field = place.field();
  if (place.entity() != &node || !field || field->key != Key::Properties ||
      place.keys.size() != 1 || place.nodes.empty())
    return;
  const Node &value = *place.nodes.back();
  const Entity *service = place.enclosing(EntityKind::ServiceTemplate);
  bool isConstant = value.isScalar() && !value.text().starts_with("$");
  if (!isConstant || value.isAlias() || !service || !isBlock(*service->node))
    return;
  std::string name = place.keys.front()->text().str();
  const Field *inputs = service->find(Key::Inputs);
  if (inputs && (!isBlock(*inputs->value) || inputs->value->find(name)))
    return;
  const sema::Flat *flat = context.flatOf(place);
  const sema::Flat *part =
      flat ? sema::partOf(*flat, Key::Properties, name) : nullptr;
  const sema::TypeDecl *type = part ? sema::typeOf(*part) : nullptr;
  std::string declared =
      name + ": { type: " + (type ? sema::nameOf(*type).str() : "string") +
      ", default: " + outline.sources.text(value.range()).str() + " }";
  std::vector<TextEdit> edits = {
      {outline.range(value.range()), "{ $get_input: " + name + " }"}};
  if (inputs) {
    std::string inner(columnOf(*inputs->value), ' ');
    TextPosition end = endOf(*inputs->value);
    edits.push_back({{end, end}, "\n" + inner + declared});
  } else {
    std::string indent(columnOf(*service->node), ' ');
    TextPosition start = outline.range(service->node->range()).start;
    edits.push_back({{start, start},
                     "inputs:\n" + indent + "  " + declared + "\n" + indent});
  }
  add("Make an input of it", "refactor.extract", edits);
}

/// A type that is derived from the template's, with its properties as defaults.
void ActionFinder::extractType(const Entity &node) {
  const Field *type = node.find(Key::Type);
  const Field *properties = node.find(Key::Properties);
  if (!type || !type->value->isScalar() || !isBlock(*outline.root.node) ||
      !properties || !isBlock(*properties->value) || !properties->keyNode)
    return;
  std::string name = node.name.str().str();
  name[0] = llvm::toUpper(name[0]);
  for (const std::string &known : context.typeNames(EntityKind::NodeType))
    if (known == name)
      name += "Type";
  const sema::Flat *flat = nullptr;
  if (const sema::TypeDecl *own = context.typeOfTemplate(node))
    flat = sema::flatOf(*own);
  std::string text = "  " + name +
                     ":\n    derived_from: " + type->value->text().str() +
                     "\n    properties:\n";
  for (const syntax::Entry &entry : properties->value->entries()) {
    const sema::Flat *part =
        flat && entry.key.isScalar()
            ? sema::partOf(*flat, Key::Properties, entry.key.text())
            : nullptr;
    const sema::TypeDecl *valueType = part ? sema::typeOf(*part) : nullptr;
    // What depends on the template, or is of several lines, stays there.
    if (!valueType || !entry.value.isScalar() ||
        entry.value.text().starts_with("$") ||
        outline.sources.text(entry.value.range()).contains('\n'))
      return;
    text += "      " + entry.key.text().str() +
            ": { type: " + sema::nameOf(*valueType).str() +
            ", default: " + outline.sources.text(entry.value.range()).str() +
            " }\n";
  }
  std::vector<TextEdit> edits = {{outline.range(type->value->range()), name}};
  TextPosition from{outline.range(properties->keyNode->range()).start.line, 0};
  TextPosition to{endOf(*properties->value).line + 1, 0};
  edits.push_back({{from, to}, ""});
  const Field *types = outline.root.find(Key::NodeTypes);
  const Field *service = outline.root.find(Key::ServiceTemplate);
  if (types && isBlock(*types->value)) {
    TextPosition start{outline.range(types->value->range()).start.line, 0};
    edits.push_back({{start, start}, text});
  } else if (!types && service && service->keyNode) {
    TextPosition start{outline.range(service->keyNode->range()).start.line, 0};
    edits.push_back({{start, start}, "node_types:\n" + text});
  } else {
    return;
  }
  add("Extract a type '" + name + "'", "refactor.extract", edits);
}

std::vector<Action> ActionFinder::find() {
  fixes();
  const Entity *node = place.enclosing(EntityKind::NodeTemplate);
  if (!node || !node->node || outline.isRepaired)
    return std::move(actions);
  addProperties(*node);
  makeInput(*node);
  bool onName = !place.nodes.empty() && place.nodes.back() == node->nameNode;
  if (onName) {
    addInterfaces(*node);
    extractType(*node);
  }
  return std::move(actions);
}

std::vector<Action> edit::findActions(Workspace &workspace, Document &document,
                                      TextRange range) {
  return ActionFinder(workspace, document, range).find();
}

std::optional<std::vector<TextEdit>> edit::formatDocument(Workspace &workspace,
                                                          Document &document,
                                                          bool orderKeynames) {
  FormatOptions options;
  options.orderKeynames = orderKeynames;
  SourceManager sources;
  DiagnosticEngine ignored;
  std::optional<std::string> text = formatText(
      document.path, llvm::MemoryBuffer::getMemBufferCopy(document.text()),
      options, sources, ignored);
  if (!text)
    return std::nullopt;
  if (*text == document.text())
    return std::vector<TextEdit>();
  const Lines &lines = workspace.outline(document).lines;
  return std::vector<TextEdit>{
      {lines.range(0, document.text().size()), std::move(*text)}};
}
