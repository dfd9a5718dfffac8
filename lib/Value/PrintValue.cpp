//===- PrintValue.cpp - Values as JSON ------------------------------------===//

#include "toscac/Basic/JSONWriter.h"
#include "toscac/Value/Value.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include <charconv>
#include <cmath>

using namespace toscac;
using llvm::StringRef;

std::string toscac::formatFloat(double value) {
  if (std::isnan(value))
    return ".nan";
  if (std::isinf(value))
    return value < 0 ? "-.inf" : ".inf";
  char buffer[32];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  assert(error == std::errc() && "32 characters hold any double");
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

template <typename Writer>
static void writeFloat(Writer &json, double value) {
  if (std::isfinite(value))
    json.rawValue(formatFloat(value));
  else
    json.value(formatFloat(value));
}

/// Values read at run time may hold any bytes.
template <typename Writer>
static void writeString(Writer &json, StringRef text) {
  json.value(llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text));
}

static std::string scalarText(const Scalar &scalar) {
  const Value &number = scalar.number;
  std::string text = number.isFloat() ? formatFloat(number.asFloat())
                                      : std::to_string(number.asInteger());
  return text + " " + scalar.unit.str();
}

/// Keys of JSON are strings; those of other types are printed as text.
static std::string keyText(const Value &key) {
  if (key.isString())
    return llvm::json::fixUTF8(key.asString());
  std::string text;
  llvm::raw_string_ostream(text) << key;
  StringRef bare = text;
  if (bare.consume_front("\""))
    bare.consume_back("\"");
  return bare.str();
}

template <typename Writer>
static void writeList(Writer &json, const Value &value) {
  json.array([&] {
    for (const Value &item : value.items())
      writeJSON(json, item);
  });
}

template <typename Writer>
static void writeMap(Writer &json, const Value &value) {
  json.object([&] {
    for (const auto &[key, entry] : value.entries()) {
      json.attributeBegin(keyText(key));
      writeJSON(json, entry);
      json.attributeEnd();
    }
  });
}

template <typename Writer>
static void writeAny(Writer &json, const Value &value) {
  switch (value.kind()) {
  case ValueKind::Nil:
    return json.value(nullptr);
  case ValueKind::Boolean:
    return json.value(value.asBoolean());
  case ValueKind::Integer:
    return json.value(value.asInteger());
  case ValueKind::Float:
    return writeFloat(json, value.asFloat());
  case ValueKind::String:
    return writeString(json, value.asString());
  case ValueKind::Bytes:
    return json.value(llvm::encodeBase64(value.asBytes()));
  case ValueKind::Timestamp:
    return writeString(json, value.asTimestamp().text);
  case ValueKind::Version:
    return writeString(json, value.asVersion().text);
  case ValueKind::Scalar:
    return writeString(json, scalarText(value.asScalar()));
  case ValueKind::List:
    return writeList(json, value);
  case ValueKind::Map:
    return writeMap(json, value);
  }
  llvm_unreachable("all kinds are handled");
}

void toscac::writeJSON(llvm::json::OStream &json, const Value &value) {
  writeAny(json, value);
}

void toscac::writeJSON(JSONWriter &json, const Value &value) {
  writeAny(json, value);
}

llvm::raw_ostream &toscac::operator<<(llvm::raw_ostream &os,
                                      const Value &value) {
  llvm::json::OStream json(os);
  writeJSON(json, value);
  return os;
}
