//===- toscac/Basic/DeclareDiagnostics.h - Rows as constants ----*- C++ -*-===//
///
/// \file
/// Declares the rows of one table. Included once by the header of each stage,
/// which defines DIAG_STAGE and DIAG_TABLE before.
///
//===----------------------------------------------------------------------===//

namespace toscac::diag {

#define DIAG_JOIN(A, B) A##B
#define DIAG_ROWS(STAGE) DIAG_JOIN(STAGE, Rows)

namespace detail {
struct DIAG_ROWS(DIAG_STAGE) {
  enum : unsigned {
#define DIAG(NAME, ...) NAME,
#include DIAG_TABLE
#undef DIAG
    Count
  };
  static_assert(Count <= maxRowsPerStage, "ids of stages would overlap");
};
} // namespace detail

#define DIAG(NAME, SEVERITY, GROUP, TEXT, SIGNATURE, SECTION, HELP)            \
  inline constexpr detail::Row<void SIGNATURE> NAME{detail::makeId(            \
      DiagStage::DIAG_STAGE, detail::DIAG_ROWS(DIAG_STAGE)::NAME)};            \
  static_assert(detail::numPlaceholders(TEXT) ==                               \
                    detail::numArguments(static_cast<void(*) SIGNATURE>(0)),   \
                "the text of " #NAME " does not fit its parameters");
#include DIAG_TABLE
#undef DIAG

#undef DIAG_ROWS
#undef DIAG_JOIN
#undef DIAG_STAGE
#undef DIAG_TABLE

} // namespace toscac::diag
