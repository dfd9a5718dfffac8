//===- Compilation.h - The input on its way through the stages --*- C++ -*-===//
///
/// \file
/// What the stages have made so far, and the functions that run them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_DRIVER_COMPILATION_H
#define TOSCAC_LIB_DRIVER_COMPILATION_H

#include "ReadInputs.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/WarningOptions.h"
#include "toscac/Driver/Driver.h"
#include "toscac/Expand/DeploymentChange.h"
#include "toscac/IR/Graph.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "toscac/State/State.h"

namespace toscac {
struct StackInput;
struct ManifestInput;
struct BlueprintInput;

struct Compilation {
  explicit Compilation(const DriverOptions &options);

  const DriverOptions &options;
  /// Whether the analysis is to remember where names are used, and to stay when
  /// the graph is made.
  bool keepsUses = false;
  /// Where the files are that inputs name and that are in no archive: those
  /// that they may read.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
  /// Sets them, as the options are now.
  void confineFiles();
  DiagnosticEngine diags;
  SourceManager sources;
  NameTable names;
  /// All inputs with all that they import: a file that several of them import
  /// is read, and later checked, once.
  tosca::Package package;
  /// What was read instead of a package: Heat templates.
  std::shared_ptr<StackInput> stack;
  /// What was read instead of a package: a BOSH manifest.
  std::shared_ptr<ManifestInput> manifest;
  /// What was read instead of a package: a Cloudify blueprint.
  std::shared_ptr<BlueprintInput> blueprint;
  /// What --state names, once it was read.
  std::optional<state::State> known;
  /// What is recorded of others does not concern it: it is only looked at.
  bool isTrial = false;
  /// ExitFile where a file that the command line names could not be read.
  int fileCode = 0;
  /// The package that was checked: the input's, or that of the profile which
  /// an input in another language follows.
  std::unique_ptr<Analysis> analysis;
  /// What another language can still tell of an input that was checked; null
  /// for TOSCA, whose types do.
  std::unique_ptr<sema::ObsoleteModels> models;
  /// Without services until it has been checked, and after an error.
  sema::CheckedProgram checked;
  /// What the user gave for the inputs of the service.
  std::vector<ir::InputValue> inputValues;
  /// What becomes of the deployment, if it is there.
  std::optional<DeploymentChange> deploymentChange;
  /// What the service was expanded to, or what was read as text; null before,
  /// and after an error.
  std::unique_ptr<ir::Graph> graph;
  /// The workflow that is planned, once the input was checked or read.
  llvm::StringRef workflow() const;
  /// Files below -I that were left out, and why.
  std::vector<std::pair<std::string, std::string>> brokenServices;
};

/// What the flags of \p options say of warnings; flags that are none are
/// reported.
WarningOptions warningsOf(const DriverOptions &options,
                          DiagnosticEngine &diags);

/// Whether \p input is the text of a graph.
bool isGraphText(const InputFile &input, const DriverOptions &options);

/// Expand: makes the graph of the entry file's service, if it has one, and
/// verifies it. Returns the exit code where the diagnostics do not say it all.
int expandService(Compilation &compilation);

/// IR: verifies the graph, which is null after an error.
void verifyGraph(Compilation &compilation);

/// Prints the graph and reads that; null after a report.
std::unique_ptr<ir::Graph> printAndRead(Compilation &compilation);
/// The number of the first line in which the texts differ.
size_t firstDifference(llvm::StringRef a, llvm::StringRef b);

/// IR: reads the text of a graph and verifies it.
void readGraph(Compilation &compilation, InputFile input);

/// Parse: reads \p inputs and what they import into the package, or the graph.
void loadInputs(Compilation &compilation, std::vector<InputFile> inputs);

/// Checks those of \p inputs that are in another language than TOSCA, each on
/// its own, and takes them away.
void checkOtherLanguages(Compilation &compilation,
                         std::vector<InputFile> &inputs);

/// Takes those of \p candidates away that have errors.
void dropBroken(Compilation &compilation, std::vector<InputFile> &candidates);

/// What the command line says about imports.
tosca::LoadOptions loadOptions(const Compilation &compilation);

/// What the deployment is called.
std::string deploymentName(const Compilation &compilation);

/// Reads what --state names, once.
void readKnownState(Compilation &compilation);
/// What it says of the deployment at hand; null: nothing.
const state::Deployment *recordedDeployment(Compilation &compilation);

/// Sema: checks the package.
void checkPackage(Compilation &compilation);

/// Sema: checks the profile \p name, whose models an input in another language
/// follows. Null after a report.
sema::Profile *checkProfile(Compilation &compilation, llvm::StringRef name);

/// Reads the values that the command line has for inputs of the service to
/// compile; gives the exit code.
int readInputValues(Compilation &compilation);

} // namespace toscac

#endif
