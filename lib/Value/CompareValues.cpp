//===- CompareValues.cpp - Equality, order and hashes of values -----------===//
///
/// \file
/// What is equal has equal hashes: integers and floats meet as numbers,
/// instants as UTC, scalars in their canonical unit.
///
//===----------------------------------------------------------------------===//

#include "toscac/Value/Type.h"
#include "toscac/Value/Value.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/xxhash.h"
#include <array>
#include <cmath>
#include <tuple>

using namespace toscac;
using llvm::StringRef;

/// Exact: a 64-bit integer need not fit a double.
static std::partial_ordering compareMixed(int64_t a, double b) {
  if (std::isnan(b))
    return std::partial_ordering::unordered;
  if (b >= 0x1p63)
    return std::partial_ordering::less;
  if (b < -0x1p63)
    return std::partial_ordering::greater;
  double whole = std::trunc(b);
  if (auto order = a <=> static_cast<int64_t>(whole); order != 0)
    return order;
  return whole <=> b;
}

static std::partial_ordering compareNumbers(const Value &a, const Value &b) {
  if (a.isInteger() && b.isInteger())
    return a.asInteger() <=> b.asInteger();
  if (a.isInteger())
    return compareMixed(a.asInteger(), b.asFloat());
  if (b.isInteger())
    return 0 <=> compareMixed(b.asInteger(), a.asFloat());
  return a.asFloat() <=> b.asFloat();
}

static std::strong_ordering compareText(StringRef a, StringRef b) {
  return a.compare(b) <=> 0;
}

static std::strong_ordering compareTimestamps(const Timestamp &a,
                                              const Timestamp &b) {
  if (auto order = std::tie(a.seconds, a.isLeapSecond) <=>
                   std::tie(b.seconds, b.isLeapSecond);
      order != 0)
    return order;
  return compareText(a.fraction, b.fraction);
}

static std::partial_ordering compareVersions(const Version &a,
                                             const Version &b) {
  if (auto order = std::tie(a.major, a.minor, a.fix) <=>
                   std::tie(b.major, b.minor, b.fix);
      order != 0)
    return order;
  if (a.qualifier == b.qualifier)
    return a.build <=> b.build;
  // Qualified versions lead up to the release; two different qualifiers are
  // branches without an order.
  if (a.qualifier.empty())
    return std::partial_ordering::greater;
  return b.qualifier.empty() ? std::partial_ordering::less
                             : std::partial_ordering::unordered;
}

static std::partial_ordering compareScalars(const Scalar &a, const Scalar &b) {
  if (&scalarFamily(*a.type) != &scalarFamily(*b.type))
    return std::partial_ordering::unordered;
  return compareNumbers(a.magnitude, b.magnitude);
}

static bool isQuantity(const Value &value) {
  return value.isNumber() || value.isScalar();
}

static const Value &magnitude(const Value &value) {
  return value.isScalar() ? value.asScalar().magnitude : value;
}

std::partial_ordering toscac::compare(const Value &a, const Value &b) {
  if (a.isScalar() && b.isScalar())
    return compareScalars(a.asScalar(), b.asScalar());
  if (isQuantity(a) && isQuantity(b))
    return compareNumbers(magnitude(a), magnitude(b));
  if (a.kind() != b.kind())
    return std::partial_ordering::unordered;
  if (a.isString())
    return compareText(a.asString(), b.asString());
  if (a.is(ValueKind::Timestamp))
    return compareTimestamps(a.asTimestamp(), b.asTimestamp());
  if (a.is(ValueKind::Version))
    return compareVersions(a.asVersion(), b.asVersion());
  return std::partial_ordering::unordered;
}

static bool equalNumbers(const Value &a, const Value &b) {
  bool bothNaN = a.isFloat() && b.isFloat() && std::isnan(a.asFloat()) &&
                 std::isnan(b.asFloat());
  return bothNaN || compareNumbers(a, b) == 0;
}

static bool equalScalars(const Scalar &a, const Scalar &b) {
  return &scalarFamily(*a.type) == &scalarFamily(*b.type) &&
         equalNumbers(a.magnitude, b.magnitude);
}

/// Maps are equal whatever the order of their entries.
static bool equalMaps(const Value &a, const Value &b) {
  if (a.entries().size() != b.entries().size())
    return false;
  return llvm::all_of(a.entries(), [&](const MapEntry &entry) {
    const Value *other = b.find(entry.key);
    return other && *other == entry.value;
  });
}

bool toscac::operator==(const Value &a, const Value &b) {
  if (a.isNumber() && b.isNumber())
    return equalNumbers(a, b);
  if (a.kind() != b.kind())
    return false;
  switch (a.kind()) {
  case ValueKind::Nil:
    return true;
  case ValueKind::Boolean:
    return a.asBoolean() == b.asBoolean();
  case ValueKind::Integer:
  case ValueKind::Float:
    return equalNumbers(a, b);
  case ValueKind::Bytes:
    return a.asBytes() == b.asBytes();
  case ValueKind::String:
  case ValueKind::Timestamp:
  case ValueKind::Version:
    return compare(a, b) == 0;
  case ValueKind::Scalar:
    return equalScalars(a.asScalar(), b.asScalar());
  case ValueKind::List:
    return a.items() == b.items();
  case ValueKind::Map:
    return equalMaps(a, b);
  }
  llvm_unreachable("all kinds are handled");
}

static uint64_t mix(uint64_t a, uint64_t b) {
  return llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(std::array{a, b}.data()), 16));
}

static uint64_t hashText(StringRef text) { return llvm::xxh3_64bits(text); }

/// Floats that are integers hash as such.
static uint64_t hashFloat(double value) {
  if (value >= -0x1p63 && value < 0x1p63 && std::trunc(value) == value)
    return mix(1, static_cast<uint64_t>(static_cast<int64_t>(value)));
  return std::isnan(value) ? mix(2, 0)
                           : mix(2, llvm::bit_cast<uint64_t>(value));
}

static uint64_t hashNumber(const Value &value) {
  if (value.isFloat())
    return hashFloat(value.asFloat());
  return mix(1, static_cast<uint64_t>(value.asInteger()));
}

static uint64_t hashTimestamp(const Timestamp &value) {
  return mix(mix(static_cast<uint64_t>(value.seconds), value.isLeapSecond),
             hashText(value.fraction));
}

static uint64_t hashVersion(const Version &value) {
  return mix(mix(mix(value.major, value.minor), mix(value.fix, value.build)),
             hashText(value.qualifier));
}

static uint64_t hashList(llvm::ArrayRef<Value> items) {
  uint64_t result = items.size();
  for (const Value &item : items)
    result = mix(result, item.hash());
  return result;
}

static uint64_t hashMap(llvm::ArrayRef<MapEntry> entries) {
  uint64_t result = entries.size();
  for (const MapEntry &entry : entries)
    result += mix(entry.key.hash(), entry.value.hash());
  return result;
}

uint64_t Value::hash() const {
  auto tagged = [this](uint64_t content) {
    return mix(static_cast<uint64_t>(valueKind) << 8, content);
  };
  switch (valueKind) {
  case ValueKind::Nil:
    return tagged(0);
  case ValueKind::Boolean:
    return tagged(truth);
  case ValueKind::Integer:
  case ValueKind::Float:
    return hashNumber(*this);
  case ValueKind::String:
    return tagged(hashText(asString()));
  case ValueKind::Bytes:
    return tagged(hashText(asBytes()));
  case ValueKind::Timestamp:
    return tagged(hashTimestamp(asTimestamp()));
  case ValueKind::Version:
    return tagged(hashVersion(asVersion()));
  case ValueKind::Scalar:
    return tagged(hashNumber(asScalar().magnitude));
  case ValueKind::List:
    return tagged(hashList(items()));
  case ValueKind::Map:
    return tagged(hashMap(entries()));
  }
  llvm_unreachable("all kinds are handled");
}
