//===- ReadJSON.cpp - Values and expressions in JSON ----------------------===//
///
/// \file
/// On simdjson's on-demand interface: one pass over the text, no tree. Only
/// this file knows it.
///
//===----------------------------------------------------------------------===//

#include "toscac/Value/ReadJSON.h"

#include "llvm/ADT/StringSet.h"
// Every result must be asked for its error: none can be thrown by a cast.
#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

using namespace toscac;
using llvm::SmallVector;
using llvm::StringRef;
namespace ondemand = simdjson::ondemand;

static StringRef toRef(std::string_view text) {
  return {text.data(), text.size()};
}

struct JSONReader::Parser {
  ondemand::parser parser;
  /// The text with the padding that simdjson wants.
  std::vector<char> buffer;
  /// Strings that are stored once: keys, and what JSONField::name() gave.
  llvm::StringMap<StringRef, llvm::BumpPtrAllocator> saved;
  /// What is wrong, if it is more than the JSON itself.
  std::string problem;

  llvm::Error parse(StringRef json, ondemand::document &document);
  llvm::Error failure(StringRef key = "");
};

struct JSONField::Access {
  ValueArena &arena;
  JSONReader::Parser &parser;

  StringRef save(StringRef text);
  std::optional<Value> value(ondemand::value json, unsigned depth);
  std::optional<Value> list(ondemand::value json, unsigned depth);
  std::optional<Value> map(ondemand::value json, unsigned depth);
  std::optional<Value> number(ondemand::value json);
};

StringRef JSONField::Access::save(StringRef text) {
  auto [entry, isNew] = parser.saved.try_emplace(text);
  if (isNew)
    entry->second = arena.save(text);
  return entry->second;
}

std::optional<Value> JSONField::Access::number(ondemand::value json) {
  ondemand::number number;
  if (json.get_number().get(number))
    return std::nullopt;
  if (number.is_int64())
    return Value::integer(number.get_int64());
  return Value::real(number.as_double());
}

std::optional<Value> JSONField::Access::list(ondemand::value json,
                                             unsigned depth) {
  ondemand::array array;
  if (json.get_array().get(array))
    return std::nullopt;
  SmallVector<Value> items;
  for (auto element : array) {
    ondemand::value item;
    if (element.get(item))
      return std::nullopt;
    std::optional<Value> read = value(item, depth + 1);
    if (!read)
      return std::nullopt;
    items.push_back(*read);
  }
  return arena.list(items);
}

/// Whether a key stands twice in \p entries.
static bool hasDuplicate(llvm::ArrayRef<MapEntry> entries) {
  if (entries.size() > 16) {
    llvm::StringSet<> keys;
    return !llvm::all_of(entries, [&](const MapEntry &entry) {
      return keys.insert(entry.key.asString()).second;
    });
  }
  for (size_t i = 0; i < entries.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (entries[i].key.asString() == entries[j].key.asString())
        return true;
  return false;
}

std::optional<Value> JSONField::Access::map(ondemand::value json,
                                            unsigned depth) {
  ondemand::object object;
  if (json.get_object().get(object))
    return std::nullopt;
  SmallVector<MapEntry> entries;
  for (auto field : object) {
    std::string_view key;
    ondemand::value item;
    if (field.error() || field.unescaped_key().get(key))
      return std::nullopt;
    Value saved = Value::string(save(toRef(key)));
    if (field.value().get(item))
      return std::nullopt;
    std::optional<Value> read = value(item, depth + 1);
    if (!read)
      return std::nullopt;
    entries.push_back({saved, *read});
  }
  if (hasDuplicate(entries)) {
    parser.problem = "a key stands twice in an object";
    return std::nullopt;
  }
  return arena.map(entries);
}

std::optional<Value> JSONField::Access::value(ondemand::value json,
                                              unsigned depth) {
  if (depth > ValueArena::maxDepth) {
    parser.problem = "it is nested too deeply";
    return std::nullopt;
  }
  ondemand::json_type type;
  if (json.type().get(type))
    return std::nullopt;
  switch (type) {
  case ondemand::json_type::array:
    return list(json, depth);
  case ondemand::json_type::object:
    return map(json, depth);
  case ondemand::json_type::number:
    return number(json);
  case ondemand::json_type::string: {
    std::string_view text;
    if (json.get_string().get(text))
      return std::nullopt;
    return arena.string(toRef(text));
  }
  case ondemand::json_type::boolean: {
    bool truth;
    if (json.get_bool().get(truth))
      return std::nullopt;
    return Value::boolean(truth);
  }
  case ondemand::json_type::null: {
    bool isNull;
    if (json.is_null().get(isNull) || !isNull)
      return std::nullopt;
    return Value();
  }
  }
  return std::nullopt;
}

// Fields.

static ondemand::value &asValue(void *content) {
  return *static_cast<ondemand::value *>(content);
}

std::optional<StringRef> JSONField::string() {
  std::string_view text;
  if (asValue(content).get_string().get(text))
    return std::nullopt;
  return toRef(text);
}

std::optional<StringRef> JSONField::name() {
  std::optional<StringRef> text = string();
  if (!text)
    return std::nullopt;
  Access access{*reader.arena, *reader.parser};
  return access.save(*text);
}

std::optional<int64_t> JSONField::integer() {
  int64_t number;
  if (asValue(content).get_int64().get(number))
    return std::nullopt;
  return number;
}

std::optional<uint32_t> JSONField::index() {
  std::optional<int64_t> number = integer();
  if (!number || *number < 0 || *number > UINT32_MAX)
    return std::nullopt;
  return static_cast<uint32_t>(*number);
}

std::optional<bool> JSONField::boolean() {
  bool truth;
  if (asValue(content).get_bool().get(truth))
    return std::nullopt;
  return truth;
}

bool JSONField::isNull() {
  bool isNull;
  return !asValue(content).is_null().get(isNull) && isNull;
}

bool JSONField::indices(llvm::SmallVectorImpl<uint32_t> &result) {
  return elements([&](JSONField &element) {
    std::optional<uint32_t> index = element.index();
    if (index)
      result.push_back(*index);
    return index.has_value();
  });
}

bool JSONField::names(llvm::SmallVectorImpl<StringRef> &result) {
  return elements([&](JSONField &element) {
    std::optional<StringRef> name = element.name();
    if (name)
      result.push_back(*name);
    return name.has_value();
  });
}

std::optional<Value> JSONField::value() {
  Access access{*reader.arena, *reader.parser};
  return access.value(asValue(content), 0);
}

const Expr *JSONField::expr() {
  std::optional<Value> plain = value();
  if (!plain)
    return nullptr;
  llvm::Expected<Expr> read = toExpr(*plain, reader.names, *reader.arena);
  if (read)
    return reader.arena->make(*read);
  reader.parser->problem = llvm::toString(read.takeError());
  return nullptr;
}

std::optional<StringRef> JSONField::raw() {
  std::string_view text;
  if (simdjson::to_json_string(asValue(content)).get(text))
    return std::nullopt;
  return toRef(text).trim();
}

bool JSONField::fields(Visit visit) {
  ondemand::object object;
  if (asValue(content).get_object().get(object))
    return false;
  for (auto field : object) {
    std::string_view key;
    ondemand::value item;
    if (field.error() || field.unescaped_key().get(key) ||
        field.value().get(item))
      return false;
    JSONField inner(reader, &item);
    if (!visit(toRef(key), inner))
      return false;
  }
  return true;
}

bool JSONField::elements(llvm::function_ref<bool(JSONField &element)> visit) {
  ondemand::array array;
  if (asValue(content).get_array().get(array))
    return false;
  for (auto element : array) {
    ondemand::value item;
    if (element.get(item))
      return false;
    JSONField inner(reader, &item);
    if (!visit(inner))
      return false;
  }
  return true;
}

// Whole texts.

JSONReader::JSONReader(ValueArena &arena, NameTable &names)
    : arena(&arena), names(names), parser(std::make_unique<Parser>()) {}

JSONReader::~JSONReader() = default;

void JSONReader::useArena(ValueArena &other) {
  arena = &other;
  parser->saved.clear();
}

llvm::Error JSONReader::Parser::failure(StringRef key) {
  std::string reason = problem.empty() ? "it has the wrong form" : problem;
  if (key.empty())
    return llvm::createStringError(reason.c_str());
  return llvm::createStringError("'" + key + "': " + reason);
}

llvm::Error JSONReader::Parser::parse(StringRef json,
                                      ondemand::document &document) {
  problem = "";
  size_t capacity = json.size() + simdjson::SIMDJSON_PADDING;
  if (buffer.size() < capacity)
    buffer.resize(capacity * 2);
  std::copy(json.begin(), json.end(), buffer.begin());
  std::fill_n(buffer.begin() + json.size(), simdjson::SIMDJSON_PADDING, ' ');
  auto error =
      parser.iterate(buffer.data(), json.size(), buffer.size()).get(document);
  if (error)
    return llvm::createStringError(simdjson::error_message(error));
  return llvm::Error::success();
}

/// A value of simdjson is part of something, so what is read becomes the
/// element of a list.
llvm::Error JSONReader::readOnly(StringRef json,
                                 llvm::function_ref<bool(JSONField &)> read) {
  ondemand::document document;
  if (llvm::Error error = parser->parse(("[" + json + "]").str(), document))
    return error;
  ondemand::array array;
  if (document.get_array().get(array))
    return parser->failure();
  size_t count = 0;
  for (auto element : array) {
    ondemand::value item;
    if (element.get(item) || count++ > 0)
      return parser->failure();
    JSONField field(*this, &item);
    if (!read(field))
      return parser->failure();
  }
  return count == 1 ? llvm::Error::success() : parser->failure();
}

llvm::Expected<Value> JSONReader::value(StringRef json) {
  Value result;
  llvm::Error error = readOnly(json, [&](JSONField &field) {
    std::optional<Value> read = field.value();
    result = read.value_or(Value());
    return read.has_value();
  });
  if (error)
    return error;
  return result;
}

llvm::Expected<const Expr *> JSONReader::expr(StringRef json) {
  const Expr *result = nullptr;
  llvm::Error error = readOnly(json, [&](JSONField &field) {
    result = field.expr();
    return result != nullptr;
  });
  if (error)
    return error;
  return result;
}

llvm::Error JSONReader::fields(StringRef json, JSONField::Visit visit) {
  ondemand::document document;
  if (llvm::Error error = parser->parse(json, document))
    return error;
  ondemand::object object;
  if (document.get_object().get(object))
    return parser->failure();
  for (auto field : object) {
    std::string_view key;
    ondemand::value item;
    if (field.error() || field.unescaped_key().get(key) ||
        field.value().get(item))
      return parser->failure();
    JSONField inner(*this, &item);
    if (!visit(toRef(key), inner))
      return parser->failure(toRef(key));
  }
  return llvm::Error::success();
}
