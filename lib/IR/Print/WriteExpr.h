//===- WriteExpr.h - Expressions in the text form ---------------*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_WRITEEXPR_H
#define TOSCAC_LIB_IR_WRITEEXPR_H

#include "toscac/Value/Expr.h"

namespace toscac::ir {

/// Writes \p text in double quotes, as JSON.
void writeString(llvm::raw_ostream &os, llvm::StringRef text);

/// Writes \p expr so that it reads back the same: JSON on one line, with calls
/// for what JSON lacks (docs/IR.md, Expressions).
void writeExpr(llvm::raw_ostream &os, const Expr &expr);
void writeValue(llvm::raw_ostream &os, const Value &value);

/// Whether both are written the same.
bool areAlike(const Expr &a, const Expr &b);
bool areAlike(const Value &a, const Value &b);

} // namespace toscac::ir

#endif
