//===- PrintExpr.cpp - Expressions as JSON and as text --------------------===//

#include "toscac/Basic/JSONWriter.h"
#include "toscac/Value/Expr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

/// `$x` in a string would be read as a call.
static std::string escapeDollar(StringRef text) {
  return text.starts_with("$") ? "$" + text.str() : text.str();
}

/// A literal where expressions are allowed.
template <typename Writer>
static void writeEscaped(Writer &json, const Value &value);

static std::string escapedKey(const Value &key) {
  if (key.isString())
    return llvm::json::fixUTF8(escapeDollar(key.asString()));
  std::string text;
  llvm::raw_string_ostream(text) << key;
  return StringRef(text).trim('"').str();
}

template <typename Writer>
static void writeEscapedMap(Writer &json, const Value &value) {
  json.object([&] {
    for (const auto &[key, entry] : value.entries()) {
      json.attributeBegin(escapedKey(key));
      writeEscaped(json, entry);
      json.attributeEnd();
    }
  });
}

template <typename Writer>
static void writeEscaped(Writer &json, const Value &value) {
  if (value.isString())
    return writeJSON(json, Value::string(escapeDollar(value.asString())));
  if (value.isMap())
    return writeEscapedMap(json, value);
  if (!value.isList())
    return writeJSON(json, value);
  json.array([&] {
    for (const Value &item : value.items())
      writeEscaped(json, item);
  });
}

template <typename Writer>
static void writeChildren(Writer &json, const Expr &expr) {
  json.array([&] {
    for (const Expr &child : expr.children())
      writeJSON(json, child);
  });
}

/// A key that is computed has no form in JSON but its own text.
static std::string keyText(const Expr &key) {
  if (key.isLiteral())
    return escapedKey(key.value());
  std::string text;
  llvm::raw_string_ostream(text) << key;
  return text;
}

template <typename Writer>
static void writeMap(Writer &json, ArrayRef<Expr> children) {
  json.object([&] {
    for (; !children.empty(); children = children.drop_front(2)) {
      json.attributeBegin(keyText(children[0]));
      writeJSON(json, children[1]);
      json.attributeEnd();
    }
  });
}

template <typename Writer>
static void writeAny(Writer &json, const Expr &expr) {
  switch (expr.kind()) {
  case ExprKind::Literal:
    return writeEscaped(json, expr.value());
  case ExprKind::List:
    return writeChildren(json, expr);
  case ExprKind::Map:
    return writeMap(json, expr.children());
  case ExprKind::Variable:
    return json.value(expr.name().str());
  case ExprKind::Call:
    json.objectBegin();
    json.attributeBegin(("$" + expr.functionName()).str());
    if (expr.isCall(Function::GetInput) && expr.children().size() == 1)
      writeJSON(json, expr.children().front());
    else
      writeChildren(json, expr);
    json.attributeEnd();
    return json.objectEnd();
  }
  llvm_unreachable("all kinds are handled");
}

void toscac::writeJSON(llvm::json::OStream &json, const Expr &expr) {
  writeAny(json, expr);
}

void toscac::writeJSON(JSONWriter &json, const Expr &expr) {
  writeAny(json, expr);
}

llvm::raw_ostream &toscac::operator<<(llvm::raw_ostream &os, const Expr &expr) {
  llvm::json::OStream json(os);
  writeJSON(json, expr);
  return os;
}

namespace {

/// Writes flow style until the text is long enough for a message.
class TextWriter {
public:
  void write(const Expr &expr);
  void write(const Value &value);
  std::string take();

private:
  static constexpr size_t longest = 160;

  bool isFull() const { return text.size() > longest; }
  void writeString(StringRef string);
  void writeCall(const Expr &expr);
  void writeMap(ArrayRef<Expr> children);
  template <typename Range>
  void writeList(const Range &items);

  std::string text;
};

} // namespace

/// As it would be written: strings that are words in YAML stand without quotes,
/// and a dollar sign at the start is doubled (TOSCA 2.0 §10.1).
void TextWriter::writeString(StringRef string) {
  bool isWord = !string.empty() && !llvm::isSpace(string.front()) &&
                !llvm::isSpace(string.back()) &&
                string.find_first_of("\"'{}[],:#&*!|>%@`\n") == StringRef::npos;
  StringRef quote = isWord ? "" : "'";
  StringRef escape = string.starts_with("$") ? "$" : "";
  text += (quote + escape + string.take_front(longest) + quote).str();
}

template <typename Range>
void TextWriter::writeList(const Range &items) {
  text += "[";
  StringRef separator = " ";
  for (const auto &item : items) {
    if (isFull())
      return;
    text += separator;
    write(item);
    separator = ", ";
  }
  text += " ]";
}

void TextWriter::writeMap(ArrayRef<Expr> children) {
  text += "{";
  StringRef separator = " ";
  for (; !children.empty() && !isFull(); children = children.drop_front(2)) {
    text += separator;
    write(children[0]);
    text += ": ";
    write(children[1]);
    separator = ", ";
  }
  text += " }";
}

void TextWriter::writeCall(const Expr &expr) {
  if (expr.children().empty()) {
    text += ("$" + expr.functionName()).str();
    return;
  }
  text += ("{ $" + expr.functionName() + ": ").str();
  writeList(expr.children());
  text += " }";
}

void TextWriter::write(const Expr &expr) {
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
    text += expr.name().str();
    return;
  }
  llvm_unreachable("all kinds are handled");
}

void TextWriter::write(const Value &value) {
  if (value.isString())
    return writeString(value.asString());
  if (value.isList())
    return writeList(value.items());
  if (value.isMap()) {
    llvm::SmallVector<Expr> children;
    for (const auto &[key, entry] : value.entries().take_front(longest)) {
      children.push_back(Expr::literal(key));
      children.push_back(Expr::literal(entry));
    }
    return writeMap(children);
  }
  std::string json;
  llvm::raw_string_ostream(json) << value;
  text += StringRef(json).trim('"').take_front(longest);
}

std::string TextWriter::take() {
  if (!isFull())
    return std::move(text);
  // Cut between characters, not inside of one.
  size_t end = longest;
  while (end > 0 && (text[end] & 0xC0) == 0x80)
    --end;
  return text.substr(0, end) + "…";
}

std::string toscac::toText(const Expr &expr) {
  TextWriter writer;
  writer.write(expr);
  return writer.take();
}

std::string toscac::toText(const Value &value) {
  TextWriter writer;
  writer.write(value);
  return writer.take();
}
