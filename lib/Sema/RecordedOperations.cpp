//===- RecordedOperations.cpp - Operations to remember --------------------===//

#include "toscac/Sema/RecordedOperations.h"

#include "toscac/Basic/JSONWriter.h"
#include "toscac/IR/KindNames.h"
#include "toscac/Value/ReadJSON.h"
#include "llvm/ADT/SmallVector.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

namespace {

class OperationWriter {
public:
  OperationWriter(const CheckedProgram &program, llvm::raw_ostream &os)
      : program(program), json(os) {}

  /// False if there is nothing to record.
  bool write(const Service &service);

private:
  void writeMachines(StringRef name, MachineOrigin origin,
                     ArrayRef<ir::MachineId> machines);
  void writeOperation(const ir::Operation &operation);
  void writeHandler(const ir::Handler &handler);
  void writeArtifact(ir::ArtifactId id);
  void writeInputs(ArrayRef<ir::Argument> inputs);
  void writeOutputs(ArrayRef<ir::OutputMapping> outputs);

  const CheckedProgram &program;
  JSONWriter json;
};

} // namespace

static bool isSecret(const ir::Argument &argument) {
  return argument.sensitive && argument.value && argument.value->isLiteral();
}

static bool hasSecrets(const ir::Operation &operation) {
  return llvm::any_of(operation.inputs, isSecret) ||
         llvm::any_of(operation.handlers, [](const ir::Handler &handler) {
           return llvm::any_of(handler.inputs, isSecret);
         });
}

bool OperationWriter::write(const Service &service) {
  bool isEmpty = true;
  auto add = [&](const std::string &name, MachineOrigin origin,
                 ArrayRef<ir::MachineId> machines) {
    if (origin == MachineOrigin::Type)
      return;
    writeMachines(name, origin, machines);
    isEmpty = false;
  };
  json.object([&] {
    for (const NodeTemplate &node : service.nodes) {
      std::string name = node.name.str().str();
      add(name, node.machineOrigin, node.machines);
      for (const Requirement &requirement : node.requirements)
        add(name + "." + requirement.name.str().str(),
            requirement.relationship.machineOrigin,
            requirement.relationship.machines);
    }
  });
  return !isEmpty;
}

void OperationWriter::writeMachines(StringRef name, MachineOrigin origin,
                                    ArrayRef<ir::MachineId> machines) {
  bool isComplete =
      origin != MachineOrigin::Refined &&
      llvm::none_of(machines, [&](ir::MachineId id) {
        return llvm::any_of(program.machines[id.index].operations, hasSecrets);
      });
  json.attributeBegin(name);
  if (!isComplete)
    return json.value(nullptr);
  json.object([&] {
    for (ir::MachineId id : machines) {
      const ir::Machine &machine = program.machines[id.index];
      if (!machine.type)
        continue;
      json.attributeBegin(machine.interface.str());
      json.object([&] {
        for (const ir::Operation &operation : machine.operations)
          if (!operation.handlers.empty())
            writeOperation(operation);
      });
    }
  });
}

void OperationWriter::writeOperation(const ir::Operation &operation) {
  json.attributeBegin(operation.name.str());
  json.object([&] {
    json.attributeBegin("handlers");
    json.array([&] {
      for (const ir::Handler &handler : operation.handlers)
        writeHandler(handler);
    });
    writeInputs(operation.inputs);
    writeOutputs(operation.outputs);
    if (operation.timeout)
      json.attribute("timeout", operation.timeout);
    if (operation.retries)
      json.attribute("retries", operation.retries);
  });
}

void OperationWriter::writeHandler(const ir::Handler &handler) {
  json.object([&] {
    json.attributeBegin("artifact");
    writeArtifact(handler.artifact);
    if (!handler.files.empty()) {
      json.attributeBegin("files");
      json.array([&] {
        for (ir::ArtifactId file : handler.files)
          writeArtifact(file);
      });
    }
    writeInputs(handler.inputs);
    writeOutputs(handler.outputs);
    if (handler.place != ir::HandlerPlace::Here)
      json.attribute("on", ir::nameOf(handler.place));
  });
}

void OperationWriter::writeArtifact(ir::ArtifactId id) {
  const ir::Artifact &artifact = program.artifacts[id.index];
  json.object([&] {
    json.attribute("type", artifact.type.str());
    json.attribute("file", artifact.file);
    if (!artifact.placeBeside.empty())
      json.attribute("as", artifact.placeBeside);
  });
}

void OperationWriter::writeInputs(ArrayRef<ir::Argument> inputs) {
  if (llvm::none_of(inputs, [](const ir::Argument &a) { return a.value; }))
    return;
  json.attributeBegin("inputs");
  json.object([&] {
    for (const ir::Argument &input : inputs)
      if (input.value) {
        json.attributeBegin(input.name.str());
        writeJSON(json, *input.value);
      }
  });
}

void OperationWriter::writeOutputs(ArrayRef<ir::OutputMapping> outputs) {
  if (outputs.empty())
    return;
  json.attributeBegin("outputs");
  json.object([&] {
    for (const ir::OutputMapping &output : outputs) {
      json.attributeBegin(output.output.str());
      json.array([&] {
        for (Name step : output.target)
          json.value(step.str());
      });
    }
  });
}

Value sema::recordedOperations(const CheckedProgram &program, NameTable &names,
                               ValueArena &arena) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (program.services.empty() ||
      !OperationWriter(program, os).write(program.services.front()))
    return Value();
  llvm::Expected<Value> value = JSONReader(arena, names).value(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return Value();
  }
  return *value;
}

//===----------------------------------------------------------------------===//
// Restoring
//===----------------------------------------------------------------------===//

namespace {

class OperationReader {
public:
  OperationReader(CheckedProgram &program, FindArtifact findArtifact,
                  NameTable &names)
      : arena(*program.arena), findArtifact(findArtifact), names(names) {}

  /// What \p recorded says of operations of an interface.
  void read(const Value &recorded, ir::Machine &machine);
  bool isGood = true;

private:
  void readOperation(const Value &recorded, ir::Operation &operation);
  ir::Handler readHandler(const Value &recorded);
  ir::ArtifactId readArtifact(const Value *recorded);
  ArrayRef<ir::Argument> readInputs(const Value &owner,
                                    ArrayRef<ir::Argument> defined);
  ArrayRef<ir::OutputMapping> readOutputs(const Value &owner,
                                          ArrayRef<ir::OutputMapping> defined);
  uint32_t readNumber(const Value &owner, StringRef key);
  template <typename T>
  ArrayRef<T> save(const llvm::SmallVectorImpl<T> &items) {
    return arena.save(ArrayRef<T>(items));
  }

  ValueArena &arena;
  FindArtifact findArtifact;
  NameTable &names;
};

} // namespace

/// The member \p key of \p owner, if it is one of this kind.
static const Value *findMember(const Value &owner, StringRef key,
                               ValueKind kind) {
  const Value *found = owner.isMap() ? owner.find(key) : nullptr;
  return found && found->is(kind) ? found : nullptr;
}

void OperationReader::read(const Value &recorded, ir::Machine &machine) {
  SmallVector<ir::Operation> operations(machine.operations);
  for (ir::Operation &operation : operations)
    if (const Value *own =
            findMember(recorded, operation.name.str(), ValueKind::Map))
      readOperation(*own, operation);
  machine.operations = save(operations);
}

void OperationReader::readOperation(const Value &recorded,
                                    ir::Operation &operation) {
  SmallVector<ir::Handler> handlers;
  if (const Value *list = findMember(recorded, "handlers", ValueKind::List))
    for (const Value &handler : list->items())
      handlers.push_back(readHandler(handler));
  operation.handlers = save(handlers);
  operation.inputs = readInputs(recorded, operation.inputs);
  operation.outputs = readOutputs(recorded, operation.outputs);
  operation.timeout = readNumber(recorded, "timeout");
  operation.retries = readNumber(recorded, "retries");
}

ir::Handler OperationReader::readHandler(const Value &recorded) {
  ir::Handler handler;
  handler.artifact =
      readArtifact(findMember(recorded, "artifact", ValueKind::Map));
  SmallVector<ir::ArtifactId> files;
  if (const Value *list = findMember(recorded, "files", ValueKind::List))
    for (const Value &file : list->items())
      files.push_back(readArtifact(&file));
  handler.files = save(files);
  handler.inputs = readInputs(recorded, {});
  handler.outputs = readOutputs(recorded, {});
  if (const Value *place = findMember(recorded, "on", ValueKind::String))
    handler.place = ir::findHandlerPlace(place->asString())
                        .value_or(ir::HandlerPlace::Here);
  return handler;
}

ir::ArtifactId OperationReader::readArtifact(const Value *recorded) {
  const Value nothing;
  const Value &from = recorded ? *recorded : nothing;
  const Value *type = findMember(from, "type", ValueKind::String);
  const Value *file = findMember(from, "file", ValueKind::String);
  const Value *place = findMember(from, "as", ValueKind::String);
  isGood &= type && file;
  if (!isGood)
    return {0};
  ir::Artifact wanted;
  wanted.type = names.intern(type->asString());
  wanted.file = arena.save(file->asString());
  if (place)
    wanted.placeBeside = arena.save(place->asString());
  return findArtifact(wanted);
}

/// The types of inputs are those that are \p defined.
ArrayRef<ir::Argument>
OperationReader::readInputs(const Value &owner,
                            ArrayRef<ir::Argument> defined) {
  const Value *inputs = findMember(owner, "inputs", ValueKind::Map);
  SmallVector<ir::Argument> result(defined);
  if (!inputs)
    return defined;
  for (const MapEntry &entry : inputs->entries()) {
    llvm::Expected<Expr> value = toExpr(entry.value, names, arena);
    if (!value) {
      llvm::consumeError(value.takeError());
      isGood = false;
      continue;
    }
    Name name = names.intern(entry.key.asString());
    ir::Argument *known = llvm::find_if(
        result, [&](const ir::Argument &other) { return other.name == name; });
    if (known == result.end()) {
      result.emplace_back().name = name;
      known = &result.back();
      known->required = false;
    }
    known->value = arena.make(*value);
  }
  return save(result);
}

ArrayRef<ir::OutputMapping>
OperationReader::readOutputs(const Value &owner,
                             ArrayRef<ir::OutputMapping> defined) {
  const Value *outputs = findMember(owner, "outputs", ValueKind::Map);
  if (!outputs)
    return defined;
  SmallVector<ir::OutputMapping> result;
  for (const MapEntry &entry : outputs->entries()) {
    isGood &= entry.value.isList();
    if (!isGood)
      break;
    SmallVector<Name> target;
    for (const Value &step : entry.value.items())
      if (step.isString())
        target.push_back(names.intern(step.asString()));
    ir::OutputMapping &mapping = result.emplace_back();
    mapping.output = names.intern(entry.key.asString());
    mapping.target = save(target);
  }
  return save(result);
}

uint32_t OperationReader::readNumber(const Value &owner, StringRef key) {
  const Value *number = findMember(owner, key, ValueKind::Integer);
  return number ? number->asInteger() : 0;
}

bool sema::restoreOperations(CheckedProgram &program, const Value &recorded,
                             FindArtifact findArtifact, NameTable &names,
                             std::vector<ir::MachineId> &machines) {
  OperationReader reader(program, findArtifact, names);
  for (ir::MachineId &id : machines) {
    ir::Machine machine = program.machines[id.index];
    const Value *own =
        findMember(recorded, machine.interface.str(), ValueKind::Map);
    if (!own)
      continue;
    reader.read(*own, machine);
    id = {static_cast<uint32_t>(program.machines.size())};
    program.machines.push_back(machine);
  }
  return recorded.isMap() && reader.isGood;
}
