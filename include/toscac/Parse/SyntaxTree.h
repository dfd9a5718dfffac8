//===- toscac/Parse/SyntaxTree.h - The YAML of one file ---------*- C++ -*-===//
///
/// \file
/// The syntax tree of one YAML file, with exact source ranges. Nodes are 24
/// bytes, lie in one arena and hold their children as one array; the text of a
/// scalar that needs no unescaping is a view of the source.
///
/// Anchors are gone: an alias is a node that shares the children of what it
/// names but keeps its own place, and merge keys (`<<`) have been applied. So
/// the tree is a DAG; the reader bounds what a walk over it can cost.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_SYNTAXTREE_H
#define TOSCAC_PARSE_SYNTAXTREE_H

#include "toscac/Basic/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <memory>

namespace toscac::syntax {

enum class NodeKind : uint8_t { Null, Scalar, Sequence, Mapping };

enum class ScalarStyle : uint8_t {
  Plain,
  SingleQuoted,
  DoubleQuoted,
  Literal,
  Folded
};

/// The type of a scalar by the core schema of YAML 1.2 (§10.3): `no` is a
/// string, `0o17` an integer, `1.0` a float.
enum class ScalarType : uint8_t { Null, Boolean, Integer, Float, String };

/// An explicit tag. Tags other than these are reported by the reader.
enum class Tag : uint8_t { None, Null, Bool, Int, Float, Str, Seq, Map };

struct Entry;

class Node {
public:
  Node() = default;

  static Node null(SourceRange range) {
    return Node(NodeKind::Null, range, nullptr, 0);
  }
  static Node scalar(SourceRange range, llvm::StringRef text,
                     ScalarStyle style) {
    Node node(NodeKind::Scalar, range, text.data(), text.size());
    node.scalarStyle = style;
    return node;
  }
  static Node sequence(SourceRange range, llvm::ArrayRef<Node> items) {
    return Node(NodeKind::Sequence, range, items.data(), items.size());
  }
  static Node mapping(SourceRange range, llvm::ArrayRef<Entry> entries);

  NodeKind kind() const { return nodeKind; }
  bool isNull() const { return nodeKind == NodeKind::Null; }
  bool isScalar() const { return nodeKind == NodeKind::Scalar; }
  bool isSequence() const { return nodeKind == NodeKind::Sequence; }
  bool isMapping() const { return nodeKind == NodeKind::Mapping; }

  SourceRange range() const { return {begin, end}; }

  /// The value of a scalar: unquoted, unescaped, folded.
  llvm::StringRef text() const {
    assert(isScalar());
    return {static_cast<const char *>(data), size};
  }
  ScalarStyle style() const { return scalarStyle; }
  bool isPlain() const {
    return isScalar() && scalarStyle == ScalarStyle::Plain;
  }
  Tag tag() const { return nodeTag; }
  /// The type of a scalar or null, from its tag or else its text.
  ScalarType scalarType() const;
  bool isString() const {
    return isScalar() && scalarType() == ScalarType::String;
  }

  llvm::ArrayRef<Node> items() const {
    assert(isSequence());
    return {static_cast<const Node *>(data), size};
  }
  llvm::ArrayRef<Entry> entries() const;
  /// The value of the plain or quoted string key \p key, or null.
  const Node *find(llvm::StringRef key) const;

  /// Whether an anchor was set on this node.
  bool isAnchored() const { return anchored; }
  /// Whether this node stands where the source has `*name`.
  bool isAlias() const { return alias; }

  void setRange(SourceRange range) {
    begin = range.begin;
    end = range.end;
  }
  void setTag(Tag tag) { nodeTag = tag; }
  void setAnchored() { anchored = true; }
  /// The same value, at the place of an alias.
  Node aliasedAt(SourceRange range) const {
    Node node = *this;
    node.setRange(range);
    node.alias = true;
    node.anchored = false;
    return node;
  }

private:
  Node(NodeKind kind, SourceRange range, const void *data, size_t size)
      : data(data), size(static_cast<uint32_t>(size)), begin(range.begin),
        end(range.end), nodeKind(kind) {}

  const void *data = nullptr;
  uint32_t size = 0;
  SourceLoc begin;
  SourceLoc end;
  NodeKind nodeKind = NodeKind::Null;
  ScalarStyle scalarStyle = ScalarStyle::Plain;
  Tag nodeTag = Tag::None;
  bool anchored : 1 = false;
  bool alias : 1 = false;
};
static_assert(sizeof(Node) == 24, "a large file has millions of nodes");

struct Entry {
  Node key;
  Node value;
};

inline Node Node::mapping(SourceRange range, llvm::ArrayRef<Entry> entries) {
  return Node(NodeKind::Mapping, range, entries.data(), entries.size());
}
inline llvm::ArrayRef<Entry> Node::entries() const {
  assert(isMapping());
  return {static_cast<const Entry *>(data), size};
}

/// The type of plain \p text by the core schema.
ScalarType resolvePlain(llvm::StringRef text);

/// The tree of one file. The source buffer must outlive it.
struct Tree {
  FileId file;
  /// Null for a file without content.
  Node root;
  /// False after a syntax error: the root is what stood before it.
  bool valid = false;
  std::unique_ptr<llvm::BumpPtrAllocator> arena =
      std::make_unique<llvm::BumpPtrAllocator>();
};

} // namespace toscac::syntax

#endif
