//===- Handles.h - What the handles of libtoscac hold -----------*- C++ -*-===//

#ifndef TOSCAC_LIB_EMBED_HANDLES_H
#define TOSCAC_LIB_EMBED_HANDLES_H

#include "toscac-c/toscac.h"
#include "toscac/Driver/Driver.h"
#include "toscac/Plan/ReadPlan.h"

struct toscac_options {
  toscac::DriverOptions driver;
};

/// A range as people read it; all 0: no place.
struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t endLine = 0;
  uint32_t endColumn = 0;
};

struct toscac_fix {
  Place place;
  std::string text;
  bool isSafe;
};

struct toscac_diagnostic {
  int severity;
  /// Empty: none, as the file.
  std::string name;
  std::string message;
  std::string file;
  Place place;
  std::vector<toscac_diagnostic> notes;
  std::vector<toscac_fix> fixes;
};

struct toscac_plan {
  std::string text;
  std::unique_ptr<toscac::planfile::PlanFile> file;
  std::vector<uint32_t> stages;
  /// Those that were asked for; made on demand, because there may be millions.
  mutable std::vector<std::string> stepNames;
  mutable std::vector<std::string> entityNames;
};

struct toscac_result {
  int code = TOSCAC_GOOD;
  std::string failure;
  std::vector<toscac_diagnostic> diagnostics;
  std::unique_ptr<toscac_plan> plan;
};

namespace toscac {

/// Takes over what there is to say.
void keep(const DiagnosticList &list, const SourceManager &sources,
          toscac_result &result);

/// Opens the plan \p text, which was read from \p name.
void openPlan(std::string text, llvm::StringRef name, toscac_result &result);

/// What \p ask answers; \p otherwise if it throws. Nothing leaves the library.
template <typename Answer, typename Ask>
Answer answer(Answer otherwise, Ask ask) noexcept {
  try {
    return ask();
  } catch (...) {
    return otherwise;
  }
}

} // namespace toscac

#endif
