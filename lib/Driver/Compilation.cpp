//===- Compilation.cpp - The input on its way through the stages ----------===//

#include "Compilation.h"

#include "Blueprint.h"
#include "BundledProfiles.h"
#include "Deployment.h"
#include "Language.h"
#include "Manifest.h"
#include "ReadRecorded.h"
#include "ReadableFolders.h"
#include "Stack.h"
#include "toscac/Basic/Confinement.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Basic/Files.h"
#include "toscac/Expand/BindInputs.h"
#include "toscac/Expand/ChangeDeployment.h"
#include "toscac/Expand/Expand.h"
#include "toscac/Expand/MovedTemplates.h"
#include "toscac/Expand/ObsoleteTemplates.h"
#include "toscac/Parse/Archive.h"
#include "toscac/Parse/Csar.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;

/// Whether what --lifecycle names is a file, and not a binding.
static bool namesBindingFile(llvm::StringRef lifecycle) {
  return lifecycle.contains('/') || lifecycle.ends_with(".yaml") ||
         lifecycle.ends_with(".yml");
}

Compilation::Compilation(const DriverOptions &options)
    : options(options), sources(options.test.maxSource) {
  confineFiles();
}

void Compilation::confineFiles() {
  auto all = options.files ? llvm::IntrusiveRefCntPtr(options.files)
                           : llvm::vfs::getRealFileSystem();
  files = confine(std::move(all), readableFolders(options));
}

tosca::LoadOptions toscac::loadOptions(const Compilation &compilation) {
  const DriverOptions &options = compilation.options;
  const ImportOptions &imports = options.imports;
  tosca::LoadOptions result{imports.searchPaths, bundledProfiles(),
                            imports.profiles,    imports.profileMaps,
                            imports.remoteMaps,  options.jobs};
  if (namesBindingFile(imports.lifecycle))
    result.bindings.push_back(imports.lifecycle);
  if (imports.lifecycle != "none")
    result.bundledBindings = bundledBindings();
  result.extensions = imports.extensions;
  result.files = compilation.files.get();
  return result;
}

/// Adds the files of an archive that analysis starts from.
static void openArchive(Compilation &compilation, const InputFile &input,
                        std::vector<tosca::EntryFile> &entries) {
  SourceManager &sources = compilation.sources;
  std::optional<Csar> csar =
      openCsar(input.name, input.text->getBuffer(), sources, compilation.diags);
  if (!csar)
    return;
  auto volume = std::make_shared<tosca::Volume>(
      tosca::Volume{csar->files, "/", input.name});
  std::vector<std::string> paths = {csar->entry};
  llvm::append_range(paths, csar->others);
  for (const std::string &path : paths) {
    auto buffer = csar->files->getBufferForFile(path);
    FileId file = sources.add(input.name + "/" + path, std::move(*buffer));
    entries.push_back({volume, "/" + path, file});
  }
}

static void openFile(Compilation &compilation, InputFile input,
                     std::vector<tosca::EntryFile> &entries) {
  auto volume = std::make_shared<tosca::Volume>(tosca::Volume{
      compilation.files, llvm::sys::path::parent_path(input.name).str(), ""});
  FileId file = compilation.sources.add(input.name, std::move(input.text));
  if (file.isValid())
    entries.push_back({std::move(volume), std::move(input.name), file});
  else
    compilation.diags.report({}, diag::TooMuchSource, input.name);
}

static Language languageOf(const InputFile &input,
                           const DriverOptions &options) {
  return options.language ? *options.language
                          : recognizeLanguage(input.text->getBuffer());
}

std::string toscac::deploymentName(const Compilation &compilation) {
  const std::string &given = compilation.options.state.deployment;
  if (!given.empty())
    return given;
  if (compilation.manifest)
    return compilation.manifest->deployment.manifest.name.text.str();
  return "default";
}

void toscac::readKnownState(Compilation &compilation) {
  const std::string &file = compilation.options.state.file;
  if (file.empty() || compilation.known || compilation.fileCode)
    return;
  compilation.known = state::readState(file, compilation.diags);
  if (!compilation.known)
    compilation.fileCode = ExitFile;
}

const state::Deployment *toscac::recordedDeployment(Compilation &compilation) {
  if (compilation.isTrial)
    return nullptr;
  readKnownState(compilation);
  return compilation.known
             ? compilation.known->find(deploymentName(compilation))
             : nullptr;
}

void toscac::loadInputs(Compilation &compilation,
                        std::vector<InputFile> inputs) {
  std::vector<tosca::EntryFile> entries;
  for (InputFile &input : inputs)
    if (isGraphText(input, compilation.options))
      readGraph(compilation, std::move(input));
    else if (looksLikeArchive(input.text->getBuffer()))
      openArchive(compilation, input, entries);
    else if (languageOf(input, compilation.options) == Language::Heat)
      loadStack(compilation, std::move(input));
    else if (languageOf(input, compilation.options) == Language::BOSH)
      loadManifest(compilation, std::move(input));
    else if (languageOf(input, compilation.options) == Language::Cloudify)
      loadBlueprint(compilation, std::move(input));
    else
      openFile(compilation, std::move(input), entries);
  const std::vector<std::string> &unused =
      compilation.options.heat.environments;
  if (!unused.empty() && !compilation.stack)
    compilation.diags.report({}, diag::EnvironmentUnused, unused.front(),
                             compilation.options.inputs.front());
  const std::string &lifecycle = compilation.options.imports.lifecycle;
  if (namesBindingFile(lifecycle) && !readFile(lifecycle, compilation.diags))
    compilation.fileCode = ExitFile;
  if (entries.empty() || compilation.fileCode)
    return;
  compilation.package =
      tosca::load(entries, loadOptions(compilation), compilation.sources,
                  compilation.names, compilation.diags);
}

void toscac::checkOtherLanguages(Compilation &compilation,
                                 std::vector<InputFile> &inputs) {
  DiagnosticEngine &diags = compilation.diags;
  DiagnosticEngine found = std::exchange(diags, {});
  auto forget = [&] {
    compilation.stack.reset();
    compilation.manifest.reset();
    compilation.models.reset();
    compilation.analysis.reset();
    compilation.blueprint.reset();
    compilation.package = {};
    compilation.checked = {};
  };
  std::vector<InputFile> rest;
  for (InputFile &input : inputs) {
    if (languageOf(input, compilation.options) == Language::TOSCA) {
      rest.push_back(std::move(input));
      continue;
    }
    std::vector<InputFile> one;
    one.push_back(std::move(input));
    loadInputs(compilation, std::move(one));
    checkPackage(compilation);
    // What is wrong with one keeps no other from being checked.
    found.take(std::exchange(diags, {}));
    forget();
  }
  diags = std::move(found);
  inputs = std::move(rest);
}

void toscac::checkPackage(Compilation &compilation) {
  if (compilation.stack)
    return checkStack(compilation);
  if (compilation.manifest)
    return checkManifest(compilation);
  if (compilation.blueprint)
    return checkBlueprint(compilation);
  if (compilation.package.files.empty())
    return;
  llvm::StringRef lifecycle = compilation.options.imports.lifecycle;
  compilation.analysis = std::make_unique<Analysis>(
      compilation.package, compilation.names, compilation.diags,
      compilation.checked,
      AnalyzeOptions{namesBindingFile(lifecycle) ? "" : lifecycle,
                     compilation.options.imports.functions,
                     compilation.keepsUses});
}

sema::Profile *toscac::checkProfile(Compilation &compilation,
                                    llvm::StringRef name) {
  compilation.package =
      tosca::loadProfile(name, loadOptions(compilation), compilation.sources,
                         compilation.names, compilation.diags);
  if (compilation.package.files.empty() || compilation.diags.hasErrors())
    return nullptr;
  compilation.checked = {};
  compilation.analysis =
      std::make_unique<Analysis>(compilation.package, compilation.names,
                                 compilation.diags, compilation.checked);
  return compilation.diags.hasErrors() ? nullptr : compilation.analysis.get();
}

int toscac::readInputValues(Compilation &compilation) {
  const InputOptions &options = compilation.options.inputValues;
  InputSources given;
  // Parameters of a stack have their values already.
  if (compilation.stack)
    return ExitGood;
  given.values = options.values;
  if (compilation.blueprint)
    given.dialect = YAMLDialect::PyYAML;
  if (compilation.deploymentChange)
    given.recorded = compilation.deploymentChange->recorded->inputs;
  if (!options.ofPlan.empty())
    given.files.push_back(compilation.sources.add(
        "<plan>", llvm::MemoryBuffer::getMemBufferCopy(options.ofPlan)));
  for (const std::string &name : options.files) {
    auto text = name == "-" ? readStdin(compilation.diags)
                            : readFile(name, compilation.diags);
    if (!text)
      return ExitFile;
    given.files.push_back(
        compilation.sources.add(shownInputName(name), std::move(text)));
  }
  size_t errors = compilation.diags.numErrors();
  compilation.inputValues = bindInputs(
      compilation.checked.services.front(), given, compilation.sources,
      *compilation.checked.arena, compilation.diags);
  return compilation.diags.numErrors() == errors ? ExitGood : ExitInvalid;
}

#ifdef NDEBUG
static constexpr bool hasAsserts = false;
#else
static constexpr bool hasAsserts = true;
#endif

/// What is made of a template alone is wrong only by a bug of ours, which is
/// looked for where asserts are on.
static bool needsVerification(const Compilation &compilation) {
  const TestOptions &test = compilation.options.test;
  return hasAsserts || compilation.deploymentChange || test.changeGraph ||
         test.verifyRoundtrip || !test.graphPasses.empty();
}

/// From here on there is the graph alone, which owns what it refers to.
static void handOver(Compilation &compilation) {
  compilation.models.reset();
  compilation.analysis.reset();
  auto package =
      std::make_shared<tosca::Package>(std::move(compilation.package));
  compilation.graph->origins = {compilation.checked.arena, std::move(package),
                                std::move(compilation.stack),
                                std::move(compilation.manifest),
                                std::move(compilation.blueprint)};
  if (compilation.known)
    compilation.graph->origins.push_back(compilation.known->arena);
  compilation.checked = {};
  compilation.package = {};
  compilation.inputValues.clear();
  compilation.deploymentChange.reset();
}

/// Makes the requirements at \p range optional that are not; false if there are
/// none.
static bool leaveOpen(sema::CheckedProgram &program, SourceRange range) {
  bool any = false;
  for (sema::Service &service : program.services)
    for (sema::NodeTemplate &node : service.nodes)
      for (sema::Requirement &requirement : node.requirements)
        if (requirement.range == range && !requirement.optional)
          any = requirement.optional = true;
  return any;
}

/// Expands without the relationships that find no target, and lists them. Each
/// round leaves at least one requirement open.
static std::unique_ptr<ir::Graph> expandOpen(Compilation &compilation,
                                             const ExpandOptions &options) {
  while (true) {
    DiagnosticEngine found;
    auto graph = expand(compilation.checked, compilation.inputValues, options,
                        compilation.names, found);
    bool again = false;
    for (const Diagnostic &problem : found.all())
      if (problem.id == diag::NoTarget.id ||
          problem.id == diag::TooFewTargets.id)
        if (leaveOpen(compilation.checked, problem.range)) {
          compilation.diags.report(problem.range, diag::OpenRequirement,
                                   problem.message);
          again = true;
        }
    if (again)
      continue;
    compilation.diags.take(std::move(found));
    return graph;
  }
}

int toscac::expandService(Compilation &compilation) {
  if (!compilation.checked.hasEntry)
    return ExitGood;
  if (compilation.blueprint)
    defineWorkflow(compilation);
  readKnownState(compilation);
  if (compilation.known && !compilation.isTrial)
    for (state::Deployment &each : compilation.known->deployments)
      if (each.name == deploymentName(compilation))
        moveTemplates(compilation.checked.services.front(), each,
                      *compilation.known->arena);
  if (const state::Deployment *recorded = recordedDeployment(compilation)) {
    sema::ObsoleteModels *models = compilation.models.get();
    if (!models)
      models = compilation.analysis.get();
    addObsolete(*recorded, *models, compilation.names, compilation.checked);
    followInstances(*recorded, compilation.checked);
  }
  if (compilation.diags.hasErrors())
    return compilation.fileCode;
  if (int code = readRecorded(compilation))
    return code;
  if (int code = readInputValues(compilation))
    return code;
  ExpandOptions options;
  std::vector<ir::InputValue> parameters =
      parametersOf(compilation, *compilation.checked.arena);
  ChangeRequest request{compilation.workflow(), parameters};
  options.request = &request;
  if (compilation.deploymentChange)
    options.deploymentChange = &*compilation.deploymentChange;
  options.seed = compilation.options.seed;
  options.brokenServices = compilation.brokenServices;
  readKnownState(compilation);
  if (compilation.fileCode)
    return compilation.fileCode;
  options.state = compilation.known ? &*compilation.known : nullptr;
  options.deployment = deploymentName(compilation);
  if (auto limit = compilation.options.test.maxFilterPairs)
    options.maxFilterPairs = *limit;
  ExpandStats stats;
  options.stats = &stats;
  compilation.graph =
      compilation.options.listOpenRequirements
          ? expandOpen(compilation, options)
          : expand(compilation.checked, compilation.inputValues, options,
                   compilation.names, compilation.diags);
  if (compilation.graph && compilation.options.diagnostics.stats)
    compilation.diags.remark(diag::TargetsChosen, stats.numPicks,
                             stats.numPicks - stats.leftByFirstFit);
  if (!compilation.graph)
    return ExitGood;
  describeDeployment(compilation);
  if (needsVerification(compilation))
    verifyGraph(compilation);
  if (compilation.graph && !compilation.keepsUses)
    handOver(compilation);
  return ExitGood;
}

llvm::StringRef Compilation::workflow() const {
  const PlanFlags &flags = options.plan;
  if (!flags.workflow.empty())
    return flags.workflow;
  using Way = ir::Intent::Way;
  // A graph that was read has nothing but its machines.
  if (graph && checked.services.empty())
    for (const ir::Machine &machine : graph->machines)
      for (const ir::Intent &intent : machine.intents)
        if (intent.way == (flags.takesDown ? Way::Down : Way::Up))
          return intent.workflow.str();
  return flags.takesDown ? checked.roles.takeDown : checked.roles.bringUp;
}
