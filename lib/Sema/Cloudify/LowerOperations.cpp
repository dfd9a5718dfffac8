//===- LowerOperations.cpp - What operations of blueprints run ------------===//

#include "Lower.h"
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

StringRef OperationLowering::pluginOf(StringRef implementation) const {
  StringRef found;
  for (const Plugin &plugin : model.blueprint.plugins) {
    StringRef rest = implementation;
    if (rest.consume_front(plugin.name.text) && rest.starts_with(".") &&
        plugin.name.text.size() > found.size())
      found = plugin.name.text;
  }
  return found;
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
  auto [known, isNew] = artifacts.try_emplace(
      file, ir::ArtifactId{uint32_t(program.artifacts.size())});
  if (!isNew)
    return known->second;
  llvm::SmallString<128> location(model.blueprint.folder);
  path::append(location, file);
  ir::Artifact artifact;
  if (StringRef type = artifactType(file); !type.empty())
    artifact.type = names.intern(type);
  artifact.file = arena.save(file);
  artifact.location = arena.save(location.str());
  artifact.range = range;
  program.artifacts.push_back(artifact);
  return known->second;
}

/// Inputs that only say how to run it, not what it is told.
static bool concernsRunner(StringRef input) {
  return input == "script_path" || input == "process" || input == "ctx";
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

std::optional<ir::Handler>
OperationLowering::lowerTask(const Operation &written, StringRef plugin,
                             const Owner &owner) {
  const Word &implementation = written.implementation;
  StringRef task = implementation.text.drop_front(plugin.size() + 1);
  if (warned.insert(implementation.range.begin.raw).second)
    diags.report(implementation.range, diag::PluginOperation, task, plugin);
  llvm::SmallVector<ir::Argument> given;
  if (!addInputs(written.inputs, owner, given))
    return std::nullopt;
  llvm::SmallVector<Expr> parts;
  for (const ir::Argument &argument : given) {
    parts.push_back(Expr::literal(Value::string(argument.name.str())));
    parts.push_back(*argument.value);
  }
  auto argument = [&](StringRef name, const Expr *value) {
    ir::Argument result{names.intern(name)};
    result.value = value;
    result.range = implementation.range;
    return result;
  };
  ir::Argument arguments[] = {
      argument("plugin", values.literal(arena.string(plugin))),
      argument("task", values.literal(arena.string(task))),
      argument("inputs", arena.make(Expr::map(arena.save(ArrayRef<Expr>(parts)),
                                              implementation.range)))};
  ir::Handler handler{*pluginRunner};
  handler.inputs = arena.save(ArrayRef<ir::Argument>(arguments));
  return handler;
}

bool OperationLowering::implement(ir::Operation &operation,
                                  const Operation &written,
                                  const Owner &owner) {
  StringRef implementation = written.implementation.text;
  operation.range = written.range;
  operation.timeout = written.timeout.value_or(operation.timeout);
  operation.retries = written.maxRetries.value_or(operation.retries);
  if (implementation.empty())
    return true;
  StringRef plugin = pluginOf(implementation), script = implementation;
  if (implementation == runScript) {
    plugin = {};
    for (const NamedValue &input : written.inputs)
      if (input.name.text == "script_path" && input.value->isScalar())
        script = input.value->text();
  }
  bool isFile = script.contains('/') || !artifactType(script).empty();
  if (plugin.empty() && !isFile) {
    std::vector<StringRef> known;
    for (const Plugin &other : model.blueprint.plugins)
      known.push_back(other.name.text);
    reportUnknown(
        "plugin",
        {implementation.split('.').first, written.implementation.range}, known,
        diags);
    return false;
  }
  std::optional<ir::Handler> handler = plugin.empty()
                                           ? lowerScript(written, script, owner)
                                           : lowerTask(written, plugin, owner);
  if (!handler)
    return false;
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

ir::MachineId OperationLowering::lower(ir::MachineId pattern,
                                       StringRef interfaceName,
                                       ArrayRef<Interface> interfaces,
                                       const Owner &owner, StringRef awaits) {
  ir::Machine machine = program.machines[pattern.index];
  std::vector<ir::Operation> operations = machine.operations.vec();
  bool isChanged = !awaits.empty();
  for (const Interface &interface : interfaces) {
    StringRef name = interface.name.text;
    name.consume_front("cloudify.interfaces.");
    if (name != interfaceName)
      continue;
    for (const Operation &written : interface.operations) {
      auto found = llvm::find_if(operations, [&](const ir::Operation &other) {
        return other.name.str() == written.name.text;
      });
      if (found == operations.end() ||
          (written.implementation.isEmpty() && !written.timeout))
        continue;
      isChanged |= implement(*found, written, owner);
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
