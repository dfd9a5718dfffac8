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

/// \p role is the keyname under which the entity stands.
static void printEntity(StringRef role, const Entity &entity, unsigned depth,
                        raw_ostream &os) {
  os.indent(2 * depth) << role;
  if (entity.name) {
    os << ' ';
    printString(entity.name.str(), os);
  }
  if (entity.isShort)
    os << " short";
  for (const Field &field : entity.fields) {
    if (!field.entities.empty())
      continue;
    os << ' ' << word(field.key) << '=';
    printValue(*field.value, os);
  }
  os << '\n';
  for (const Field &field : entity.fields)
    for (const Entity &child : field.entities)
      printEntity(word(field.key), child, depth + 1, os);
}

void tosca::printAST(const Package &package, const SourceManager &sources,
                     raw_ostream &os) {
  for (const auto &file : package.files) {
    std::string role = "file ";
    llvm::raw_string_ostream roleStream(role);
    printString(sources.name(file->source), roleStream);
    printEntity(role, file->root, 0, os);
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
