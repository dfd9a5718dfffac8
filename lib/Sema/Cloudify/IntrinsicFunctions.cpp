//===- IntrinsicFunctions.cpp - Calls in values of blueprints -------------===//

#include "Values.h"

#include "ScalarValue.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Value/Functions.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::ArrayRef;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

/// How a function is lowered.
enum class CallForm : uint8_t {
  Input,
  Property,
  Attribute,
  Attributes,
  Concat,
  /// One of those that the evaluator has.
  Strict,
  /// What only a manager knows.
  External,
  /// What no plan can hold.
  None
};

struct IntrinsicRow {
  StringRef name;
  CallForm form;
  /// The version that brought it.
  unsigned since = 0;
  /// Of external ones: how many words name it; the others are keys.
  unsigned words = 1;
};

} // namespace

static constexpr IntrinsicRow intrinsics[] = {
    {"get_input", CallForm::Input},
    {"get_property", CallForm::Property},
    {"get_attribute", CallForm::Attribute},
    {"get_attributes_list", CallForm::Attributes},
    {"get_attributes_dict", CallForm::None},
    {"concat", CallForm::Concat, 1},
    {"merge", CallForm::Strict, 3},
    {"string_find", CallForm::Strict},
    {"string_replace", CallForm::Strict},
    {"string_split", CallForm::Strict},
    {"string_lower", CallForm::Strict},
    {"string_upper", CallForm::Strict},
    {"get_secret", CallForm::External},
    {"get_sys", CallForm::External, 0, 2},
    {"get_label", CallForm::External},
    {"get_consumers", CallForm::External},
    {"get_capability", CallForm::External, 0, 2},
    {"get_group_capability", CallForm::External, 0, 2},
    {"get_environment_capability", CallForm::External},
};

static const IntrinsicRow *findIntrinsic(StringRef name) {
  const auto *row = llvm::find_if(
      intrinsics, [&](const IntrinsicRow &each) { return each.name == name; });
  return row == std::end(intrinsics) ? nullptr : row;
}

/// Beside the call there may be the type of what it gives.
const Entry *cloudify::findCall(const Node &node) {
  if (!node.isMapping() || node.entries().size() > 2)
    return nullptr;
  const Entry *called = nullptr;
  for (const Entry &entry : node.entries()) {
    StringRef key = entry.key.isScalar() ? entry.key.text() : "";
    if (findIntrinsic(key))
      called = &entry;
    else if (key != "type" || !entry.value.isScalar())
      return nullptr;
  }
  return called;
}

/// Of other maps with one key, the keys look otherwise.
void Values::warnOfMisspelt(const Node &node) {
  if (!node.isMapping() || node.entries().size() != 1 ||
      !node.entries().front().key.isScalar())
    return;
  const Node &key = node.entries().front().key;
  std::vector<StringRef> names;
  for (const IntrinsicRow &row : intrinsics)
    names.push_back(row.name);
  Suggestion meant(key.text(), names);
  if (meant.name && meant.name->contains('_') && key.text().contains('_'))
    meant.fixIn(diags.report(key.range(), diag::BlueprintFunctionMisspelt,
                             key.text(), meant.clause()),
                key.range());
}

bool cloudify::isCall(const Node &node) { return findCall(node); }

std::string Values::qualified(StringRef name, SourceRange place) const {
  if (isOwnName(name))
    return name.str();
  return model.blueprint.fileOf(place).prefix + name.str();
}

const Expr *Values::call(Function function, ArrayRef<Expr> arguments,
                         SourceRange range) {
  return arena.make(Expr::call(function, arena.save(arguments), range));
}

void Values::reportForm(StringRef function, StringRef takes,
                        SourceRange range) {
  diags.report(range, diag::BlueprintFunctionForm, function, takes);
}

void Values::checkSince(StringRef function, SourceRange range) {
  unsigned since = findIntrinsic(function)->since;
  if (since > model.blueprint.version)
    diags.report(range, diag::BlueprintKeyTooNew, function, since,
                 model.blueprint.version);
}

/// The words of a call: those of a list, or the one that there is.
static ArrayRef<Node> wordsOf(const Node &argument) {
  return argument.isSequence() ? argument.items() : ArrayRef<Node>(argument);
}

//===----------------------------------------------------------------------===//
// What the blueprint itself has
//===----------------------------------------------------------------------===//

const Expr *Values::lowerInput(const Node &argument, const Owner &owner) {
  ArrayRef<Node> words = wordsOf(argument);
  if (words.empty() || !words.front().isScalar()) {
    reportForm("get_input", "the name of an input", argument.range());
    return nullptr;
  }
  const Node &name = words.front();
  std::string whole = qualified(name.text(), name.range());
  std::vector<StringRef> known;
  for (const Parameter &input : model.blueprint.inputs)
    known.push_back(input.name.text);
  if (!llvm::is_contained(known, whole)) {
    reportUnknown("input", {name.text(), name.range()}, known, diags);
    return nullptr;
  }
  Words path;
  addWord(path, whole);
  if (!addKeys(words.drop_front(), owner, path))
    return nullptr;
  return call(Function::GetInput, path, argument.range());
}

/// What tells an instance from others: its name here, and its number, which
/// Cloudify counts from one.
const Expr *Values::lowerIdentity(StringRef name, uint32_t node, Words path,
                                  SourceRange range) {
  addWord(path, "node_index");
  const Expr *index = call(Function::GetAttribute, path, range);
  if (name == "node_instance_index") {
    Expr one = Expr::literal(Value::integer(1));
    return call(Function::Sum, {*index, one}, range);
  }
  StringRef own = model.nodes[node].written->name.text;
  Expr parts[] = {Expr::literal(arena.string((own + "[").str())), *index,
                  Expr::literal(Value::string("]"))};
  return call(Function::Join,
              {Expr::list(arena.save(ArrayRef<Expr>(parts)), range),
               Expr::literal(Value::string(""))},
              range);
}

/// `get_property` and `get_attribute`: an entity, a name, and keys.
const Expr *Values::lowerOf(Function function, StringRef name,
                            const Node &argument, const Owner &owner) {
  ArrayRef<Node> words;
  if (argument.isSequence())
    words = argument.items();
  if (words.size() < 2 || !words[1].isScalar()) {
    reportForm(name, "a list: a node template, a name, and perhaps keys",
               argument.range());
    return nullptr;
  }
  Words path;
  auto node = walkTo(words[0], owner, path);
  if (!node)
    return nullptr;
  StringRef value = words[1].text();
  if (function == Function::GetAttribute) {
    bool isByName = path.size() > 1 && path[1].value() == Value::string("NODE");
    if (isByName)
      checkSingle(*node, owner, words[0].range());
    if (value == "node_instance_id" || value == "node_instance_index")
      return lowerIdentity(value, *node, path, argument.range());
    attributes[*node].insert(value);
  } else {
    const BoundNode &target = model.nodes[*node];
    std::vector<StringRef> known;
    if (target.type)
      for (const Parameter &property : target.type->properties)
        known.push_back(property.name.text);
    if (target.type && !llvm::is_contained(known, value)) {
      reportProperty(
          ("node template '" + target.written->name.text + "'").str(),
          {value, words[1].range()}, known, diags);
      return nullptr;
    }
  }
  addWord(path, value);
  if (!addKeys(words.drop_front(2), owner, path))
    return nullptr;
  return call(function, path, argument.range());
}

/// `get_attributes_list`: the attribute of every instance.
const Expr *Values::lowerAll(const Node &argument, const Owner &owner) {
  ArrayRef<Node> words;
  if (argument.isSequence())
    words = argument.items();
  if (words.size() < 2 || !words[0].isScalar() || !words[1].isScalar()) {
    reportForm("get_attributes_list",
               "a list: a node template, a name, and perhaps keys",
               argument.range());
    return nullptr;
  }
  Words unused, path;
  auto node = walkTo(words[0], owner, unused);
  if (!node)
    return nullptr;
  attributes[*node].insert(words[1].text());
  for (StringRef word : {StringRef("SELF"), StringRef("NODE"),
                         model.nodes[*node].written->name.text,
                         StringRef("ALL"), words[1].text()})
    addWord(path, word);
  if (!addKeys(words.drop_front(2), owner, path))
    return nullptr;
  return call(Function::GetAttribute, path, argument.range());
}

//===----------------------------------------------------------------------===//
// Texts and maps
//===----------------------------------------------------------------------===//

/// `$join`, because that takes numbers, too.
const Expr *Values::lowerConcat(const Node &argument, const Owner &owner) {
  if (!argument.isSequence()) {
    reportForm("concat", "a list of texts", argument.range());
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
  return call(Function::Join,
              {Expr::list(arena.save(ArrayRef<Expr>(parts)), argument.range()),
               Expr::literal(Value::string(""))},
              argument.range());
}

const Expr *Values::lowerStrict(Function function, StringRef name,
                                const Node &argument, const Owner &owner) {
  ArrayRef<Node> words = wordsOf(argument);
  const FunctionInfo &row = info(function);
  bool isList = argument.isSequence() == (row.maxArguments > 1);
  if (!isList || words.size() < row.minArguments ||
      words.size() > row.maxArguments) {
    std::string takes = "one text";
    if (function == Function::Merge)
      takes = "a list of maps";
    else if (row.minArguments > 1)
      takes = "a list with " + std::to_string(row.minArguments) +
              (row.maxArguments > row.minArguments
                   ? " or " + std::to_string(row.maxArguments)
                   : std::string()) +
              " entries";
    reportForm(name, takes, argument.range());
    return nullptr;
  }
  Words arguments;
  if (!addKeys(words, owner, arguments))
    return nullptr;
  return call(function, arguments, argument.range());
}

//===----------------------------------------------------------------------===//
// What only a manager knows
//===----------------------------------------------------------------------===//

/// The text that stands for \p word in the name of an input; that of an input
/// whose value says what is meant is its name.
static StringRef nameFor(const Node &word) {
  const Entry *called = findCall(word);
  const Node &name =
      called && called->key.text() == "get_input" ? called->value : word;
  return name.isScalar() ? name.text() : "";
}

/// `get_secret: key` is the input `secret.key`, `get_sys: [tenant, name]` the
/// input `sys.tenant.name`; further words are keys into its value.
const Expr *Values::lowerExternal(StringRef function, const Node &argument,
                                  const Owner &owner) {
  std::string name = function.drop_front(strlen("get_")).str();
  ArrayRef<Node> words = wordsOf(argument);
  size_t own = std::min<size_t>(findIntrinsic(function)->words, words.size());
  for (const Node &word : words.take_front(own)) {
    StringRef text = nameFor(word);
    if (text.empty()) {
      reportForm(function, "names that are known beforehand", word.range());
      return nullptr;
    }
    name += ("." + text).str();
  }
  StringRef input = names.intern(name).str();
  externals.insert({input, function == "get_secret"});
  Words path;
  addWord(path, input);
  if (!addKeys(words.drop_front(own), owner, path))
    return nullptr;
  return call(Function::GetInput, path, argument.range());
}

const Expr *Values::lowerCall(StringRef function, const Node &argument,
                              const Owner &owner) {
  checkSince(function, argument.range());
  switch (findIntrinsic(function)->form) {
  case CallForm::Input:
    return lowerInput(argument, owner);
  case CallForm::Property:
    return lowerOf(Function::GetProperty, function, argument, owner);
  case CallForm::Attribute:
    return lowerOf(Function::GetAttribute, function, argument, owner);
  case CallForm::Attributes:
    return lowerAll(argument, owner);
  case CallForm::Concat:
    return lowerConcat(argument, owner);
  case CallForm::Strict:
    return lowerStrict(*findFunction(("cloudify." + function).str()), function,
                       argument, owner);
  case CallForm::External:
    return lowerExternal(function, argument, owner);
  case CallForm::None:
    diags.report(argument.range(), diag::BlueprintFunctionUnknown, function);
    return nullptr;
  }
  llvm_unreachable("all forms are covered");
}
