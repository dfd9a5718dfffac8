//===- ReadYAML.cpp - Bytes to syntax tree --------------------------------===//
///
/// \file
/// Builds the tree from yaml-cpp's events. Children of open collections wait on
/// one stack; when a collection ends, they are copied into the arena as one
/// array.
///
/// Each node has a weight: the number of nodes that a walk over it visits, with
/// aliases followed. It is kept for open collections and for anchors only, and
/// bounds the cost of every later walk.
///
//===----------------------------------------------------------------------===//

#include "toscac/Parse/ReadYAML.h"

#include "SourceText.h"
#include "YAMLInput.h"
#include "toscac/Basic/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <istream>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

using namespace toscac;
using namespace toscac::syntax;
using llvm::StringRef;

namespace {

/// The depth at which yaml-cpp stops.
constexpr unsigned maxDepth = 500;

/// A walk may visit this many nodes for free, and then so many for each node
/// that is really there.
constexpr uint64_t freeWeight = 1000000;
constexpr uint64_t maxRepetition = 20;

class TreeBuilder : public YAML::EventHandler {
public:
  TreeBuilder(const SourceManager &sources, Tree &tree, size_t bomSize,
              YAMLInput &input, DiagnosticEngine &diags)
      : source(sources.text(tree.file)), base(sources.begin(tree.file)),
        bomSize(bomSize), tree(tree), input(input), diags(diags) {}

  void OnDocumentStart(const YAML::Mark &mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark &mark, const std::string &tag,
                YAML::anchor_t anchor, const std::string &value) override;
  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(NodeKind::Sequence, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark &mark, const std::string &tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(NodeKind::Mapping, mark, tag, anchor, style);
  }
  void OnMapEnd() override;

  /// Turns yaml-cpp's exception into a diagnostic at the right place.
  void explain(const YAML::ParserException &error);

  unsigned numDocuments() const { return documents; }

private:
  struct Frame {
    NodeKind kind;
    bool flow;
    Tag tag;
    size_t begin;
    YAML::anchor_t anchor;
    /// Index of the first child in `pending`.
    size_t firstChild;
    uint64_t weight = 1;
  };
  struct Anchor {
    Node node;
    uint64_t weight = 0;
    bool complete = false;
  };

  size_t offset(const YAML::Mark &mark) const {
    return std::min<size_t>(mark.pos + bomSize, source.size());
  }
  /// The place of an event that just came.
  size_t arrive(const YAML::Mark &mark) {
    input.reached(offset(mark));
    return offset(mark);
  }
  SourceLoc loc(size_t at) const { return base.advanced(at); }
  SourceRange range(size_t begin, size_t end) const {
    return {loc(begin), loc(end)};
  }
  size_t offset(SourceLoc at) const { return at.raw - base.raw; }
  SourceRange lineRest(size_t at) const {
    size_t end = std::min(source.find('\n', at), source.size());
    return range(at, at + source.slice(at, end).rtrim().size());
  }

  void open(NodeKind kind, const YAML::Mark &mark, const std::string &tag,
            YAML::anchor_t anchor, YAML::EmitterStyle::value style);
  void close(Node node);
  void add(Node node, uint64_t weight, YAML::anchor_t anchor);
  llvm::MutableArrayRef<Node> children();
  size_t collectionEnd(const Frame &frame, llvm::ArrayRef<Node> nodes);
  size_t emptyValuePlace(size_t at) const;
  bool isNullWord(size_t at) const;
  Tag parseTag(StringRef tag, size_t at);
  void checkTaggedScalar(const Node &node);
  void checkIndentation(size_t at);
  void checkDuplicateKeys(llvm::ArrayRef<Entry> entries);
  llvm::ArrayRef<Entry> applyMergeKeys(llvm::ArrayRef<Entry> entries);

  template <typename T>
  llvm::ArrayRef<T> store(llvm::ArrayRef<T> values) {
    return values.copy(*tree.arena);
  }

  StringRef source;
  SourceLoc base;
  size_t bomSize;
  Tree &tree;
  YAMLInput &input;
  DiagnosticEngine &diags;

  std::vector<Frame> stack;
  /// Children of open collections; keys and values of a mapping alternate.
  std::vector<Node> pending;
  std::vector<Anchor> anchors;
  uint64_t numNodes = 0;
  unsigned documents = 0;
  bool bombReported = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void TreeBuilder::OnDocumentStart(const YAML::Mark &mark) {
  if (++documents != 2)
    return;
  size_t at = offset(mark);
  if (source.substr(at).starts_with("---"))
    diags.report(range(at, at + 3), diag::MultipleDocuments);
  else
    diags.report(lineRest(at), diag::BadIndentation, columnOf(source, at),
                 "the column of the first key");
}

void TreeBuilder::OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) {
  if (documents > 1)
    return;
  size_t at = skipProperties(source, arrive(mark));
  Node node;
  if (isNullWord(at))
    node = Node::null(range(at, at + nullWordAt(source, at)));
  else
    node = Node::null(loc(emptyValuePlace(at)));
  add(node, 1, anchor);
}

void TreeBuilder::OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) {
  if (documents > 1)
    return;
  size_t at = arrive(mark);
  size_t end = std::min(source.find_first_of(" \t\r\n,]}", at), source.size());
  SourceRange place = range(at, end);
  if (anchor >= anchors.size() || !anchors[anchor].complete) {
    diags.report(place, diag::RecursiveAlias, source.slice(at, end));
    return add(Node::null(place), 1, 0);
  }
  add(anchors[anchor].node.aliasedAt(place), anchors[anchor].weight, 0);
}

void TreeBuilder::OnScalar(const YAML::Mark &mark, const std::string &tag,
                           YAML::anchor_t anchor, const std::string &value) {
  if (documents > 1)
    return;
  size_t at = skipProperties(source, arrive(mark));
  checkIndentation(at);
  ScalarStyle style = styleAt(source, at);
  size_t end = scalarEnd(source, at, style, value);
  if (end == StringRef::npos) {
    diags.report(range(at, at + 1), diag::UnterminatedQuote,
                 source.substr(at, 1));
    end = source.size();
  }
  bool quoted =
      style == ScalarStyle::SingleQuoted || style == ScalarStyle::DoubleQuoted;
  StringRef raw = source.slice(at + quoted, std::max(end, at + 1) - quoted);
  if (raw != value) {
    llvm::ArrayRef<char> bytes(value.data(), value.size());
    raw = StringRef(store(bytes).data(), value.size());
  }
  Node node = Node::scalar(range(at, end), raw, style);
  node.setTag(parseTag(tag, offset(mark)));
  checkTaggedScalar(node);
  add(node, 1, anchor);
}

void TreeBuilder::open(NodeKind kind, const YAML::Mark &mark,
                       const std::string &tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) {
  if (documents > 1)
    return;
  size_t at = skipProperties(source, arrive(mark));
  checkIndentation(at);
  Tag nodeTag = parseTag(tag, offset(mark));
  stack.push_back({kind, style == YAML::EmitterStyle::Flow, nodeTag, at, anchor,
                   pending.size()});
}

void TreeBuilder::OnSequenceEnd() {
  if (documents > 1)
    return;
  llvm::ArrayRef<Node> items = store<Node>(children());
  const Frame &frame = stack.back();
  size_t end = collectionEnd(frame, items);
  close(Node::sequence(range(frame.begin, end), items));
}

void TreeBuilder::OnMapEnd() {
  if (documents > 1)
    return;
  llvm::ArrayRef<Node> nodes = children();
  assert(nodes.size() % 2 == 0 && "a key without a value");
  // Keys and values alternate, which is how an array of entries is laid out.
  llvm::ArrayRef<Entry> view(reinterpret_cast<const Entry *>(nodes.data()),
                             nodes.size() / 2);
  const Frame &frame = stack.back();
  size_t end = collectionEnd(frame, nodes);
  checkDuplicateKeys(view);
  close(Node::mapping(range(frame.begin, end), applyMergeKeys(view)));
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

llvm::MutableArrayRef<Node> TreeBuilder::children() {
  return llvm::MutableArrayRef(pending).drop_front(stack.back().firstChild);
}

size_t TreeBuilder::collectionEnd(const Frame &frame,
                                  llvm::ArrayRef<Node> nodes) {
  size_t last =
      nodes.empty() ? frame.begin + 1 : offset(nodes.back().range().end);
  bool mapping = frame.kind == NodeKind::Mapping;
  // `[a: b]` holds a map without braces.
  if (!frame.flow || source.substr(frame.begin, 1) != (mapping ? "{" : "["))
    return last;
  return flowEnd(source, last, mapping ? '}' : ']');
}

void TreeBuilder::close(Node node) {
  Frame frame = stack.back();
  pending.resize(frame.firstChild);
  stack.pop_back();
  node.setTag(frame.tag);
  add(node, frame.weight, frame.anchor);
}

void TreeBuilder::add(Node node, uint64_t weight, YAML::anchor_t anchor) {
  ++numNodes;
  if (anchor) {
    node.setAnchored();
    if (anchors.size() <= anchor)
      anchors.resize(anchor + 1);
    anchors[anchor] = {node, weight, true};
  }
  if (stack.empty()) {
    tree.root = node;
    return;
  }
  Frame &frame = stack.back();
  frame.weight = llvm::SaturatingAdd(frame.weight, weight);
  uint64_t limit = freeWeight + maxRepetition * numNodes;
  if (frame.weight > limit && !bombReported) {
    bombReported = true;
    diags.report(node.range(), diag::AliasBomb, limit);
  }
  // After a bomb, the rest is only read to its end.
  pending.push_back(bombReported ? Node::null(node.range()) : node);
}

llvm::ArrayRef<Entry>
TreeBuilder::applyMergeKeys(llvm::ArrayRef<Entry> entries) {
  auto isMerge = [](const Entry &entry) {
    return entry.key.isPlain() && entry.key.text() == "<<";
  };
  if (llvm::none_of(entries, isMerge))
    return store(entries);

  // Own keys win over merged ones, earlier maps over later ones.
  std::vector<Entry> merged;
  llvm::DenseMap<StringRef, char> seen;
  auto addEntries = [&](llvm::ArrayRef<Entry> from) {
    for (const Entry &entry : from)
      if (!isMerge(entry) &&
          (!entry.key.isScalar() || seen.try_emplace(entry.key.text()).second))
        merged.push_back(entry);
  };
  addEntries(entries);
  for (const Entry &entry : llvm::make_filter_range(entries, isMerge)) {
    llvm::ArrayRef<Node> maps = entry.value;
    if (entry.value.isSequence())
      maps = entry.value.items();
    for (const Node &map : maps) {
      if (map.isMapping())
        addEntries(map.entries());
      else
        diags.report(map.range(), diag::BadMergeKey);
    }
  }
  return store<Entry>(merged);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Whether null is spelt out at \p at. An empty value is reported at the token
/// that follows it, which may be a key called `null`.
bool TreeBuilder::isNullWord(size_t at) const {
  if (!nullWordAt(source, at))
    return false;
  if (stack.empty() || stack.back().flow)
    return true;
  const Frame &frame = stack.back();
  bool isKey = frame.kind == NodeKind::Mapping &&
               (pending.size() - frame.firstChild) % 2 == 0;
  return isKey || !startsLine(source, at) ||
         columnOf(source, at) > columnOf(source, frame.begin);
}

/// Where a value would stand that is left empty: behind its key or its dash.
size_t TreeBuilder::emptyValuePlace(size_t at) const {
  if (stack.empty())
    return at;
  const Frame &frame = stack.back();
  bool hasSibling = pending.size() > frame.firstChild;
  size_t from = hasSibling ? offset(pending.back().range().end) : frame.begin;
  char indicator = frame.kind == NodeKind::Sequence ? '-' : ':';
  size_t next = skipSpace(source, from);
  bool found = next < at && source[next] == indicator;
  return found ? next + 1 : std::min(from, at);
}

Tag TreeBuilder::parseTag(StringRef tag, size_t at) {
  if (tag.size() <= 1)
    return Tag::None;
  StringRef shortTag = tag;
  bool core = shortTag.consume_front("tag:yaml.org,2002:");
  std::optional<Tag> known = llvm::StringSwitch<std::optional<Tag>>(shortTag)
                                 .Case("null", Tag::Null)
                                 .Case("bool", Tag::Bool)
                                 .Case("int", Tag::Int)
                                 .Case("float", Tag::Float)
                                 .Case("str", Tag::Str)
                                 .Case("seq", Tag::Seq)
                                 .Case("map", Tag::Map)
                                 .Default(std::nullopt);
  if (core && known)
    return *known;
  size_t from = std::min(source.find('!', at), source.size());
  size_t end = propertyEnd(source, from);
  diags.report(range(from, end), diag::UnsupportedTag, source.slice(from, end));
  return Tag::None;
}

void TreeBuilder::checkTaggedScalar(const Node &node) {
  auto is = [&](ScalarType type) { return resolvePlain(node.text()) == type; };
  auto expect = [&](bool holds, StringRef what) {
    if (!holds)
      diags.report(node.range(), diag::TagMismatch, what);
  };
  switch (node.tag()) {
  case Tag::None:
  case Tag::Str:
    return;
  case Tag::Null:
    return expect(is(ScalarType::Null), "null");
  case Tag::Bool:
    return expect(is(ScalarType::Boolean), "a boolean");
  case Tag::Int:
    return expect(is(ScalarType::Integer), "an integer");
  case Tag::Float:
    return expect(is(ScalarType::Float) || is(ScalarType::Integer), "a float");
  case Tag::Seq:
    return expect(false, "a list");
  case Tag::Map:
    return expect(false, "a map");
  }
}

void TreeBuilder::checkIndentation(size_t at) {
  if (!stack.empty() && stack.back().flow)
    return;
  if (!startsLine(source, at))
    return;
  StringRef indentation = indentationOf(source, at);
  size_t tab = indentation.find('\t');
  if (tab == StringRef::npos)
    return;
  size_t from = at - columnOf(source, at) + tab;
  diags.report(range(from, from + 1), diag::TabIndentation);
}

void TreeBuilder::checkDuplicateKeys(llvm::ArrayRef<Entry> entries) {
  auto identity = [&](const Node &key) {
    return key.isScalar() ? key.text()
                          : source.slice(offset(key.range().begin),
                                         offset(key.range().end));
  };
  auto same = [&](const Node &a, const Node &b) {
    if (a.kind() != b.kind() || identity(a) != identity(b))
      return false;
    return !a.isScalar() || a.scalarType() == b.scalarType();
  };
  auto complain = [&](const Node &key, const Node &first) {
    diags.report(key.range(), diag::DuplicateKey, identity(key))
        .note(first.range(), diag::FirstDefinedHere, identity(key));
  };
  // For the few keys of a typical map, comparing beats hashing.
  if (entries.size() <= 8) {
    for (size_t i = 1; i < entries.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (same(entries[i].key, entries[j].key)) {
          complain(entries[i].key, entries[j].key);
          break;
        }
    return;
  }
  llvm::DenseMap<StringRef, const Node *> first(entries.size());
  for (const Entry &entry : entries) {
    auto [found, isNew] = first.try_emplace(identity(entry.key), &entry.key);
    if (!isNew && same(entry.key, *found->second))
      complain(entry.key, *found->second);
  }
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void TreeBuilder::explain(const YAML::ParserException &error) {
  using namespace YAML;
  size_t at =
      std::min<size_t>(std::max(error.mark.pos, 0) + bomSize, source.size());
  StringRef message = error.msg;
  StringRef indentation = indentationOf(source, at);
  if (size_t tab = indentation.find('\t'); tab != StringRef::npos) {
    size_t from = at - columnOf(source, at) + tab;
    diags.report(range(from, from + 1), diag::TabIndentation);
    return;
  }
  if (message == ErrorMsg::UNKNOWN_TOKEN && at < source.size()) {
    size_t end = std::min(source.find_first_of(",]}\n", at), source.size());
    StringRef word = source.slice(at, end).split(" #").first.rtrim();
    diags
        .report(range(at, at + word.size()), diag::ReservedCharacter,
                source[at])
        .fixIt(range(at, at + word.size()), word.contains('"')
                                                ? ("'" + word + "'").str()
                                                : ("\"" + word + "\"").str());
    return;
  }
  if (message == ErrorMsg::UNKNOWN_ANCHOR) {
    SourceRange place = lineRest(at);
    size_t end =
        std::min(source.find_first_of(" \t\r\n,]}", at), offset(place.end));
    diags.report(range(at, end), diag::UnknownAnchor,
                 source.slice(at, end).ltrim('*'));
    return;
  }
  bool inFlow = !stack.empty() && stack.back().flow;
  if (inFlow && (message == ErrorMsg::END_OF_MAP_FLOW ||
                 message == ErrorMsg::END_OF_SEQ_FLOW)) {
    const Frame &frame = stack.back();
    StringRef opening = source.substr(frame.begin, 1);
    diags
        .report(range(at, at), diag::UnclosedBracket,
                frame.kind == NodeKind::Mapping ? '}' : ']')
        .note(range(frame.begin, frame.begin + 1), diag::OpenedHere, opening);
    return;
  }
  if (message == ErrorMsg::FLOW_END && at < source.size()) {
    diags.report(range(at, at + 1), diag::UnexpectedBracket, source[at]);
    return;
  }
  size_t lineBegin = at - columnOf(source, at);
  size_t firstWord = lineBegin + indentation.size();
  bool endOfBlock =
      message == ErrorMsg::END_OF_MAP || message == ErrorMsg::END_OF_SEQ;
  if (endOfBlock && at == firstWord) {
    diags.report(lineRest(at), diag::BadIndentation, indentation.size(),
                 "a column");
    return;
  }
  if (message == ErrorMsg::MAP_VALUE) {
    // The key on this line continues a plain scalar that began further up.
    bool continues = !pending.empty() && pending.back().isPlain() &&
                     offset(pending.back().range().begin) < lineBegin;
    if (continues) {
      size_t parent =
          indentationOf(source, offset(pending.back().range().begin)).size();
      diags.report(lineRest(firstWord), diag::BadIndentation,
                   indentation.size(), std::to_string(parent));
    } else {
      diags.report(range(at, at + 1), diag::NestedColon);
    }
    return;
  }
  diags.report(lineRest(at), diag::YAMLSyntax, message);
}

/// Reports bytes that can be in no YAML file. Returns false if there are any.
static bool checkEncoding(StringRef source, SourceLoc base,
                          DiagnosticEngine &diags) {
  if (source.starts_with("\xFF\xFE") || source.starts_with("\xFE\xFF")) {
    diags.report(base, diag::WrongEncoding, "UTF-16");
    return false;
  }
  size_t bad = findForbiddenByte(source);
  if (bad == StringRef::npos)
    return true;
  auto byte = static_cast<uint8_t>(source[bad]);
  std::string hex = llvm::toHex(source.substr(bad, 1));
  SourceRange place(base.advanced(bad), base.advanced(bad + 1));
  if (byte < 0x80)
    diags.report(place, diag::ControlCharacter, hex);
  else
    diags.report(place, diag::InvalidUTF8, hex);
  return false;
}

Tree toscac::readYAML(const SourceManager &sources, FileId file,
                      DiagnosticEngine &diags) {
  Tree tree;
  tree.file = file;
  StringRef source = sources.text(file);
  SourceLoc base = sources.begin(file);
  if (!checkEncoding(source, base, diags))
    return tree;

  size_t errorsBefore = diags.numErrors();
  size_t bomSize = source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  YAMLInput input(source);
  std::istream stream(&input);
  TreeBuilder builder(sources, tree, bomSize, input, diags);
  try {
    YAML::Parser parser(stream);
    while (builder.numDocuments() < 2 && parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::DeepRecursion &error) {
    size_t at = std::min<size_t>(error.mark.pos + bomSize, source.size());
    diags.report(base.advanced(at), diag::NestedTooDeeply, maxDepth);
  } catch (const YAML::ParserException &error) {
    if (!input.cutOffAfter())
      builder.explain(error);
  }
  std::optional<size_t> cutOff = input.cutOffAfter();
  if (cutOff && diags.numErrors() == errorsBefore)
    diags.report(base.advanced(*cutOff), diag::FlowTooLarge,
                 YAMLInput::maxIndicators);
  tree.valid = diags.numErrors() == errorsBefore;
  return tree;
}
