//===- ChooseService.cpp - Which service stands for a node ----------------===//
///
/// \file
/// A service offers to substitute nodes of a type of which its filter is true
/// (TOSCA 2.0 §15.1), and declares in its metadata what it is like. Where the
/// node says something about that, in metadata of its template or in a property
/// of that name, it must declare the same if others declare anything. Exactly
/// one must be left.
///
//===----------------------------------------------------------------------===//

#include "Graph/GraphEnvironment.h"
#include "Graph/Values.h"
#include "Substitute.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Sema/Choose.h"

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

/// What is said of the template itself is no tag.
static bool isTag(llvm::StringRef key) { return !key.starts_with("template_"); }

static sema::Tagged taggedService(const sema::Service &service) {
  sema::Tagged result{service.name.str(), {}};
  for (const ir::Mark &mark : service.metadata)
    if (isTag(mark.key.str()))
      result.tags.push_back({mark.key.str(), {mark.value}});
  return result;
}

/// What \p node wants: its metadata, then its properties as far as they are
/// plain and known.
static std::vector<sema::Tag> requiredTags(Expansion &expansion,
                                           ir::NodeId node) {
  ir::Graph &graph = expansion.graph;
  uint32_t nodeClass = graph.classOfNode[node.index].index;
  const sema::NodeTemplate &written = *expansion.templates[nodeClass];
  std::vector<sema::Tag> result;
  for (const ir::Mark &mark : written.metadata)
    if (isTag(mark.key.str()))
      result.push_back({mark.key.str(), {mark.value}});
  ir::NodeClass &own = graph.nodeClasses[nodeClass];
  for (const sema::Assignment &property : written.properties) {
    llvm::StringRef key = property.name.str();
    bool isGiven = llvm::any_of(
        result, [&](const sema::Tag &tag) { return tag.key == key; });
    auto slot =
        findLazy(own.properties, written.properties, property.name,
                 expansion.placeOf(node), graph.row(node), own.nodes.count);
    const Expr *value = slot ? evaluateLazy(expansion, *slot, 0) : nullptr;
    if (isGiven || !value || !value->isLiteral() || value->value().isList() ||
        value->value().isMap())
      continue;
    const Value &known = value->value();
    result.push_back(
        {key,
         {expansion.arena().save(known.isString() ? known.asString().str()
                                                  : toText(known))}});
  }
  return result;
}

namespace {

struct Offer {
  const sema::Service *service;
  /// Why it does not fit; empty: it does.
  std::string reason;
};

} // namespace

/// Of those that fit by type and filter, takes out those with other tags.
static void compareTags(Expansion &expansion, ir::NodeId node,
                        std::vector<Offer> &offers) {
  std::vector<Offer *> fitting;
  std::vector<sema::Tagged> candidates;
  for (Offer &offer : offers)
    if (offer.reason.empty()) {
      fitting.push_back(&offer);
      candidates.push_back(taggedService(*offer.service));
    }
  bool hasTags = llvm::any_of(
      candidates, [](const sema::Tagged &each) { return !each.tags.empty(); });
  if (!hasTags)
    return;
  std::vector<sema::Tag> required = requiredTags(expansion, node);
  for (auto [offer, verdict] :
       llvm::zip(fitting, sema::judge(required, candidates)))
    if (!verdict.fits)
      offer->reason = verdict.reason;
}

const sema::Service *expanding::chooseService(Expansion &expansion,
                                              ir::NodeId node,
                                              bool isOptional) {
  std::vector<Offer> offers;
  for (const sema::Service &service : expansion.program.services)
    if (service.substitution)
      offers.push_back({&service, whyNot(expansion, service, node)});
  compareTags(expansion, node, offers);
  auto fits = [](const Offer &offer) { return offer.reason.empty(); };
  size_t numFitting = llvm::count_if(offers, fits);
  if (numFitting == 1)
    return llvm::find_if(offers, fits)->service;
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
