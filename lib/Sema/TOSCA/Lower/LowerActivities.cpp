//===- LowerActivities.cpp - What steps and triggers do -------------------===//

#include "LowerActivities.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;

namespace {

class ActivityLowering {
public:
  ActivityLowering(Lowering &lowering, const Site &site,
                   llvm::ArrayRef<const Flat *> targets)
      : lowering(lowering), site(site), targets(targets) {}

  ir::Activity lower(const Field &field);

private:
  void setOperation(const Entity &call, ir::Activity &result);
  void setState(const Field &field, ir::Activity &result);
  llvm::ArrayRef<ir::Argument> lowerInputs(const Entity &call,
                                           const Flat *operation);

  Lowering &lowering;
  const Site &site;
  llvm::ArrayRef<const Flat *> targets;
};

} // namespace

ir::Activity ActivityLowering::lower(const Field &field) {
  using Kind = ir::Activity::Kind;
  ir::Activity result;
  result.range = field.range();
  if (field.key == Key::SetState) {
    result.kind = Kind::SetState;
    setState(field, result);
    return result;
  }
  const Entity &call = field.entities.front();
  if (field.key == Key::CallOperation) {
    result.kind = Kind::CallOperation;
    setOperation(call, result);
    return result;
  }
  result.kind = field.key == Key::Inline ? Kind::Inline : Kind::Delegate;
  result.workflow = lowering.intern(call.text(Key::Workflow));
  result.inputs = lowerInputs(call, nullptr);
  return result;
}

/// `interface.operation`; interface names may contain dots themselves.
void ActivityLowering::setOperation(const Entity &call, ir::Activity &result) {
  auto [interfaceName, operationName] = call.text(Key::Operation).rsplit('.');
  result.interface = lowering.intern(interfaceName);
  result.operation = lowering.intern(operationName);
  const Flat *interface = nullptr;
  for (const Flat *target : targets)
    if (!interface)
      interface = findInterface(*target, interfaceName);
  if (interface)
    result.interface = interface->name;
  result.inputs = lowerInputs(
      call,
      interface ? interface->member(Key::Operations, operationName) : nullptr);
}

/// Whether \p interface has a cell `state`, which is what the state of a node
/// is called wherever TOSCA names one.
static bool hasState(const Flat &interface) {
  return interface.member(Key::Attributes, "state");
}

void ActivityLowering::setState(const Field &field, ir::Activity &result) {
  result.value = Value::string(field.value->text());
  result.operation = lowering.intern("state");
  // Where types differ, it is the first that each instance has.
  if (targets.empty() || !llvm::all_equal(targets))
    return;
  for (const auto &[name, interface] :
       targets.front()->members(Key::Interfaces))
    if (hasState(*interface)) {
      result.interface = interface->name;
      return;
    }
}

llvm::ArrayRef<ir::Argument>
ActivityLowering::lowerInputs(const Entity &call, const Flat *operation) {
  const Field *field = call.find(Key::Inputs);
  if (!field || !field->value->isMapping())
    return {};
  llvm::SmallVector<ir::Argument> result;
  for (const Entry &entry : field->value->entries()) {
    const Flat *definition =
        operation ? operation->member(Key::Inputs, entry.key.text()) : nullptr;
    const Type &type = definition ? typeOf(lowering.program, *definition)
                                  : builtinType(TypeKind::Any);
    ir::Argument argument;
    argument.name = lowering.intern(entry.key.text());
    argument.type = type.kind;
    argument.value = lowerValue(lowering, site, entry.value, type);
    argument.sensitive = definition && isSensitive(*definition);
    argument.range = entry.value.range();
    result.push_back(argument);
  }
  return lowering.save(result);
}

llvm::SmallVector<ir::Activity>
sema::lowerActivities(Lowering &lowering, const Site &site,
                      llvm::ArrayRef<const Flat *> targets,
                      llvm::ArrayRef<Entity> activities) {
  ActivityLowering activityLowering(lowering, site, targets);
  llvm::SmallVector<ir::Activity> result;
  for (const Entity &activity : activities)
    for (const Field &field : activity.fields)
      result.push_back(activityLowering.lower(field));
  return result;
}
