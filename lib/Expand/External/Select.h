//===- Select.h - What a state has of nodes ---------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_SELECT_H
#define TOSCAC_LIB_EXPAND_SELECT_H

#include "Graph/Expansion.h"
#include "toscac/State/State.h"

namespace toscac::expanding {

/// Gives the node of \p nodeClass in \p row the properties, attributes and
/// cells of \p entity.
void fillFromState(Expansion &expansion, uint32_t nodeClass, uint32_t row,
                   const state::Entity &entity);

/// Makes \p nodeClass a class of nodes that another deployment manages: its
/// machines keep their cells, and lose operations, rules and roles; its nodes
/// get no relationships.
void retire(Expansion &expansion, uint32_t nodeClass);

} // namespace toscac::expanding

#endif
