//===- Artifacts.cpp - Files that steps run -------------------------------===//

#include "Artifacts.h"

#include "Unpack.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/Digest.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include <sys/stat.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// How artifacts of a type are run. Types are compared by their last word,
/// without case: `tosca.artifacts.Implementation.Bash` is `bash`.
struct RunnerRow {
  StringRef type;
  StringRef command;
};
static constexpr StringRef playbookCommand =
    "ansible-playbook -i {inventory} -e @{context} -e @{inputs} {file}";
static constexpr RunnerRow runnerTable[] = {
    {"bash", "bash {file}"},
    {"shell", "sh {file}"},
    {"sh", "sh {file}"},
    {"python", "python3 {file}"},
    {"ansible", playbookCommand},
    {"playbook", playbookCommand},
    {"ansibleplaybook", playbookCommand},
    {"noop", ""},
};

/// What a file is whose type says no more than that it is one, by the end of
/// its name.
static constexpr RunnerRow extensionTable[] = {
    {".sh", "bash"},      {".bash", "bash"},     {".py", "python"},
    {".yml", "playbook"}, {".yaml", "playbook"},
};

static StringRef typeByExtension(StringRef file) {
  for (const RunnerRow &row : extensionTable)
    if (path::extension(file).equals_insensitive(row.type))
      return row.command;
  return "";
}

namespace {

class Preparation {
public:
  Preparation(const planfile::PlanFile &plan, const RunOptions &options,
              StringRef scratch, DiagnosticEngine &diags);

  Runnable prepare(const planfile::Artifact &artifact);

private:
  void findRoot(StringRef scratch);
  std::string fileOf(const planfile::Artifact &artifact);
  std::string within(const std::string &folder, std::string file,
                     const planfile::Artifact &artifact);
  bool checkDigest(const planfile::Artifact &artifact, StringRef file);
  void chooseCommand(const planfile::Artifact &artifact, Runnable &runnable);
  std::optional<std::string> commandFor(StringRef type);

  const planfile::PlanFile &plan;
  const RunOptions &options;
  DiagnosticEngine &diags;
  std::string root;
  bool hasRoot = true;
};

} // namespace

static StringRef lastWord(StringRef type) {
  size_t end = type.find_last_of(".:/");
  return end == StringRef::npos ? type : type.substr(end + 1);
}

static std::string absolute(const llvm::Twine &path) {
  llvm::SmallString<128> result;
  path.toVector(result);
  fs::make_absolute(result);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

Preparation::Preparation(const planfile::PlanFile &plan,
                         const RunOptions &options, StringRef scratch,
                         DiagnosticEngine &diags)
    : plan(plan), options(options), diags(diags) {
  if (!plan.artifacts().empty())
    findRoot(scratch);
}

std::string run::artifactRoot(const planfile::PlanFile &plan,
                              const RunOptions &options) {
  StringRef folder = path::parent_path(options.plan);
  StringRef written = plan.header().root;
  llvm::SmallString<128> joined(folder.empty() ? "." : folder);
  if (path::is_absolute(written))
    joined = written;
  else
    path::append(joined, written);
  return absolute(joined);
}

/// The folder of artifacts. One that lies in an archive is unpacked first.
void Preparation::findRoot(StringRef scratch) {
  root = artifactRoot(plan, options);
  if (fs::is_directory(root))
    return;
  // The part of the path that is a file is the archive.
  StringRef archive = root;
  while (!archive.empty() && !fs::is_regular_file(archive))
    archive = path::parent_path(archive);
  if (archive.empty())
    return;
  std::string target = (scratch + "/archive").str();
  // Artifacts are named as seen from the root, which may be a folder in it.
  StringRef inside = StringRef(root).drop_front(archive.size());
  inside.consume_front("/");
  llvm::StringMap<StringRef> digests;
  for (const planfile::Artifact &artifact : plan.artifacts()) {
    llvm::SmallString<128> name(inside);
    path::append(name, artifact.file);
    path::remove_dots(name, /*remove_dot_dot=*/true);
    StringRef digest = artifact.sha256;
    digest.consume_front("sha256:");
    digests[name] = digest;
  }
  auto digestOf = [&](StringRef name) { return digests.lookup(name); };
  // What a run left that died is not ours to trust.
  fs::remove_directories(target);
  if (std::string problem = unpackArchive(archive, target, digestOf);
      !problem.empty()) {
    diags.report({}, diag::CannotReadFile, archive, problem);
    hasRoot = false;
  }
  root = target + root.substr(archive.size());
}

std::string Preparation::fileOf(const planfile::Artifact &artifact) {
  StringRef file = artifact.file;
  if (file.consume_front("profile:")) {
    auto [name, rest] = file.split('/');
    for (StringRef given : options.profiles)
      if (given.consume_front(name) && given.consume_front("="))
        return within(absolute(given), absolute(given + "/" + rest), artifact);
    diags.report({}, diag::ProfileNotGiven, artifact.file, name);
    return "";
  }
  return within(root,
                path::is_absolute(file) ? absolute(file)
                                        : absolute(root + "/" + file),
                artifact);
}

/// \p file, or nothing after a report where it does not lie in \p folder, all
/// links followed.
std::string Preparation::within(const std::string &folder, std::string file,
                                const planfile::Artifact &artifact) {
  llvm::SmallString<128> realFolder, realFile;
  // What is not there is said later.
  if (options.allowsOutside || fs::real_path(folder, realFolder) ||
      fs::real_path(file, realFile))
    return file;
  StringRef inside = realFile;
  if (inside.consume_front(realFolder) &&
      (inside.starts_with("/") || realFolder == "/"))
    return file;
  diags.report({}, diag::ArtifactOutside, artifact.file, folder);
  return "";
}

bool Preparation::checkDigest(const planfile::Artifact &artifact,
                              StringRef file) {
  llvm::Expected<std::string> digest = fileDigest(file);
  if (!digest) {
    diags.report({}, diag::MissingArtifact, artifact.file,
                 llvm::toString(digest.takeError()));
    return false;
  }
  if (artifact.sha256.empty()) {
    diags.report({}, diag::UndigestedArtifact, artifact.file);
    return false;
  }
  StringRef wanted = artifact.sha256;
  wanted.consume_front("sha256:");
  if (*digest == wanted)
    return true;
  diags.report({}, diag::ChangedArtifact, artifact.file);
  return false;
}

std::optional<std::string> Preparation::commandFor(StringRef type) {
  for (StringRef runner : options.runners) {
    auto [name, command] = runner.split('=');
    if (name.equals_insensitive(type) ||
        name.equals_insensitive(lastWord(type)))
      return command.str();
  }
  for (const RunnerRow &row : runnerTable)
    if (lastWord(type).equals_insensitive(row.type))
      return row.command.str();
  return std::nullopt;
}

/// Gives the command, or reports why there is none.
void Preparation::chooseCommand(const planfile::Artifact &artifact,
                                Runnable &runnable) {
  std::optional<std::string> command = commandFor(artifact.type);
  bool isAnyFile = artifact.type.empty() ||
                   lastWord(artifact.type).equals_insensitive("file") ||
                   lastWord(artifact.type).equals_insensitive("implementation");
  if (!command && isAnyFile && !fs::can_execute(runnable.file))
    command = commandFor(typeByExtension(artifact.file));
  if (!command) {
    if (fs::can_execute(runnable.file))
      runnable.command = {runnable.file};
    else if (artifact.type.empty())
      diags.report({}, diag::NotExecutable, artifact.file);
    else
      diags.report({}, diag::NoRunner, artifact.file, artifact.type);
    return;
  }
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(*command, saver, words);
  runnable.command.assign(words.begin(), words.end());
  if (words.empty())
    return;
  if (!StringRef(*command).contains("{file}"))
    runnable.command.push_back("{file}");
  auto program = llvm::sys::findProgramByName(runnable.command[0]);
  if (program)
    runnable.command[0] = *program;
  else
    diags.report({}, diag::MissingInterpreter, artifact.file,
                 runnable.command[0]);
}

Runnable Preparation::prepare(const planfile::Artifact &artifact) {
  Runnable runnable;
  runnable.name = artifact.file;
  StringRef digest = artifact.sha256;
  digest.consume_front("sha256:");
  runnable.sha256 = digest;
  runnable.file = hasRoot ? fileOf(artifact) : "";
  if (!runnable.file.empty() && checkDigest(artifact, runnable.file))
    if (artifact.isRun)
      chooseCommand(artifact, runnable);
  runnable.place = artifact.placeBeside.empty()
                       ? path::filename(artifact.file).str()
                       : artifact.placeBeside;
  return runnable;
}

llvm::Error Runnable::checkUnchanged() const {
  struct stat status;
  if (file.empty() || sha256.empty())
    return llvm::Error::success();
  Stamp now;
  // The time of the last change of the file's record cannot be set.
  if (stat(file.c_str(), &status) == 0)
    now = {status.st_ino, status.st_size,
           status.st_ctim.tv_sec * 1000000000 + status.st_ctim.tv_nsec};
  if (now == seen)
    return llvm::Error::success();
  llvm::Expected<std::string> digest = fileDigest(file);
  if (!digest)
    return llvm::createStringError("artifact '" + name + "' cannot be read: " +
                                   llvm::toString(digest.takeError()));
  if (*digest != sha256)
    return llvm::createStringError("artifact '" + name +
                                   "' has changed since the plan was made");
  seen = now;
  return llvm::Error::success();
}

std::vector<Runnable> run::prepareArtifacts(const planfile::PlanFile &plan,
                                            const RunOptions &options,
                                            StringRef scratch,
                                            DiagnosticEngine &diags) {
  Preparation preparation(plan, options, scratch, diags);
  std::vector<Runnable> result;
  for (const planfile::Artifact &artifact : plan.artifacts())
    result.push_back(preparation.prepare(artifact));
  return result;
}
