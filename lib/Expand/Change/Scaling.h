//===- Scaling.h - The workflow `scale` -------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_SCALING_H
#define TOSCAC_LIB_EXPAND_SCALING_H

#include "ChangeBuilder.h"

namespace toscac::expanding {

class Scaling {
public:
  explicit Scaling(ChangeBuilder &change) : change(change) {}

  /// False after a report.
  bool run();

private:
  const sema::NodeTemplate *
  containerTemplate(const sema::NodeTemplate &contained) const;
  llvm::StringRef computeOf(llvm::StringRef name) const;
  std::optional<uint32_t> countOf(const Expr *written) const;
  bool contentsPer(llvm::StringRef container,
                   std::vector<std::pair<llvm::StringRef, uint32_t>> &result);
  bool addInstances(llvm::StringRef path, uint32_t count);
  bool pickVictims(llvm::StringRef name, llvm::ArrayRef<uint32_t> rows,
                   uint32_t count, std::vector<uint32_t> &victims);
  bool scaleTemplate(llvm::StringRef name, int64_t delta);
  /// Where counts are per container.
  bool scalePerContainer(llvm::StringRef name, int64_t delta,
                         bool scalesCompute);
  const sema::Group *findGroup(llvm::StringRef name) const;
  std::map<uint32_t, std::vector<uint32_t>>
  groupInstances(llvm::StringRef name) const;
  void addMembers(const sema::Group &group,
                  llvm::SetVector<uint32_t> &members) const;
  bool membersPer(const sema::Group &group,
                  std::vector<std::pair<llvm::StringRef, uint32_t>> &result);
  bool addGroups(const sema::Group &group, uint32_t count);
  bool removeGroups(llvm::StringRef name, uint32_t count);
  std::optional<int64_t> delta() const;

  ChangeBuilder &change;
  const ChangeRequest &request = change.request;
  const Recorded &recorded = change.recorded;
  Containment &containment = change.containment;
  const sema::CheckedProgram &program = change.program;
  const sema::Service &service = change.service;
  DiagnosticEngine &diags = change.diags;
  DeploymentChange &result = change.result;
};

} // namespace toscac::expanding

#endif
