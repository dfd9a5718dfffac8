//===- ExprReader.h - Expressions of the graph's text form ------*- C++ -*-===//
///
/// \file
/// JSON, in which an object with one key `$name` is a call. What JSON lacks is
/// written as a call, too: `{"$:version": "1.2"}`. Collections without calls
/// become one literal.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_IR_EXPRREADER_H
#define TOSCAC_LIB_IR_EXPRREADER_H

#include "TextReader.h"
#include "llvm/ADT/StringMap.h"
#include <array>

namespace toscac::ir {

class ExprReader : public TextReader {
public:
  using TextReader::readNumber;
  using TextReader::TextReader;

  bool readExpr(const Expr *&expr);
  /// The same, with lists as lists, as the stages before make them: planning
  /// looks into literals further than into lists.
  bool readCondition(const Expr *&expr);
  bool readLiteral(Value &value);
  /// Short literals that occur again and again are shared.
  bool readSharedExpr(const Expr *&expr);
  /// A list as it stands, and not as one literal.
  bool readWords(llvm::SmallVectorImpl<Expr> &words);

private:
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

  bool keepsLists = false;
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
