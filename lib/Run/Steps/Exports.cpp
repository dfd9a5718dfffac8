//===- Exports.cpp - Outputs that scripts export --------------------------===//

#include "Exports.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::OutputMapping;
using planfile::StepHandler;

/// Runs the script `$0` in this shell. A variable that was there before, an
/// input perhaps, counts only if the script has changed it. No trap notes the
/// end: a shell that has one outlives SIGTERM and says so in the log, and a
/// trap of the script would replace it.
static constexpr StringRef wrapper = R"sh(
tosca_names=("$@"); set --
declare -A tosca_before
for tosca_name in "${tosca_names[@]}"; do
  [ -z "${!tosca_name+x}" ] || tosca_before[$tosca_name]=${!tosca_name}
done
tosca_note_exports() (
  set +eu; umask 077
  for name in "${tosca_names[@]}"; do
    [[ $(declare -p "$name" 2>/dev/null) == "declare -"*x* ]] || continue
    [ "${tosca_before[$name]+x}${tosca_before[$name]}" = "x${!name}" ] ||
      printf '%s=%s\0' "$name" "${!name}"
  done >"$TOSCA_OUTPUTS.exports"
)
exit() {
  local tosca_code=${1-$?}
  [ "$BASH_SUBSHELL" != 0 ] || tosca_note_exports
  builtin exit "$tosca_code"
}
. "$0"
exit
)sh";

static bool isVariable(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

static std::string exportsFile(const StepFiles &files) {
  return files.outputs + ".exports";
}

void run::noteExports(Command &command, const StepHandler &handler,
                      StringRef file) {
  bool isBash = llvm::sys::path::filename(command.program) == "bash" &&
                command.arguments.size() == 1 && command.arguments[0] == file;
  std::vector<std::string> names;
  for (const OutputMapping &mapping : handler.outputs)
    if (isVariable(mapping.name))
      names.push_back(mapping.name.str());
  if (!isBash || names.empty())
    return;
  command.arguments = {"-c", wrapper.str(), file.str()};
  llvm::append_range(command.arguments, names);
}

std::string run::takeExports(const StepFiles &files) {
  std::string path = exportsFile(files), text;
  // What the script may have put there instead is not waited for.
  llvm::sys::fs::file_status status;
  bool isFile = !llvm::sys::fs::status(path, status, /*follow=*/false) &&
                llvm::sys::fs::is_regular_file(status);
  if (isFile)
    if (auto buffer = llvm::MemoryBuffer::getFile(path))
      text = (*buffer)->getBuffer().str();
  unlink(path.c_str());
  return text;
}

/// \p text as a value of the type \p type: variables hold text alone.
static Value exportedValue(StringRef text, StringRef type, LiveState &state,
                           ValueArena &arena) {
  Value string = arena.string(text);
  if (type.empty() || fitsType(string, type))
    return string;
  JSONReader reader(arena, state.names);
  llvm::Expected<Value> value = reader.value(arena.save(text));
  if (value)
    return *value;
  llvm::consumeError(value.takeError());
  return string;
}

Value run::withExports(const Value &outputs, StringRef exports,
                       const StepHandler &handler, LiveState &state,
                       ValueArena &arena) {
  llvm::SmallVector<MapEntry> entries(outputs.entries());
  for (StringRef variable : llvm::split(exports, '\0')) {
    auto [name, value] = variable.split('=');
    for (const OutputMapping &mapping : handler.outputs)
      if (!name.empty() && (mapping.name == name || mapping.name == "*") &&
          !outputs.find(name))
        entries.push_back({arena.string(name),
                           exportedValue(value, mapping.type, state, arena)});
  }
  return arena.map(entries);
}
