//===- toscac/Page/WritePage.h - Data with their viewer ---------*- C++ -*-===//
///
/// \file
/// One HTML file that shows what a program knows: data as JSON, and the viewer,
/// which is part of the program. The page asks the network for nothing, and its
/// policy lets no script run but the viewer, whatever names the data have.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PAGE_WRITEPAGE_H
#define TOSCAC_PAGE_WRITEPAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace toscac::page {

/// What one part of the program has to tell.
struct Part {
  /// `plan`, `graph`.
  llvm::StringRef name;
  std::string json;
};

struct Page {
  std::string title;
  /// What a browser shows that runs no scripts.
  std::string summary;
  /// Where it asks for what is new, within its own origin; empty: nowhere.
  std::string feed;
  llvm::ArrayRef<Part> parts;
};

/// \p json as pages have it: no name in it can end a script, and of what is
/// sealed nothing is left.
void writeData(llvm::StringRef json, llvm::raw_ostream &os);

void writePage(const Page &page, llvm::raw_ostream &os);

} // namespace toscac::page

#endif
