//===- Values.cpp - Values with intrinsic functions -----------------------===//

#include "Values.h"

#include "ScalarValue.h"
#include "llvm/ADT/StringSwitch.h"

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
  auto node = model.findNode(name);
  if (!node) {
    std::vector<StringRef> known;
    for (const BoundNode &other : model.nodes)
      known.push_back(other.written->name.text);
    reportUnknown("node template", {name, entity.range()}, known, diags);
    return std::nullopt;
  }
  if (owner.node && isRelationship)
    addWord(words, "SOURCE");
  if (owner.node && walkOwn(*owner.node, *node, words))
    return node;
  if (owner.node && isRelationship)
    words.pop_back();
  addWord(words, "NODE");
  addWord(words, name);
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

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

const Expr *Values::lowerInput(const Node &argument, const Owner &owner) {
  ArrayRef<Node> words(argument);
  if (argument.isSequence())
    words = argument.items();
  if (words.empty() || !words.front().isScalar()) {
    diags.report(argument.range(), diag::BlueprintFunctionForm, "get_input",
                 "the name of an input");
    return nullptr;
  }
  const Node &name = words.front();
  std::vector<StringRef> known;
  for (const Parameter &input : model.blueprint.inputs)
    known.push_back(input.name.text);
  if (!llvm::is_contained(known, name.text())) {
    reportUnknown("input", {name.text(), name.range()}, known, diags);
    return nullptr;
  }
  Words path;
  addWord(path, name.text());
  if (!addKeys(words.drop_front(), owner, path))
    return nullptr;
  return arena.make(Expr::call(
      Function::GetInput, arena.save(ArrayRef<Expr>(path)), argument.range()));
}

/// `get_property` and `get_attribute`: an entity, a name, and keys.
const Expr *Values::lowerOf(Function function, StringRef name,
                            const Node &argument, const Owner &owner) {
  ArrayRef<Node> words;
  if (argument.isSequence())
    words = argument.items();
  if (words.size() < 2 || !words[1].isScalar()) {
    diags.report(argument.range(), diag::BlueprintFunctionForm, name,
                 "a list: a node template, a name, and perhaps keys");
    return nullptr;
  }
  Words path;
  auto node = walkTo(words[0], owner, path);
  if (!node)
    return nullptr;
  StringRef value = words[1].text();
  if (function == Function::GetAttribute) {
    attributes[*node].insert(value);
  } else {
    const BoundNode &target = model.nodes[*node];
    std::vector<StringRef> known;
    if (target.type)
      for (const Parameter &property : target.type->properties)
        known.push_back(property.name.text);
    if (target.type && !llvm::is_contained(known, value)) {
      diags.report(words[1].range(), diag::BlueprintPropertyUnknown,
                   ("node template '" + target.written->name.text + "'").str(),
                   value);
      return nullptr;
    }
  }
  addWord(path, value);
  if (!addKeys(words.drop_front(2), owner, path))
    return nullptr;
  return arena.make(
      Expr::call(function, arena.save(ArrayRef<Expr>(path)), argument.range()));
}

/// `$join`, because that takes numbers, too.
const Expr *Values::lowerConcat(const Node &argument, const Owner &owner) {
  if (!argument.isSequence()) {
    diags.report(argument.range(), diag::BlueprintFunctionForm, "concat",
                 "a list of texts");
    return nullptr;
  }
  Words parts;
  for (const Node &item : argument.items()) {
    bool isText = item.isScalar() && !item.isNull();
    const Expr *part = isText ? literal(arena.string(item.text()), item.range())
                              : lower(item, owner);
    if (!part)
      return nullptr;
    parts.push_back(*part);
  }
  Expr arguments[] = {
      Expr::list(arena.save(ArrayRef<Expr>(parts)), argument.range()),
      Expr::literal(Value::string(""))};
  return arena.make(Expr::call(
      Function::Join, arena.save(ArrayRef<Expr>(arguments)), argument.range()));
}

/// `get_secret: key` is the input `secret.key`, `get_sys: [tenant, name]` the
/// input `sys.tenant.name`.
const Expr *Values::lowerExternal(StringRef function, const Node &argument) {
  std::string name = function.drop_front(strlen("get_")).str();
  ArrayRef<Node> words(argument);
  if (argument.isSequence())
    words = argument.items();
  for (const Node &word : words) {
    if (!word.isScalar()) {
      diags.report(word.range(), diag::BlueprintFunctionForm, function,
                   "names that are known beforehand");
      return nullptr;
    }
    name += ("." + word.text()).str();
  }
  StringRef input = names.intern(name).str();
  externals.insert({input, function == "get_secret"});
  return query(Function::GetInput, input, argument.range());
}

const Expr *Values::lowerCall(StringRef function, const Node &argument,
                              const Owner &owner) {
  if (function == "get_input")
    return lowerInput(argument, owner);
  if (function == "get_property")
    return lowerOf(Function::GetProperty, function, argument, owner);
  if (function == "get_attribute")
    return lowerOf(Function::GetAttribute, function, argument, owner);
  if (function == "concat")
    return lowerConcat(argument, owner);
  return lowerExternal(function, argument);
}

static bool isIntrinsic(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("get_input", "get_property", "get_attribute", "concat", true)
      .Cases("get_secret", "get_sys", "get_capability", "get_label", true)
      .Cases("get_environment_capability", "get_group_capability", true)
      .Default(false);
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
  if (entries.size() == 1 && entries.front().key.isScalar() &&
      isIntrinsic(entries.front().key.text()))
    return lowerCall(entries.front().key.text(), entries.front().value, owner);
  for (const Entry &entry : entries) {
    if (!addKeys({entry.key, entry.value}, owner, parts))
      return nullptr;
  }
  return arena.make(Expr::map(arena.save(ArrayRef<Expr>(parts)), node.range()));
}
