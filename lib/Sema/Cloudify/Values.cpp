//===- Values.cpp - Values with intrinsic functions -----------------------===//

#include "Values.h"

#include "ScalarValue.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::ArrayRef;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

std::string Values::requirementName(const BoundNode &source,
                                    const BoundRelationship &relationship) {
  std::string name = relationship.written->target.text.str();
  // Containment besides another relationship to the same target.
  for (const BoundRelationship &other : source.relationships) {
    if (&other == &relationship)
      return name;
    if (other.target == relationship.target)
      name += "_2";
  }
  return name;
}

void Values::addWord(Words &words, StringRef text) {
  words.push_back(Expr::literal(arena.string(text)));
}

const Expr *Values::query(Function function, ArrayRef<StringRef> texts,
                          SourceRange range) {
  Words words;
  for (StringRef text : texts)
    addWord(words, text);
  return arena.make(
      Expr::call(function, arena.save(ArrayRef<Expr>(words)), range));
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

/// The way from a node to a container around it, or to the target of one of its
/// relationships; false if there is none.
bool Values::walkOwn(uint32_t from, uint32_t to, Words &words) {
  auto follow = [&](uint32_t at, const BoundRelationship &relationship) {
    addWord(words, "RELATIONSHIP");
    addWord(words, requirementName(model.nodes[at], relationship));
    words.push_back(Expr::literal(Value::integer(0)));
    addWord(words, "TARGET");
  };
  size_t start = words.size();
  size_t limit = model.nodes.size();
  for (std::optional<uint32_t> at = from; at && limit--;
       at = model.nodes[*at].container) {
    if (*at == to)
      return true;
    for (const BoundRelationship &relationship : model.nodes[*at].relationships)
      if (relationship.type->kind == RelationshipKind::ContainedIn)
        follow(*at, relationship);
  }
  words.resize(start, Expr::literal(Value()));
  for (const BoundRelationship &relationship : model.nodes[from].relationships)
    if (relationship.target == to) {
      follow(from, relationship);
      return true;
    }
  return false;
}

/// Whether there may be more than one instance of \p node.
bool Values::maySpread(uint32_t node) const {
  auto isOne = [](const syntax::Node *count) {
    return !count || (count->isScalar() && count->text() == "1");
  };
  size_t limit = model.nodes.size();
  for (std::optional<uint32_t> at = node; at && limit--;
       at = model.nodes[*at].container) {
    const BoundNode &own = model.nodes[*at];
    if (own.group || !isOne(own.written->scaling.count))
      return true;
  }
  return false;
}

void Values::checkSingle(uint32_t node, const Owner &owner, SourceRange place) {
  if (!maySpread(node) || !warned.insert(place.begin.raw).second)
    return;
  diags.report(
      place, diag::FirstInstanceMeant, model.nodes[node].written->name.text,
      owner.node
          ? ("'" + model.nodes[*owner.node].written->name.text + "'").str()
          : "the blueprint");
}

std::optional<uint32_t> Values::walkTo(const Node &entity, const Owner &owner,
                                       Words &words) {
  StringRef name = entity.isScalar() ? entity.text() : "";
  addWord(words, "SELF");
  bool isRelationship = owner.relationship;
  if (name == "SELF" && owner.node && !isRelationship)
    return owner.node;
  if ((name == "SOURCE" || name == "TARGET") && isRelationship) {
    addWord(words, name);
    return name == "SOURCE" ? *owner.node : owner.relationship->target;
  }
  if (name == "SELF" || name == "SOURCE" || name == "TARGET") {
    diags.report(entity.range(), diag::BlueprintFunctionPlace, name,
                 name == "SELF" ? "SELF is for node templates"
                                : "it is for operations of relationships");
    return std::nullopt;
  }
  std::string whole = qualified(name, entity.range());
  auto node = model.findNode(whole);
  if (!node) {
    std::vector<StringRef> known;
    for (const BoundNode &other : model.nodes)
      known.push_back(other.written->name.text);
    reportUnknown("node template", {name, entity.range()}, known, diags);
    return std::nullopt;
  }
  size_t start = words.size();
  auto reaches = [&](StringRef end, uint32_t from) {
    words.resize(start, Expr::literal(Value()));
    if (isRelationship)
      addWord(words, end);
    return walkOwn(from, *node, words);
  };
  if (owner.node && reaches("SOURCE", *owner.node))
    return node;
  if (isRelationship && reaches("TARGET", owner.relationship->target))
    return node;
  words.resize(start, Expr::literal(Value()));
  addWord(words, "NODE");
  addWord(words, whole);
  words.push_back(Expr::literal(Value::integer(0)));
  return node;
}

/// Keys into a value; they may be given by functions.
bool Values::addKeys(ArrayRef<Node> keys, const Owner &owner, Words &words) {
  for (const Node &key : keys) {
    const Expr *word = lower(key, owner);
    if (!word)
      return false;
    words.push_back(*word);
  }
  return true;
}

const Expr *Values::lower(const Node &node, const Owner &owner) {
  if (node.isScalar() || node.isNull())
    return literal(sema::scalarValue(node, arena), node.range());
  Words parts;
  if (node.isSequence()) {
    if (!addKeys(node.items(), owner, parts))
      return nullptr;
    return arena.make(
        Expr::list(arena.save(ArrayRef<Expr>(parts)), node.range()));
  }
  ArrayRef<Entry> entries = node.entries();
  if (const Entry *called = findCall(node))
    return lowerCall(called->key.text(), called->value, owner);
  warnOfMisspelt(node);
  for (const Entry &entry : entries) {
    if (!addKeys({entry.key, entry.value}, owner, parts))
      return nullptr;
  }
  return arena.make(Expr::map(arena.save(ArrayRef<Expr>(parts)), node.range()));
}
