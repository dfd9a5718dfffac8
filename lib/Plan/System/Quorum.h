//===- Quorum.h - How many parts decide -------------------------*- C++ -*-===//
///
/// \file
/// `$and`, `$or`, `$for_each` and a comparison with a `$count` ask the same of
/// the parts they have: that so many of them hold. This is the one rule by
/// which all that is asked of conditions puts parts together.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_QUORUM_H
#define TOSCAC_LIB_PLAN_QUORUM_H

#include <cstdint>

namespace toscac::plan {

enum class Truth : uint8_t { False, Unknown, True };

inline Truth negate(Truth truth) { return Truth(2 - unsigned(truth)); }
inline Truth toTruth(bool holds) { return holds ? Truth::True : Truth::False; }

struct Quorum {
  /// All but `number` parts; else at least `number`. Either may be impossible,
  /// or no condition at all.
  bool isFromAll = true;
  int64_t number = 0;

  static Quorum all() { return {true, 0}; }
  static Quorum atLeast(int64_t number) { return {false, number}; }

  bool isAll() const { return isFromAll && number == 0; }
  /// How many of \p parts it takes.
  int64_t outOf(int64_t parts) const {
    return isFromAll ? parts - number : number;
  }
  /// Of parts that are not so, how many it takes for this not to be reached.
  Quorum negated() const {
    return isFromAll ? Quorum{false, number + 1} : Quorum{true, number - 1};
  }
};

/// Parts that have been looked at.
struct Tally {
  uint32_t parts = 0;
  uint32_t numTrue = 0;
  uint32_t numFalse = 0;

  void add(Truth part, int times = 1) {
    parts += times;
    numTrue += part == Truth::True ? times : 0;
    numFalse += part == Truth::False ? times : 0;
  }
  /// Whether further parts make no difference.
  bool decides(Quorum quorum) const {
    return quorum.isFromAll ? numFalse > quorum.number
                            : numTrue >= quorum.number;
  }
  /// What \p quorum is worth where there are no further parts.
  Truth worth(Quorum quorum) const {
    int64_t needed = quorum.outOf(parts);
    if (numTrue >= needed)
      return Truth::True;
    return int64_t(parts) - numFalse < needed ? Truth::False : Truth::Unknown;
  }
};

} // namespace toscac::plan

#endif
