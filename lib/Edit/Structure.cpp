//===- Structure.cpp - How a file is built --------------------------------===//

#include "toscac/Edit/Structure.h"

#include "Places.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
using syntax::Node;
using tosca::Entity;
using tosca::EntityKind;
using tosca::Field;
using tosca::Key;

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

static TextRange whole(const Outline &outline, const Node &name,
                       const Node *value) {
  size_t begin = outline.offset(name.range().begin);
  size_t end = outline.offset(name.range().end);
  // An alias, or what a merge key brought, stands elsewhere.
  if (value && value->range().end > name.range().end)
    end = outline.offset(value->range().end);
  return outline.lines.range(begin, end);
}

static void addSymbols(const Outline &outline, const Entity &entity,
                       std::vector<Symbol> &into) {
  for (const Field &field : entity.fields)
    for (const Entity &inner : field.entities) {
      if (inner.node == entity.node)
        continue;
      if (!inner.nameNode || !inner.name) {
        addSymbols(outline, inner, into);
        continue;
      }
      Symbol symbol;
      symbol.name = inner.name.str().str();
      symbol.kind = inner.kind;
      symbol.noun = tosca::rule(inner.kind).noun.str();
      symbol.range = whole(outline, *inner.nameNode, inner.node);
      symbol.selection = outline.range(inner.nameNode->range());
      addSymbols(outline, inner, symbol.children);
      into.push_back(std::move(symbol));
    }
}

static void addKeys(const Outline &outline, const Node &node, unsigned depth,
                    std::vector<Symbol> &into) {
  if (!node.isMapping() || node.isAlias() || depth == 0)
    return;
  for (const syntax::Entry &entry : node.entries()) {
    if (!entry.key.isScalar() || entry.key.text().empty())
      continue;
    Symbol symbol;
    symbol.name = entry.key.text().str();
    symbol.range = whole(outline, entry.key, &entry.value);
    symbol.selection = outline.range(entry.key.range());
    addKeys(outline, entry.value, depth - 1, symbol.children);
    into.push_back(std::move(symbol));
  }
}

std::vector<Symbol> edit::symbolsOf(const Outline &outline) {
  std::vector<Symbol> symbols;
  if (outline.isTosca())
    addSymbols(outline, outline.root, symbols);
  else
    addKeys(outline, outline.tree.root, 2, symbols);
  return symbols;
}

/// Whether \p name has the letters of \p query in their order.
static bool matches(StringRef name, StringRef query) {
  for (char c : name)
    if (!query.empty() && llvm::toLower(c) == llvm::toLower(query.front()))
      query = query.drop_front();
  return query.empty();
}

std::vector<FoundSymbol> edit::findSymbols(Workspace &workspace,
                                           StringRef query) {
  constexpr size_t enough = 1000;
  const Checked &checked = workspace.everything();
  Places places(checked->sources());
  std::vector<FoundSymbol> found;
  for (const auto &file : checked->package().files) {
    if (file->volume->isBundled)
      continue;
    llvm::SmallVector<const Entity *> owners = {&file->root};
    for (const Entity &service : file->root.entities(Key::ServiceTemplate))
      owners.push_back(&service);
    for (const Entity *owner : owners)
      for (const Field &field : owner->fields)
        for (const Entity &entity : field.entities)
          if (entity.nameNode && matches(entity.name.str(), query) &&
              found.size() < enough)
            found.push_back({entity.name.str().str(), entity.kind,
                             places.location(entity.range()),
                             llvm::sys::path::filename(file->path).str()});
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Folds and selections
//===----------------------------------------------------------------------===//

static void addFolds(const Outline &outline, const Node &node, uint32_t first,
                     std::vector<Fold> &into) {
  if (node.isAlias())
    return;
  TextRange range = outline.range(node.range());
  uint32_t last = range.end.line;
  // What ends at the start of a line ends on the line before.
  if (range.end.character == 0 && last > range.start.line)
    --last;
  if (last > first && !node.isNull())
    into.push_back({first, last});
  if (node.isMapping())
    for (const syntax::Entry &entry : node.entries())
      addFolds(outline, entry.value,
               outline.range(entry.key.range()).start.line, into);
  if (node.isSequence())
    for (const Node &item : node.items())
      addFolds(outline, item, outline.range(item.range()).start.line, into);
}

std::vector<Fold> edit::foldsOf(const Outline &outline) {
  std::vector<Fold> folds;
  const Node &root = outline.tree.root;
  if (root.isMapping())
    for (const syntax::Entry &entry : root.entries())
      addFolds(outline, entry.value,
               outline.range(entry.key.range()).start.line, folds);
  uint32_t count = outline.lines.numLines();
  for (uint32_t line = 0; line < count; ++line) {
    uint32_t end = line;
    while (end < count && outline.lines.line(end).ltrim().starts_with("#"))
      ++end;
    if (end > line + 1)
      folds.push_back({line, end - 1, /*isComment=*/true});
    line = std::max(line, end);
  }
  llvm::sort(folds, [](const Fold &a, const Fold &b) {
    return std::tie(a.first, b.last, a.isComment) <
           std::tie(b.first, a.last, b.isComment);
  });
  // A list that is the only item of another one folds as that does.
  folds.erase(std::unique(folds.begin(), folds.end(),
                          [](const Fold &a, const Fold &b) {
                            return a.first == b.first && a.last == b.last;
                          }),
              folds.end());
  return folds;
}

std::vector<TextRange> edit::selectionsAt(const Outline &outline,
                                          TextPosition at) {
  size_t offset = outline.lines.offset(at);
  SourceLoc loc = outline.sources.begin(outline.tree.file).advanced(offset);
  auto holds = [&](SourceRange range) {
    return range.begin <= loc && loc <= range.end;
  };
  std::vector<TextRange> ranges = {outline.lines.range(0, outline.text.size())};
  const Node *node = &outline.tree.root;
  while (node && holds(node->range())) {
    ranges.push_back(outline.range(node->range()));
    const Node *inner = nullptr;
    if (node->isSequence() && !node->isAlias())
      for (const Node &item : node->items())
        if (holds(item.range()) && !inner)
          inner = &item;
    if (node->isMapping() && !node->isAlias())
      for (const syntax::Entry &entry : node->entries()) {
        bool inKey = holds(entry.key.range());
        bool inValue = holds(entry.value.range());
        if (inner || (!inKey && !inValue))
          continue;
        ranges.push_back(whole(outline, entry.key, &entry.value));
        inner = inKey ? &entry.key : &entry.value;
      }
    node = inner;
  }
  std::reverse(ranges.begin(), ranges.end());
  ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
  return ranges;
}

//===----------------------------------------------------------------------===//
// Colours
//===----------------------------------------------------------------------===//

namespace {

class TokenCollector {
public:
  explicit TokenCollector(const Outline &outline) : outline(outline) {}

  void add(const Entity &entity) {
    for (const Field &field : entity.fields) {
      // Operations may stand in an interface without `operations:`.
      if (field.keyNode &&
          outline.rule(entity.kind).find(field.keyNode->text()))
        put(*field.keyNode, TokenKind::Keyname);
      for (const Entity &inner : field.entities) {
        if (inner.node == entity.node)
          continue;
        if (inner.nameNode)
          put(*inner.nameNode, kindOf(inner.kind), isDefinition(inner.kind));
        add(inner);
      }
      if (field.entities.empty())
        addValue(field);
    }
  }

  std::vector<Token> take() {
    llvm::sort(tokens, [](const Token &a, const Token &b) {
      return a.range < b.range;
    });
    // Aliases lead to one place on several ways.
    tokens.erase(std::unique(tokens.begin(), tokens.end(),
                             [](const Token &a, const Token &b) {
                               return a.range.start < b.range.end &&
                                      b.range.start < a.range.end;
                             }),
                 tokens.end());
    return std::move(tokens);
  }

private:
  static TokenKind kindOf(EntityKind kind) {
    switch (kind) {
    case EntityKind::ParameterDefinition:
      return TokenKind::Parameter;
    case EntityKind::OperationDefinition:
    case EntityKind::OperationAssignment:
    case EntityKind::NotificationDefinition:
    case EntityKind::NotificationAssignment:
    case EntityKind::Workflow:
      return TokenKind::Operation;
    case EntityKind::InterfaceDefinition:
    case EntityKind::InterfaceAssignment:
      return TokenKind::Interface;
    case EntityKind::CapabilityDefinition:
    case EntityKind::CapabilityAssignment:
    case EntityKind::RequirementDefinition:
    case EntityKind::RequirementAssignment:
      return TokenKind::Capability;
    case EntityKind::NodeTemplate:
    case EntityKind::RelationshipTemplate:
    case EntityKind::Group:
    case EntityKind::Policy:
      return TokenKind::Template;
    case EntityKind::Function:
      return TokenKind::Function;
    default:
      return isType(kind) ? TokenKind::Type : TokenKind::Property;
    }
  }
  static bool isType(EntityKind kind) {
    return tosca::rule(kind).id.ends_with("Type");
  }
  static bool isDefinition(EntityKind kind) {
    StringRef id = tosca::rule(kind).id;
    return !id.ends_with("Assignment");
  }

  void put(const Node &node, TokenKind kind, bool isDeclaration = false) {
    TextRange range = outline.range(node.range());
    if (range.start.line == range.end.line && range.start < range.end)
      tokens.push_back({range, kind, isDeclaration});
  }

  void addValue(const Field &field) {
    const Node &value = *field.value;
    bool namesType = field.key == Key::Type || field.key == Key::DerivedFrom ||
                     field.key == Key::NodeType;
    bool namesTypes = StringRef(tosca::word(field.key)).ends_with("_types");
    if (namesType && value.isScalar())
      return put(value, TokenKind::Type);
    if (namesTypes && value.isSequence() && !value.isAlias()) {
      for (const Node &item : value.items())
        if (item.isScalar())
          put(item, TokenKind::Type);
      return;
    }
    if (field.key == Key::Properties || field.key == Key::Attributes ||
        field.key == Key::Inputs)
      if (value.isMapping() && !value.isAlias())
        for (const syntax::Entry &entry : value.entries())
          if (entry.key.isScalar() && !entry.key.text().starts_with("$"))
            put(entry.key, TokenKind::Property);
    addCalls(value);
  }

  void addCalls(const Node &node) {
    if (node.isAlias())
      return;
    if (node.isSequence())
      for (const Node &item : node.items())
        isPathWord(item) ? put(item, TokenKind::PathWord) : addCalls(item);
    if (node.isMapping())
      for (const syntax::Entry &entry : node.entries()) {
        if (entry.key.isScalar() && entry.key.text().starts_with("$"))
          put(entry.key, TokenKind::Function);
        addCalls(entry.value);
      }
    if (node.isPlain() && node.text().starts_with("$") &&
        !node.text().starts_with("$$"))
      put(node, TokenKind::Function);
  }
  static bool isPathWord(const Node &node) {
    static constexpr StringRef words[] = {
        "SELF",      "SOURCE",    "TARGET",  "RELATIONSHIP", "CAPABILITY",
        "INTERFACE", "OPERATION", "SERVICE", "NODE",         "ALL"};
    return node.isPlain() && llvm::is_contained(words, node.text());
  }

  const Outline &outline;
  std::vector<Token> tokens;
};

} // namespace

std::vector<Token> edit::tokensOf(const Outline &outline) {
  TokenCollector collector(outline);
  if (outline.isTosca())
    collector.add(outline.root);
  return collector.take();
}
