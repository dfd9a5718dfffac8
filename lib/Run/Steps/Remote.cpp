//===- Remote.cpp - Scripts on other machines -----------------------------===//

#include "Remote.h"

#include "toscac/Basic/ShellWord.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Waits until `ssh` gets through. $1: seconds; the rest: ssh, to a host. A
/// connection that does not answer is one to a machine that was replaced.
static constexpr StringRef waiting = R"sh(
tosca_wait() {
  tosca_end=$(($(date +%s) + $1)); shift
  until tosca_said=$(timeout 15 "$@" true 2>&1 </dev/null); do
    "$@" -O exit >/dev/null 2>&1 </dev/null
    if [ "$(date +%s)" -ge "$tosca_end" ]; then
      printf '%s\n' "$tosca_said" "the machine cannot be reached" >&2
      exit 255
    fi
    sleep 1
  done
}
)sh";

/// Runs here. $1: the folder with what is taken along; $2: what is run there;
/// $3: seconds to wait; the rest: ssh, to a host. Whoever ends this process
/// group closes the pipe that the other side listens to.
static constexpr StringRef sender = R"sh(
folder=$1 program=$2 seconds=$3
shift 3
tosca_wait "$seconds" "$@"
tar -C "$folder/taken" -cf "$folder/packed" . && mkfifo "$folder/pipe" || exit 70
size=$(($(wc -c <"$folder/packed")))
exec 3<>"$folder/pipe"
rm "$folder/pipe"
cat "$folder/packed" >&3 &
cat=$!
"$@" "$program $size" <&3 >"$folder/result"
code=$?
kill "$cat" 2>/dev/null
outputs=$(sed -n 1p "$folder/result")
exports=$(sed -n 2p "$folder/result")
[ -z "$outputs" ] || printf %s "$outputs" | base64 -d >"$TOSCA_OUTPUTS"
[ -z "$exports" ] || printf %s "$exports" | base64 -d >"$TOSCA_OUTPUTS.exports"
exit "$code"
)sh";

/// Runs there, with a folder of its own. $1: how many bytes are taken along.
/// What follows them never comes: its end says that nobody waits any more.
static constexpr StringRef receiver = R"sh(
umask 077
folder=$(mktemp -d "${TMPDIR:-/tmp}/tosca-run.XXXXXX") || exit 70
head -c "$1" | tar -xf - -C "$folder" || exit 70
exec 3<&0
cd "$folder/work" || exit 70
own=; command -v setsid >/dev/null 2>&1 && own=setsid
: >"$folder/log"
$own sh "$folder/start" "$folder" </dev/null >>"$folder/log" 2>&1 3<&- &
job=$!
( cat <&3; kill -TERM "-$job" || kill -TERM "$job"; sleep 5
  kill -KILL "-$job" || kill -KILL "$job"; rm -rf "$folder" ) >/dev/null 2>&1 &
watch=$!
told=0
tell() {
  size=$(($(wc -c <"$folder/log")))
  [ "$size" -le "$told" ] || tail -c "+$((told + 1))" "$folder/log" | head -c "$((size - told))" >&2
  told=$size
}
while kill -0 "$job" 2>/dev/null; do
  tell
  sleep 0.05 2>/dev/null || sleep 1
done
wait "$job"
code=$?
tell
for file in outputs.json outputs.json.exports; do
  [ ! -f "$folder/$file" ] || base64 <"$folder/$file" | tr -d "\n"
  echo
done
kill "$watch" 2>/dev/null
cd /
rm -rf "$folder"
exit "$code"
)sh";

static llvm::Error writeText(const llvm::Twine &file, StringRef text) {
  std::error_code error;
  std::string name = file.str();
  llvm::raw_fd_ostream os(name, error);
  os << text;
  os.flush();
  if (!error)
    error = os.error();
  os.clear_error();
  if (error)
    return llvm::createStringError("cannot write '" + name +
                                   "': " + error.message());
  return llvm::Error::success();
}

llvm::Error run::copyBeside(llvm::ArrayRef<const Runnable *> files,
                            StringRef folder) {
  for (const Runnable *file : files) {
    llvm::SmallString<128> target(folder);
    path::append(target, file->place);
    std::error_code error = fs::create_directories(path::parent_path(target));
    if (!error)
      error = fs::copy_file(file->file, target);
    if (!error)
      if (auto permissions = fs::getPermissions(file->file))
        error = fs::setPermissions(target, *permissions);
    if (error)
      return llvm::createStringError("cannot copy '" + file->file +
                                     "': " + error.message());
  }
  return llvm::Error::success();
}

/// \p text with every \p from replaced.
static std::string replaced(StringRef text, StringRef from, StringRef to) {
  std::string result;
  while (!from.empty() && text.contains(from)) {
    auto [before, after] = text.split(from);
    result += (before + to).str();
    text = after;
  }
  return result + text.str();
}

/// What starts the script there. $1: the folder.
static std::string startText(const Command &command, const Runnable &runnable,
                             const StepFiles &files) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (StringRef variable : command.environment) {
    auto [name, value] = variable.split('=');
    if (name != "TOSCA_CONTEXT" && name != "TOSCA_OUTPUTS")
      os << "export " << name << '=' << shellWord(value) << '\n';
  }
  os << "export TOSCA_CONTEXT=\"$1/context.json\" "
        "TOSCA_OUTPUTS=\"$1/outputs.json\"\nexec";
  std::string script = "./" + runnable.place;
  auto word = [&](StringRef given) {
    std::string here = replaced(given, runnable.file, script);
    os << ' ' << shellWord(replaced(here, files.context, "../context.json"));
  };
  // Programs lie elsewhere on another machine.
  if (command.program == runnable.file)
    word(command.program);
  else
    os << ' ' << shellWord(path::filename(command.program));
  llvm::for_each(command.arguments, word);
  os << '\n';
  return text;
}

static void become(Command &command, StringRef script,
                   std::vector<std::string> arguments) {
  command.program = "/bin/sh";
  command.arguments = {"-c", (waiting + script).str(), "tosca-run"};
  llvm::append_range(command.arguments, arguments);
}

llvm::Error run::runElsewhere(Command &command, const Runnable &runnable,
                              llvm::ArrayRef<const Runnable *> files,
                              const StepFiles &stepFiles,
                              const Machine &machine,
                              const Connections &connections,
                              StringRef context) {
  std::string folder = stepFiles.staging(), taken = folder + "/taken";
  if (std::error_code error = fs::create_directories(taken + "/work"))
    return llvm::createStringError("cannot make '" + taken +
                                   "': " + error.message());
  llvm::SmallVector<const Runnable *> all(files);
  all.push_back(&runnable);
  if (llvm::Error error = copyBeside(all, taken + "/work"))
    return error;
  if (llvm::Error error = writeText(taken + "/context.json", context))
    return error;
  if (llvm::Error error =
          writeText(taken + "/start", startText(command, runnable, stepFiles)))
    return error;
  std::vector<std::string> arguments{
      folder, "exec sh -c " + shellWord(receiver) + " tosca-run",
      std::to_string(connections.secondsToWait())};
  llvm::append_range(arguments, connections.sshCommand(machine));
  become(command, sender, std::move(arguments));
  return llvm::Error::success();
}

void run::waitFor(Command &command, const Machine &machine,
                  const Connections &connections) {
  std::vector<std::string> ssh = connections.sshCommand(machine);
  std::vector<std::string> arguments{
      std::to_string(connections.secondsToWait()), std::to_string(ssh.size())};
  llvm::append_range(arguments, ssh);
  arguments.push_back(command.program);
  llvm::append_range(arguments, command.arguments);
  become(command, R"sh(
seconds=$1 words=$2
shift 2
tosca_first() (
  count=$1; shift; seconds=$1; shift
  eval "set -- $(i=1; while [ "$i" -le "$count" ]; do printf '"${%d}" ' "$i"; i=$((i + 1)); done)"
  tosca_wait "$seconds" "$@"
)
tosca_first "$words" "$seconds" "$@" || exit
shift "$words"
exec "$@"
)sh",
         std::move(arguments));
}
