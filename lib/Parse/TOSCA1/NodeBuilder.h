//===- NodeBuilder.h - Syntax nodes in today's form -------------*- C++ -*-===//
///
/// \file
/// Makes syntax nodes that stand where an older form was written, so that
/// messages about them point there.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_TOSCA1_NODEBUILDER_H
#define TOSCAC_LIB_PARSE_TOSCA1_NODEBUILDER_H

#include "toscac/Parse/SyntaxTree.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"

namespace toscac::tosca {

class NodeBuilder {
public:
  explicit NodeBuilder(llvm::BumpPtrAllocator &arena) : arena(arena) {}

  /// A string, whatever it looks like.
  syntax::Node string(const llvm::Twine &text, SourceRange range) const {
    return scalar(text, range, syntax::ScalarStyle::DoubleQuoted);
  }
  syntax::Node plain(const llvm::Twine &text, SourceRange range) const {
    return scalar(text, range, syntax::ScalarStyle::Plain);
  }
  syntax::Node list(llvm::ArrayRef<syntax::Node> items,
                    SourceRange range) const {
    return syntax::Node::sequence(range, items.copy(arena));
  }
  syntax::Node map(llvm::ArrayRef<syntax::Entry> entries,
                   SourceRange range) const {
    return syntax::Node::mapping(range, entries.copy(arena));
  }
  /// `{ $function: [ arguments ] }`
  syntax::Node call(llvm::StringRef function,
                    llvm::ArrayRef<syntax::Node> arguments,
                    SourceRange range) const {
    return map({{plain("$" + function, range), list(arguments, range)}}, range);
  }
  /// All of \p conditions hold; true if there are none.
  syntax::Node all(llvm::ArrayRef<syntax::Node> conditions,
                   SourceRange range) const {
    if (conditions.empty())
      return plain("true", range);
    return conditions.size() == 1 ? conditions.front()
                                  : call("and", conditions, range);
  }
  const syntax::Node *save(const syntax::Node &node) const {
    return new (arena.Allocate<syntax::Node>()) syntax::Node(node);
  }

private:
  syntax::Node scalar(const llvm::Twine &text, SourceRange range,
                      syntax::ScalarStyle style) const {
    llvm::SmallString<64> buffer;
    return syntax::Node::scalar(range, text.toStringRef(buffer).copy(arena),
                                style);
  }

  llvm::BumpPtrAllocator &arena;
};

} // namespace toscac::tosca

#endif
