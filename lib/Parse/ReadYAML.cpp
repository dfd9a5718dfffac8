//===- ReadYAML.cpp - Bytes to syntax tree --------------------------------===//
///
/// \file
/// Builds the tree from yaml-cpp's events. Children of open collections wait on
/// one stack; when a collection ends, they are copied into the arena as one
/// array.
///
/// The extent of a node (how many nodes a walk over it visits and how deep it
/// goes, with aliases followed) is kept for open collections and for anchors
/// only; it bounds the cost of every later walk.
///
//===----------------------------------------------------------------------===//

#include "toscac/Parse/ReadYAML.h"

#include "ExplainYAML.h"
#include "SourceText.h"
#include "toscac/Basic/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <istream>
#include <streambuf>
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

/// Lets yaml-cpp read from memory without a copy.
class MemoryStream : public std::streambuf {
public:
  explicit MemoryStream(StringRef text) {
    char *begin = const_cast<char *>(text.begin());
    setg(begin, begin, begin + text.size());
  }
};

/// What a walk over a node costs, with aliases followed.
struct Extent {
  /// Nodes visited.
  uint64_t weight = 1;
  /// Levels of nesting.
  unsigned height = 1;
};

class TreeBuilder : public YAML::EventHandler {
public:
  TreeBuilder(const SourceManager &sources, Tree &tree, size_t bomSize,
              DiagnosticEngine &diags)
      : source(sources.text(tree.file)), base(sources.begin(tree.file)),
        bomSize(bomSize), tree(tree), diags(diags) {}

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

  /// What is known about the text before \p at.
  BrokenText describe(size_t at, StringRef message) const;

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
    Extent extent;
  };
  struct Anchor {
    Node node;
    Extent extent;
    bool complete = false;
  };

  size_t offset(const YAML::Mark &mark) const {
    return std::min<size_t>(mark.pos + bomSize, source.size());
  }
  SourceLoc loc(size_t at) const { return base.advanced(at); }
  SourceRange range(size_t begin, size_t end) const {
    return {loc(begin), loc(end)};
  }
  size_t offset(SourceLoc at) const { return at.raw - base.raw; }

  void open(NodeKind kind, const YAML::Mark &mark, const std::string &tag,
            YAML::anchor_t anchor, YAML::EmitterStyle::value style);
  void close(Node node);
  void add(Node node, Extent extent, YAML::anchor_t anchor);
  void checkExtent(const Node &node, Extent extent);
  llvm::MutableArrayRef<Node> children();
  size_t collectionEnd(const Frame &frame, llvm::ArrayRef<Node> nodes);
  Node emptyValue(size_t at);
  bool isNullWord(size_t at) const;
  Tag parseTag(StringRef tag, size_t at);
  void checkTaggedScalar(const Node &node);
  void checkOldSpelling(const Node &node);
  bool expectsKey() const;
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
    reportMisplacedLine(describe(at, ""), at, diags);
}

void TreeBuilder::OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) {
  if (documents > 1)
    return;
  size_t at = skipProperties(source, offset(mark));
  Node node;
  if (isNullWord(at))
    node = Node::null(range(at, at + nullWordAt(source, at)));
  else
    node = emptyValue(at);
  add(node, Extent(), anchor);
}

void TreeBuilder::OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) {
  if (documents > 1)
    return;
  size_t at = offset(mark);
  size_t end = std::min(source.find_first_of(" \t\r\n,]}", at), source.size());
  SourceRange place = range(at, end);
  if (anchor >= anchors.size() || !anchors[anchor].complete) {
    diags.report(place, diag::RecursiveAlias, source.slice(at, end));
    return add(Node::null(place), Extent(), 0);
  }
  add(anchors[anchor].node.aliasedAt(place), anchors[anchor].extent, 0);
}

void TreeBuilder::OnScalar(const YAML::Mark &mark, const std::string &tag,
                           YAML::anchor_t anchor, const std::string &value) {
  if (documents > 1)
    return;
  size_t at = skipProperties(source, offset(mark));
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
  if (node.isPlain() && node.tag() == Tag::None && !expectsKey())
    checkOldSpelling(node);
  add(node, Extent(), anchor);
}

void TreeBuilder::open(NodeKind kind, const YAML::Mark &mark,
                       const std::string &tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) {
  if (documents > 1)
    return;
  size_t at = skipProperties(source, offset(mark));
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
  add(node, frame.extent, frame.anchor);
}

void TreeBuilder::add(Node node, Extent extent, YAML::anchor_t anchor) {
  ++numNodes;
  if (anchor) {
    node.setAnchored();
    if (anchors.size() <= anchor)
      anchors.resize(anchor + 1);
    anchors[anchor] = {node, extent, true};
  }
  if (stack.empty()) {
    tree.root = node;
    return;
  }
  checkExtent(node, extent);
  // After a bomb, the rest is only read to its end.
  pending.push_back(bombReported ? Node::null(node.range()) : node);
}

void TreeBuilder::checkExtent(const Node &node, Extent extent) {
  Extent &outer = stack.back().extent;
  outer.weight = llvm::SaturatingAdd(outer.weight, extent.weight);
  outer.height = std::max(outer.height, extent.height + 1);
  if (bombReported)
    return;
  uint64_t limit = freeWeight + maxRepetition * numNodes;
  bool tooDeep = stack.size() + extent.height > maxDepth;
  bool tooWide = outer.weight > limit;
  bombReported = tooDeep || tooWide;
  if (tooDeep)
    diags.report(node.range(), diag::NestedTooDeeply, maxDepth);
  else if (tooWide)
    diags.report(node.range(), diag::AliasBomb, limit);
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

/// Whether the next node is a key.
bool TreeBuilder::expectsKey() const {
  return !stack.empty() && stack.back().kind == NodeKind::Mapping &&
         (pending.size() - stack.back().firstChild) % 2 == 0;
}

/// Whether null is spelt out at \p at. An empty value is reported at the token
/// that follows it, which may be a key called `null`.
bool TreeBuilder::isNullWord(size_t at) const {
  if (!nullWordAt(source, at))
    return false;
  if (stack.empty() || stack.back().flow)
    return true;
  const Frame &frame = stack.back();
  return expectsKey() || !startsLine(source, at) ||
         columnOf(source, at) > columnOf(source, frame.begin);
}

/// A value that is left empty, behind its key or its dash.
Node TreeBuilder::emptyValue(size_t at) {
  if (stack.empty())
    return Node::null(loc(at));
  const Frame &frame = stack.back();
  bool hasSibling = pending.size() > frame.firstChild;
  size_t from = hasSibling ? offset(pending.back().range().end) : frame.begin;
  char indicator = frame.kind == NodeKind::Sequence ? '-' : ':';
  size_t next = skipSpace(source, from);
  if (next < source.size() && next <= at && source[next] == indicator)
    return Node::null(loc(next + 1));
  // A key without a colon: fine in braces and after '?', nowhere else.
  if (hasSibling && !frame.flow && !expectsKey() && pending.back().isPlain()) {
    Node key = pending.back();
    if (startsLine(source, offset(key.range().begin)))
      diags.report(key.range(), diag::MissingColon, key.text());
  }
  return Node::null(loc(std::min(from, at)));
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
  size_t from = source.find('!', at);
  size_t end = std::min(source.find_first_of(" \t\r\n,", from), source.size());
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

/// Warns of values that mean something else since YAML 1.2.
void TreeBuilder::checkOldSpelling(const Node &node) {
  StringRef text = node.text();
  if (text.size() > 1 && text[0] == '0' && llvm::all_of(text, llvm::isDigit)) {
    auto report = diags.report(node.range(), diag::LeadingZero, text);
    bool octal = text.find_first_of("89") == StringRef::npos;
    if (octal && text.find_first_not_of('0') != StringRef::npos)
      report.fixIt(node.range(), ("0o" + text.ltrim('0')).str());
    return;
  }
  if (text.size() < 2 || text.size() > 3 ||
      !StringRef("yYnNoO").contains(text[0]))
    return;
  StringRef boolean = llvm::StringSwitch<StringRef>(text)
                          .Cases("yes", "Yes", "YES", "true")
                          .Cases("on", "On", "ON", "true")
                          .Cases("no", "No", "NO", "false")
                          .Cases("off", "Off", "OFF", "false")
                          .Default("");
  if (!boolean.empty())
    diags.report(node.range(), diag::OldBoolean, text, boolean)
        .fixIt(node.range(), boolean.str());
}

void TreeBuilder::checkIndentation(size_t at) {
  if (!stack.empty() && stack.back().flow)
    return;
  if (!startsLine(source, at))
    return;
  reportTabIndentation(source, base, at, diags);
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

/// Adds the block collections that end with \p node, from outside to inside.
static void addLastBlocks(Node node, StringRef source, SourceLoc base,
                          std::vector<BrokenText::Block> &blocks) {
  while (!node.isAlias() && (node.isMapping() || node.isSequence())) {
    size_t begin = node.range().begin.raw - base.raw;
    if (source[begin] == '[' || source[begin] == '{')
      return;
    blocks.push_back({node.kind(), begin});
    if (node.isMapping() ? node.entries().empty() : node.items().empty())
      return;
    node = node.isMapping() ? node.entries().back().value : node.items().back();
  }
}

BrokenText TreeBuilder::describe(size_t at, StringRef message) const {
  BrokenText text{source, base, at, message, {}, 0, {}};
  for (const Frame &frame : stack) {
    text.lastBlockToken = frame.begin;
    if (frame.flow)
      break;
    text.blocks.push_back({frame.kind, frame.begin});
  }
  bool inFlow = !stack.empty() && stack.back().flow;
  Node last = stack.empty() ? tree.root : Node();
  if (!pending.empty())
    last = pending.back();
  if (!inFlow && last.range().isValid()) {
    text.lastBlockToken =
        std::max(text.lastBlockToken, offset(last.range().end));
    addLastBlocks(last, source, base, text.blocks);
  }
  text.lastScalar = last;
  return text;
}

void TreeBuilder::explain(const YAML::ParserException &error) {
  size_t at =
      std::min<size_t>(std::max(error.mark.pos, 0) + bomSize, source.size());
  explainBrokenText(describe(at, error.msg), diags);
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
  StringRef source = sources.text(file);
  SourceLoc base = sources.begin(file);
  tree.file = file;
  tree.root = Node::null(base);
  if (!checkEncoding(source, base, diags))
    return tree;

  size_t errorsBefore = diags.numErrors();
  size_t bomSize = source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  MemoryStream buffer(source);
  std::istream stream(&buffer);
  TreeBuilder builder(sources, tree, bomSize, diags);
  try {
    YAML::Parser parser(stream);
    while (builder.numDocuments() < 2 && parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::DeepRecursion &error) {
    size_t at = std::min<size_t>(error.mark.pos + bomSize, source.size());
    diags.report(base.advanced(at), diag::NestedTooDeeply, maxDepth);
  } catch (const YAML::ParserException &error) {
    builder.explain(error);
  }
  tree.valid = diags.numErrors() == errorsBefore;
  return tree;
}
