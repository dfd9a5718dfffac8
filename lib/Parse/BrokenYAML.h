//===- BrokenYAML.h - Why a file is not YAML --------------------*- C++ -*-===//
///
/// \file
/// yaml-cpp stops at the first token that it cannot place, and says so in terms
/// of its own grammar. What a person did wrong usually stands before that.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_BROKENYAML_H
#define TOSCAC_LIB_PARSE_BROKENYAML_H

#include "toscac/Parse/SyntaxTree.h"
#include <vector>

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::syntax {

/// What is known when yaml-cpp gives up.
struct BrokenText {
  llvm::StringRef source;
  SourceLoc base;
  /// Where the reader stopped.
  size_t at;

  /// What it stumbled over.
  enum Kind : uint8_t {
    /// A character that starts no token.
    Character,
    /// An alias without anchor.
    Alias,
    /// A closing bracket.
    Bracket,
    /// Something else, between brackets.
    InFlow,
    /// The colon after what cannot be a key.
    Colon,
    /// Something else, among the lines of a map or list.
    InBlock,
    /// What `message` says.
    Other,
  };
  Kind kind;
  /// For people; used where there is nothing better to say.
  llvm::StringRef message;

  struct Block {
    NodeKind kind;
    /// Offset of its first entry.
    size_t begin;
  };
  /// Block collections that a line could still have continued, outermost
  /// first; their columns grow.
  std::vector<Block> blocks;
  /// From here to `at` there is at most one outermost flow collection.
  size_t lastBlockToken = 0;
  /// The scalar that ended last, or null.
  Node lastScalar;

  /// Adds the block collections that end with \p node, outermost first.
  void addLastBlocks(Node node);

  SourceRange range(size_t begin, size_t end) const {
    return {base.advanced(begin), base.advanced(end)};
  }
};

/// Reports what is wrong at and before the place where yaml-cpp stopped.
void explainBrokenText(const BrokenText &text, DiagnosticEngine &diags);

/// Reports a tab in the indentation of \p at's line; false if there is none.
bool reportTabIndentation(llvm::StringRef source, SourceLoc base, size_t at,
                          DiagnosticEngine &diags);

/// Reports that the line at \p at fits none of \p text's blocks: by its column,
/// or because a list goes on as a map or the other way round.
void reportMisplacedLine(const BrokenText &text, size_t at,
                         DiagnosticEngine &diags);

} // namespace toscac::syntax

#endif
