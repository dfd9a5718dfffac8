//===- ParseCapabilities.cpp - What a template declares to be -------------===//

#include "ParseTags.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
using syntax::Node;

std::optional<Capability> heat::parseTag(const syntax::Entry &entry,
                                         DiagnosticEngine &diags) {
  auto key = expectText(entry.key, "the name of a capability", diags);
  if (!key)
    return std::nullopt;
  Capability result{{*key, entry.key.range()}, {}};
  auto add = [&](const Node &value) {
    if (value.isScalar())
      result.values.push_back(&value);
    else
      diags.report(value.range(), diag::BadCapability, *key, describe(value));
    return value.isScalar();
  };
  const Node &value = entry.value;
  bool isValid =
      value.isSequence() ? llvm::all_of(value.items(), add) : add(value);
  return isValid ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<std::vector<Capability>>
heat::parseCapabilities(const Node &root, DiagnosticEngine &diags) {
  std::vector<Capability> result;
  const Node *section = root.find("capabilities");
  if (!section)
    return result;
  if (!section->isMapping()) {
    diags.report(section->range(), diag::CapabilitiesNotAMap,
                 describe(*section));
    return std::nullopt;
  }
  for (const syntax::Entry &entry : section->entries()) {
    auto capability = parseTag(entry, diags);
    if (!capability)
      return std::nullopt;
    result.push_back(std::move(*capability));
  }
  return result;
}
