//===- PartParser.h - What parts of the parser share ------------*- C++ -*-===//
///
/// \file
/// The text form of a graph is read by a parser for each kind of part. Each has
/// one function per production of docs/IR.md, which returns false after a
/// report. That ends the parse: what follows an error in a text that programs
/// print is not worth guessing.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_IR_PARTPARSER_H
#define TOSCAC_LIB_IR_PARTPARSER_H

#include "ExprReader.h"
#include "Labels.h"
#include "toscac/IR/Graph.h"

namespace toscac::ir {

/// The text, the graph that is made of it, and what its labels mean.
struct ParsedText {
  ParsedText(const SourceManager &sources, FileId file, NameTable &names,
             DiagnosticEngine &diags)
      : text(sources, file, names, graph->arena, diags) {}

  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  ExprReader text;
  /// By kind.
  std::array<Labels, 5> types;
  Labels artifacts;
  Labels machines;
};

class PartParser {
public:
  explicit PartParser(ParsedText &parsed)
      : parsed(parsed), graph(parsed.graph.get()), text(parsed.text),
        diags(parsed.text.diags) {}

protected:
  /// Checks that \p label is the next of its name, and gives it \p number.
  bool declare(llvm::StringRef noun, const Label &label, Labels &labels,
               uint32_t number);
  bool unknown(llvm::StringRef noun, const Label &label);
  bool readType(TypeInfo::Kind kind, TypeId &type);
  bool readOptionalType(TypeInfo::Kind kind, TypeId &type);
  template <typename T>
  llvm::ArrayRef<T> save(const llvm::SmallVectorImpl<T> &items) {
    return graph->arena.save(llvm::ArrayRef<T>(items));
  }

  ParsedText &parsed;
  Graph *const graph;
  ExprReader &text;
  DiagnosticEngine &diags;
};

} // namespace toscac::ir

#endif
