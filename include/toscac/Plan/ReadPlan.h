//===- toscac/Plan/ReadPlan.h - Plans in files ------------------*- C++ -*-===//
///
/// \file
/// plan.json as an executor needs it. Opening a plan reads it once and keeps
/// the tables of Plan.h; names, handlers and entities are read from the file
/// when they are needed. So a plan of a million steps takes little memory, and
/// its first step starts soon.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PLAN_READPLAN_H
#define TOSCAC_PLAN_READPLAN_H

#include "toscac/Plan/Plan.h"

namespace toscac::planfile {

class PlanFile : public Plan {
public:
  /// Opens and checks the plan \p path; null after a report. The file stays
  /// open, so that it may be deleted.
  static std::unique_ptr<PlanFile> open(llvm::StringRef path,
                                        DiagnosticEngine &diags);
  /// The plan \p text, which \p name in reports has; \p text is not needed
  /// afterwards.
  static std::unique_ptr<PlanFile>
  fromText(llvm::StringRef text, llvm::StringRef name, DiagnosticEngine &diags);
  ~PlanFile() override;

  /// Depends on the content of the file alone.
  llvm::StringRef digest() const { return contentDigest; }

  llvm::Expected<Step> step(uint32_t id, JSONReader &json,
                            ValueArena &arena) override;
  llvm::Expected<std::string> stepName(uint32_t id) override;
  llvm::Expected<state::PlannedEntity> entity(uint32_t id, JSONReader &json,
                                              ValueArena &arena) override;
  /// The line of entity \p id, without its end; good until the next call.
  llvm::Expected<llvm::StringRef> entityLine(uint32_t id);

private:
  friend class PlanReader;
  /// Where lines are.
  struct Places {
    std::vector<uint64_t> offsets;
    std::vector<uint32_t> lengths;
    void add(uint64_t offset, size_t length) {
      offsets.push_back(offset);
      lengths.push_back(static_cast<uint32_t>(length));
    }
  };
  /// A part of the file that was read.
  struct Window {
    std::vector<char> bytes;
    uint64_t start = 0;
    size_t size = 0;
  };
  explicit PlanFile(int file) : file(file) {}
  /// Takes over \p file, whose name is \p path.
  static std::unique_ptr<PlanFile> take(int file, llvm::StringRef path,
                                        DiagnosticEngine &diags);
  llvm::Expected<llvm::StringRef> read(Window &window, const Places &places,
                                       uint32_t number);

  int file;
  Places entityPlaces;
  Places stepPlaces;
  std::string contentDigest;
  Window stepWindow;
  Window entityWindow;
};

} // namespace toscac::planfile

#endif
