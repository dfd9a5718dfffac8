//===- Compilation.cpp - The input on its way through the stages ----------===//

#include "Compilation.h"

#include "Blueprint.h"
#include "BundledProfiles.h"
#include "Language.h"
#include "Manifest.h"
#include "Recorded.h"
#include "Stack.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Basic/Files.h"
#include "toscac/Expand/BindInputs.h"
#include "toscac/Expand/Expand.h"
#include "toscac/Parse/Archive.h"
#include "toscac/Parse/Csar.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;

tosca::LoadOptions toscac::loadOptions(const DriverOptions &options) {
  const ImportOptions &imports = options.imports;
  return {imports.searchPaths, bundledProfiles(),  imports.profiles,
          imports.profileMaps, imports.remoteMaps, options.jobs};
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
  auto volume = std::make_shared<tosca::Volume>(
      tosca::Volume{llvm::vfs::getRealFileSystem(),
                    llvm::sys::path::parent_path(input.name).str(), ""});
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
  if (entries.empty())
    return;
  compilation.package =
      tosca::load(entries, loadOptions(compilation.options),
                  compilation.sources, compilation.names, compilation.diags);
}

void toscac::checkPackage(Compilation &compilation) {
  if (compilation.stack)
    checkStack(compilation);
  if (compilation.manifest)
    return checkManifest(compilation);
  if (compilation.blueprint)
    return checkBlueprint(compilation);
  if (compilation.package.files.empty())
    return;
  compilation.checked =
      analyze(compilation.package, compilation.names, compilation.diags,
              recordedDeployment(compilation));
}

int toscac::readInputValues(Compilation &compilation) {
  const InputOptions &options = compilation.options.inputValues;
  InputSources given;
  // Parameters of a stack have their values already.
  if (compilation.stack)
    return ExitGood;
  given.values = options.values;
  if (auto text = recordedInputs(compilation))
    given.files.push_back(compilation.sources.add("<state>", std::move(text)));
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
  return hasAsserts || compilation.continuation || test.changeGraph ||
         test.verifyRoundtrip || !test.graphPasses.empty();
}

int toscac::expandService(Compilation &compilation) {
  if (!compilation.checked.hasEntry)
    return ExitGood;
  if (int code = readRecorded(compilation))
    return code;
  if (int code = readInputValues(compilation))
    return code;
  ExpandOptions options;
  if (compilation.continuation)
    options.continuation = &*compilation.continuation;
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
  compilation.graph = expand(compilation.checked, compilation.inputValues,
                             options, compilation.names, compilation.diags);
  if (compilation.graph && compilation.options.diagnostics.stats)
    compilation.diags.remark(diag::TargetsChosen, stats.numPicks,
                             stats.numPicks - stats.leftByFirstFit);
  if (compilation.graph && needsVerification(compilation))
    verifyGraph(compilation);
  return ExitGood;
}
