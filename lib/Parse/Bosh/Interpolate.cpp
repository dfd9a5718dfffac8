//===- Interpolate.cpp - Variables of manifests ---------------------------===//

#include "Interpolate.h"

#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Parse/Bosh/Load.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// \p map with \p value under the keys \p path.
static Node withPart(const Node &map, llvm::ArrayRef<StringRef> path,
                     const Node &value, llvm::BumpPtrAllocator &arena) {
  if (path.empty())
    return value;
  std::vector<Entry> entries;
  if (map.isMapping())
    entries = map.entries().vec();
  auto entry = llvm::find_if(entries, [&](const Entry &each) {
    return each.key.isString() && each.key.text() == path.front();
  });
  if (entry == entries.end()) {
    Node key = Node::scalar(value.range(), path.front().copy(arena),
                            syntax::ScalarStyle::DoubleQuoted);
    entry = entries.insert(entries.end(), {key, Node()});
  }
  entry->value = withPart(entry->value, path.drop_front(), value, arena);
  return Node::mapping(value.range(),
                       llvm::ArrayRef<Entry>(entries).copy(arena));
}

void VariableValues::set(StringRef name, const Node &value) {
  llvm::SmallVector<StringRef, 4> path;
  name.split(path, '.');
  Node &whole = values[path.front()];
  whole = withPart(whole, llvm::ArrayRef(path).drop_front(), value, arena);
}

void VariableValues::addWeak(const Node &map) {
  for (const Entry &entry : map.entries())
    if (entry.key.isScalar())
      values.try_emplace(entry.key.text(), entry.value);
}

const Node *VariableValues::find(StringRef name) const {
  auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

//===----------------------------------------------------------------------===//
// Variables in text
//===----------------------------------------------------------------------===//

namespace {

/// A variable as it stands in a text.
struct Use {
  size_t begin;
  size_t end;
  StringRef name;
};

class Interpolator {
public:
  Interpolator(const VariableValues &values, llvm::BumpPtrAllocator &arena,
               DiagnosticEngine &diags)
      : values(values), arena(arena), diags(diags) {}

  Node convert(const Node &node);

private:
  Node convertText(const Node &node);
  const Node *valueOf(StringRef name, SourceRange place);

  const VariableValues &values;
  llvm::BumpPtrAllocator &arena;
  DiagnosticEngine &diags;
};

} // namespace

/// The first variable in \p text from \p from on: letters (of any script),
/// digits and `-/._` in two pairs of parentheses, perhaps behind a `!`.
static std::optional<Use> findUse(StringRef text, size_t from) {
  auto isNamePart = [](char c) {
    return llvm::isAlnum(c) || StringRef("-/._").contains(c) || (c & 0x80);
  };
  for (size_t at = text.find("((", from); at != StringRef::npos;
       at = text.find("((", at + 1)) {
    StringRef rest = text.drop_front(at + 2);
    rest.consume_front("!");
    StringRef name = rest.take_while(isNamePart);
    if (!name.empty() && rest.drop_front(name.size()).starts_with("))"))
      return Use{at, static_cast<size_t>(name.end() - text.begin()) + 2, name};
  }
  return std::nullopt;
}

std::optional<StringRef> bosh::variableIn(StringRef text) {
  auto use = findUse(text, 0);
  if (use && use->begin == 0 && use->end == text.size())
    return use->name;
  return std::nullopt;
}

/// The value of the variable, or part of one, \p name; null where it is open.
const Node *Interpolator::valueOf(StringRef name, SourceRange place) {
  llvm::SmallVector<StringRef, 4> path;
  name.split(path, '.');
  const Node *value = values.find(path.front());
  std::string reached = path.front().str();
  for (StringRef part : llvm::drop_begin(path)) {
    if (!value)
      break;
    const Node *next = value->isMapping() ? value->find(part) : nullptr;
    if (!next) {
      llvm::SmallVector<StringRef> parts;
      if (value->isMapping())
        for (const Entry &entry : value->entries())
          if (entry.key.isString())
            parts.push_back(entry.key.text());
      auto nearest = nearestName(part, parts);
      diags.report(place, diag::VariablePartMissing, reached, part,
                   nearest ? "; did you mean '" + nearest->str() + "'?" : "");
      return nullptr;
    }
    reached += ("." + part).str();
    value = next;
  }
  return value;
}

static StringRef describeForText(const Node &value) {
  switch (value.kind()) {
  case syntax::NodeKind::Null:
    return "null";
  case syntax::NodeKind::Sequence:
    return "a list";
  case syntax::NodeKind::Mapping:
    return "a map";
  case syntax::NodeKind::Scalar:
    break;
  }
  switch (value.scalarType()) {
  case syntax::ScalarType::Null:
    return "null";
  case syntax::ScalarType::Boolean:
    return "a boolean";
  case syntax::ScalarType::Float:
    return "a fraction";
  case syntax::ScalarType::Integer:
  case syntax::ScalarType::String:
    return "";
  }
  llvm_unreachable("all types are handled");
}

Node Interpolator::convertText(const Node &node) {
  StringRef text = node.text();
  if (auto name = variableIn(text)) {
    const Node *value = valueOf(*name, node.range());
    if (!value)
      return node;
    Node result = *value;
    result.setRange(node.range());
    return result;
  }
  std::string result;
  size_t at = 0;
  while (auto use = findUse(text, at)) {
    result += text.slice(at, use->begin);
    at = use->end;
    const Node *value = valueOf(use->name, node.range());
    StringRef problem = value ? describeForText(*value) : "";
    if (!problem.empty())
      diags.report(node.range(), diag::VariableNotText, use->name, problem);
    if (value && problem.empty())
      result += value->text();
    else
      result += text.slice(use->begin, use->end);
  }
  if (at == 0)
    return node;
  result += text.drop_front(at);
  return Node::scalar(node.range(), StringRef(result).copy(arena),
                      syntax::ScalarStyle::DoubleQuoted);
}

Node Interpolator::convert(const Node &node) {
  switch (node.kind()) {
  case syntax::NodeKind::Null:
    return node;
  case syntax::NodeKind::Scalar:
    return node.text().contains("((") ? convertText(node) : node;
  case syntax::NodeKind::Sequence: {
    std::vector<Node> items;
    for (const Node &item : node.items())
      items.push_back(convert(item));
    return Node::sequence(node.range(),
                          llvm::ArrayRef<Node>(items).copy(arena));
  }
  case syntax::NodeKind::Mapping: {
    std::vector<Entry> entries;
    for (const Entry &entry : node.entries())
      entries.push_back({convert(entry.key), convert(entry.value)});
    return Node::mapping(node.range(),
                         llvm::ArrayRef<Entry>(entries).copy(arena));
  }
  }
  llvm_unreachable("all kinds are handled");
}

Node bosh::interpolate(const Node &document, const VariableValues &values,
                       llvm::BumpPtrAllocator &arena, DiagnosticEngine &diags) {
  if (values.isEmpty())
    return document;
  return Interpolator(values, arena, diags).convert(document);
}
