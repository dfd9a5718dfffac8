//===- toscac/Basic/DiagnosticTable.h - The table for readers ---*- C++ -*-===//
///
/// \file
/// Prints the table of diagnostics itself (--print-diagnostics);
/// docs/Diagnostics.md is its Markdown form.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_DIAGNOSTICTABLE_H
#define TOSCAC_BASIC_DIAGNOSTICTABLE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace toscac {

enum class TableFormat { Markdown, JSON };

/// Prints what the table says about \p name, a diagnostic or a group; returns
/// false if there is no such name.
bool explain(llvm::StringRef name, llvm::raw_ostream &os);

void printDiagnosticTable(TableFormat format, llvm::raw_ostream &os);

} // namespace toscac

#endif
