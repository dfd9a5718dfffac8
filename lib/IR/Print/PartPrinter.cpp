//===- PartPrinter.cpp - What parts of the printer share ------------------===//

#include "PartPrinter.h"

#include "Parse/Lexer.h"
#include "WriteExpr.h"
#include "toscac/IR/KindNames.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::raw_ostream;
using llvm::StringRef;

/// Numbers those of \p items that have the same key, from 1.
template <typename Range, typename Key>
static std::vector<uint32_t> countNames(const Range &items, Key key) {
  using KeyType = decltype(key(*items.begin()));
  llvm::DenseMap<KeyType, uint32_t> counts;
  std::vector<uint32_t> ordinals;
  for (const auto &item : items)
    ordinals.push_back(++counts[key(item)]);
  return ordinals;
}

PrintedText::PrintedText(const Graph &graph, raw_ostream &os)
    : graph(graph), os(os) {
  typeOrdinals = countNames(graph.types, [](const TypeInfo &type) {
    return std::pair(static_cast<unsigned>(type.kind), type.name.str());
  });
  artifactOrdinals = countNames(
      graph.artifacts, [](const Artifact &artifact) { return artifact.file; });
  machineOrdinals = countNames(graph.machines, [](const Machine &machine) {
    return machine.interface.str();
  });
  requirementOrdinals = countNames(
      graph.relationshipClasses, [](const RelationshipClass &requirement) {
        return std::pair(requirement.source.index,
                         requirement.requirement.str());
      });
}

raw_ostream &PartPrinter::line(StringRef keyword) {
  return os.indent(2 * printed.depth) << keyword;
}

void PartPrinter::name(StringRef text) {
  if (isBareName(text))
    os << text;
  else
    writeString(os, text);
}

void PartPrinter::label(Name text, uint32_t ordinal) {
  name(text);
  if (ordinal > 1)
    os << '#' << ordinal;
}

void PartPrinter::names(llvm::ArrayRef<Name> items) {
  list(items, [&](Name item) { name(item); });
}

void PartPrinter::typeKind(TypeKind kind, TypeKind usual) {
  if (kind != usual)
    os << " : " << nameOf(kind);
}

void PartPrinter::optionalType(TypeId type) {
  if (!type)
    return;
  os << " : ";
  label(graph.types[type.index].name, printed.typeOrdinals[type.index]);
}

void PartPrinter::value(const Expr *expr) {
  if (!expr)
    return;
  os << " = ";
  writeExpr(os, *expr);
}

void PartPrinter::nodeName(NodeId node) {
  const NodeClass &nodeClass = graph.classOf(node);
  if (auto outer = graph.subgraphs[nodeClass.subgraph.index].substitutes) {
    nodeName(*outer);
    os << '/';
  }
  name(nodeClass.name);
  os << '[' << graph.indexOfNode[node.index] << ']';
}
