//===- WriteExpr.cpp - Expressions in the text form -----------------------===//
///
/// \file
/// The counterpart of ReadExpr.cpp.
///
//===----------------------------------------------------------------------===//

#include "WriteExpr.h"

#include "toscac/Value/Functions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;

void ir::writeString(raw_ostream &os, StringRef text) {
  auto isPlain = [](char c) {
    return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20 &&
           static_cast<unsigned char>(c) < 0x7F;
  };
  if (llvm::all_of(text, isPlain)) {
    os << '"' << text << '"';
    return;
  }
  bool isText = llvm::json::isUTF8(text);
  llvm::json::OStream(os).value(isText ? text : llvm::json::fixUTF8(text));
}

namespace {

class ExprWriter {
public:
  explicit ExprWriter(raw_ostream &os) : os(os) {}

  void write(const Expr &expr);
  void write(const Value &value);

private:
  /// A string where a call could stand.
  void writeText(StringRef text);
  void writeTyped(StringRef type, StringRef text);
  void writeScalar(const Scalar &scalar);
  void writeCall(const Expr &expr);
  /// Entries of a map: keys and values in turn.
  template <typename Key, typename Entry>
  void writeEntry(const Key &key, const Entry &entry, bool isPair);
  void writeMap(const Value &map);
  void writeMap(ArrayRef<Expr> children);
  template <typename Range>
  void writeList(const Range &items);

  raw_ostream &os;
  llvm::SmallVector<StringRef, 2> variables;
};

} // namespace

void ExprWriter::writeText(StringRef text) {
  if (text.starts_with("$"))
    return writeString(os, ("$" + text).str());
  if (!llvm::is_contained(variables, text))
    return writeString(os, text);
  writeTyped("string", text);
}

void ExprWriter::writeTyped(StringRef type, StringRef text) {
  os << "{\"$:" << type << "\": ";
  writeString(os, text);
  os << '}';
}

static std::string numberText(const Value &number) {
  return number.isFloat() ? formatFloat(number.asFloat())
                          : std::to_string(number.asInteger());
}

void ExprWriter::writeScalar(const Scalar &scalar) {
  const Type &family = scalarFamily(*scalar.type);
  os << "{\"$:scalar\": [";
  writeString(os, numberText(scalar.number) + " " + scalar.unit.str());
  os << ", ";
  writeString(os, numberText(scalar.magnitude) + " " +
                      family.scalar->canonicalUnit.str());
  os << ", ";
  writeString(os, family.name);
  os << "]}";
}

template <typename Range>
void ExprWriter::writeList(const Range &items) {
  os << '[';
  StringRef separator = "";
  for (const auto &item : items) {
    os << separator;
    write(item);
    separator = ", ";
  }
  os << ']';
}

template <typename Key, typename Entry>
void ExprWriter::writeEntry(const Key &key, const Entry &entry, bool isPair) {
  if (isPair)
    os << '[';
  write(key);
  os << (isPair ? ", " : ": ");
  write(entry);
  if (isPair)
    os << ']';
}

void ExprWriter::writeMap(const Value &map) {
  llvm::SmallVector<Expr> children;
  for (const auto &[key, entry] : map.entries()) {
    children.push_back(Expr::literal(key));
    children.push_back(Expr::literal(entry));
  }
  writeMap(children);
}

/// Keys that are no plain strings make a list of pairs.
void ExprWriter::writeMap(ArrayRef<Expr> children) {
  bool arePairs = false;
  for (size_t i = 0; i < children.size(); i += 2)
    arePairs |= !children[i].isLiteral() || !children[i].value().isString() ||
                llvm::is_contained(variables, children[i].value().asString());
  os << (arePairs ? "{\"$:map\": [" : "{");
  for (size_t i = 0; i < children.size(); i += 2) {
    if (i > 0)
      os << ", ";
    writeEntry(children[i], children[i + 1], arePairs);
  }
  os << (arePairs ? "]}" : "}");
}

void ExprWriter::write(const Value &value) {
  switch (value.kind()) {
  case ValueKind::Nil:
    os << "null";
    return;
  case ValueKind::Boolean:
    os << (value.asBoolean() ? "true" : "false");
    return;
  case ValueKind::Integer:
    os << value.asInteger();
    return;
  case ValueKind::Float:
    if (!std::isfinite(value.asFloat()))
      return writeTyped("float", formatFloat(value.asFloat()));
    os << formatFloat(value.asFloat());
    return;
  case ValueKind::String:
    return writeText(value.asString());
  case ValueKind::Bytes:
    return writeTyped("bytes", llvm::encodeBase64(value.asBytes()));
  case ValueKind::Timestamp:
    return writeTyped("timestamp", value.asTimestamp().text);
  case ValueKind::Version:
    return writeTyped("version", value.asVersion().text);
  case ValueKind::Scalar:
    return writeScalar(value.asScalar());
  case ValueKind::List:
    return writeList(value.items());
  case ValueKind::Map:
    return writeMap(value);
  }
}

void ExprWriter::writeCall(const Expr &expr) {
  os << '{';
  writeString(os, ("$" + expr.functionName()).str());
  os << ": ";
  if (isLoop(expr)) {
    const Expr &variable = expr.children()[0];
    os << '[';
    writeString(os, variable.name().str());
    os << ", ";
    write(expr.children()[1]);
    os << ", ";
    variables.push_back(variable.name().str());
    write(expr.children()[2]);
    variables.pop_back();
    os << ']';
  } else {
    writeList(expr.children());
  }
  os << '}';
}

void ExprWriter::write(const Expr &expr) {
  switch (expr.kind()) {
  case ExprKind::Literal:
    return write(expr.value());
  case ExprKind::List:
    return writeList(expr.children());
  case ExprKind::Map:
    return writeMap(expr.children());
  case ExprKind::Call:
    return writeCall(expr);
  case ExprKind::Variable:
    return writeString(os, expr.name().str());
  }
}

void ir::writeExpr(raw_ostream &os, const Expr &expr) {
  ExprWriter(os).write(expr);
}

void ir::writeValue(raw_ostream &os, const Value &value) {
  ExprWriter(os).write(value);
}

bool ir::areAlike(const Value &a, const Value &b) {
  if (a.kind() == b.kind()) {
    if (a.isString())
      return a.asString() == b.asString();
    if (a.isInteger() || a.isBoolean() || a.isNil())
      return a == b;
  }
  std::string texts[2];
  llvm::raw_string_ostream first(texts[0]), second(texts[1]);
  writeValue(first, a);
  writeValue(second, b);
  return texts[0] == texts[1];
}

bool ir::areAlike(const Expr &a, const Expr &b) {
  if (&a == &b)
    return true;
  if (a.isLiteral() && b.isLiteral())
    return areAlike(a.value(), b.value());
  std::string texts[2];
  llvm::raw_string_ostream first(texts[0]), second(texts[1]);
  writeExpr(first, a);
  writeExpr(second, b);
  return texts[0] == texts[1];
}
