//===- toscac/State/ApplyRun.h - A journal applied to a state ---*- C++ -*-===//

#ifndef TOSCAC_STATE_APPLYRUN_H
#define TOSCAC_STATE_APPLYRUN_H

#include "toscac/State/Journal.h"
#include "toscac/State/PlannedEntity.h"
#include "toscac/State/Store.h"
#include "llvm/ADT/DenseMap.h"

namespace toscac::state {

/// What has to be done with the row of an entity.
enum class EntityChange : uint8_t { None, Updated, Added, Removed };

/// A deployment with the rows it came from. Entities that left it are still
/// listed, as Removed.
struct LoadedDeployment {
  Deployment content;
  int64_t id = 0;
  /// One for each entity.
  std::vector<int64_t> positions;
  std::vector<EntityChange> changes;

  /// Takes out what has left the deployment.
  void dropRemoved();
};

/// The entities of the plan that a run replays, read line by line.
class PlanEntities {
public:
  explicit PlanEntities(ValueArena &arena) : arena(arena) {}

  llvm::Error add(llvm::StringRef lines, JSONReader &json);
  void add(const PlannedEntity &entity) { items.push_back(entity); }

  llvm::ArrayRef<PlannedEntity> all() const { return items; }
  /// Gives relationships the names of their ends.
  llvm::Error resolve();

private:
  ValueArena &arena;
  std::vector<PlannedEntity> items;
};

/// Applies to \p deployment what \p journal says was done to \p entities.
/// \p isComplete: all of the plan was done.
void applyRun(const PlanEntities &entities, const Journal &journal,
              bool isComplete, InFlight inFlight, LoadedDeployment &deployment,
              ValueArena &arena);

} // namespace toscac::state

#endif
