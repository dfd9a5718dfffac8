//===- Lexer.h - Tokens of the graph's text form ----------------*- C++ -*-===//
///
/// \file
/// Names, strings, numbers and punctuation. A `#` after a blank starts a
/// comment; right behind a name it starts an ordinal: `vpn#2` is the second of
/// the things called `vpn`.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_IR_LEXER_H
#define TOSCAC_LIB_IR_LEXER_H

#include "toscac/Basic/Diagnostics.h"

namespace toscac::ir {

enum class TokenKind : uint8_t {
  End,
  /// A bare word.
  Word,
  /// In double quotes, as in JSON.
  String,
  Number,
  /// `#2`
  Ordinal,
  Punctuation,
  /// Nothing that the grammar knows; it has been reported.
  Unknown
};

struct Token {
  TokenKind kind = TokenKind::End;
  /// With its quotes, if it is a string.
  llvm::StringRef text;
};

/// Whether \p text needs no quotes as a name.
bool isBareName(llvm::StringRef text);

class Lexer {
public:
  Lexer(const SourceManager &sources, FileId file, DiagnosticEngine &diags);

  /// The token that comes next; not stepped over.
  const Token &peek() const { return current; }
  void advance();
  SourceRange range(const Token &token) const { return range(token.text); }
  /// Where \p part of the text is.
  SourceRange range(llvm::StringRef part) const;

private:
  void skipBlanks();
  Token lex();
  Token lexString();
  Token take(TokenKind kind, size_t size);

  llvm::StringRef rest;
  const char *begin;
  SourceLoc base;
  DiagnosticEngine &diags;
  Token current;
};

} // namespace toscac::ir

#endif
