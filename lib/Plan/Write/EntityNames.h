//===- EntityNames.h - Names of entities in JSON ----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_ENTITYNAMES_H
#define TOSCAC_LIB_PLAN_ENTITYNAMES_H

#include "toscac/IR/Graph.h"
#include "llvm/Support/raw_ostream.h"

namespace toscac::plan {

/// Writes names without making a string of each where no part of any needs an
/// escape.
class EntityNames {
public:
  explicit EntityNames(const ir::Graph &graph);

  /// `site[2].vpn[0]`, escaped for a JSON string.
  void write(ir::EntityId entity, llvm::raw_ostream &os) const;

private:
  const ir::Graph &graph;
  bool arePlain;
};

} // namespace toscac::plan

#endif
