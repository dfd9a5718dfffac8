//===- Quantity.h - Amounts that can be counted -----------------*- C++ -*-===//
///
/// \file
/// Capacities are integers, floats or scalars. The assignment counts in whole
/// units: decimals are scaled until all amounts of a resource are whole, so
/// that three times 0.1 fits into 0.3.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EXPAND_QUANTITY_H
#define TOSCAC_LIB_EXPAND_QUANTITY_H

#include "toscac/Value/Value.h"
#include <optional>
#include <string>
#include <vector>

namespace toscac::expanding {

/// The number in \p value, for scalars in the canonical unit; nothing if it is
/// none.
std::optional<Value> magnitudeOf(const Value &value);

/// How quantities of one resource are counted.
class Measure {
public:
  /// Takes \p value into account; \p value has a magnitude.
  void include(const Value &value);
  /// To be called when all values are included.
  void choose();

  /// Rounded up for what is taken, down for what is offered.
  int64_t unitsTaken(const Value &value) const;
  int64_t unitsOffered(const Value &value) const;
  /// What \p units are, in the unit in which people wrote amounts.
  std::string toText(int64_t units) const;
  /// A value like \p model with \p units.
  Value toValue(int64_t units, const Value &model, ValueArena &arena) const;

private:
  double toUnits(const Value &value) const;
  std::vector<double> fractions;
  bool isWhole = true;
  /// Units in 1.
  double scale = 1;
  const Scalar *written = nullptr;
};

} // namespace toscac::expanding

#endif
