//===- StepFiles.cpp - What a script sees ---------------------------------===//

#include "StepFiles.h"

#include "EnvironmentNames.h"
#include "Exports.h"
#include "Playbook.h"
#include "Remote.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Value/Evaluate.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ScopedPrinter.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::none;
using planfile::OutputMapping;
using planfile::Step;
using planfile::StepHandler;

static llvm::Error fileError(StringRef path) {
  return llvm::createStringError(
      "cannot write '" + path + "': " + std::generic_category().message(errno));
}

static void writeObject(JSONWriter &json, StringRef key, const Value &map) {
  json.attributeBegin(key);
  writeJSON(json, map);
}

/// A copy of \p map that outlives the entity it belongs to.
static llvm::Expected<Value> copied(const Value &map, JSONReader &reader) {
  return map.isMap() && !map.entries().empty()
             ? reader.value(llvm::to_string(map))
             : llvm::Expected<Value>(Value());
}

/// The entity or one of its ends, with what is known of it. \p isFormer: with
/// the properties that it has had.
static llvm::Error writeEntity(JSONWriter &json, uint32_t id, bool isFormer,
                               LiveState &state, ValueArena &arena) {
  llvm::Expected<const state::PlannedEntity *> read = state.entity(id);
  if (!read)
    return read.takeError();
  const state::Entity &entity = (*read)->content;
  json.attribute("name", entity.name);
  json.attribute("type", entity.type);
  json.attribute("index", entity.index);
  // Evaluating may move the entity away.
  state.copier.useArena(arena);
  llvm::Expected<Value> properties = copied(
      isFormer && (*read)->former.isMap() ? (*read)->former : entity.properties,
      state.copier);
  llvm::Expected<Value> attributes = copied(entity.attributes, state.copier);
  if (!properties || !attributes)
    return llvm::joinErrors(properties.takeError(), attributes.takeError());
  writeObject(json, "properties", state.evaluated(*properties, arena));
  writeObject(json, "attributes", state.evaluated(*attributes, arena));
  return llvm::Error::success();
}

/// What the handler's inputs are now.
static llvm::Expected<Value> evaluateInputs(const StepHandler &handler,
                                            LiveState &state,
                                            ValueArena &arena) {
  llvm::SmallVector<MapEntry> entries;
  if (!handler.inputs)
    return arena.map(entries);
  if (handler.inputs->is(ExprKind::Literal))
    return handler.inputs->value();
  llvm::ArrayRef<Expr> children = handler.inputs->children();
  for (; children.size() > 1; children = children.drop_front(2)) {
    auto [result, isSecret] = state.ask(children[1], arena);
    if (result.isFailed() && isSecret)
      return llvm::createStringError("input '" + toText(children[0]) +
                                     "' cannot be evaluated; it depends on a "
                                     "sensitive value, which is not shown");
    if (result.isFailed()) {
      DiagnosticEngine engine;
      report(engine, result.problem());
      return llvm::createStringError("input '" + toText(children[0]) +
                                     "': " + engine.all().front().message);
    }
    if (!result.isKnown())
      return llvm::createStringError("input '" + toText(children[0]) +
                                     "' has no value: " + toText(children[1]));
    entries.push_back({children[0].value(), result.value()});
  }
  return arena.map(entries);
}

/// Replaces what the context held for the step before. A file that is cut to
/// nothing first would be written to the disk when it is closed.
static llvm::Error writeContext(const StepFiles &files, StringRef text) {
  auto size = static_cast<ssize_t>(text.size());
  if (pwrite(files.contextFile, text.data(), text.size(), 0) == size &&
      ftruncate(files.contextFile, size) == 0)
    return llvm::Error::success();
  return fileError(files.context);
}

namespace {

/// Builds the environment and the context side by side.
class ContextWriter {
public:
  ContextWriter(Command &command, LiveState &state)
      : command(command), state(state), os(text), json(os) {}

  llvm::Error write(const Step &step, const StepHandler &handler,
                    llvm::ArrayRef<Runnable> artifacts, const RunFolder &run,
                    const StepFiles &files);
  StringRef str() { return text; }
  /// The inputs alone.
  std::string inputs;

private:
  void set(StringRef name, StringRef value) {
    command.environment.push_back((name + "=" + value).str());
  }
  llvm::Error writeEntities(const Step &step);
  llvm::Error writeEnd(StringRef key, StringRef variable, uint32_t id,
                       bool isFormer);
  void setInputs(const Value &inputs);

  Command &command;
  LiveState &state;
  ValueArena arena;
  std::string text;
  llvm::raw_string_ostream os;
  JSONWriter json;
};

} // namespace

/// Whether an input can have its own name in the environment, as scripts of
/// TOSCA 1.x expect: nothing that programs rely on has it.
static bool isFreeVariable(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !name.starts_with("TOSCA_") && !name.starts_with("LD_") &&
         !name.starts_with("BASH") && name != "IFS" && name != "ENV" &&
         !getenv(name.str().c_str());
}

/// What no variable can hold, two inputs share, or is too much for all of them,
/// stands in the context alone.
void ContextWriter::setInputs(const Value &inputs) {
  constexpr size_t longest = 100000, most = 1 << 20;
  llvm::StringMap<unsigned> uses;
  for (const MapEntry &entry : inputs.entries())
    ++uses[variableOf(entry.key.asString())];
  size_t total = 0;
  for (const MapEntry &entry : inputs.entries()) {
    StringRef plain = entry.key.asString();
    std::string name = variableOf(entry.key.asString());
    std::string value = entry.value.isString() ? entry.value.asString().str()
                                               : llvm::to_string(entry.value);
    bool fits = value.find('\0') == std::string::npos &&
                value.size() < longest && total + value.size() < most;
    if (!fits)
      command.leftOut.push_back(entry.key.asString().str());
    if (!fits || uses[name] > 1)
      continue;
    total += value.size();
    set(name, value);
    if (isFreeVariable(plain)) {
      total += value.size();
      set(plain, value);
    }
  }
}

llvm::Error ContextWriter::writeEnd(StringRef key, StringRef variable,
                                    uint32_t id, bool isFormer) {
  llvm::Expected<const state::PlannedEntity *> end = state.entity(id);
  if (!end)
    return end.takeError();
  set(variable, (*end)->content.name);
  json.attributeBegin(key);
  json.objectBegin();
  llvm::Error error = writeEntity(json, id, isFormer, state, arena);
  json.objectEnd();
  return error;
}

llvm::Error ContextWriter::writeEntities(const Step &step) {
  if (step.entity == none)
    return llvm::Error::success();
  llvm::Expected<const state::PlannedEntity *> read = state.entity(step.entity);
  if (!read)
    return read.takeError();
  state::PlannedEntity entity = **read;
  set("TOSCA_ENTITY", entity.content.name);
  set("TOSCA_INDEX", std::to_string(entity.content.index));
  json.attributeBegin("entity");
  json.objectBegin();
  llvm::Error error =
      writeEntity(json, step.entity, step.showsFormer, state, arena);
  json.objectEnd();
  if (error || entity.content.kind != state::EntityKind::Relationship)
    return error;
  if (llvm::Error failed =
          writeEnd("source", "TOSCA_SOURCE", entity.source, step.showsFormer))
    return failed;
  return writeEnd("target", "TOSCA_TARGET", entity.target, step.showsFormer);
}

llvm::Error ContextWriter::write(const Step &step, const StepHandler &handler,
                                 llvm::ArrayRef<Runnable> artifacts,
                                 const RunFolder &run, const StepFiles &files) {
  llvm::Expected<Value> values = evaluateInputs(handler, state, arena);
  if (!values)
    return values.takeError();
  json.objectBegin();
  json.attribute("deployment", run.deployment);
  json.attribute("step", step.name);
  json.attribute("interface", step.interface);
  json.attribute("operation", step.operation);
  writeObject(json, "inputs", *values);
  inputs = jsonText(*values);
  if (llvm::Error error = writeEntities(step))
    return error;
  json.attributeBegin("files");
  json.array([&] {
    for (uint32_t file : handler.files)
      json.value(artifacts[file].file);
  });
  json.objectEnd();
  setInputs(*values);
  set("TOSCA_DEPLOYMENT", run.deployment);
  set("TOSCA_STEP", step.name);
  set("TOSCA_INTERFACE", step.interface);
  set("TOSCA_OPERATION", step.operation);
  set("TOSCA_CONTEXT", files.context);
  set("TOSCA_OUTPUTS", files.outputs);
  set("TOSCA_RUN", run.runName + "/" + std::to_string(step.id));
  return llvm::Error::success();
}

static std::string substitute(StringRef word, StringRef file,
                              const StepFiles &files) {
  std::string result = word.str();
  for (const auto &[name, path] :
       {std::pair<StringRef, std::string>("{file}", file.str()),
        {"{context}", files.context},
        {"{inputs}", files.staging() + "/inputs.json"},
        {"{inventory}", files.staging() + "/inventory.json"}})
    if (size_t at = result.find(name); at != std::string::npos)
      result.replace(at, name.size(), path);
  return result;
}

/// Artifacts that \p handler needs beside its own.
static llvm::SmallVector<const Runnable *>
neededBy(const StepHandler &handler, llvm::ArrayRef<Runnable> artifacts) {
  llvm::SmallVector<const Runnable *> result;
  for (uint32_t file : handler.files)
    result.push_back(&artifacts[file]);
  return result;
}

static bool isBeside(const Runnable &file, const Runnable &script) {
  llvm::SmallString<128> place(llvm::sys::path::parent_path(script.file));
  llvm::sys::path::append(place, file.place);
  return place == file.file;
}

llvm::Expected<PreparedCommand>
run::prepareCommand(const Step &step, const StepHandler &handler,
                    llvm::ArrayRef<Runnable> artifacts, const RunFolder &run,
                    const StepFiles &files, LiveState &state) {
  const Runnable &runnable = artifacts[handler.artifact];
  if (llvm::Error error = runnable.checkUnchanged())
    return error;
  for (uint32_t file : handler.files)
    if (llvm::Error error = artifacts[file].checkUnchanged())
      return error;
  PreparedCommand prepared;
  prepared.isPlaybook = isPlaybook(runnable);
  if (handler.host != none && run.connections) {
    llvm::Expected<Machine> machine =
        run.connections->find(handler.host, state);
    if (!machine)
      return machine.takeError();
    prepared.machine = *machine;
  }
  prepared.isCopied =
      prepared.isPlaybook &&
      llvm::any_of(neededBy(handler, artifacts), [&](const Runnable *file) {
        return !isBeside(*file, runnable);
      });
  std::string file = prepared.isCopied
                         ? files.staging() + "/beside/" + runnable.place
                         : runnable.file;
  Command &command = prepared.command;
  command.folder = files.folder;
  command.output = files.logFile;
  command.program = runnable.command[0];
  for (StringRef word : llvm::ArrayRef(runnable.command).drop_front())
    command.arguments.push_back(substitute(word, file, files));
  ContextWriter writer(command, state);
  if (llvm::Error error = writer.write(step, handler, artifacts, run, files))
    return error;
  prepared.context = writer.str().str();
  if (prepared.isPlaybook)
    completePlaybook(prepared, files, run, writer.inputs);
  return prepared;
}

/// Writes what \p prepared needs besides its context.
static llvm::Error writeNeeded(const PreparedCommand &prepared,
                               const StepFiles &files) {
  if (prepared.files.empty())
    return llvm::Error::success();
  if (std::error_code error =
          llvm::sys::fs::create_directories(files.staging()))
    return llvm::createStringError("cannot make '" + files.staging() +
                                   "': " + error.message());
  for (const auto &[name, content] : prepared.files) {
    std::string path = files.staging() + "/" + name;
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    os << content;
    os.flush();
    if (os.has_error())
      error = os.error();
    os.clear_error();
    if (error)
      return llvm::createStringError("cannot write '" + path +
                                     "': " + error.message());
  }
  return llvm::Error::success();
}

llvm::Expected<Command>
run::makeCommand(const Step &step, const StepHandler &handler,
                 llvm::ArrayRef<Runnable> artifacts, const RunFolder &run,
                 const StepFiles &files, LiveState &state) {
  llvm::Expected<PreparedCommand> prepared =
      prepareCommand(step, handler, artifacts, run, files, state);
  if (!prepared)
    return prepared.takeError();
  const Runnable &runnable = artifacts[handler.artifact];
  Command &command = prepared->command;
  if (llvm::Error error = writeContext(files, prepared->context))
    return error;
  if (llvm::Error error = writeNeeded(*prepared, files))
    return error;
  llvm::SmallVector<const Runnable *> needed = neededBy(handler, artifacts);
  if (prepared->isCopied) {
    needed.push_back(&runnable);
    if (llvm::Error error = copyBeside(needed, files.staging() + "/beside"))
      return error;
    needed.pop_back();
  }
  noteExports(command, handler, runnable.file);
  if (prepared->machine.isHere())
    return std::move(command);
  if (prepared->isPlaybook)
    waitFor(command, prepared->machine, *run.connections);
  else if (llvm::Error error =
               runElsewhere(command, runnable, needed, files, prepared->machine,
                            *run.connections, prepared->context))
    return error;
  return std::move(command);
}

// After the process has ended.

bool run::fitsType(const Value &value, StringRef type) {
  if (type == "string" || type == "timestamp" || type == "version" ||
      type == "scalar" || type == "bytes")
    return value.isString();
  if (type == "integer")
    return value.isInteger();
  if (type == "float")
    return value.isNumber();
  if (type == "boolean")
    return value.isBoolean();
  if (type == "list")
    return value.isList();
  return (type != "map" && type != "record") || value.isMap();
}

/// The entity that the first word of an output's path means.
static llvm::Expected<uint32_t>
outputEntity(const Step &step, const Value &start, LiveState &state) {
  if (start.isInteger())
    return static_cast<uint32_t>(start.asInteger());
  StringRef word = start.isString() ? start.asString() : "";
  if (word == "SELF" && step.entity != none)
    return step.entity;
  if ((word == "SOURCE" || word == "TARGET") && step.entity != none) {
    llvm::Expected<const state::PlannedEntity *> entity =
        state.entity(step.entity);
    if (!entity)
      return entity.takeError();
    return word == "SOURCE" ? (*entity)->source : (*entity)->target;
  }
  return llvm::createStringError("an output has no entity to go to");
}

static llvm::Expected<OutputWrite> readOutput(const Step &step,
                                              const OutputMapping &mapping,
                                              const Value &outputs,
                                              LiveState &state) {
  const Value *value = outputs.find(mapping.name);
  if (!value)
    return llvm::createStringError("the script did not write output '" +
                                   mapping.name + "' to TOSCA_OUTPUTS");
  if (!fitsType(*value, mapping.type))
    return llvm::createStringError("output '" + mapping.name + "' is " +
                                   describe(value->kind()) + "; " +
                                   mapping.type + " is wanted");
  bool isFree = mapping.values.empty();
  bool isSecret =
      mapping.sensitive || (isFree && state.secrets.occursIn(*value));
  if (isSecret && mapping.isCell())
    return llvm::createStringError("output '" + mapping.name +
                                   "' is sensitive, and cells are not");
  if (!isFree && !llvm::is_contained(mapping.values, *value)) {
    std::string values;
    for (const Value &known : mapping.values)
      values += (values.empty() ? "" : ", ") + toText(known);
    return llvm::createStringError("output '" + mapping.name + "' is " +
                                   toText(*value) + "; it can be only " +
                                   values);
  }
  llvm::Expected<uint32_t> entity = outputEntity(step, mapping.path[0], state);
  if (!entity)
    return entity.takeError();
  return OutputWrite{*entity, mapping.path.drop_front(), *value,
                     mapping.isCell(), mapping.sensitive};
}

/// Whatever the script wrote becomes attributes of the same names.
static llvm::Error readAll(const Step &step, const OutputMapping &mapping,
                           const Value &outputs, LiveState &state,
                           ValueArena &arena,
                           std::vector<OutputWrite> &result) {
  llvm::Expected<uint32_t> entity = outputEntity(step, mapping.path[0], state);
  if (!entity)
    return entity.takeError();
  for (const MapEntry &entry : outputs.entries())
    result.push_back({*entity, arena.save(llvm::ArrayRef(entry.key)),
                      entry.value, /*isCell=*/false, mapping.sensitive});
  return llvm::Error::success();
}

/// Reads a regular file of no more than 64 MiB and never waits: whatever else a
/// script may have put there is refused. Nothing where there is none.
static llvm::Expected<std::optional<std::string>>
readOutputsFile(const std::string &path) {
  constexpr size_t most = 64 << 20;
  auto refuse = [](const llvm::Twine &reason) {
    return llvm::createStringError("TOSCA_OUTPUTS cannot be read: " + reason);
  };
  int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0 && errno == ENOENT)
    return std::nullopt;
  if (file < 0)
    return refuse(std::generic_category().message(errno));
  auto closer = llvm::make_scope_exit([&] { close(file); });
  struct stat status;
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))
    return refuse("it is no regular file");
  std::string text;
  char buffer[1 << 16];
  ssize_t size;
  while ((size = read(file, buffer, sizeof(buffer))) > 0) {
    text.append(buffer, size);
    if (text.size() > most)
      return refuse("it has more than 64 MiB");
  }
  if (size < 0)
    return refuse(std::generic_category().message(errno));
  return text;
}

llvm::Expected<std::vector<OutputWrite>>
run::readOutputs(const Step &step, const StepHandler &handler,
                 const StepFiles &files, StringRef exports, LiveState &state,
                 ValueArena &arena) {
  std::vector<OutputWrite> result;
  if (handler.outputs.empty())
    return result;
  llvm::Expected<std::optional<std::string>> text =
      readOutputsFile(files.outputs);
  if (!text)
    return text.takeError();
  Value outputs = arena.map({});
  if (*text) {
    JSONReader reader(arena, state.names);
    llvm::Expected<Value> read = reader.value(StringRef(**text).trim());
    if (!read)
      return llvm::createStringError(
          "what the script wrote to TOSCA_OUTPUTS is not valid JSON: " +
          llvm::toString(read.takeError()));
    if (!read->isMap())
      return llvm::createStringError("what the script wrote to TOSCA_OUTPUTS "
                                     "is no JSON object");
    outputs = *read;
  }
  outputs = withExports(outputs, exports, handler, state, arena);
  for (const OutputMapping &mapping : handler.outputs) {
    if (mapping.name == "*") {
      if (auto error = readAll(step, mapping, outputs, state, arena, result))
        return error;
      continue;
    }
    llvm::Expected<OutputWrite> write =
        readOutput(step, mapping, outputs, state);
    if (!write)
      return write.takeError();
    result.push_back(*write);
  }
  return result;
}
