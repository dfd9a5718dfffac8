//===- LowerOperations.cpp - What operations of blueprints run ------------===//

#include "Lower.h"
#include "toscac/Sema/RecordedOperations.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::ArrayRef;
using llvm::StringRef;
namespace path = llvm::sys::path;

/// The task of the plugin `script` that runs a file.
static constexpr StringRef runScript = "script.script_runner.tasks.run";

bool OperationLowering::addInputs(ArrayRef<NamedValue> inputs,
                                  const Owner &owner,
                                  llvm::SmallVectorImpl<ir::Argument> &into) {
  for (const NamedValue &input : inputs) {
    const Expr *value = values.lower(*input.value, owner);
    if (!value)
      return false;
    ir::Argument argument{names.intern(input.name.text)};
    argument.value = value;
    argument.required = false;
    argument.range = input.value->range();
    into.push_back(argument);
  }
  return true;
}

/// In a file that is imported under a prefix, its own plugins come first.
std::optional<OperationLowering::Task>
OperationLowering::findTask(const Word &implementation) const {
  StringRef own = model.blueprint.fileOf(implementation.range).prefix;
  for (StringRef prefix : {own, StringRef()}) {
    std::optional<Task> found;
    for (const Plugin &plugin : model.blueprint.plugins) {
      StringRef name = plugin.name.text, rest = implementation.text;
      if (name.consume_front(prefix) && rest.consume_front(name) &&
          rest.consume_front(".") &&
          (!found || name.size() > found->name.size()))
        found = {&plugin, name, rest};
    }
    if (found)
      return found;
  }
  return std::nullopt;
}

/// Files are run by what their names end with.
static StringRef artifactType(StringRef file) {
  return llvm::StringSwitch<StringRef>(path::extension(file))
      .Cases(".sh", ".bash", "Bash")
      .Case(".py", "Python")
      .Cases(".yaml", ".yml", "Ansible")
      .Default("");
}

ir::ArtifactId OperationLowering::scriptArtifact(StringRef file,
                                                 SourceRange range) {
  llvm::SmallString<128> location(model.blueprint.fileOf(range).folder);
  path::append(location, file);
  return addScript(location, range);
}

ir::ArtifactId OperationLowering::addScript(StringRef location,
                                            SourceRange range) {
  StringRef main = model.blueprint.folder;
  auto [known, isNew] = artifacts.try_emplace(
      location, ir::ArtifactId{uint32_t(program.artifacts.size())});
  if (!isNew)
    return known->second;
  ir::Artifact artifact;
  if (StringRef type = artifactType(location); !type.empty())
    artifact.type = names.intern(type);
  // As seen from the blueprint.
  StringRef seen = location;
  if (seen.consume_front(main) && !main.empty())
    seen.consume_front("/");
  artifact.file = arena.save(seen);
  artifact.location = arena.save(location);
  artifact.range = range;
  program.artifacts.push_back(artifact);
  return known->second;
}

/// Inputs that say how to run it, and are not passed to it.
static bool concernsRunner(StringRef input) {
  return input == "script_path" || input == "process" || input == "ctx";
}

/// What an operation leaves are runtime properties of the instance that it runs
/// for: of a relationship, that of its side.
ArrayRef<ir::OutputMapping>
OperationLowering::runtimeProperties(StringRef side) {
  Name all = names.intern("*");
  Name target[] = {names.intern(side), all};
  ir::OutputMapping mapping;
  mapping.output = all;
  mapping.target = arena.save(ArrayRef<Name>(target));
  return arena.save(ArrayRef<ir::OutputMapping>(mapping));
}

std::optional<ir::Handler>
OperationLowering::lowerScript(const Operation &written, StringRef file,
                               const Owner &owner) {
  std::vector<NamedValue> inputs;
  for (const NamedValue &input : written.inputs) {
    if (!concernsRunner(input.name.text))
      inputs.push_back(input);
    const syntax::Node *variables =
        input.name.text == "process" && input.value->isMapping()
            ? input.value->find("env")
            : nullptr;
    if (variables && variables->isMapping())
      for (const syntax::Entry &entry : variables->entries())
        if (entry.key.isScalar())
          inputs.push_back(
              {{entry.key.text(), entry.key.range()}, &entry.value});
  }
  llvm::SmallVector<ir::Argument> arguments;
  if (!addInputs(inputs, owner, arguments))
    return std::nullopt;
  ir::Handler handler{scriptArtifact(file, written.implementation.range)};
  handler.inputs = arena.save(ArrayRef<ir::Argument>(arguments));
  return handler;
}

const Expr *OperationLowering::lowerMap(ArrayRef<NamedValue> entries,
                                        const Owner &owner, SourceRange range) {
  llvm::SmallVector<ir::Argument> given;
  if (!addInputs(entries, owner, given))
    return nullptr;
  llvm::SmallVector<Expr> parts;
  for (const ir::Argument &argument : given) {
    parts.push_back(Expr::literal(Value::string(argument.name.str())));
    parts.push_back(*argument.value);
  }
  return arena.make(Expr::map(arena.save(ArrayRef<Expr>(parts)), range));
}

std::optional<ir::Handler>
OperationLowering::lowerTask(const Operation &written, const Task &task,
                             const Owner &owner) {
  SourceRange range = written.implementation.range;
  // What a built-in type does is said where it is used.
  SourceRange place = range;
  if (model.blueprint.fileOf(range).isBundled)
    place = owner.relationship ? owner.relationship->written->type.range
                               : model.nodes[*owner.node].written->type.range;
  // A file that is there under two prefixes is still one file.
  uint32_t offset =
      place.begin.raw - model.blueprint.fileOf(place).range.begin.raw;
  if (named.insert({offset, written.implementation.text}).second)
    diags.report(place, diag::PluginOperation, task.task, task.name);
  llvm::SmallVector<ir::Argument> arguments;
  auto add = [&](StringRef name, const Expr *value) {
    ir::Argument &added = arguments.emplace_back();
    added.name = names.intern(name);
    added.value = value;
    added.range = range;
    return value;
  };
  add("plugin", values.literal(arena.string(task.name)));
  add("task", values.literal(arena.string(task.task)));
  if (!add("inputs", lowerMap(written.inputs, owner, range)))
    return std::nullopt;
  if (!task.plugin->properties.empty() &&
      !add("plugin_properties", lowerMap(task.plugin->properties, {}, range)))
    return std::nullopt;
  ir::Handler handler{*pluginRunner};
  handler.inputs = arena.save(ArrayRef<ir::Argument>(arguments));
  return handler;
}

bool OperationLowering::implement(ir::Operation &operation,
                                  const Operation &written, const Owner &owner,
                                  StringRef side) {
  StringRef implementation = written.implementation.text;
  operation.range = written.range;
  operation.timeout = written.timeout.value_or(operation.timeout);
  operation.retries = written.maxRetries.value_or(operation.retries);
  if (implementation.empty())
    return true;
  std::optional<Task> task = findTask(written.implementation);
  StringRef script = implementation;
  if (implementation == runScript) {
    task.reset();
    for (const NamedValue &input : written.inputs)
      if (input.name.text == "script_path" && input.value->isScalar())
        script = input.value->text();
  }
  bool isFile = script.contains('/') || !artifactType(script).empty();
  if (!task && !isFile) {
    std::vector<StringRef> known;
    for (const Plugin &other : model.blueprint.plugins)
      known.push_back(other.name.text);
    reportUnknown(
        "plugin",
        {implementation.split('.').first, written.implementation.range}, known,
        diags);
    return false;
  }
  std::optional<ir::Handler> handler =
      task ? lowerTask(written, *task, owner)
           : lowerScript(written, script, owner);
  if (!handler)
    return false;
  handler->outputs = runtimeProperties(side);
  operation.handlers = arena.save(ArrayRef<ir::Handler>(*handler));
  return true;
}

/// Gives the cell \p name of \p machine another value to start from.
static void setInitial(ir::Machine &machine, StringRef name, StringRef value,
                       ValueArena &arena) {
  std::vector<ir::Cell> cells = machine.cells.vec();
  for (ir::Cell &cell : cells)
    if (cell.name.str() == name)
      cell.initial = arena.string(value);
  machine.cells = arena.save(ArrayRef<ir::Cell>(cells));
}

/// \p interface without what all of Cloudify's begin with.
static StringRef shortName(const Interface &interface) {
  StringRef name = interface.name.text;
  name.consume_front("cloudify.interfaces.");
  return name;
}

/// Whether it is what the workflow check_drift runs.
static bool isChecked(const Interface &interface, StringRef operation) {
  return operation == "check_drift" &&
         shortName(interface).ends_with("lifecycle");
}

StringRef OperationLowering::nameInBlueprints(ir::MachineId machine) const {
  StringRef name = program.machines[machine.index].interface.str();
  return name == "update" ? "lifecycle" : name;
}

/// The names that \p interface and its operation \p name may have been meant to
/// have; of those, one at most is not empty.
std::pair<std::string, std::string>
OperationLowering::meantBy(const Interface &interface, StringRef name,
                           ArrayRef<ir::MachineId> machines) const {
  std::vector<std::string> interfaces;
  std::vector<StringRef> operations;
  for (ir::MachineId id : machines) {
    StringRef own = nameInBlueprints(id);
    interfaces.push_back(("cloudify.interfaces." + own).str());
    if (own == shortName(interface))
      for (const ir::Operation &operation :
           program.machines[id.index].operations)
        operations.push_back(operation.name.str());
  }
  if (!operations.empty())
    return {"", nearestName(name, operations).value_or("").str()};
  std::vector<StringRef> known(interfaces.begin(), interfaces.end());
  return {nearestName(interface.name.text, known).value_or("").str(), ""};
}

void OperationLowering::findUnused(ArrayRef<Interface> interfaces,
                                   ArrayRef<ir::MachineId> machines,
                                   StringRef alias) {
  const File &main = model.blueprint.files.front();
  auto isRun = [&](const Interface &interface, StringRef operation) {
    if (isChecked(interface, operation))
      return true;
    return llvm::any_of(machines, [&](ir::MachineId id) {
      const ir::Machine &machine = program.machines[id.index];
      StringRef name = alias.empty() ? nameInBlueprints(id) : alias;
      return name == shortName(interface) &&
             llvm::any_of(machine.operations, [&](const ir::Operation &own) {
               return own.name.str() == operation;
             });
    });
  };
  for (const Interface &interface : interfaces)
    for (const Operation &written : interface.operations) {
      SourceRange place = written.implementation.range;
      // What plugins offer besides is their own affair.
      bool isOwn = place.begin.raw >= main.range.begin.raw &&
                   place.begin.raw < main.range.end.raw;
      if (!written.implementation.isEmpty() && isOwn &&
          !isRun(interface, written.name.text))
        unused.push_back({&interface, &written, alias.empty(),
                          meantBy(interface, written.name.text, machines)});
    }
}

void OperationLowering::reportUnused(StringRef executed) {
  llvm::DenseSet<uint32_t> places;
  for (const auto &[interface, operation, canBeExecuted, meant] : unused) {
    StringRef name = operation->name.text;
    bool isExecuted = name == executed ||
                      (interface->name.text + "." + name).str() == executed;
    // A misspelt interface is one mistake, whatever it holds.
    SourceRange place =
        meant.first.empty() ? operation->range : interface->name.range;
    SourceRange what = meant.first.empty() ? operation->implementation.range
                                           : interface->name.range;
    if (isExecuted || !places.insert(what.begin.raw).second)
      continue;
    auto report =
        diags.report(place, diag::OperationNeverRun, name, interface->name.text,
                     canBeExecuted ? " but execute_operation" : "");
    const std::string &right = meant.first.empty() ? meant.second : meant.first;
    if (!right.empty())
      report.note({}, diag::DidYouMean, right)
          .fixIt(meant.first.empty() ? operation->name.range
                                     : interface->name.range,
                 right);
  }
}

bool OperationLowering::restore(const Value &recorded,
                                std::vector<ir::MachineId> &machines) {
  auto findArtifact = [&](const ir::Artifact &wanted) {
    if (pluginRunner &&
        program.artifacts[pluginRunner->index].file == wanted.file)
      return *pluginRunner;
    llvm::SmallString<128> location(model.blueprint.folder);
    path::append(location, wanted.file);
    return addScript(location, model.blueprint.range);
  };
  return restoreOperations(program, recorded, findArtifact, names, machines);
}

ir::MachineId OperationLowering::lower(ir::MachineId pattern,
                                       StringRef interfaceName,
                                       ArrayRef<Interface> interfaces,
                                       const Owner &owner, StringRef awaits) {
  ir::Machine machine = program.machines[pattern.index];
  std::vector<ir::Operation> operations = machine.operations.vec();
  bool isChanged = !awaits.empty();
  std::string side =
      owner.relationship ? machine.interface.str().upper() : "SELF";
  for (const Interface &interface : interfaces) {
    if (shortName(interface) != interfaceName)
      continue;
    for (const Operation &written : interface.operations) {
      auto found = llvm::find_if(operations, [&](const ir::Operation &other) {
        return other.name.str() == written.name.text;
      });
      if (found == operations.end() ||
          (written.implementation.isEmpty() && !written.timeout))
        continue;
      isChanged |= implement(*found, written, owner, side);
    }
  }
  if (!isChanged)
    return pattern;
  if (!awaits.empty())
    setInitial(machine, "awaits", awaits, arena);
  machine.operations = arena.save(ArrayRef<ir::Operation>(operations));
  program.machines.push_back(machine);
  return {uint32_t(program.machines.size() - 1)};
}

std::optional<ir::MachineId>
OperationLowering::lowerAlone(StringRef interface, const Operation &written,
                              const Owner &owner, StringRef side) {
  ir::Machine machine;
  machine.interface = names.intern(interface);
  machine.range = written.range;
  ir::Operation operation;
  operation.name = names.intern(written.name.text);
  if (!implement(operation, written, owner, side))
    return std::nullopt;
  machine.operations = arena.save(ArrayRef<ir::Operation>(operation));
  program.machines.push_back(machine);
  return ir::MachineId{uint32_t(program.machines.size() - 1)};
}
