//===- PrintAST.cpp - The AST as text -------------------------------------===//

#include "toscac/Parse/TOSCA/PrintAST.h"

#include "toscac/Parse/TOSCA/Load.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::raw_ostream;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;
using syntax::NodeKind;
using syntax::ScalarType;

static void printString(StringRef text, raw_ostream &os) {
  os << llvm::json::Value(text);
}

/// Numbers and booleans as they were written, strings as in JSON. Blanks inside
/// brackets keep `[[` out of the text, which FileCheck would interpret.
static void printValue(const Node &node, raw_ostream &os) {
  switch (node.kind()) {
  case NodeKind::Null:
    os << "null";
    return;
  case NodeKind::Scalar:
    if (node.scalarType() == ScalarType::String)
      printString(node.text(), os);
    else
      os << node.text();
    return;
  case NodeKind::Sequence:
    if (node.items().empty()) {
      os << "[]";
      return;
    }
    os << "[ ";
    llvm::interleave(
        node.items(), [&](const Node &item) { printValue(item, os); },
        [&] { os << ", "; });
    os << " ]";
    return;
  case NodeKind::Mapping:
    if (node.entries().empty()) {
      os << "{}";
      return;
    }
    os << "{ ";
    llvm::interleave(
        node.entries(),
        [&](const Entry &entry) {
          printValue(entry.key, os);
          os << ": ";
          printValue(entry.value, os);
        },
        [&] { os << ", "; });
    os << " }";
    return;
  }
}

namespace {

class EntityPrinter {
public:
  EntityPrinter(const SourceManager &sources, ASTLocations locations,
                raw_ostream &os)
      : sources(sources), isPlaced(locations == ASTLocations::Show), os(os) {}

  void print(StringRef role, const Entity &entity, unsigned depth);

private:
  void printField(const Field &field);
  void printPlace(const Node *node);

  const SourceManager &sources;
  bool isPlaced;
  raw_ostream &os;
};

} // namespace

void EntityPrinter::printPlace(const Node *node) {
  if (!isPlaced)
    return;
  os << '@';
  if (!node)
    return;
  Position begin = sources.position(node->range().begin);
  Position end = sources.position(node->range().end);
  os << begin.line << ':' << begin.column << '-' << end.line << ':'
     << end.column;
}

void EntityPrinter::printField(const Field &field) {
  bool isEntity = !field.entities.empty();
  if (isEntity && !isPlaced)
    return;
  os << ' ' << word(field.key);
  printPlace(field.keyNode);
  printPlace(field.value);
  if (isEntity)
    return;
  os << '=';
  printValue(*field.value, os);
}

/// \p role is the keyname under which the entity stands.
void EntityPrinter::print(StringRef role, const Entity &entity,
                          unsigned depth) {
  os.indent(2 * depth) << role;
  if (entity.name) {
    os << ' ';
    printString(entity.name.str(), os);
    printPlace(entity.nameNode);
  }
  if (entity.isShort)
    os << " short";
  for (const Field &field : entity.fields)
    printField(field);
  os << '\n';
  for (const Field &field : entity.fields)
    for (const Entity &child : field.entities)
      print(word(field.key), child, depth + 1);
}

void tosca::printAST(const Package &package, const SourceManager &sources,
                     ASTLocations locations, raw_ostream &os) {
  EntityPrinter printer(sources, locations, os);
  for (const auto &file : package.files) {
    std::string role = "file ";
    llvm::raw_string_ostream roleStream(role);
    printString(sources.name(file->source), roleStream);
    printer.print(role, file->root, 0);
    for (const Import &import : file->imports) {
      os << "  imported ";
      printString(sources.name(package.files[import.target]->source), os);
      if (import.prefix) {
        os << " into ";
        printString(import.prefix.str(), os);
      }
      os << '\n';
    }
  }
}
