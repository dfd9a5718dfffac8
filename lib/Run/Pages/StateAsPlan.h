//===- StateAsPlan.h - What is there, without steps -------------*- C++ -*-===//
///
/// \file
/// A deployment in the form of a plan that does nothing, so that whoever shows
/// the entities of plans can show those of the store.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_STATEASPLAN_H
#define TOSCAC_LIB_RUN_STATEASPLAN_H

#include "toscac/Plan/Plan.h"

namespace toscac::run {

class StateAsPlan : public planfile::Plan {
public:
  /// \p deployment outlives this.
  explicit StateAsPlan(const state::Deployment &deployment);

  llvm::Expected<planfile::Step> step(uint32_t id, JSONReader &json,
                                      ValueArena &arena) override;
  llvm::Expected<std::string> stepName(uint32_t id) override;
  llvm::Expected<state::PlannedEntity> entity(uint32_t id, JSONReader &json,
                                              ValueArena &arena) override;

private:
  void add(const state::Entity &entity);
  uint32_t numberOf(llvm::StringRef name) const;

  /// Those whose ends are there.
  std::vector<const state::Entity *> entities;
  llvm::DenseMap<llvm::StringRef, uint32_t> numbers;
};

} // namespace toscac::run

#endif
