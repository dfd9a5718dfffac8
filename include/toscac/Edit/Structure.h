//===- toscac/Edit/Structure.h - How a file is built ------------*- C++ -*-===//
///
/// \file
/// What follows from the outline of a file alone: symbols, folds, selections
/// and the colours of names.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EDIT_STRUCTURE_H
#define TOSCAC_EDIT_STRUCTURE_H

#include "toscac/Edit/Workspace.h"

namespace toscac::edit {

/// Something in a file that has a name.
struct Symbol {
  std::string name;
  /// What it is: `node template`.
  std::string noun;
  tosca::EntityKind kind = tosca::EntityKind::File;
  /// All of it, and its name.
  TextRange range;
  TextRange selection;
  std::vector<Symbol> children;
};

/// In the order of the file. Of a file in another language than TOSCA: the keys
/// of its first two levels.
std::vector<Symbol> symbolsOf(const Outline &outline);

struct FoundSymbol {
  std::string name;
  tosca::EntityKind kind;
  Location location;
  /// The file's name.
  std::string container;
};
/// Types and templates of all files whose names contain the letters of \p query
/// in their order.
std::vector<FoundSymbol> findSymbols(Workspace &workspace,
                                     llvm::StringRef query);

/// Lines, counted from 0, of which the first one stays.
struct Fold {
  uint32_t first;
  uint32_t last;
  bool isComment = false;
};
std::vector<Fold> foldsOf(const Outline &outline);

/// The ranges around \p at, from the smallest to the whole file.
std::vector<TextRange> selectionsAt(const Outline &outline, TextPosition at);

enum class TokenKind : uint8_t {
#define TOKEN(NAME, WORD) NAME,
#include "toscac/Edit/Tokens.def"
};
struct Token {
  TextRange range;
  TokenKind kind;
  bool isDeclaration = false;
};
/// In the order of the file; each is on one line.
std::vector<Token> tokensOf(const Outline &outline);

} // namespace toscac::edit

#endif
