//===- SyntaxTree.cpp - The YAML of one file ------------------------------===//

#include "toscac/Parse/SyntaxTree.h"

#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::syntax;

ScalarType syntax::resolvePlain(llvm::StringRef text) {
  if (text.empty())
    return ScalarType::Null;
  // Nearly every scalar of a template is a word; its first letter says so.
  char first = text.front();
  if (llvm::isAlpha(first) || first == '~')
    return llvm::StringSwitch<ScalarType>(text)
        .Cases("null", "Null", "NULL", "~", ScalarType::Null)
        .Cases("true", "True", "TRUE", ScalarType::Boolean)
        .Cases("false", "False", "FALSE", ScalarType::Boolean)
        .Default(ScalarType::String);
  if (isInteger(text))
    return ScalarType::Integer;
  if (isFloat(text))
    return ScalarType::Float;
  return ScalarType::String;
}

ScalarType Node::scalarType() const {
  if (isNull())
    return ScalarType::Null;
  assert(isScalar() && "a collection has no scalar type");
  switch (tag()) {
  case Tag::Null:
    return ScalarType::Null;
  case Tag::Bool:
    return ScalarType::Boolean;
  case Tag::Int:
    return ScalarType::Integer;
  case Tag::Float:
    return ScalarType::Float;
  case Tag::None:
    return isPlain() ? resolvePlain(text()) : ScalarType::String;
  case Tag::Str:
  case Tag::Seq:
  case Tag::Map:
    return ScalarType::String;
  }
  llvm_unreachable("all tags are handled");
}

const Node *Node::find(llvm::StringRef key) const {
  for (const Entry &entry : entries())
    if (entry.key.isScalar() && entry.key.text() == key && entry.key.isString())
      return &entry.value;
  return nullptr;
}
