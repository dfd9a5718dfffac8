//===- ChangeBuilder.h - A change of a deployment in the making -*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_CHANGEBUILDER_H
#define TOSCAC_LIB_EXPAND_CHANGEBUILDER_H

#include "Recorded/Containment.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Expand/ChangeDeployment.h"
#include "toscac/Sema/Service.h"
#include "llvm/ADT/SetVector.h"
#include <map>

namespace toscac::expanding {

class ChangeBuilder {
public:
  ChangeBuilder(const ChangeRequest &request,
                const state::Deployment &deployment,
                const sema::CheckedProgram &program, DiagnosticEngine &diags)
      : request(request), indexed(std::make_shared<Recorded>(deployment)),
        recorded(*indexed), containment(recorded, program.types),
        program(program), service(program.services.front()), diags(diags) {
    result.recorded = &deployment;
    result.indexed = indexed;
  }

  DeploymentChange result;

  // Each is false after a report.
  bool takeDown();
  bool scale();
  bool heal();
  bool update();
  bool check();
  /// Takes back some of what heal replaces: instances that are known to be
  /// healthy although their host is replaced, and those that have an operation
  /// to be healed with.
  void spareHealthy();

private:
  friend class Scaling;

  const sema::NodeTemplate *findTemplate(llvm::StringRef name) const;
  bool isHealthy(uint32_t row) const;
  bool canHeal(uint32_t row);

  // Of heal and update.
  /// What says that \p row has failed; empty: nothing does.
  std::string failureOf(uint32_t row);
  llvm::ArrayRef<const ir::Machine *> machinesOf(uint32_t row);
  /// Null: it is not recorded.
  const Value *cellOf(uint32_t row, const ir::Machine &machine,
                      uint32_t cell) const;
  bool wants(uint32_t row, ir::Intent::Way way);
  bool isThere(uint32_t row);
  bool isGoingDown(uint32_t row);
  uint32_t hostOf(uint32_t row) const;
  /// Replaces \p row with all that is inside of it.
  void replaceTree(uint32_t row, const llvm::Twine &reason);
  void addBroken(llvm::function_ref<uint32_t(uint32_t)> treeOf, bool restores);

  /// Whether all parameters that were given are among \p known.
  bool knowsParameters(llvm::ArrayRef<llvm::StringRef> known) const;
  /// Null: not given.
  const Value *parameter(llvm::StringRef name) const;
  /// The instances that a parameter lists; what is none is reported, and makes
  /// \p isComplete false.
  std::vector<uint32_t> instances(llvm::StringRef parameterName,
                                  bool &isComplete) const;
  /// Which instances a workflow is asked for: `instances`, or what that was
  /// called once, with a warning; empty: all.
  llvm::StringRef instancesParameter() const;

  const ChangeRequest &request;
  std::shared_ptr<const Recorded> indexed;
  const Recorded &recorded;
  Containment containment;
  const sema::CheckedProgram &program;
  const sema::Service &service;
  DiagnosticEngine &diags;
  /// By template and requirement, which is empty for nodes.
  std::map<std::pair<llvm::StringRef, llvm::StringRef>,
           std::vector<const ir::Machine *>>
      machines;
};

} // namespace toscac::expanding

#endif
