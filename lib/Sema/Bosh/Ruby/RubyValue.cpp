//===- RubyValue.cpp - What expressions in templates give -----------------===//

#include "RubyValue.h"

#include "toscac/Basic/Name.h"
#include "toscac/Value/ReadJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>
#include <cmath>

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

RubyValue RubyValue::boolean(bool value) {
  RubyValue result;
  result.valueKind = Kind::Boolean;
  result.number = value;
  return result;
}

RubyValue RubyValue::integer(int64_t value) {
  RubyValue result;
  result.valueKind = Kind::Integer;
  result.number = value;
  return result;
}

RubyValue RubyValue::real(double value) {
  RubyValue result;
  result.valueKind = Kind::Float;
  result.fraction = value;
  return result;
}

RubyValue RubyValue::named(Kind kind, StringRef text) {
  RubyValue result;
  result.valueKind = kind;
  result.shared = std::make_shared<RubyData>();
  result.shared->text = text.str();
  return result;
}

RubyValue RubyValue::text(StringRef value) {
  return named(Kind::String, value);
}

RubyValue RubyValue::symbol(StringRef value) {
  return named(Kind::Symbol, value);
}

RubyValue RubyValue::list(std::vector<RubyValue> items) {
  RubyValue result = named(Kind::Array, "");
  result.shared->items = std::move(items);
  return result;
}

RubyValue RubyValue::map() { return named(Kind::Hash, ""); }

RubyValue RubyValue::object(StringRef className) {
  return named(Kind::Object, className);
}

bool RubyValue::isObject(StringRef className) const {
  return is(Kind::Object) && shared->text == className;
}

StringRef RubyValue::asText() const {
  return shared ? StringRef(shared->text) : StringRef();
}

std::vector<RubyValue> &RubyValue::items() const { return shared->items; }

const RubyValue *RubyValue::find(const RubyValue &key) const {
  auto &entries = shared->entries;
  if (key.isText()) {
    auto place = shared->places.find(key.asText());
    return place == shared->places.end() ? nullptr
                                         : &entries[place->second].second;
  }
  for (auto &entry : entries)
    if (entry.first == key)
      return &entry.second;
  return nullptr;
}

void RubyValue::set(const RubyValue &key, RubyValue value) const {
  if (const RubyValue *found = find(key)) {
    const_cast<RubyValue &>(*found) = std::move(value);
    return;
  }
  if (key.isText())
    shared->places[key.asText()] = shared->entries.size();
  // Texts that are keys do not change.
  shared->entries.emplace_back(key.isText() ? text(key.asText()) : key,
                               std::move(value));
}

bool RubyValue::erase(const RubyValue &key) const {
  auto &entries = shared->entries;
  auto found = llvm::find_if(
      entries, [&](const auto &entry) { return entry.first == key; });
  if (found == entries.end())
    return false;
  entries.erase(found);
  shared->places.clear();
  for (auto [i, entry] : llvm::enumerate(entries))
    if (entry.first.isText())
      shared->places[entry.first.asText()] = i;
  return true;
}

bool RubyValue::operator==(const RubyValue &other) const {
  if (isNumber() && other.isNumber())
    return isInteger() && other.isInteger() ? number == other.number
                                            : asReal() == other.asReal();
  if (valueKind != other.valueKind)
    return false;
  switch (valueKind) {
  case Kind::Nil:
    return true;
  case Kind::Boolean:
    return number == other.number;
  case Kind::String:
  case Kind::Symbol:
  case Kind::Regexp:
  case Kind::Class:
    return asText() == other.asText();
  case Kind::Array:
  case Kind::Range:
    return shared == other.shared || items() == other.items();
  case Kind::Hash: {
    auto &own = shared->entries;
    return shared == other.shared ||
           (own.size() == other.shared->entries.size() &&
            llvm::all_of(own, [&](const auto &entry) {
              const RubyValue *found = other.find(entry.first);
              return found && *found == entry.second;
            }));
  }
  default:
    return shared == other.shared;
  }
}

//===----------------------------------------------------------------------===//
// Words for values
//===----------------------------------------------------------------------===//

std::string bosh::classOf(const RubyValue &value) {
  using Kind = RubyValue::Kind;
  switch (value.kind()) {
  case Kind::Nil:
    return "NilClass";
  case Kind::Boolean:
    return value.isTruthy() ? "TrueClass" : "FalseClass";
  case Kind::Integer:
    return "Integer";
  case Kind::Float:
    return "Float";
  case Kind::String:
    return "String";
  case Kind::Symbol:
    return "Symbol";
  case Kind::Array:
    return "Array";
  case Kind::Hash:
    return "Hash";
  case Kind::Range:
    return "Range";
  case Kind::Regexp:
    return "Regexp";
  case Kind::Proc:
    return "Proc";
  case Kind::Object:
    return value.asText().str();
  case Kind::Class:
    return "Class";
  }
  llvm_unreachable("all kinds are handled");
}

static std::string realText(double value) {
  if (std::isnan(value))
    return "NaN";
  if (std::isinf(value))
    return value < 0 ? "-Infinity" : "Infinity";
  char buffer[64];
  double size = std::fabs(value);
  bool isPlain = size == 0 || (size >= 1e-4 && size < 1e16);
  auto format =
      isPlain ? std::chars_format::fixed : std::chars_format::scientific;
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value, format).ptr;
  std::string text(buffer, end);
  size_t exponent = text.find('e');
  std::string mantissa = text.substr(0, exponent);
  if (mantissa.find('.') == std::string::npos)
    mantissa += ".0";
  return exponent == std::string::npos ? mantissa
                                       : mantissa + text.substr(exponent);
}

static std::string quote(StringRef text) {
  std::string result = "\"";
  for (auto [i, c] : llvm::enumerate(text)) {
    switch (c) {
    case '"':
    case '\\':
      result += '\\';
      result += c;
      break;
    case '\n':
      result += "\\n";
      break;
    case '\t':
      result += "\\t";
      break;
    case '\r':
      result += "\\r";
      break;
    case '\x1b':
      result += "\\e";
      break;
    case '#': {
      StringRef next = text.substr(i + 1, 1);
      result += next == "{" || next == "$" || next == "@" ? "\\#" : "#";
      break;
    }
    default:
      if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        llvm::raw_string_ostream(result)
            << llvm::format("\\x%02X", static_cast<unsigned char>(c));
      } else {
        result += c;
      }
    }
  }
  return result + "\"";
}

static bool isPlainSymbol(StringRef text) {
  StringRef body = text;
  if (body.ends_with("?") || body.ends_with("!") || body.ends_with("="))
    body = body.drop_back();
  return !body.empty() && !llvm::isDigit(body.front()) &&
         llvm::all_of(body,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

std::string bosh::toText(const RubyValue &value) {
  using Kind = RubyValue::Kind;
  switch (value.kind()) {
  case Kind::Nil:
    return "";
  case Kind::String:
  case Kind::Symbol:
  case Kind::Class:
    return value.asText().str();
  case Kind::Range:
    return toText(value.items()[0]) + (value.data().isFlag ? "..." : "..") +
           toText(value.items()[1]);
  default:
    return inspect(value);
  }
}

std::string bosh::inspect(const RubyValue &value) {
  using Kind = RubyValue::Kind;
  switch (value.kind()) {
  case Kind::Nil:
    return "nil";
  case Kind::Boolean:
    return value.isTruthy() ? "true" : "false";
  case Kind::Integer:
    return std::to_string(value.asInteger());
  case Kind::Float:
    return realText(value.asReal());
  case Kind::String:
    return quote(value.asText());
  case Kind::Symbol:
    return ":" + (isPlainSymbol(value.asText()) ? value.asText().str()
                                                : quote(value.asText()));
  case Kind::Array: {
    std::vector<std::string> parts;
    for (const RubyValue &item : value.items())
      parts.push_back(inspect(item));
    return "[" + llvm::join(parts, ", ") + "]";
  }
  case Kind::Hash: {
    std::vector<std::string> parts;
    for (auto &[key, item] : value.data().entries)
      parts.push_back(inspect(key) + "=>" + inspect(item));
    return "{" + llvm::join(parts, ", ") + "}";
  }
  case Kind::Object: {
    if (value.isObject("OpenStruct")) {
      std::string text = "#<OpenStruct";
      for (auto [i, entry] : llvm::enumerate(value.data().entries))
        text += (i ? ", " : " ") + toText(entry.first) + "=" +
                inspect(entry.second);
      return text + ">";
    }
    // What links say of an instance is shown as they hold it.
    if (value.isObject("LinkInstance")) {
      std::vector<std::string> parts;
      for (auto &[key, item] : value.data().entries)
        parts.push_back(toJSON(key) + ": " + toJSON(item));
      return "{" + llvm::join(parts, ", ") + "}";
    }
    if (const RubyValue *message = value.find("message"))
      return toText(*message);
    return "#<" + value.asText().str() + ">";
  }
  case Kind::Regexp:
    return "/" + value.asText().str() + "/";
  default:
    return toText(value);
  }
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

std::optional<int> bosh::compare(const RubyValue &a, const RubyValue &b) {
  using Kind = RubyValue::Kind;
  if (a.isNumber() && b.isNumber()) {
    if (a.isInteger() && b.isInteger())
      return (a.asInteger() > b.asInteger()) - (a.asInteger() < b.asInteger());
    return (a.asReal() > b.asReal()) - (a.asReal() < b.asReal());
  }
  if (a.kind() != b.kind())
    return std::nullopt;
  if (a.isText() || a.is(Kind::Symbol)) {
    int order = a.asText().compare(b.asText());
    return (order > 0) - (order < 0);
  }
  if (a.isList()) {
    size_t common = std::min(a.items().size(), b.items().size());
    for (size_t i = 0; i != common; ++i) {
      std::optional<int> order = compare(a.items()[i], b.items()[i]);
      if (!order || *order != 0)
        return order;
    }
    return (a.items().size() > b.items().size()) -
           (a.items().size() < b.items().size());
  }
  return a == b ? std::optional(0) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static std::string jsonText(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    switch (c) {
    case '"':
    case '\\':
      result += '\\';
      result += c;
      break;
    case '\n':
      result += "\\n";
      break;
    case '\t':
      result += "\\t";
      break;
    case '\r':
      result += "\\r";
      break;
    case '\b':
      result += "\\b";
      break;
    case '\f':
      result += "\\f";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20)
        llvm::raw_string_ostream(result)
            << llvm::format("\\u%04x", static_cast<unsigned char>(c));
      else
        result += c;
    }
  }
  return result + "\"";
}

static void writeRubyJSON(const RubyValue &value, unsigned indent,
                          unsigned depth, std::string &into) {
  auto newLine = [&](unsigned level) {
    if (indent > 0)
      into += "\n" + std::string(size_t(indent) * level, ' ');
  };
  if (value.isList()) {
    into += "[";
    for (auto [i, item] : llvm::enumerate(value.items())) {
      if (i)
        into += ",";
      newLine(depth + 1);
      writeRubyJSON(item, indent, depth + 1, into);
    }
    if (value.items().empty() && indent > 0)
      into += "\n";
    newLine(depth);
    into += "]";
  } else if (value.isMap()) {
    into += "{";
    auto &entries = value.data().entries;
    for (auto [i, entry] : llvm::enumerate(entries)) {
      if (i)
        into += ",";
      newLine(depth + 1);
      into += jsonText(toText(entry.first)) + (indent ? ": " : ":");
      writeRubyJSON(entry.second, indent, depth + 1, into);
    }
    newLine(depth);
    into += "}";
  } else if (value.isNil()) {
    into += "null";
  } else if (value.isNumber() || value.is(RubyValue::Kind::Boolean)) {
    into += toText(value);
  } else {
    into += jsonText(toText(value));
  }
}

std::string bosh::toJSON(const RubyValue &value, unsigned indent) {
  std::string text;
  writeRubyJSON(value, indent, 0, text);
  return text;
}

RubyValue bosh::toRuby(const Value &value) {
  if (value.isNil())
    return {};
  if (value.isBoolean())
    return RubyValue::boolean(value.isTrue());
  if (value.isInteger())
    return RubyValue::integer(value.asInteger());
  if (value.isString())
    return RubyValue::text(value.asString());
  if (value.isList()) {
    RubyValue list = RubyValue::list();
    for (const Value &item : value.items())
      list.items().push_back(toRuby(item));
    return list;
  }
  if (value.isMap()) {
    RubyValue map = RubyValue::map();
    for (const MapEntry &entry : value.entries())
      map.set(toRuby(entry.key), toRuby(entry.value));
    return map;
  }
  return RubyValue::real(value.asFloat());
}

std::optional<RubyValue> bosh::readJSON(StringRef text) {
  ValueArena arena;
  NameTable names;
  auto read = JSONReader(arena, names).value(text);
  if (read)
    return toRuby(*read);
  llvm::consumeError(read.takeError());
  return std::nullopt;
}

RubyValue bosh::copyOf(const RubyValue &value, bool isDeep) {
  using Kind = RubyValue::Kind;
  auto part = [&](const RubyValue &inner) {
    return isDeep ? copyOf(inner, true) : inner;
  };
  switch (value.kind()) {
  case Kind::String:
    return RubyValue::text(value.asText());
  case Kind::Array: {
    RubyValue copy = RubyValue::list();
    for (const RubyValue &item : value.items())
      copy.items().push_back(part(item));
    return copy;
  }
  case Kind::Hash:
  case Kind::Object: {
    RubyValue copy = RubyValue::named(value.kind(), value.asText());
    for (auto &[key, item] : value.data().entries)
      copy.set(key, part(item));
    return copy;
  }
  default:
    return value;
  }
}
