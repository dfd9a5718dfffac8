//===- Value.cpp - Immutable values ---------------------------------------===//
///
/// \file
/// Access to values and their payloads. A map with more than a few entries has
/// a hash table of positions beside them.
///
//===----------------------------------------------------------------------===//

#include "toscac/Value/Value.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

namespace toscac {
struct ListData {
  ArrayRef<Value> items;
  uint64_t weight = 1;
  unsigned depth = 1;
};

struct MapData {
  ArrayRef<MapEntry> entries;
  /// Position of an entry plus one, by hash of its key; 0 is free. Empty for
  /// small maps.
  ArrayRef<uint32_t> positions;
  uint64_t weight = 1;
  unsigned depth = 1;
};
} // namespace toscac

/// Maps up to this size are searched one by one.
static constexpr size_t smallMap = 8;

StringRef toscac::describe(ValueKind kind) {
  switch (kind) {
  case ValueKind::Nil:
    return "nil";
  case ValueKind::Boolean:
    return "a boolean";
  case ValueKind::Integer:
    return "an integer";
  case ValueKind::Float:
    return "a float";
  case ValueKind::String:
    return "a string";
  case ValueKind::Bytes:
    return "bytes";
  case ValueKind::Timestamp:
    return "a timestamp";
  case ValueKind::Version:
    return "a version";
  case ValueKind::Scalar:
    return "a scalar";
  case ValueKind::List:
    return "a list";
  case ValueKind::Map:
    return "a map";
  }
  llvm_unreachable("all kinds are handled");
}

Value Value::boolean(bool value) {
  Value result;
  result.truth = value;
  result.valueKind = ValueKind::Boolean;
  return result;
}

Value Value::integer(int64_t value) {
  Value result;
  result.whole = value;
  result.valueKind = ValueKind::Integer;
  return result;
}

Value Value::real(double value) {
  Value result;
  result.floating = value;
  result.valueKind = ValueKind::Float;
  return result;
}

Value Value::string(StringRef text) {
  assert(text.size() <= UINT32_MAX && "longer than TOSCA 2.0 §9.1.1.1 allows");
  Value result;
  result.pointer = text.data();
  result.size = static_cast<uint32_t>(text.size());
  result.valueKind = ValueKind::String;
  return result;
}

Value Value::bytes(StringRef data) {
  Value result = string(data);
  result.valueKind = ValueKind::Bytes;
  return result;
}

bool Value::asBoolean() const {
  assert(isBoolean());
  return truth;
}

int64_t Value::asInteger() const {
  assert(isInteger());
  return whole;
}

double Value::asFloat() const {
  assert(isFloat());
  return floating;
}

double Value::asNumber() const {
  return isInteger() ? static_cast<double>(whole) : asFloat();
}

StringRef Value::asString() const {
  assert(isString());
  return {static_cast<const char *>(pointer), size};
}

StringRef Value::asBytes() const {
  assert(is(ValueKind::Bytes));
  return {static_cast<const char *>(pointer), size};
}

const Timestamp &Value::asTimestamp() const {
  assert(is(ValueKind::Timestamp));
  return *static_cast<const Timestamp *>(pointer);
}

const Version &Value::asVersion() const {
  assert(is(ValueKind::Version));
  return *static_cast<const Version *>(pointer);
}

const Scalar &Value::asScalar() const {
  assert(isScalar());
  return *static_cast<const Scalar *>(pointer);
}

ArrayRef<Value> Value::items() const {
  assert(isList());
  return static_cast<const ListData *>(pointer)->items;
}

ArrayRef<MapEntry> Value::entries() const {
  assert(isMap());
  return static_cast<const MapData *>(pointer)->entries;
}

const Value *Value::find(const Value &key) const {
  const MapData &map = *static_cast<const MapData *>(pointer);
  ArrayRef<MapEntry> entries = this->entries();
  if (map.positions.empty()) {
    const auto *found = llvm::find_if(
        entries, [&](const MapEntry &entry) { return entry.key == key; });
    return found == entries.end() ? nullptr : &found->value;
  }
  size_t mask = map.positions.size() - 1;
  for (size_t slot = key.hash() & mask; map.positions[slot];
       slot = (slot + 1) & mask) {
    const MapEntry &entry = entries[map.positions[slot] - 1];
    if (entry.key == key)
      return &entry.value;
  }
  return nullptr;
}

const Value *Value::find(StringRef key) const { return find(string(key)); }

unsigned Value::depth() const {
  if (isList())
    return static_cast<const ListData *>(pointer)->depth;
  return isMap() ? static_cast<const MapData *>(pointer)->depth : 0;
}

uint64_t Value::weight() const {
  if (isList())
    return static_cast<const ListData *>(pointer)->weight;
  return isMap() ? static_cast<const MapData *>(pointer)->weight : 1;
}

Value ValueArena::timestamp(const Timestamp &content) {
  Value result;
  result.pointer = make(content);
  result.valueKind = ValueKind::Timestamp;
  return result;
}

Value ValueArena::version(const Version &content) {
  Value result;
  result.pointer = make(content);
  result.valueKind = ValueKind::Version;
  return result;
}

Value ValueArena::scalar(const Scalar &content) {
  Value result;
  result.pointer = make(content);
  result.valueKind = ValueKind::Scalar;
  return result;
}

/// Adds the part \p value to a collection's figures.
template <typename Data>
static void count(Data &data, const Value &value) {
  data.weight = llvm::SaturatingAdd(data.weight, value.weight());
  data.depth = std::max(data.depth, value.depth() + 1);
}

Value ValueArena::list(ArrayRef<Value> items) {
  ListData data{save(items)};
  for (const Value &item : items)
    count(data, item);
  Value result;
  result.pointer = make(data);
  result.valueKind = ValueKind::List;
  return result;
}

static void fillPositions(llvm::MutableArrayRef<uint32_t> positions,
                          ArrayRef<MapEntry> entries) {
  size_t mask = positions.size() - 1;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    size_t slot = entry.key.hash() & mask;
    while (positions[slot])
      slot = (slot + 1) & mask;
    positions[slot] = static_cast<uint32_t>(i + 1);
  }
}

Value ValueArena::map(ArrayRef<MapEntry> entries) {
  MapData data{save(entries), {}};
  for (const MapEntry &entry : entries) {
    count(data, entry.key);
    count(data, entry.value);
  }
  if (entries.size() > smallMap) {
    size_t size = llvm::PowerOf2Ceil(entries.size() * 2);
    auto *positions = allocator.Allocate<uint32_t>(size);
    std::fill_n(positions, size, 0);
    fillPositions({positions, size}, entries);
    data.positions = {positions, size};
  }
  Value result;
  result.pointer = make(data);
  result.valueKind = ValueKind::Map;
  return result;
}
