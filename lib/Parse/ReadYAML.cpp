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

#include "CheckEncoding.h"
#include "CheckNodes.h"
#include "ExplainYAML.h"
#include "RegularYAML.h"
#include "SourceText.h"
#include "YAMLInput.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
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

  /// Lets yaml-cpp tell the events of the input.
  void readInput();

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

  /// Turns yaml-cpp's exception into a diagnostic at the right place.
  void explain(const YAML::ParserException &error);
  /// What is known about the text before \p at.
  BrokenText describe(size_t at, StringRef message = "") const;

  void open(NodeKind kind, const YAML::Mark &mark, const std::string &tag,
            YAML::anchor_t anchor, YAML::EmitterStyle::value style);
  void close(Node node);
  void add(const Node &node, Extent extent, YAML::anchor_t anchor);
  void checkExtent(const Node &node, Extent extent);
  llvm::MutableArrayRef<Node> children();
  size_t collectionEnd(const Frame &frame, llvm::ArrayRef<Node> nodes);
  Node emptyValue(size_t at);
  bool isNullWord(size_t at) const;
  Tag parseTag(StringRef tag, size_t at);
  bool expectsKey() const;
  void checkIndentation(size_t at);
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
    reportMisplacedLine(describe(at), at, diags);
}

void TreeBuilder::OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) {
  if (documents > 1)
    return;
  size_t at = skipProperties(source, arrive(mark));
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
  size_t at = arrive(mark);
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
  checkTaggedScalar(node, diags);
  if (node.isPlain() && node.tag() == Tag::None && !expectsKey())
    checkOldSpelling(node, diags);
  add(node, Extent(), anchor);
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
  checkDuplicateKeys(view, source, base, diags);
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

void TreeBuilder::add(const Node &node, Extent extent, YAML::anchor_t anchor) {
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

/// What yaml-cpp says in terms of its grammar, for people.
namespace {
struct Complaint {
  StringRef start;
  BrokenText::Kind kind;
  StringRef text;
};
} // namespace

static Complaint reword(StringRef message) {
  namespace ErrorMsg = YAML::ErrorMsg;
  constexpr StringRef version =
      "the version of YAML is given once, as '%YAML 1.2'";
  constexpr StringRef tagLine =
      "the form of this line is '%TAG !name! prefix', once for a name";
  constexpr StringRef anchorName =
      "this character cannot be part of an anchor's name";
  constexpr StringRef tagForm = "this is not the form of a tag";
  // The flow kinds first: `end of map` also begins `end of map flow`.
  const Complaint complaints[] = {
      {ErrorMsg::END_OF_MAP_FLOW, BrokenText::InFlow,
       "the closing '}' is missing"},
      {ErrorMsg::END_OF_SEQ_FLOW, BrokenText::InFlow,
       "the closing ']' is missing"},
      {ErrorMsg::FLOW_END, BrokenText::Bracket, "this bracket closes nothing"},
      {ErrorMsg::MAP_VALUE, BrokenText::Colon, "a value cannot stand here"},
      {ErrorMsg::UNKNOWN_TOKEN, BrokenText::Character,
       "the file ends too early"},
      {ErrorMsg::UNKNOWN_ANCHOR, BrokenText::Alias, "no anchor has this name"},
      {ErrorMsg::BLOCK_ENTRY, BrokenText::Other,
       "a list that starts with '-' stands on lines of its own"},
      {ErrorMsg::MAP_KEY, BrokenText::Other, "a key cannot stand here"},
      {ErrorMsg::END_OF_MAP, BrokenText::InBlock,
       "neither a key nor a value can stand here"},
      {ErrorMsg::END_OF_SEQ, BrokenText::InBlock,
       "an entry of a list starts with '-'"},
      {ErrorMsg::ANCHOR_NOT_FOUND, BrokenText::Other,
       "the name of the anchor is missing"},
      {ErrorMsg::ALIAS_NOT_FOUND, BrokenText::Other,
       "the name of the alias is missing; quote a "
       "'*' that is meant as text"},
      {ErrorMsg::CHAR_IN_ANCHOR, BrokenText::Other, anchorName},
      {ErrorMsg::CHAR_IN_ALIAS, BrokenText::Other, anchorName},
      {ErrorMsg::MULTIPLE_TAGS, BrokenText::Other,
       "a value has at most one tag"},
      {ErrorMsg::MULTIPLE_ANCHORS, BrokenText::Other,
       "a value has at most one anchor"},
      {ErrorMsg::ALIAS_CONTENT, BrokenText::Other,
       "an alias has neither tag nor anchor"},
      {ErrorMsg::END_OF_VERBATIM_TAG, BrokenText::Other,
       "the '>' of this tag is missing"},
      {ErrorMsg::CHAR_IN_TAG_HANDLE, BrokenText::Other, tagForm},
      {ErrorMsg::TAG_WITH_NO_SUFFIX, BrokenText::Other, tagForm},
      {ErrorMsg::INVALID_HEX, BrokenText::Other,
       "an escape in a string needs more hexadecimal digits"},
      {ErrorMsg::INVALID_UNICODE, BrokenText::Other,
       "this escape stands for no character"},
      {ErrorMsg::INVALID_ESCAPE, BrokenText::Other,
       "no escape has this letter; a backslash in a "
       "double-quoted string is written twice"},
      {ErrorMsg::DOC_IN_SCALAR, BrokenText::Other,
       "a line with '---' or '...' stands inside a quoted string"},
      {ErrorMsg::EOF_IN_SCALAR, BrokenText::Other,
       "the file ends inside a string"},
      {ErrorMsg::ZERO_INDENT_IN_BLOCK, BrokenText::Other,
       "the indentation of a block of text is a number from 1 to 9"},
      {ErrorMsg::CHAR_IN_BLOCK, BrokenText::Other,
       "the text after '|' or '>' starts on the next line"},
      {ErrorMsg::YAML_DIRECTIVE_ARGS, BrokenText::Other, version},
      {ErrorMsg::YAML_MAJOR_VERSION, BrokenText::Other, version},
      {ErrorMsg::REPEATED_YAML_DIRECTIVE, BrokenText::Other, version},
      {ErrorMsg::YAML_VERSION, BrokenText::Other, version},
      {ErrorMsg::TAG_DIRECTIVE_ARGS, BrokenText::Other, tagLine},
      {ErrorMsg::REPEATED_TAG_DIRECTIVE, BrokenText::Other, tagLine},
  };
  // Some messages end with the text in question.
  const auto *found =
      llvm::find_if(complaints, [&](const Complaint &complaint) {
        return message.starts_with(complaint.start);
      });
  if (found == std::end(complaints))
    return {message, BrokenText::Other, message};
  return *found;
}

BrokenText TreeBuilder::describe(size_t at, StringRef message) const {
  Complaint complaint = reword(message);
  BrokenText text{source, base, at, complaint.kind, complaint.text, {}, 0, {}};
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

void TreeBuilder::explain(const YAML::ParserException &error) {
  size_t at =
      std::min<size_t>(std::max(error.mark.pos, 0) + bomSize, source.size());
  explainBrokenText(describe(at, error.msg), diags);
}

void TreeBuilder::readInput() {
  size_t errorsBefore = diags.numErrors();
  std::istream stream(&input);
  try {
    YAML::Parser parser(stream);
    while (documents < 2 && parser.HandleNextDocument(*this)) {
    }
  } catch (const YAML::DeepRecursion &error) {
    diags.report(loc(offset(error.mark)), diag::NestedTooDeeply, maxDepth);
  } catch (const YAML::ParserException &error) {
    if (!input.cutOffAfter())
      explain(error);
  }
  std::optional<size_t> cutOff = input.cutOffAfter();
  if (cutOff && diags.numErrors() == errorsBefore)
    diags.report(loc(*cutOff), diag::FlowTooLarge, YAMLInput::maxIndicators);
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
  YAMLInput input(source);
  TreeBuilder builder(sources, tree, bomSize, input, diags);
  if (std::optional<YAMLEvents> events = scanRegularYAML(source))
    replayYAML(*events, builder);
  else
    builder.readInput();
  tree.valid = diags.numErrors() == errorsBefore;
  return tree;
}
