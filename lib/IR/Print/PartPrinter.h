//===- PartPrinter.h - What parts of the printer share ----------*- C++ -*-===//
///
/// \file
/// The counterpart of PartParser.h: one function per production of docs/IR.md.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_IR_PARTPRINTER_H
#define TOSCAC_LIB_IR_PARTPRINTER_H

#include "toscac/IR/Graph.h"
#include "llvm/Support/raw_ostream.h"

namespace toscac::ir {

/// A graph that is being printed.
struct PrintedText {
  PrintedText(const Graph &graph, llvm::raw_ostream &os);

  const Graph &graph;
  llvm::raw_ostream &os;
  unsigned depth = 0;

  // Each one's number among those of its name, from 1.
  std::vector<uint32_t> typeOrdinals;
  std::vector<uint32_t> artifactOrdinals;
  std::vector<uint32_t> machineOrdinals;
  std::vector<uint32_t> requirementOrdinals;
};

class PartPrinter {
public:
  explicit PartPrinter(PrintedText &printed)
      : printed(printed), graph(printed.graph), os(printed.os) {}

protected:
  /// Starts a line with \p keyword.
  llvm::raw_ostream &line(llvm::StringRef keyword);
  /// Ends a line that opens a block if \p isOpen.
  template <typename Body>
  void block(bool isOpen, Body body) {
    os << (isOpen ? " {\n" : "\n");
    if (!isOpen)
      return;
    ++printed.depth;
    body();
    --printed.depth;
    line("}") << '\n';
  }
  void name(llvm::StringRef text);
  void name(Name text) { name(text.str()); }
  void label(Name text, uint32_t ordinal);
  template <typename Range, typename Print>
  void list(const Range &items, Print print) {
    os << '[';
    llvm::StringRef separator = "";
    for (const auto &item : items) {
      os << separator;
      print(item);
      separator = ", ";
    }
    os << ']';
  }
  void names(llvm::ArrayRef<Name> items);
  void typeKind(TypeKind kind, TypeKind usual);
  void optionalType(TypeId type);
  void value(const Expr *expr);
  void nodeName(NodeId node);

  PrintedText &printed;
  const Graph &graph;
  llvm::raw_ostream &os;
};

} // namespace toscac::ir

#endif
