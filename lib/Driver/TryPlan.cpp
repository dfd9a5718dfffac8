//===- TryPlan.cpp - What only a plan can tell ----------------------------===//

#include "TryPlan.h"

#include "Paths.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/DiagnosticsValue.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Plan/MakePlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;

/// A person waits for the answer, and an editor on each key.
static constexpr size_t maxTemplates = 200;
static constexpr uint32_t maxEntities = 2000;

/// What no state of the deployment, no other service and no orchestrator can
/// make right.
static bool isCertain(DiagId id) {
  static constexpr DiagId certain[] = {
      diag::CountNotWhole.id,     diag::CountOutOfRange.id,
      diag::TooManyNodes.id,      diag::TooManyRelationships.id,
      diag::NoSuchInstance.id,    diag::TooFewTargets.id,
      diag::RequirementCircle.id, diag::InputListTooShort.id,
      diag::IndexOutOfRange.id,   diag::UnreachableGoal.id,
      diag::UnknownDelegate.id,   diag::StepWaitsForItself.id,
      diag::DataCycle.id,         diag::EndlessTrigger.id,
      diag::ArtifactNotFound.id,
  };
  return llvm::is_contained(certain, id);
}

/// What is wrong with the inputs and workflow that somebody gave for the check.
static bool isAboutGiven(DiagId id, const DriverOptions &options) {
  const InputOptions &inputs = options.inputValues;
  static constexpr DiagId ofInputs[] = {
      diag::UnknownInput.id,       diag::InputWithoutValue.id,
      diag::FixedInput.id,         diag::InputsNotMap.id,
      diag::UnfitSecret.id,        diag::WrongValueType.id,
      diag::BadScalar.id,          diag::UnknownUnit.id,
      diag::ValidationViolated.id, diag::MissingInputs.id,
      diag::NotAnInteger.id,       diag::NotAFloat.id,
  };
  static constexpr DiagId ofWorkflow[] = {
      diag::UnknownWorkflow.id, diag::UnknownParameter.id,
      diag::MissingParameter.id, diag::ParameterType.id};
  bool hasInputs = !inputs.values.empty() || !inputs.files.empty();
  bool hasWorkflow =
      !options.plan.workflow.empty() || !options.plan.parameters.empty();
  return (hasInputs && llvm::is_contained(ofInputs, id)) ||
         (hasWorkflow && llvm::is_contained(ofWorkflow, id));
}

/// The name of the file in the folder of \p location that is nearest to it.
static std::string nearestFile(llvm::StringRef location) {
  namespace path = llvm::sys::path;
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(path::parent_path(location), error),
       end;
       at != end && !error; at.increment(error))
    names.push_back(path::filename(at->path()).str());
  llvm::sort(names);
  std::vector<llvm::StringRef> known(names.begin(), names.end());
  Suggestion meant(path::filename(location), known);
  return meant.name ? meant.name->str() : "";
}

/// The folder beside that of \p location that has the same file.
static std::string otherFolder(llvm::StringRef location) {
  namespace path = llvm::sys::path;
  llvm::StringRef folder = path::parent_path(location);
  std::vector<std::string> found;
  std::error_code error;
  llvm::StringRef around = path::parent_path(folder);
  for (llvm::sys::fs::directory_iterator
           at(around.empty() ? "." : around, error),
       end;
       at != end && !error; at.increment(error)) {
    llvm::SmallString<128> file(at->path());
    path::append(file, path::filename(location));
    if (llvm::sys::fs::exists(file))
      found.push_back(path::filename(at->path()).str());
  }
  return found.size() == 1 ? found.front() : "";
}

/// What \p artifact, whose file is missing, may have meant, named as it is;
/// empty if nobody knows.
static std::string meantBy(const ir::Artifact &artifact, bool hasFolder) {
  namespace path = llvm::sys::path;
  llvm::SmallString<128> meant(path::parent_path(artifact.file));
  if (hasFolder) {
    std::string name = nearestFile(artifact.location);
    path::append(meant, name);
    return name.empty() ? "" : meant.str().str();
  }
  std::string folder = otherFolder(artifact.location);
  if (folder.empty() || meant.empty())
    return "";
  path::remove_filename(meant);
  path::append(meant, folder, path::filename(artifact.file));
  return meant.str().str();
}

/// A missing file is a mistake where its folder is there, or other files are: a
/// template may as well have been sent without any.
static void checkArtifacts(const ir::Graph &graph, DiagnosticEngine &diags) {
  std::vector<llvm::StringRef> present;
  for (const ir::Artifact &artifact : graph.artifacts)
    if (!artifact.sha256.empty() && !artifact.file.starts_with("profile:"))
      present.push_back(artifact.file);
  for (const ir::Artifact &artifact : graph.artifacts) {
    llvm::StringRef folder = llvm::sys::path::parent_path(artifact.location);
    bool isMissing = !artifact.location.empty() && artifact.sha256.empty();
    bool hasFolder = !folder.empty() &&
                     absolutePath(folder) != graph.deployment.root &&
                     llvm::sys::fs::is_directory(folder);
    if (!isMissing || (!hasFolder && present.empty()))
      continue;
    auto report =
        diags.report(artifact.range, diag::ArtifactNotFound, artifact.file);
    std::string meant = meantBy(artifact, hasFolder);
    if (meant.empty())
      Suggestion(artifact.file, present).noteOn(report);
    else
      report.note({}, diag::DidYouMean, meant);
  }
}

static bool isSmall(const Compilation &compilation) {
  const auto &services = compilation.checked.services;
  return compilation.checked.hasEntry && services.size() == 1 &&
         services.front().nodes.size() <= maxTemplates;
}

void toscac::tryPlan(Compilation &compilation) {
  if (!isSmall(compilation))
    return;
  DiagnosticEngine found = std::exchange(compilation.diags, {});
  // The package is asked for fixes, later.
  compilation.keepsUses = true;
  compilation.isTrial = true;
  expandService(compilation);
  const ir::Graph *graph = compilation.graph.get();
  if (graph && graph->numEntities() <= maxEntities) {
    checkArtifacts(*graph, compilation.diags);
    plan::PlanOptions options;
    options.maxRepeats = compilation.options.plan.maxRepeats;
    if (!compilation.diags.hasErrors())
      plan::makePlan(*graph, options, compilation.names, compilation.diags);
  }
  compilation.diags.removeIf([&](const Diagnostic &said) {
    return !isCertain(said.id) && !isAboutGiven(said.id, compilation.options);
  });
  found.take(std::move(compilation.diags));
  compilation.diags = std::move(found);
}
