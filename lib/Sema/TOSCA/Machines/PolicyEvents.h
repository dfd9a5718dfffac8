//===- PolicyEvents.h - What policies listen to -----------------*- C++ -*-===//
///
/// \file
/// A trigger of a policy acts when its event happens: a notification of one of
/// its targets, an event of the service, or what is sent to the service under
/// that name. So that this holds within plans, too, the trigger is an operation
/// of the service, which those send the event to.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_POLICYEVENTS_H
#define TOSCAC_LIB_SEMA_TOSCA_POLICYEVENTS_H

#include "TOSCA/Types/ServiceScope.h"
#include "toscac/IR/Machine.h"

namespace toscac::sema {

/// The interface of a service whose operations stand for triggers of policies.
inline constexpr llvm::StringLiteral policyInterface = "policies";

/// Triggers of the type of \p policy, then those of the policy itself, which
/// replace those of the same name.
llvm::MapVector<llvm::StringRef, Layer> triggersOf(const ServiceScope &service,
                                                   const Template &policy);

/// What the triggers of all policies listen to.
std::vector<PolicyListener> findListeners(Program &program,
                                          const ServiceScope &service);

/// Triggers that send what happened to those policies that listen to
/// \p notification of \p node, which is known as \p interface there.
llvm::SmallVector<ir::Trigger>
tellPolicies(Program &program, const ServiceScope &service,
             const Template &node, llvm::StringRef interface,
             llvm::StringRef notification, SourceRange range);
/// The same for an event of the service, which \p sender sends: the path from
/// there to the service.
llvm::SmallVector<ir::Trigger> tellPolicies(Program &program,
                                            const ServiceScope &service,
                                            llvm::StringRef event,
                                            ir::Path sender, SourceRange range);
/// Whether a policy listens to a notification of \p node.
bool isHeard(const ServiceScope &service, const Template &node);

} // namespace toscac::sema

#endif
