//===- Check.cpp - Files checked for an editor ----------------------------===//

#include "toscac/Driver/Check.h"

#include "BundledProfiles.h"
#include "Compilation.h"
#include "Language.h"
#include "toscac/Basic/Suppressions.h"
#include "toscac/Driver/Project.h"
#include "toscac/Parse/Archive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;

/// As readInputs() does for the disk; what cannot be read is left out.
static std::vector<InputFile> readFrom(llvm::vfs::FileSystem &files,
                                       llvm::ArrayRef<std::string> names) {
  std::vector<InputFile> inputs;
  for (const std::string &name : names)
    if (auto text = files.getBufferForFile(name, /*FileSize=*/-1,
                                           /*RequiresNullTerminator=*/false,
                                           /*IsVolatile=*/true))
      inputs.push_back({name, std::move(*text)});
  return inputs;
}

Check::Check(DriverOptions given) : options(std::move(given)) {
  options.checkOnly = true;
  compilation = std::make_unique<Compilation>(options);
  compilation->keepsUses = true;
  DiagnosticEngine &diags = compilation->diags;
  std::string project = findProjectFile(options);
  if (!project.empty())
    applyProject(project, options, compilation->sources, diags);
  // It may have named further folders.
  compilation->confineFiles();
  DiagnosticEngine wrongFlags;
  WarningOptions warnings = warningsOf(options, wrongFlags);
  std::vector<InputFile> inputs = readFrom(*compilation->files, options.inputs);
  llvm::erase_if(
      inputs, [](const InputFile &input) { return isProjectFile(input.name); });
  if (!inputs.empty() && !diags.hasErrors()) {
    Suppressions suppressions(compilation->sources);
    if (inputs.size() > 1)
      checkOtherLanguages(*compilation, inputs);
    loadInputs(*compilation, std::move(inputs));
    checkPackage(*compilation);
    suppressions.apply(diags);
    if (!diags.hasErrors())
      suppressions.reportUnused(DiagStage::State, diags);
  }
  list = listDiagnostics(diags, warnings, compilation->sources);
}

Check::~Check() = default;

const SourceManager &Check::sources() const { return compilation->sources; }
const tosca::Package &Check::package() const { return compilation->package; }

const Analysis *Check::analysis() const {
  // What was analyzed of another language's profile is gone with its files.
  return package().files.empty() ? nullptr : compilation->analysis.get();
}

const sema::CheckedProgram &Check::program() const {
  return compilation->checked;
}

const ir::Graph *Check::graph() const {
  if (!reported) {
    reported = std::make_unique<DiagnosticEngine>(
        std::exchange(compilation->diags, DiagnosticEngine()));
    if (!reported->hasErrors())
      expandService(*compilation);
  }
  return compilation->graph.get();
}

std::optional<Language> toscac::knownLanguage(llvm::StringRef text) {
  if (!isOfKnownLanguage(text))
    return std::nullopt;
  return recognizeLanguage(text);
}

std::vector<std::string> toscac::profileNames(const DriverOptions &options) {
  std::vector<std::string> names;
  for (const std::string &named : options.imports.profiles)
    names.push_back(llvm::StringRef(named).split('=').first.str());
  std::vector<std::string> folders = options.imports.searchPaths;
  llvm::append_range(folders, bundledProfiles());
  for (const std::string &folder : folders) {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator at(folder, error), end;
         at != end && !error; at.increment(error))
      if (llvm::sys::fs::exists(at->path() + "/profile.yaml"))
        names.push_back(llvm::sys::path::filename(at->path()).str());
  }
  llvm::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string>
toscac::inputsBelow(llvm::ArrayRef<std::string> folders) {
  std::vector<std::string> names;
  for (const std::string &folder : folders) {
    DriverOptions options;
    options.checkOnly = true;
    options.inputs = {folder};
    DiagnosticEngine ignored;
    SourceManager sources;
    if (std::string project = findProjectFile(options); !project.empty())
      applyProject(project, options, sources, ignored);
    for (const InputFile &input : readInputs(options, ignored))
      if (!looksLikeArchive(input.text->getBuffer()))
        names.push_back(input.name);
  }
  llvm::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}
