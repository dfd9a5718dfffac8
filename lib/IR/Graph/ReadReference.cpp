//===- ReadReference.cpp - Arguments of queries ---------------------------===//
///
/// \file
/// Reads the words of a path (TOSCA 2.0 §10.3, and the forms of IR/Path.h). An
/// index that is missing is 0 after a name and ALL after ALL.
///
//===----------------------------------------------------------------------===//

#include "toscac/IR/ResolvePath.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;
using llvm::StringRef;

/// The text of a word; empty for an index or a call.
static StringRef textOf(const Value &word) {
  return word.isString() ? word.asString() : StringRef();
}
static StringRef textOf(const Expr &word) {
  return word.isLiteral() ? textOf(word.value()) : StringRef();
}

static bool isIndex(const Value &word) { return word.isInteger(); }
static bool isIndex(const Expr &word) {
  return word.isCall() || (word.isLiteral() && isIndex(word.value()));
}

/// Both keep \p word as an index of \p reference.
static const Expr *keepIndex(const Expr &word, Reference &) { return &word; }
static const Expr *keepIndex(const Value &word, Reference &reference) {
  return &reference.indices.emplace_back(Expr::literal(word));
}

static bool startsAtElement(const Expr &word, Reference &reference) {
  if (!word.is(ExprKind::Variable))
    return false;
  reference.variable = word.name();
  return true;
}
static bool startsAtElement(const Value &word, Reference &reference) {
  if (!word.isInteger())
    return false;
  reference.element = word;
  return true;
}

namespace {

template <typename Word>
class ReferenceReader {
public:
  ReferenceReader(ArrayRef<Word> words, EntityKind self, NameTable &names,
                  Reference &result)
      : words(words), at(self), names(names), result(result) {}

  bool read();

private:
  bool isAt(StringRef word, size_t ahead = 0) const {
    return position + ahead < words.size() &&
           textOf(words[position + ahead]) == word;
  }
  bool consume(StringRef word) {
    bool found = isAt(word);
    position += found;
    return found;
  }
  /// A name; empty for ALL.
  bool readName(Name &name);
  const Expr *readIndex(bool afterAll);
  void readStart();
  /// False at a word that is no step of a path.
  bool readStep();
  bool readCapability();
  bool readNamedStep(PathStep::Kind kind, EntityKind leadsTo);
  void add(PathStep step, EntityKind leadsTo) {
    result.steps.push_back(step);
    at = leadsTo;
  }
  void addRanks(PathStep::Kind kind) {
    add({kind, consume("ALL") ? names.intern("ALL") : Name()},
        EntityKind::Relationship);
  }
  bool readRest();

  ArrayRef<Word> words;
  size_t position = 0;
  EntityKind at;
  NameTable &names;
  Reference &result;
  bool failed = false;
};

} // namespace

template <typename Word>
bool ReferenceReader<Word>::readName(Name &name) {
  if (position == words.size() || textOf(words[position]).empty())
    return false;
  StringRef text = textOf(words[position++]);
  name = text == "ALL" ? Name() : names.intern(text);
  return true;
}

template <typename Word>
const Expr *ReferenceReader<Word>::readIndex(bool afterAll) {
  static const Expr first = Expr::literal(Value::integer(0));
  if (consume("ALL"))
    return nullptr;
  if (position < words.size() && isIndex(words[position]))
    return keepIndex(words[position++], result);
  return afterAll ? nullptr : &first;
}

template <typename Word>
bool ReferenceReader<Word>::readNamedStep(PathStep::Kind kind,
                                          EntityKind leadsTo) {
  Name name;
  if (!readName(name))
    return false;
  add({kind, name, readIndex(/*afterAll=*/!name)}, leadsTo);
  return true;
}

/// From a node, the name of a capability follows; from a relationship, it is
/// the one that it leads to. ALL before RELATIONSHIP may be left out.
template <typename Word>
bool ReferenceReader<Word>::readCapability() {
  Name name;
  bool isNode = at == EntityKind::Node;
  bool isNamed = isNode ? !isAt("RELATIONSHIP")
                        : isAt("ALL") && isAt("RELATIONSHIP", /*ahead=*/1);
  if (isNamed && !readName(name))
    return false;
  if (consume("RELATIONSHIP") || (isNode && !name)) {
    const Expr *index = readIndex(/*afterAll=*/isNode && !name);
    add({PathStep::Kind::Capability, name, index}, EntityKind::Relationship);
    return true;
  }
  result.place = isNode ? Reference::Place::Capability
                        : Reference::Place::TargetCapability;
  result.part = name;
  return true;
}

template <typename Word>
bool ReferenceReader<Word>::readStep() {
  using Kind = PathStep::Kind;
  if (consume("RELATIONSHIP"))
    failed = !readNamedStep(Kind::Relationship, EntityKind::Relationship);
  else if (consume("NODE"))
    failed = !readNamedStep(Kind::Node, EntityKind::Node);
  else if (consume("CAPABILITY"))
    failed = !readCapability();
  else if (consume("SOURCE"))
    add({Kind::Source}, EntityKind::Node);
  else if (consume("TARGET"))
    add({Kind::Target}, EntityKind::Node);
  else if (consume("SERVICE"))
    add({Kind::Service}, EntityKind::Service);
  else if (consume("INSIDE"))
    add({Kind::Inside}, EntityKind::Service);
  else if (consume("OUTSIDE"))
    add({Kind::Outside}, EntityKind::Node);
  else if (consume("EARLIER"))
    addRanks(Kind::Earlier);
  else if (consume("LATER"))
    addRanks(Kind::Later);
  else
    return false;
  return !failed && result.place == Reference::Place::Entity;
}

/// A path starts at SELF, at an element of a `$for_each`, at the service, or
/// with the name of a node template.
template <typename Word>
void ReferenceReader<Word>::readStart() {
  if (consume("SELF"))
    return;
  if (startsAtElement(words.front(), result)) {
    ++position;
    return;
  }
  for (StringRef word :
       {"RELATIONSHIP", "NODE", "CAPABILITY", "SOURCE", "TARGET", "SERVICE",
        "INSIDE", "OUTSIDE", "INTERFACE", "EARLIER", "LATER"})
    if (isAt(word))
      return;
  failed = !readNamedStep(PathStep::Kind::Node, EntityKind::Node);
}

template <typename Word>
bool ReferenceReader<Word>::readRest() {
  if (result.place == Reference::Place::Entity && consume("INTERFACE")) {
    result.place = Reference::Place::Interface;
    if (!readName(result.part) || !result.part)
      return false;
  }
  bool hasName = position == words.size() || readName(result.name);
  result.firstKey = position;
  return hasName;
}

template <typename Word>
bool ReferenceReader<Word>::read() {
  if (words.empty())
    return false;
  readStart();
  while (!failed && readStep()) {
  }
  result.end = at;
  return !failed && readRest();
}

bool ir::readReference(ArrayRef<Expr> words, EntityKind self, NameTable &names,
                       Reference &result) {
  return ReferenceReader<Expr>(words, self, names, result).read();
}

bool ir::readReference(ArrayRef<Value> words, EntityKind self, NameTable &names,
                       Reference &result) {
  // Steps point to indices, which must stay where they are.
  result.indices.reserve(words.size());
  return ReferenceReader<Value>(words, self, names, result).read();
}
