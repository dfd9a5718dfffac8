//===- TextReader.h - Parts that all entities are made of -------*- C++ -*-===//
///
/// \file
/// Reads names, numbers and lists of the graph's text form. What reads
/// something gives false after a report; the first error ends the reading of a
/// text.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_IR_TEXTREADER_H
#define TOSCAC_LIB_IR_TEXTREADER_H

#include "Lexer.h"
#include "toscac/Basic/DiagnosticsIR.h"
#include "toscac/Value/Expr.h"
#include "toscac/Value/Type.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace toscac::ir {

/// A name in the text: the first, second … of the things with that name.
struct Label {
  Name name;
  uint32_t ordinal = 1;
  SourceRange range;
};

class TextReader {
public:
  TextReader(const SourceManager &sources, FileId file, NameTable &names,
             ValueArena &arena, DiagnosticEngine &diags)
      : diags(diags), names(names), arena(arena), lexer(sources, file, diags) {}

  bool atEnd() const { return lexer.peek().kind == TokenKind::End; }
  SourceRange here() const { return lexer.range(lexer.peek()); }
  /// \p text is a word or punctuation.
  bool isAt(llvm::StringRef text) const {
    const Token &token = lexer.peek();
    return token.text == text && token.kind != TokenKind::String;
  }
  bool consume(llvm::StringRef text);
  bool expect(llvm::StringRef text);
  /// Reports that \p what should stand here.
  bool fail(llvm::StringRef what);

  bool readName(Name &name);
  bool readLabel(Label &label);
  /// A string that lives as long as the arena.
  bool readText(llvm::StringRef &text);
  bool readNumber(uint32_t &number);
  /// `[3]`
  bool readIndex(uint32_t &index);
  /// `: integer`, if it stands there.
  bool readKind(TypeKind &kind);

  /// Whatever \p readItem reads, with commas between, in brackets.
  bool readList(llvm::function_ref<bool()> readItem);
  bool readNames(llvm::SmallVectorImpl<Name> &result);
  /// Whatever \p readItem reads in braces. \p readItem is called at the start
  /// of each item.
  bool readBlock(llvm::function_ref<bool()> readItem);

  DiagnosticEngine &diags;
  NameTable &names;
  ValueArena &arena;

protected:
  bool unquote(const Token &token, std::string &buffer, llvm::StringRef &text);
  /// A name or string: its text, good until the next is read.
  bool readRaw(llvm::StringRef &text);
  SourceRange since(SourceRange start) const { return {start.begin, lastEnd}; }
  void advance();

  Lexer lexer;
  SourceLoc lastEnd;
  std::string buffer;
};

} // namespace toscac::ir

#endif
