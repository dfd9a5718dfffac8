//===- toscac/Driver/Driver.h - Options and the pipeline --------*- C++ -*-===//
///
/// \file
/// What `toscac` does with its options: the stages in order, and the exit code.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_DRIVER_DRIVER_H
#define TOSCAC_DRIVER_DRIVER_H

#include "toscac/Basic/ApplyFixes.h"
#include "toscac/Basic/DiagnosticPrinter.h"
#include "toscac/Basic/DiagnosticTable.h"
#include "toscac/Basic/Version.h"
#include "toscac/Driver/Format.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_fd_ostream;
namespace vfs {
class FileSystem;
}
} // namespace llvm

namespace toscac {
namespace ir {
struct Graph;
}

/// Exit codes, the same for every tool (sysexits.h for wrong usage).
enum ExitCode : int {
  ExitGood = 0,
  /// The input is not valid.
  ExitInvalid = 1,
  /// The input is valid but cannot be planned.
  ExitUnplannable = 2,
  /// The file named on the command line, or the output, cannot be read or
  /// written.
  ExitFile = 3,
  ExitUsage = 64,
};

enum class EmitKind {
#define EMIT(KIND, WORD, STAGE, HELP) KIND,
#include "toscac/Driver/EmitKinds.def"
};

/// What is made as text can be drawn, too.
enum class PictureFormat { Text, Dot, Mermaid };

/// What a file is written in.
enum class Language { TOSCA, BOSH, Heat, Cloudify };

enum class ColorMode { Auto, Always, Never };

struct ImportOptions {
  std::vector<std::string> searchPaths;
  /// NAME=FILE
  std::vector<std::string> profiles;
  std::vector<std::string> profileMaps;
  std::vector<std::string> remoteMaps;
  /// Folders that inputs may read from besides their own.
  std::vector<std::string> readable;
  /// What gives machines to types that have none: a file with bindings, the
  /// name of one, or `none`; empty: whichever of those at hand fits.
  std::string lifecycle;
  /// Functions that the orchestrator knows, and no file defines.
  std::vector<std::string> functions;
  /// Keynames that the standard lacks, as `entity.keyname`.
  std::vector<std::string> extensions;
};

/// Settings that files have in common: see docs/Project.md.
struct ProjectOptions {
  /// Do not look for a project file.
  bool isIgnored = false;
  /// The file; empty: the first `.toscac.yaml` in the folder of the first input
  /// and those above.
  std::string file;
  /// Patterns of files that are no inputs, and the folder that they start from.
  std::vector<std::string> excludes;
  std::string folder;
};

/// What to plan, and how.
struct PlanFlags {
  /// Empty: the one that brings the service up.
  std::string workflow;
  /// The one that takes the service down, whatever its name is.
  bool takesDown = false;
  /// NAME=VALUE
  std::vector<std::string> parameters;
  /// Print the names of workflows instead.
  bool listWorkflows = false;
  /// 0 to 2.
  unsigned optimization = 1;
  unsigned maxRepeats = 64;
  /// A file with seconds for steps, by name.
  std::string durations;
  /// Show the steps after the pass of this name.
  std::string printAfter;
  /// Tell what happens if the step of this name fails, instead of the plan.
  std::string failing;
  /// Explore every order of completion, up to so many states.
  bool verify = false;
  uint64_t verifyLimit = 1000000;
  bool verifyEach = false;
  bool timePasses = false;
  /// The table has steps that only write cells or wait, too.
  bool allSteps = false;
};

/// Values for the inputs of the service.
struct InputOptions {
  /// In YAML or JSON; later ones are stronger.
  std::vector<std::string> files;
  /// NAME=VALUE, stronger than files.
  std::vector<std::string> values;
  /// A JSON object of the inputs that a plan was made with, weaker than both;
  /// empty: there is none.
  std::string ofPlan;
};

/// A plan that was made before.
struct MadePlan {
  std::string file;
  /// The files that it was made from, with digests.
  std::vector<std::pair<std::string, std::string>> inputs;
};

/// Where a plan starts from.
struct StateOptions {
  /// state.json or a store; empty: nothing is there.
  std::string file;
  /// Empty: the service's own name for it.
  std::string deployment;
};

/// What belongs to a BOSH manifest.
struct BoshOptions {
  /// The folder with releases.
  std::string releases;
  std::string cloud;
  /// As bosh::ManifestChanges has them.
  std::vector<std::string> opsFiles;
  std::vector<std::string> variables;
  std::vector<std::string> variableFiles;
  std::vector<std::string> variableMaps;
  std::string variableStore;
  /// The part of the manifest to print; empty: all of it.
  std::string path;
  /// Render the files of jobs to this folder; empty: do not.
  std::string render;
  /// By Ruby, in a process that reaches nothing.
  bool rendersWithRuby = false;
  /// Explain the link `group/job/link` instead; empty: none.
  std::string explainedLink;
};

/// What belongs to a Heat template.
struct HeatOptions {
  /// Later ones are stronger.
  std::vector<std::string> environments;
};

struct DiagnosticOptions {
  /// The flags without `-W`, in their order.
  std::vector<std::string> warnings;
  DiagnosticsFormat format = DiagnosticsFormat::Text;
  ColorMode color = ColorMode::Auto;
  /// 0: no limit.
  size_t maxErrors = 0;
  /// With the details of long chains of notes.
  bool isVerbose = false;
  /// Say at the end what was read and checked.
  bool stats = false;
  /// What is clear and yet breaks a rule is an error.
  bool isPedantic = false;
};

/// What happens to safe fix-its besides being shown.
enum class FixMode { Show, Apply, Diff };

/// Print this and do nothing else.
struct PrintOptions {
  std::optional<TableFormat> diagnostics;
  bool grammar = false;
  /// The JSON schema of files of this version; empty: none.
  std::string schema;
  /// The input itself, in its one form.
  bool source = false;
  FormatOptions form;
  /// The page of the diagnostic or group of this name.
  std::string explained;
};

struct TestOptions {
  bool verifyDiagnostics = false;
  bool splitInputFile = false;
  /// Print each graph, read that, print it again: the texts must be the same.
  bool verifyRoundtrip = false;
  /// A folder that gets a copy of each plan, named after its digest.
  std::string keepPlans;
  /// Done to each graph before it is verified.
  std::function<void(ir::Graph &)> changeGraph;
  /// Run on each graph when it has been verified: see Expand/GraphPasses.def.
  std::vector<std::string> graphPasses;
  /// How many bytes all sources may have together.
  uint32_t maxSource = UINT32_MAX;
  /// For how many pairs of nodes a filter may be evaluated.
  std::optional<uint64_t> maxFilterPairs;
};

/// For a program that keeps results instead of showing them.
struct HostOptions {
  /// Gets what would go to standard output.
  std::string *result = nullptr;
  /// Gets what there is to say, instead of the messages' stream. The list is
  /// good until it returns.
  std::function<void(const DiagnosticList &, const SourceManager &)>
      diagnostics;
};

/// The command line, in the words of `toscac --help`.
struct DriverOptions {
  /// Files, or `-` for standard input; folders where nothing is made.
  std::vector<std::string> inputs;
  /// The process ends after this run.
  bool isLast = false;
  /// A file, or empty for standard output.
  std::string output;
  /// What an engine has to know of its surroundings, a JSON file; empty: none.
  std::string engineConfig;
  /// The private key that signs the plan; empty: it is not signed.
  std::string signingKey;
  bool checkOnly = false;
  /// Pass over files that do not look like TOSCA, as in folders.
  bool toscaOnly = false;
  /// What standard input is called in messages, and where it lies.
  std::string stdinName;
  /// Not set: as the keys of the file tell.
  std::optional<Language> language;
  EmitKind emit = EmitKind::Plan;
  /// Somebody has said so; else a person on a terminal sees the view of the
  /// plan.
  bool isEmitGiven = false;
  PictureFormat format = PictureFormat::Text;
  /// The inputs are graphs as text, even if their names do not end in `.tir`.
  bool readsGraphs = false;
  /// In text forms that can have them.
  bool printLocations = false;
  /// Anything but Show implies checkOnly.
  FixMode fix = FixMode::Show;
  FixKinds fixes = FixKinds::Safe;
  /// 0: as many as there are processors.
  unsigned jobs = 0;
  /// Where templates are that are in no archive; null: the disk.
  llvm::vfs::FileSystem *files = nullptr;

  ProjectOptions project;
  ImportOptions imports;
  PlanFlags plan;
  InputOptions inputValues;
  StateOptions state;
  /// What is compiled is to be as it was when this plan was made.
  std::optional<MadePlan> made;
  BoshOptions bosh;
  HeatOptions heat;
  /// Plan without the relationships that find no target, and say which.
  bool listOpenRequirements = false;
  /// Chooses among equal targets at random; not set: the first ones.
  std::optional<uint64_t> seed;
  DiagnosticOptions diagnostics;
  PrintOptions print;
  HostOptions host;
  TestOptions test;
};

/// Whether \p kind is a folder that another engine works in.
bool isForEngine(EmitKind kind);

/// The passes that make a plan, in their order.
std::vector<std::string> planPassNames();

/// Compiles as \p options say; returns the exit code. Results go to \p out
/// unless options name a file, everything else to \p err.
int runDriver(const DriverOptions &options, llvm::raw_fd_ostream &out,
              llvm::raw_fd_ostream &err);

} // namespace toscac

#endif
