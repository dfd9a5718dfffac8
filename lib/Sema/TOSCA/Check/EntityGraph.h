//===- EntityGraph.h - Entities that name each other ------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_ENTITYGRAPH_H
#define TOSCAC_LIB_SEMA_TOSCA_ENTITYGRAPH_H

#include "TOSCA/Types/Scope.h"
#include "toscac/Basic/CsrGraph.h"

namespace toscac::sema {

/// The graph of \p entities in which each leads to those that \p namedBy gives
/// for it; names of others do not count.
CsrGraph
graphOf(llvm::ArrayRef<Entity> entities,
        llvm::function_ref<std::vector<llvm::StringRef>(const Entity &entity)>
            namedBy);

/// `'a' -> 'b' -> 'a'`
std::string describeCycle(llvm::ArrayRef<Entity> entities, const Cycle &cycle);

/// The entity that the longest way ends at, if that has \p limit edges or more.
const Entity *findDeepest(llvm::ArrayRef<Entity> entities,
                          const CsrGraph &graph, size_t limit);

} // namespace toscac::sema

#endif
