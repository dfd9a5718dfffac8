//===- ExplainLink.cpp - Why a link is what it is -------------------------===//

#include "LinkRecord.h"
#include "toscac/Sema/Bosh/Links.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::raw_ostream;
using llvm::StringRef;

static void explainProvider(const Links &links, const Link &link,
                            raw_ostream &os) {
  const Provider &provider = *link.provider;
  bool isForeign = provider.deployment != links.deployment;
  os << "comes from " << describe(provider, links.deployment)
     << ", which provides '" << provider.name << "'";
  if (provider.alias != provider.name)
    os << " as '" << provider.alias << "'";
  os << ":\n";
  if (link.choice == Link::Choice::ByName) {
    os << "  the manifest asks for '" << provider.alias << "'";
    if (isForeign)
      os << " of deployment '" << provider.deployment << "', which shares it";
    os << "; no other provider has this name and type.\n";
  } else if (link.spec->colocated) {
    os << "  the link is colocated, and this is the only provider of type '"
       << link.spec->type << "' in the group.\n";
  } else {
    os << "  the manifest does not say where it comes from, and this is the "
          "only provider\n  of type '"
       << link.spec->type << "' in the deployment.\n";
  }
}

/// Of a link, or of a variable's.
template <typename AnyLink>
static void explainNetwork(const AnyLink &link, raw_ostream &os) {
  std::vector<StringRef> networks = networksOf(link.provider->record);
  if (networks.empty()) {
    os << "It has no addresses.\n";
    return;
  }
  os << "Addresses are those of network '" << link.network << "': ";
  if (link.asksForNetwork)
    os << "the consumer asks for it.\n";
  else if (networks.size() == 1)
    os << "the provider is on no other.\n";
  else
    os << "it is the provider's default.\n";
}

static void explain(const Links &links, const Link &link, raw_ostream &os) {
  const PlacedGroup &placed = links.groups[link.group];
  os << "Link '" << link.spec->name.text << "' of type '" << link.spec->type
     << "', consumed by job '" << placed.jobs[link.job].job->name.text
     << "' in group '" << placed.group->name.text << "', ";
  switch (link.choice) {
  case Link::Choice::ByType:
  case Link::Choice::ByName:
    explainProvider(links, link, os);
    return explainNetwork(link, os);
  case Link::Choice::Written:
    os << "is written out in the manifest.\n";
    return;
  case Link::Choice::Nobody:
    os << "is not there:\n  it is optional, and nobody in the deployment "
          "provides its type.\n";
    return;
  case Link::Choice::Blocked:
    os << "is not there:\n  it is optional, and the manifest says 'nil'.\n";
    return;
  }
}

static void explain(const Links &links, const VariableLink &link,
                    raw_ostream &os) {
  const Provider &provider = *link.provider;
  os << "Name '" << link.name << "' of certificate '" << link.variable
     << "' is that of " << describe(provider, links.deployment)
     << ":\n  the manifest asks for '" << provider.alias << "' of type '"
     << link.type << "'.\n";
  explainNetwork(link, os);
}

static bool explainVariable(const Links &links, StringRef path,
                            raw_ostream &os) {
  for (const VariableLink &link : links.variables)
    if (path == ("variables/" + link.variable + "/" + link.name).str()) {
      explain(links, link, os);
      return true;
    }
  return false;
}

bool bosh::explainLink(const Links &links, StringRef path, raw_ostream &os) {
  auto isMeant = [&](const Link &link) {
    const PlacedGroup &placed = links.groups[link.group];
    StringRef rest = path;
    return rest.consume_front(placed.group->name.text) &&
           rest.consume_front("/") &&
           rest.consume_front(placed.jobs[link.job].job->name.text) &&
           rest.consume_front("/") && rest == link.spec->name.text;
  };
  auto found = llvm::find_if(links.links, isMeant);
  if (found == links.links.end())
    return explainVariable(links, path, os);
  explain(links, *found, os);
  return true;
}
