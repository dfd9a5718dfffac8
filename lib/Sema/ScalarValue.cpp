//===- ScalarValue.cpp - Scalars of YAML as values ------------------------===//

#include "ScalarValue.h"

#include "toscac/Value/ParseLiteral.h"

using namespace toscac;
using syntax::ScalarType;

Value sema::scalarValue(const syntax::Node &node, ValueArena &arena) {
  switch (node.scalarType()) {
  case ScalarType::Null:
    return Value();
  case ScalarType::Boolean:
    return Value::boolean(node.text().starts_with_insensitive("t"));
  case ScalarType::Integer:
  case ScalarType::Float:
    if (auto number = parseNumber(node.text()))
      return *number;
    break;
  case ScalarType::String:
    break;
  }
  return arena.string(node.text());
}
