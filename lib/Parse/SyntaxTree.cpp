//===- SyntaxTree.cpp - The YAML of one file ------------------------------===//

#include "toscac/Parse/SyntaxTree.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::syntax;

static bool isDigits(llvm::StringRef text) {
  return !text.empty() && llvm::all_of(text, llvm::isDigit);
}

static bool isInteger(llvm::StringRef text) {
  if (text.consume_front("0o"))
    return !text.empty() && text.find_first_not_of("01234567") == text.npos;
  if (text.consume_front("0x"))
    return !text.empty() && llvm::all_of(text, llvm::isHexDigit);
  if (text.starts_with("-") || text.starts_with("+"))
    text = text.drop_front();
  return isDigits(text);
}

/// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
static bool isFloat(llvm::StringRef text) {
  if (text == ".nan" || text == ".NaN" || text == ".NAN")
    return true;
  if (text.starts_with("-") || text.starts_with("+"))
    text = text.drop_front();
  if (text == ".inf" || text == ".Inf" || text == ".INF")
    return true;
  llvm::StringRef whole = text.take_while(llvm::isDigit);
  text = text.drop_front(whole.size());
  llvm::StringRef fraction;
  if (text.consume_front(".")) {
    fraction = text.take_while(llvm::isDigit);
    text = text.drop_front(fraction.size());
  }
  if (whole.empty() && fraction.empty())
    return false;
  if (text.empty())
    return true;
  if (!text.consume_front("e") && !text.consume_front("E"))
    return false;
  if (text.starts_with("-") || text.starts_with("+"))
    text = text.drop_front();
  return isDigits(text);
}

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
