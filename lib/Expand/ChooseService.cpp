//===- ChooseService.cpp - Which service stands for a node ----------------===//
///
/// \file
/// A service offers to substitute nodes of a type of which its filter is true
/// (TOSCA 2.0 §15.1). Exactly one must be left.
///
//===----------------------------------------------------------------------===//

#include "GraphEnvironment.h"
#include "Substitute.h"
#include "toscac/Basic/DiagnosticsExpand.h"

using namespace toscac;
using namespace toscac::expanding;

/// Why \p service cannot stand for \p node; empty: it can.
static std::string whyNot(Expansion &expansion, const sema::Service &service,
                          ir::NodeId node) {
  const sema::Substitution &offer = *service.substitution;
  const auto &types = expansion.program.types;
  if (!ir::isDerivedFrom(types, expansion.graph.classOf(node).type,
                         offer.nodeType))
    return llvm::formatv("it is for nodes of type '{0}'",
                         types[offer.nodeType.index].name.str());
  if (!offer.filter)
    return "";
  Evaluation truth =
      evaluateAt(expansion, *offer.filter, expansion.placeOf(node));
  if (truth.isFailed()) {
    report(expansion.diags, truth.problem(), offer.filter->range());
    return "its filter has no value";
  }
  if (expansion.secret && truth.isUnknown())
    return llvm::formatv("its filter depends on the sensitive input '{0}'",
                         expansion.secret->str());
  if (truth.isUnknown())
    return llvm::formatv("its filter cannot be decided before the service "
                         "runs: {0}",
                         toText(*truth.residual()));
  if (truth.isNothing() || !truth.value().isTrue())
    return llvm::formatv("its filter {0} is false", toText(*offer.filter));
  return "";
}

static std::string shownName(const sema::Service &service) {
  return service.name.str().str();
}

const sema::Service *expanding::chooseService(Expansion &expansion,
                                              ir::NodeId node,
                                              bool isOptional) {
  std::vector<std::pair<const sema::Service *, std::string>> offers;
  const sema::Service *chosen = nullptr;
  uint32_t numFitting = 0;
  for (const sema::Service &service : expansion.program.services) {
    if (!service.substitution)
      continue;
    std::string reason = whyNot(expansion, service, node);
    if (reason.empty() && ++numFitting == 1)
      chosen = &service;
    offers.push_back({&service, reason});
  }
  if (numFitting == 1)
    return chosen;
  if (numFitting == 0 && isOptional)
    return nullptr;
  SourceRange range = expansion.graph.classOf(node).range;
  std::string name = expansion.graph.nameOf(node);
  auto report = numFitting
                    ? expansion.diags.report(range, diag::AmbiguousSubstitution,
                                             name, numFitting)
                    : expansion.diags.report(range, diag::NoSubstitution, name);
  for (const auto &[service, reason] : offers)
    if (reason.empty())
      report.note(service->substitution->range, diag::ServiceFits,
                  shownName(*service));
    else
      report.note(service->substitution->range, diag::ServiceDoesNotFit,
                  shownName(*service), reason);
  if (numFitting == 0)
    for (const auto &[file, message] : expansion.options.brokenServices)
      report.note({}, diag::ServiceBroken, file, message);
  return nullptr;
}
