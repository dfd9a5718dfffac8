//===- toscac/Value/Value.h - Immutable values ------------------*- C++ -*-===//
///
/// \file
/// Values of TOSCA's built-in types (TOSCA 2.0 §9.1). A value is sixteen bytes
/// and copied freely; what does not fit lies in a ValueArena, is never changed
/// and may be shared by any number of values.
///
/// Integers and floats compare as numbers: 1 equals 1.0. Timestamps are equal
/// if they are the same instant, scalars if their magnitudes in the canonical
/// unit are, and both belong to one scalar type or its derivations.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_VALUE_H
#define TOSCAC_VALUE_VALUE_H

#include "toscac/Basic/LayeredMap.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <compare>
#include <cstdint>

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
}
} // namespace llvm

namespace toscac {

class JSONWriter;
struct Type;
class Value;
struct MapEntry;

enum class ValueKind : uint8_t {
  Nil,
  Boolean,
  Integer,
  Float,
  String,
  Bytes,
  Timestamp,
  Version,
  Scalar,
  List,
  Map
};

/// "an integer", "nil": how messages call a kind.
llvm::StringRef describe(ValueKind kind);

/// An instant, TOSCA 2.0 §9.1.2.1.
struct Timestamp {
  /// As written, with its local time and zone.
  llvm::StringRef text;
  /// Since 1970-01-01T00:00:00Z, not counting leap seconds.
  int64_t seconds = 0;
  /// Whether this is the leap second that follows `seconds`.
  bool isLeapSecond = false;
  /// Decimals of the second without trailing zeros: as text they compare
  /// exactly, however many there are.
  llvm::StringRef fraction;
};

/// A version, TOSCA 2.0 §9.1.2.3. What is left out counts as 0.
struct Version {
  llvm::StringRef text;
  uint64_t major = 0;
  uint64_t minor = 0;
  uint64_t fix = 0;
  /// Empty: a release, newer than all qualified versions of the same numbers.
  llvm::StringRef qualifier;
  uint64_t build = 0;
};

struct Scalar;
struct ListData;
struct MapData;

class Value {
public:
  /// Nil.
  constexpr Value() : pointer(nullptr) {}

  static Value boolean(bool value);
  static Value integer(int64_t value);
  static Value real(double value);
  /// A string whose text outlives the value.
  static Value string(llvm::StringRef text);
  static Value bytes(llvm::StringRef data);

  ValueKind kind() const { return valueKind; }
  bool is(ValueKind kind) const { return valueKind == kind; }
  bool isNil() const { return is(ValueKind::Nil); }
  bool isBoolean() const { return is(ValueKind::Boolean); }
  bool isInteger() const { return is(ValueKind::Integer); }
  bool isFloat() const { return is(ValueKind::Float); }
  bool isNumber() const { return isInteger() || isFloat(); }
  bool isString() const { return is(ValueKind::String); }
  bool isScalar() const { return is(ValueKind::Scalar); }
  bool isList() const { return is(ValueKind::List); }
  bool isMap() const { return is(ValueKind::Map); }
  bool isTrue() const { return isBoolean() && truth; }
  bool isFalse() const { return isBoolean() && !truth; }

  bool asBoolean() const;
  int64_t asInteger() const;
  double asFloat() const;
  /// An integer or float as a float.
  double asNumber() const;
  llvm::StringRef asString() const;
  llvm::StringRef asBytes() const;
  const Timestamp &asTimestamp() const;
  const Version &asVersion() const;
  const Scalar &asScalar() const;
  llvm::ArrayRef<Value> items() const;
  /// In the order of insertion; keys differ.
  llvm::ArrayRef<MapEntry> entries() const;
  /// The value of \p key in a map, or null.
  const Value *find(const Value &key) const;
  const Value *find(llvm::StringRef key) const;

  /// Levels of lists and maps in this value; 0 for all else.
  unsigned depth() const;
  /// Number of values in this one, with itself; shared ones count each time
  /// they occur, since that is what a walk costs.
  uint64_t weight() const;

  /// Depends on the content alone: the same on every machine and run.
  uint64_t hash() const;

private:
  friend class ValueArena;

  union {
    const void *pointer;
    bool truth;
    int64_t whole;
    double floating;
  };
  /// Bytes of a string or bytes value.
  uint32_t size = 0;
  ValueKind valueKind = ValueKind::Nil;
};
static_assert(sizeof(Value) == 16, "values are stored by the million");

/// Deep, and consistent with hash(). Unlike `$equal`, NaN equals itself.
bool operator==(const Value &a, const Value &b);

struct MapEntry {
  Value key;
  Value value;
};

/// A number with a unit, TOSCA 2.0 §9.1.2.2.
struct Scalar {
  Value number;
  llvm::StringRef unit;
  /// The number in the canonical unit.
  Value magnitude;
  /// The type that defines the unit.
  const Type *type;
};

/// The order of two values: integers, floats, strings, timestamps, versions
/// and scalars have one; all else is unordered, and so are NaN, versions with
/// different qualifiers and scalars of different types. A scalar compares with
/// a number by its magnitude in the canonical unit.
std::partial_ordering compare(const Value &a, const Value &b);

/// Owns what values point to. One per thread; values made from it may be read
/// by all.
class ValueArena {
public:
  static constexpr unsigned maxDepth = 500;
  static constexpr uint64_t maxWeight = uint64_t(1) << 26;

  llvm::StringRef save(llvm::StringRef text) { return text.copy(allocator); }
  template <typename T>
  llvm::ArrayRef<T> save(llvm::ArrayRef<T> items) {
    return items.copy(allocator);
  }
  template <typename T>
  T *make(T content) {
    static_assert(std::is_trivially_destructible_v<T>, "arenas run none");
    return new (allocator.Allocate<T>()) T(std::move(content));
  }

  /// \p map with \p changes, which are copied.
  template <typename T>
  LayeredMap<T> change(const LayeredMap<T> &map,
                       llvm::ArrayRef<typename LayeredMap<T>::Entry> changes) {
    return map.with(changes, allocator);
  }

  /// A string with a copy of \p text.
  Value string(llvm::StringRef text) { return Value::string(save(text)); }
  Value bytes(llvm::StringRef data) { return Value::bytes(save(data)); }
  /// The texts in these outlive the arena, or are saved in it.
  Value timestamp(const Timestamp &content);
  Value version(const Version &content);
  Value scalar(const Scalar &content);
  /// Copies \p items.
  Value list(llvm::ArrayRef<Value> items);
  /// Copies \p entries, whose keys must differ.
  Value map(llvm::ArrayRef<MapEntry> entries);

private:
  llvm::BumpPtrAllocator allocator;
};

/// Writes \p value as JSON. Timestamps, versions and scalars are strings as
/// written, bytes are base64; infinities and NaN, which JSON lacks, are the
/// strings ".inf", "-.inf" and ".nan". Floats are always distinct from
/// integers (`1.0`).
void writeJSON(llvm::json::OStream &json, const Value &value);
void writeJSON(JSONWriter &json, const Value &value);
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Value &value);

/// A float in the shortest decimal form that reads back the same.
std::string formatFloat(double value);

} // namespace toscac

#endif
