//===- MappedConstants.h - Constants in substitution mappings ---*- C++ -*-===//
///
/// \file
/// In TOSCA 1.x a property can be mapped to a constant. Nothing flows then: the
/// service stands for nodes whose property has that value. Network functions
/// have one service for each flavour and tell them apart by `flavour_id`.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA1_MAPPEDCONSTANTS_H
#define TOSCAC_LIB_SEMA_TOSCA1_MAPPEDCONSTANTS_H

#include "TOSCA/Types/ServiceScope.h"

namespace toscac::sema {

/// Whether \p entry of the property mappings of \p service names a constant: a
/// scalar, not `[ input ]`, that no input is called.
bool isConstantMapping(const ServiceScope &service, const Entity &mappings,
                       const syntax::Entry &entry);

} // namespace toscac::sema

#endif
