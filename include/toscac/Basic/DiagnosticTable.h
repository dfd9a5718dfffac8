//===- toscac/Basic/DiagnosticTable.h - The table for readers ---*- C++ -*-===//
///
/// \file
/// Prints the table of diagnostics itself (--print-diagnostics);
/// docs/Diagnostics.md is its Markdown form.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_DIAGNOSTICTABLE_H
#define TOSCAC_BASIC_DIAGNOSTICTABLE_H

namespace llvm {
class raw_ostream;
}

namespace toscac {

enum class TableFormat { Markdown, JSON };

void printDiagnosticTable(TableFormat format, llvm::raw_ostream &os);

} // namespace toscac

#endif
