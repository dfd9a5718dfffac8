//===- ParseEnvironment.cpp - Environments, merged as they come -----------===//

#include "ParseTags.h"
#include "toscac/Parse/Heat/Library.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

bool heat::namesTemplate(StringRef name) {
  return name.ends_with(".yaml") || name.ends_with(".template");
}

namespace {

class EnvironmentParser {
public:
  EnvironmentParser(StringRef folder, Environment &result,
                    DiagnosticEngine &diags)
      : folder(folder), result(result), diags(diags) {}

  void parse(const Node &root);
  void parseValues(const Node &section, StringRef name,
                   llvm::MapVector<StringRef, GivenValue> &into);

private:
  void parseStrategies(const Node &section);
  void addPart(StringRef name, const Entry &entry, GivenValue &value);
  void parseRequires(const Node &section);
  void parseRegistry(const Node &section);
  void parseEntry(const Entry &entry, Registry &registry);
  void parseResources(const Node &section, Registry &registry);
  void parseResource(const Node &section, Registry &registry);
  void checkWords(const Node &node, StringRef what,
                  llvm::ArrayRef<StringRef> known);

  /// What names of templates are relative to.
  std::string folder;
  /// Of this file, by parameter; `default` is for all others.
  llvm::StringMap<MergeStrategy> strategies;
  Environment &result;
  DiagnosticEngine &diags;
};

} // namespace

/// The strategies, in the order of MergeStrategy.
static constexpr StringRef strategyWords[] = {"overwrite", "merge",
                                              "deep_merge"};

StringRef heat::word(MergeStrategy strategy) {
  return strategyWords[static_cast<size_t>(strategy)];
}

void EnvironmentParser::parseStrategies(const Node &section) {
  if (!expectMap(section, "'parameter_merge_strategies'", diags))
    return;
  for (const Entry &entry : section.entries()) {
    auto name = expectText(entry.key, "the name of a parameter", diags);
    if (!name)
      continue;
    checkWords(entry.value, "merge strategy", strategyWords);
    auto found = llvm::find(strategyWords,
                            entry.value.isScalar() ? entry.value.text() : "");
    if (found != std::end(strategyWords))
      strategies[*name] =
          static_cast<MergeStrategy>(found - std::begin(strategyWords));
  }
}

/// Adds what this file says to what earlier ones did. The first that mentions a
/// parameter chooses how that is done.
void EnvironmentParser::addPart(StringRef name, const Entry &entry,
                                GivenValue &value) {
  auto own = strategies.find(name);
  auto general = strategies.find("default");
  if (value.parts.empty()) {
    value.chosenAt = entry.key.range();
    if (own != strategies.end())
      value.strategy = own->second;
    else if (general != strategies.end())
      value.strategy = general->second;
  } else if (own != strategies.end() && own->second != value.strategy) {
    diags
        .report(entry.key.range(), diag::MergeConflict, name, word(own->second),
                word(value.strategy))
        .note(value.chosenAt, diag::FirstDefinedHere, name);
    return;
  }
  if (value.strategy == MergeStrategy::Overwrite)
    value.parts.clear();
  value.parts.push_back(&entry.value);
}

void EnvironmentParser::parseValues(
    const Node &section, StringRef name,
    llvm::MapVector<StringRef, GivenValue> &into) {
  if (!expectMap(section, ("'" + name + "'").str(), diags))
    return;
  for (const Entry &entry : section.entries())
    if (auto key = expectText(entry.key, "the name of a parameter", diags))
      addPart(*key, entry, into[*key]);
}

void EnvironmentParser::parseRequires(const Node &section) {
  if (!expectMap(section, "'requires'", diags))
    return;
  for (const Entry &entry : section.entries()) {
    auto tag = parseTag(entry, diags);
    if (!tag)
      continue;
    auto known = llvm::find_if(result.required, [&](const Capability &other) {
      return other.key.text == tag->key.text;
    });
    if (known != result.required.end())
      *known = std::move(*tag);
    else
      result.required.push_back(std::move(*tag));
  }
}

void EnvironmentParser::parseEntry(const Entry &entry, Registry &registry) {
  auto key = expectText(entry.key, "a type in 'resource_registry'", diags);
  // Heat's server passes over what is nothing: an earlier entry stays.
  if (!key || entry.value.isNull())
    return;
  RegistryEntry parsed{{*key, entry.key.range()}};
  parsed.folder = folder;
  std::string what = ("what '" + *key + "' stands for").str();
  auto add = [&](const Node &target) {
    if (auto text = expectText(target, what, diags))
      parsed.targets.push_back({*text, target.range()});
  };
  parsed.isList = entry.value.isSequence();
  if (!parsed.isList)
    add(entry.value);
  else
    for (const Node &target : entry.value.items())
      add(target);
  if (parsed.targets.empty() && parsed.isList && entry.value.items().empty())
    diags.report(entry.value.range(), diag::HeatShape, what,
                 "a template, a type or a list of these", "an empty list");
  if (!parsed.targets.empty())
    registry.entries[*key] = std::move(parsed);
}

void EnvironmentParser::checkWords(const Node &node, StringRef what,
                                   llvm::ArrayRef<StringRef> known) {
  auto check = [&](const Node &word) {
    StringRef text = word.isScalar() ? word.text() : "";
    if (!llvm::is_contained(known, text))
      diags.report(word.range(), diag::BadHook,
                   text.empty() ? describe(word) : text, what,
                   llvm::join(known, ", "));
  };
  if (node.isSequence())
    for (const Node &word : node.items())
      check(word);
  else
    check(node);
}

void EnvironmentParser::parseResource(const Node &section, Registry &registry) {
  static constexpr StringRef hooks[] = {"pre-create",  "pre-update",
                                        "pre-delete",  "post-create",
                                        "post-update", "post-delete"};
  static constexpr StringRef actions[] = {"update", "replace"};
  for (const Entry &entry : section.entries()) {
    StringRef key = entry.key.isScalar() ? entry.key.text() : "";
    if (key == "hooks") {
      checkWords(entry.value, "hook", hooks);
    } else if (key == "restricted_actions") {
      checkWords(entry.value, "restricted action", actions);
    } else if (entry.value.isMapping()) {
      auto &nested = registry.resources[key];
      if (!nested)
        nested = std::make_unique<Registry>();
      parseResource(entry.value, *nested);
    } else {
      parseEntry(entry, registry);
    }
  }
}

void EnvironmentParser::parseResources(const Node &section,
                                       Registry &registry) {
  if (!expectMap(section, "'resources' of the registry", diags))
    return;
  for (const Entry &entry : section.entries()) {
    auto name = expectText(entry.key, "the name of a resource", diags);
    if (!name || entry.value.isNull() ||
        !expectMap(entry.value,
                   ("what holds for resource '" + *name + "'").str(), diags))
      continue;
    auto &nested = registry.resources[*name];
    if (!nested)
      nested = std::make_unique<Registry>();
    parseResource(entry.value, *nested);
  }
}

void EnvironmentParser::parseRegistry(const Node &section) {
  if (!expectMap(section, "'resource_registry'", diags))
    return;
  if (const Node *base = section.find("base_url"))
    if (auto text = expectText(*base, "'base_url'", diags))
      folder = joinPath(folder, *text);
  for (const Entry &entry : section.entries()) {
    StringRef key = entry.key.isScalar() ? entry.key.text() : "";
    if (key == "resources")
      parseResources(entry.value, result.registry);
    else if (key != "base_url")
      parseEntry(entry, result.registry);
  }
}

void EnvironmentParser::parse(const Node &root) {
  if (root.isNull() || !expectMap(root, "an environment", diags))
    return;
  checkKeys(root, "an environment",
            {{"parameters"},
             {"parameter_defaults"},
             {"parameter_merge_strategies"},
             {"resource_registry"},
             {"requires"},
             {"encrypted_param_names"},
             {"event_sinks"}},
            nullptr, diags);
  // Strategies hold for all sections, wherever they stand.
  if (const Node *section = root.find("parameter_merge_strategies");
      section && !section->isNull())
    parseStrategies(*section);
  for (const Entry &entry : root.entries()) {
    StringRef key = entry.key.isScalar() ? entry.key.text() : "";
    if (entry.value.isNull() && !key.empty())
      diags.report(entry.key.range(), diag::EmptySection, key);
    else if (key == "parameters")
      parseValues(entry.value, key, result.parameters);
    else if (key == "parameter_defaults")
      parseValues(entry.value, key, result.defaults);
    else if (key == "requires")
      parseRequires(entry.value);
    else if (key == "resource_registry")
      parseRegistry(entry.value);
  }
}

void heat::parseEnvironment(const Node &root, StringRef folder,
                            Environment &environment, DiagnosticEngine &diags) {
  EnvironmentParser(folder, environment, diags).parse(root);
}

void heat::parseParameters(const Node &root, Environment &environment,
                           DiagnosticEngine &diags) {
  const Node *values = root.isMapping() ? root.find("parameters") : nullptr;
  llvm::MapVector<StringRef, GivenValue> given;
  EnvironmentParser("", environment, diags)
      .parseValues(values ? *values : root, "parameters", given);
  // Stronger than what environments say, whatever their strategy is.
  for (auto &[name, value] : given)
    environment.parameters[name] = std::move(value);
}
