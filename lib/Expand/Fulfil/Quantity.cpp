//===- Quantity.cpp - Amounts that can be counted -------------------------===//

#include "Quantity.h"

#include "toscac/Value/Type.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace toscac;
using namespace toscac::expanding;

/// More than anybody has, and sums of it still fit.
static constexpr double mostUnits = 1e15;

std::optional<Value> expanding::magnitudeOf(const Value &value) {
  const Value &number = value.isScalar() ? value.asScalar().magnitude : value;
  if (!number.isNumber() || std::isnan(number.asNumber()))
    return std::nullopt;
  return number;
}

void Measure::include(const Value &value) {
  if (value.isScalar() && !written)
    written = &value.asScalar();
  Value number = *magnitudeOf(value);
  if (number.isInteger())
    return;
  isWhole = false;
  fractions.push_back(number.asNumber());
}

/// Whether \p units are a whole number but for what decimals lose in binary.
static bool isNearlyWhole(double units) {
  double tolerance = 1e-9 * std::clamp(std::abs(units), 1.0, 1e8);
  return std::abs(units - std::round(units)) <= tolerance;
}

void Measure::choose() {
  auto isWholeAt = [&](double factor) {
    return llvm::all_of(fractions, [&](double fraction) {
      return isNearlyWhole(fraction * factor);
    });
  };
  while (scale < 1e9 && !isWholeAt(scale))
    scale *= 10;
  fractions.clear();
}

double Measure::toUnits(const Value &value) const {
  double units = magnitudeOf(value)->asNumber() * scale;
  return std::clamp(units, -mostUnits, mostUnits);
}

int64_t Measure::unitsTaken(const Value &value) const {
  double units = toUnits(value);
  return isNearlyWhole(units) ? std::round(units) : std::ceil(units);
}

int64_t Measure::unitsOffered(const Value &value) const {
  double units = toUnits(value);
  return isNearlyWhole(units) ? std::round(units) : std::floor(units);
}

static std::string numberText(double number) {
  return number == std::round(number) && std::abs(number) < mostUnits
             ? std::to_string(static_cast<int64_t>(number))
             : formatFloat(number);
}

std::string Measure::toText(int64_t units) const {
  double number = static_cast<double>(units) / scale;
  if (!written)
    return numberText(number);
  const Unit *unit = written->type->scalar->findUnit(written->unit);
  return numberText(number / unit->multiplier.asNumber()) + " " +
         written->unit.str();
}

Value Measure::toValue(int64_t units, const Value &model,
                       ValueArena &arena) const {
  double number = static_cast<double>(units) / scale;
  bool wantsWhole =
      model.isInteger() ||
      (model.isScalar() && model.asScalar().magnitude.isInteger() && isWhole);
  auto make = [&](double value) {
    return wantsWhole && value == std::round(value)
               ? Value::integer(static_cast<int64_t>(value))
               : Value::real(value);
  };
  if (!model.isScalar())
    return make(number);
  const Scalar &like = model.asScalar();
  const Unit *unit = like.type->scalar->findUnit(like.unit);
  return arena.scalar({make(number / unit->multiplier.asNumber()), like.unit,
                       make(number), like.type});
}
