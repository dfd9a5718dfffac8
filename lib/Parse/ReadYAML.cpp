//===- ReadYAML.cpp - Bytes to syntax tree --------------------------------===//
///
/// \file
/// Builds the tree from events. Children of open collections wait on
/// one stack; when a collection ends, they are copied into the arena as one
/// array.
///
/// The extent of a node (how many nodes a walk over it visits and how deep it
/// goes, with aliases followed) is kept for open collections and for anchors
/// only; it bounds the cost of every later walk.
///
//===----------------------------------------------------------------------===//

#include "toscac/Parse/ReadYAML.h"

#include "BrokenYAML.h"
#include "CheckEncoding.h"
#include "CheckNodes.h"
#include "LibraryYAML.h"
#include "OldScalars.h"
#include "RegularYAML.h"
#include "SourceText.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

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

/// What a walk over a node costs, with aliases followed.
struct Extent {
  /// Nodes visited.
  uint64_t weight = 1;
  /// Levels of nesting.
  unsigned height = 1;
};

class TreeBuilder {
public:
  TreeBuilder(const SourceManager &sources, Tree &tree, YAMLDialect dialect,
              DiagnosticEngine &diags)
      : source(sources.text(tree.file)), base(sources.begin(tree.file)),
        tree(tree), dialect(dialect), diags(diags) {}

  void take(const YAMLEvent &event, StringRef tag);
  /// Says what is wrong where yaml-cpp gave up.
  void explain(const YAMLFault &fault);

private:
  struct Frame {
    NodeKind kind;
    bool flow;
    Tag tag;
    size_t begin;
    uint32_t anchor;
    /// Index of the first child in `pending`.
    size_t firstChild;
    Extent extent;
  };
  struct Anchor {
    Node node;
    Extent extent;
    bool complete = false;
  };

  SourceLoc loc(size_t at) const { return base.advanced(at); }
  SourceRange range(size_t begin, size_t end) const {
    return {loc(begin), loc(end)};
  }
  size_t offset(SourceLoc at) const { return at.raw - base.raw; }

  /// What is known about the text before \p at.
  BrokenText describe(size_t at, BrokenText::Kind kind,
                      StringRef message) const;

  void startDocument(size_t at);
  void addNull(const YAMLEvent &event);
  void addAlias(const YAMLEvent &event);
  void addScalar(const YAMLEvent &event, StringRef tag);
  void open(const YAMLEvent &event, StringRef tag);
  void closeSequence();
  void closeMap();
  void close(Node node);
  void add(const Node &node, Extent extent, uint32_t anchor);
  void checkExtent(const Node &node, Extent extent);
  llvm::MutableArrayRef<Node> children();
  size_t collectionEnd(const Frame &frame, llvm::ArrayRef<Node> nodes);
  Node emptyValue(size_t at);
  bool isNullWord(size_t at) const;
  Tag parseTag(StringRef tag, size_t at);
  bool expectsKey() const;
  void checkIndentation(size_t at);
  bool isStrict() const { return dialect == YAMLDialect::Strict; }
  llvm::ArrayRef<Entry> settleKeys(llvm::MutableArrayRef<Entry> entries);
  llvm::ArrayRef<Entry> applyMergeKeys(llvm::ArrayRef<Entry> entries);

  template <typename T>
  llvm::ArrayRef<T> store(llvm::ArrayRef<T> values) {
    return values.copy(*tree.arena);
  }

  StringRef source;
  SourceLoc base;
  Tree &tree;
  YAMLDialect dialect;
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

void TreeBuilder::take(const YAMLEvent &event, StringRef tag) {
  if (event.kind == YAMLEvent::DocumentStart)
    return startDocument(event.at);
  if (documents > 1)
    return;
  switch (event.kind) {
  case YAMLEvent::DocumentStart:
    llvm_unreachable("handled above");
  case YAMLEvent::Null:
    return addNull(event);
  case YAMLEvent::Alias:
    return addAlias(event);
  case YAMLEvent::Scalar:
    return addScalar(event, tag);
  case YAMLEvent::SequenceStart:
  case YAMLEvent::MapStart:
    return open(event, tag);
  case YAMLEvent::SequenceEnd:
    return closeSequence();
  case YAMLEvent::MapEnd:
    return closeMap();
  }
}

void TreeBuilder::startDocument(size_t at) {
  if (++documents != 2)
    return;
  if (source.substr(at).starts_with("---"))
    diags.report(range(at, at + 3), diag::MultipleDocuments);
  else
    reportMisplacedLine(describe(at, BrokenText::Other, ""), at, diags);
}

void TreeBuilder::addNull(const YAMLEvent &event) {
  size_t at = skipProperties(source, event.at);
  Node node;
  if (isNullWord(at))
    node = Node::null(range(at, at + nullWordAt(source, at)));
  else
    node = emptyValue(at);
  add(node, Extent(), event.anchor);
}

void TreeBuilder::addAlias(const YAMLEvent &event) {
  size_t at = event.at;
  uint32_t anchor = event.anchor;
  size_t end = std::min(source.find_first_of(" \t\r\n,]}", at), source.size());
  SourceRange place = range(at, end);
  if (anchor >= anchors.size() || !anchors[anchor].complete) {
    diags.report(place, diag::RecursiveAlias, source.slice(at, end));
    return add(Node::null(place), Extent(), 0);
  }
  add(anchors[anchor].node.aliasedAt(place), anchors[anchor].extent, 0);
}

void TreeBuilder::addScalar(const YAMLEvent &event, StringRef tag) {
  StringRef value = event.value;
  size_t at = skipProperties(source, event.at);
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
  node.setTag(parseTag(tag, event.at));
  if (!isStrict() && node.isPlain() && node.tag() != Tag::Str)
    respellScalar(node, dialect, *tree.arena);
  checkTaggedScalar(node, diags);
  if (isStrict() && node.isPlain() && node.tag() == Tag::None && !expectsKey())
    checkOldSpelling(node, diags);
  add(node, Extent(), event.anchor);
}

void TreeBuilder::open(const YAMLEvent &event, StringRef tag) {
  size_t at = skipProperties(source, event.at);
  checkIndentation(at);
  NodeKind kind = event.kind == YAMLEvent::MapStart ? NodeKind::Mapping
                                                    : NodeKind::Sequence;
  stack.push_back({kind, event.flow, parseTag(tag, event.at), at, event.anchor,
                   pending.size()});
}

void TreeBuilder::closeSequence() {
  llvm::ArrayRef<Node> items = store<Node>(children());
  const Frame &frame = stack.back();
  size_t end = collectionEnd(frame, items);
  close(Node::sequence(range(frame.begin, end), items));
}

void TreeBuilder::closeMap() {
  llvm::MutableArrayRef<Node> nodes = children();
  assert(nodes.size() % 2 == 0 && "a key without a value");
  // Keys and values alternate, which is how an array of entries is laid out.
  llvm::MutableArrayRef<Entry> view(reinterpret_cast<Entry *>(nodes.data()),
                                    nodes.size() / 2);
  const Frame &frame = stack.back();
  size_t end = collectionEnd(frame, nodes);
  close(Node::mapping(range(frame.begin, end), settleKeys(view)));
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

void TreeBuilder::add(const Node &node, Extent extent, uint32_t anchor) {
  ++numNodes;
  if (!stack.empty()) {
    checkExtent(node, extent);
    // After a bomb, the rest is only read to its end.
    if (bombReported)
      pending.push_back(Node::null(node.range()));
    else
      pending.push_back(node);
  } else {
    tree.root = node;
  }
  if (!anchor)
    return;
  Node &added = stack.empty() ? tree.root : pending.back();
  added.setAnchored();
  if (anchors.size() <= anchor)
    anchors.resize(anchor + 1);
  anchors[anchor] = {added, extent, true};
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

static bool isMerge(const Entry &entry) {
  return entry.key.isPlain() && entry.key.text() == "<<";
}

/// The entries of a map with those that it merges and, where that is no error,
/// without those that later ones hide: as in Python, the last value stands
/// where the key stood first.
llvm::ArrayRef<Entry>
TreeBuilder::settleKeys(llvm::MutableArrayRef<Entry> entries) {
  llvm::BitVector hidden(entries.size());
  auto settle = [&](size_t later, size_t first) {
    SourceRange place = entries[later].key.range();
    SourceRange before = entries[first].key.range();
    StringRef key = keyText(entries[later].key, source, base);
    if (isStrict()) {
      diags.report(place, diag::DuplicateKey, key)
          .note(before, diag::FirstDefinedHere, key);
    } else if (!isMerge(entries[later])) {
      diags.report(place, diag::HiddenKey, key)
          .note(before, diag::FirstDefinedHere, key);
      entries[first] = entries[later];
      hidden.set(later);
    }
  };
  forEachRepeatedKey(entries, source, base, settle);
  if (hidden.none())
    return applyMergeKeys(entries);
  llvm::SmallVector<Entry, 0> kept;
  for (auto [i, entry] : llvm::enumerate(entries))
    if (!hidden[i])
      kept.push_back(entry);
  return applyMergeKeys(kept);
}

llvm::ArrayRef<Entry>
TreeBuilder::applyMergeKeys(llvm::ArrayRef<Entry> entries) {
  if (llvm::none_of(entries, isMerge))
    return store(entries);

  // Own keys win over merged ones, and of the maps that one merge key lists the
  // earlier over the later ones; a later merge key wins over an earlier one.
  std::vector<Entry> merged;
  llvm::DenseMap<StringRef, char> seen;
  auto addEntries = [&](llvm::ArrayRef<Entry> from) {
    for (const Entry &entry : from)
      if (!isMerge(entry) &&
          (!entry.key.isScalar() || seen.try_emplace(entry.key.text()).second))
        merged.push_back(entry);
  };
  addEntries(entries);
  for (const Entry &entry :
       llvm::make_filter_range(llvm::reverse(entries), isMerge)) {
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
  if (tag.empty())
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

void TreeBuilder::checkIndentation(size_t at) {
  if (!stack.empty() && stack.back().flow)
    return;
  if (!startsLine(source, at))
    return;
  reportTabIndentation(source, base, at, diags);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

BrokenText TreeBuilder::describe(size_t at, BrokenText::Kind kind,
                                 StringRef message) const {
  BrokenText text{source, base, at, kind, message, {}, 0, {}};
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
    text.addLastBlocks(last);
  }
  text.lastScalar = last;
  return text;
}

void TreeBuilder::explain(const YAMLFault &fault) {
  if (fault.isTooDeep)
    diags.report(loc(fault.at), diag::NestedTooDeeply, maxDepth);
  else
    explainBrokenText(describe(fault.at, fault.kind, fault.message), diags);
}

/// The brackets in \p source that follow a key at once, as in `{key:[a]}`, as
/// far as they are what yaml-cpp stops at.
static std::vector<size_t> findTightBrackets(StringRef source) {
  // Each one costs a reading of the file.
  constexpr size_t maxBrackets = 64;
  std::vector<size_t> brackets;
  if (!source.contains(":[") && !source.contains(":{"))
    return brackets;
  while (brackets.size() != maxBrackets) {
    YAMLInput input(source, brackets);
    auto fault = readByLibrary(input, [](const YAMLEvent &, StringRef) {});
    if (!fault || fault->isTooDeep || fault->at == 0)
      break;
    StringRef pair = source.substr(fault->at - 1, 2);
    if ((pair != ":[" && pair != ":{") ||
        (!brackets.empty() && brackets.back() >= fault->at))
      break;
    brackets.push_back(fault->at);
  }
  return brackets;
}

/// Lets yaml-cpp read \p source, with whatever is wrong in it.
static void readIrregular(StringRef source, SourceLoc base, YAMLDialect dialect,
                          TreeBuilder &builder, DiagnosticEngine &diags) {
  size_t errorsBefore = diags.numErrors();
  std::vector<size_t> blanks;
  if (dialect != YAMLDialect::Strict)
    blanks = findTightBrackets(source);
  YAMLInput input(source, blanks);
  std::optional<YAMLFault> fault =
      readByLibrary(input, [&](const YAMLEvent &event, StringRef tag) {
        builder.take(event, tag);
      });
  std::optional<size_t> cutOff = input.cutOffAfter();
  if (fault && (fault->isTooDeep || !cutOff))
    builder.explain(*fault);
  if (cutOff && diags.numErrors() == errorsBefore)
    diags.report(base.advanced(*cutOff), diag::FlowTooLarge,
                 YAMLInput::maxIndicators);
}

Tree toscac::readYAML(const SourceManager &sources, FileId file,
                      DiagnosticEngine &diags, YAMLDialect dialect) {
  Tree tree;
  StringRef source = sources.text(file);
  SourceLoc base = sources.begin(file);
  tree.file = file;
  tree.root = Node::null(base);
  if (!checkEncoding(source, base, diags))
    return tree;

  size_t errorsBefore = diags.numErrors();
  TreeBuilder builder(sources, tree, dialect, diags);
  if (std::optional<YAMLEvents> events = scanRegularYAML(source, dialect))
    for (const YAMLEvent &event : events->list)
      builder.take(event, "");
  else
    readIrregular(source, base, dialect, builder, diags);
  tree.valid = diags.numErrors() == errorsBefore;
  return tree;
}
