//===- Options.cpp - Options of programs, by name -------------------------===//
///
/// \file
/// The options of the command line that make sense for a program that keeps
/// the results: what is compiled, not what is printed.
///
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using llvm::StringRef;

namespace {

using Texts = std::vector<std::string>;

/// One that can be given again and again.
struct ListOption {
  StringRef name;
  Texts &(*of)(DriverOptions &);
};
struct TextOption {
  StringRef name;
  std::string &(*of)(DriverOptions &);
};
struct Flag {
  StringRef name;
  bool &(*of)(DriverOptions &);
};

} // namespace

static const ListOption listOptions[] = {
    {"-I", [](DriverOptions &o) -> Texts & { return o.imports.searchPaths; }},
    {"-W", [](DriverOptions &o) -> Texts & { return o.diagnostics.warnings; }},
    {"--profile",
     [](DriverOptions &o) -> Texts & { return o.imports.profiles; }},
    {"--profile-map",
     [](DriverOptions &o) -> Texts & { return o.imports.profileMaps; }},
    {"--remote-map",
     [](DriverOptions &o) -> Texts & { return o.imports.remoteMaps; }},
    {"--param", [](DriverOptions &o) -> Texts & { return o.plan.parameters; }},
    {"--input",
     [](DriverOptions &o) -> Texts & { return o.inputValues.values; }},
    {"--inputs",
     [](DriverOptions &o) -> Texts & { return o.inputValues.files; }},
    {"--environment",
     [](DriverOptions &o) -> Texts & { return o.heat.environments; }},
    {"--ops-file", [](DriverOptions &o) -> Texts & { return o.bosh.opsFiles; }},
    {"--var", [](DriverOptions &o) -> Texts & { return o.bosh.variables; }},
    {"--var-file",
     [](DriverOptions &o) -> Texts & { return o.bosh.variableFiles; }},
    {"--vars-file",
     [](DriverOptions &o) -> Texts & { return o.bosh.variableMaps; }},
};

static const TextOption textOptions[] = {
    {"--lifecycle",
     [](DriverOptions &o) -> std::string & { return o.imports.lifecycle; }},
    {"--workflow",
     [](DriverOptions &o) -> std::string & { return o.plan.workflow; }},
    {"--state", [](DriverOptions &o) -> std::string & { return o.state.file; }},
    {"--deployment",
     [](DriverOptions &o) -> std::string & { return o.state.deployment; }},
    {"--releases",
     [](DriverOptions &o) -> std::string & { return o.bosh.releases; }},
    {"--cloud", [](DriverOptions &o) -> std::string & { return o.bosh.cloud; }},
};

static const Flag flags[] = {
    {"--take-down",
     [](DriverOptions &o) -> bool & { return o.plan.takesDown; }},
    {"--verify", [](DriverOptions &o) -> bool & { return o.plan.verify; }},
    {"--tosca-only", [](DriverOptions &o) -> bool & { return o.toscaOnly; }},
};

template <typename Row, size_t count>
static const Row *find(const Row (&rows)[count], StringRef name) {
  for (const Row &row : rows)
    if (row.name == name)
      return &row;
  return nullptr;
}

static bool setLanguage(DriverOptions &options, StringRef word) {
  options.language = llvm::StringSwitch<std::optional<Language>>(word)
                         .Case("tosca", Language::TOSCA)
                         .Case("bosh", Language::BOSH)
                         .Case("heat", Language::Heat)
                         .Case("cloudify", Language::Cloudify)
                         .Default(std::nullopt);
  return options.language.has_value();
}

static bool add(DriverOptions &options, StringRef name, const char *value) {
  if (const Flag *flag = find(flags, name))
    return !value && (flag->of(options) = true);
  if (!value)
    return false;
  if (const ListOption *list = find(listOptions, name)) {
    list->of(options).push_back(value);
    return true;
  }
  if (const TextOption *text = find(textOptions, name)) {
    text->of(options) = value;
    return true;
  }
  return name == "--language" && setLanguage(options, value);
}

toscac_options *toscac_options_new() {
  return answer<toscac_options *>(nullptr, [] { return new toscac_options; });
}

void toscac_options_free(toscac_options *options) { delete options; }

int toscac_options_add(toscac_options *options, const char *name,
                       const char *value) {
  if (!options || !name)
    return 0;
  return answer(0, [&] { return int(add(options->driver, name, value)); });
}
