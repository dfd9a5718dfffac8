//===- TextReader.h - Parts that all entities are made of -------*- C++ -*-===//
///
/// \file
/// Reads names, numbers and expressions of the graph's text form. What reads
/// something gives false (or null) after a report; the first error ends the
/// reading of a text.
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
#include "llvm/ADT/StringMap.h"
#include <array>

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

  bool readExpr(const Expr *&expr);
  /// The same, with lists as lists, as the stages before make them: planning
  /// looks into literals further than into lists.
  bool readCondition(const Expr *&expr);
  bool readLiteral(Value &value);
  /// Short literals that occur again and again are shared.
  bool readSharedExpr(const Expr *&expr);
  /// A list as it stands, and not as one literal.
  bool readWords(llvm::SmallVectorImpl<Expr> &words);

  DiagnosticEngine &diags;
  NameTable &names;
  ValueArena &arena;

private:
  bool unquote(const Token &token, std::string &buffer, llvm::StringRef &text);
  /// A name or string: its text, good until the next is read.
  bool readRaw(llvm::StringRef &text);

  bool readExpr(Expr &expr, unsigned depth);
  bool readString(Expr &expr);
  bool readNumber(Expr &expr);
  bool readWord(Expr &expr);
  bool readItems(llvm::SmallVectorImpl<Expr> &items, unsigned depth);
  bool readListExpr(Expr &expr, unsigned depth);
  bool readMap(Expr &expr, unsigned depth);
  bool readKey(Expr &key);
  bool readCall(llvm::StringRef name, SourceRange start, Expr &expr,
                unsigned depth);
  bool readLoop(llvm::SmallVectorImpl<Expr> &arguments, unsigned depth);
  bool readTyped(llvm::StringRef type, Expr &expr, unsigned depth);
  const Type *scalarType(llvm::StringRef name, llvm::StringRef canonicalUnit);
  bool makeScalar(const Value &parts, SourceRange range, Expr &expr);
  bool makePairs(const Expr &content, Expr &expr);
  bool makeMap(llvm::ArrayRef<Expr> children, SourceRange range, Expr &expr);
  SourceRange since(SourceRange start) const { return {start.begin, lastEnd}; }
  void advance();

  Lexer lexer;
  bool keepsLists = false;
  SourceLoc lastEnd;
  std::string buffer;
  /// Variables of the loops around.
  llvm::SmallVector<llvm::StringRef, 2> variables;
  llvm::StringMap<const Type *> scalarTypes;
  struct Shared {
    llvm::StringRef text;
    const Expr *expr = nullptr;
  };
  std::array<Shared, 256> sharedLiterals;
};

} // namespace toscac::ir

#endif
