//===- CheckService.h - Service templates -----------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_CHECKSERVICE_H
#define TOSCAC_LIB_SEMA_TOSCA_CHECKSERVICE_H

#include "TOSCA/Types/ServiceScope.h"
#include "TOSCA/Values/CheckExpression.h"

namespace toscac::sema {

/// Checks the service template \p entity of a file.
ServiceScope checkService(Program &program, const Scope &scope,
                          const Entity &entity);

/// The parts of checkService(), each for one kind of template.
void checkNodeTemplate(Program &program, const ServiceScope &service,
                       const Template &node);
void checkRelationshipTemplate(Program &program, const ServiceScope &service,
                               const Template &relationship);
void checkRequirements(Program &program, const ServiceScope &service,
                       const Template &node);
void checkInterfaces(Program &program, const ExprContext &owner,
                     const std::string &ownerName, const Field &interfaces);
/// Groups in groups: none contains itself, and there is an end to it.
void checkGroupNesting(Program &program, const ServiceScope &service);
void checkGroup(Program &program, const ServiceScope &service,
                const Template &group);
void checkPolicy(Program &program, const ServiceScope &service,
                 const Template &policy);

void checkWorkflows(Program &program, const ServiceScope &service);
void checkSubstitution(Program &program, const ServiceScope &service);
/// Warns of inputs and templates that nothing refers to.
void checkUnused(Program &program, const ServiceScope &service);
/// Warns of types that nothing has looked up, after all else has been checked.
void checkUnusedTypes(Program &program);
/// The part of it for the list \p mappings of requirements of \p substituted,
/// a node type.
void checkRequirementMappings(Program &program, const ServiceScope &service,
                              const Flat &substituted,
                              const syntax::Node &mappings);

/// Reports directives of \p entity that are not among \p known.
void checkDirectives(Program &program, const Entity &entity,
                     llvm::ArrayRef<llvm::StringRef> known);

} // namespace toscac::sema

#endif
