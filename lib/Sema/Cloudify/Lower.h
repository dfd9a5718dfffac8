//===- Lower.h - Parts of lowering a blueprint ------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_CLOUDIFY_LOWER_H
#define TOSCAC_LIB_SEMA_CLOUDIFY_LOWER_H

#include "Values.h"
#include <set>

namespace toscac::cloudify {

/// Puts what blueprints implement into the machines of the profile.
class OperationLowering {
public:
  OperationLowering(const Model &model, Values &values, NameTable &names,
                    DiagnosticEngine &diags, sema::CheckedProgram &program)
      : model(model), values(values), names(names), diags(diags),
        program(program), arena(*program.arena) {}

  /// The artifact that runs tasks of plugins.
  std::optional<ir::ArtifactId> pluginRunner;

  /// The machine \p pattern with the operations of those of \p interfaces that
  /// it stands for, which is \p interfaceName without what precedes it.
  ir::MachineId lower(ir::MachineId pattern, llvm::StringRef interfaceName,
                      llvm::ArrayRef<Interface> interfaces, const Owner &owner,
                      llvm::StringRef awaits = {});

  /// A machine without a state that can do nothing but run \p written. Nothing
  /// after a report.
  std::optional<ir::MachineId> lowerAlone(llvm::StringRef interface,
                                          const Operation &written,
                                          const Owner &owner,
                                          llvm::StringRef side);

  /// What blueprints call the interface of a node that has the operations of
  /// \p machine.
  llvm::StringRef nameInBlueprints(ir::MachineId machine) const;

  /// Gives \p machines what \p recorded says of a template that is gone; false
  /// where nobody knows.
  bool restore(const Value &recorded, std::vector<ir::MachineId> &machines);

  /// Notes operations that the blueprint implements, but none of \p machines
  /// has. These are called \p alias in the blueprint, if not by their own
  /// names.
  std::pair<std::string, std::string>
  meantBy(const Interface &interface, llvm::StringRef name,
          llvm::ArrayRef<ir::MachineId> machines) const;
  void findUnused(llvm::ArrayRef<Interface> interfaces,
                  llvm::ArrayRef<ir::MachineId> machines,
                  llvm::StringRef alias = {});
  /// Warns of them, but for \p executed.
  void reportUnused(llvm::StringRef executed);

private:
  /// What a plugin is asked for.
  struct Task {
    const Plugin *plugin;
    /// Without the prefix of its file.
    llvm::StringRef name;
    llvm::StringRef task;
  };

  bool implement(ir::Operation &operation, const Operation &written,
                 const Owner &owner, llvm::StringRef side);
  llvm::ArrayRef<ir::OutputMapping> runtimeProperties(llvm::StringRef side);
  std::optional<ir::Handler> lowerScript(const Operation &written,
                                         llvm::StringRef file,
                                         const Owner &owner);
  std::optional<ir::Handler> lowerTask(const Operation &written,
                                       const Task &task, const Owner &owner);
  /// By the plugin that \p implementation begins with.
  std::optional<Task> findTask(const Word &implementation) const;
  const Expr *lowerMap(llvm::ArrayRef<NamedValue> entries, const Owner &owner,
                       SourceRange range);
  ir::ArtifactId scriptArtifact(llvm::StringRef file, SourceRange range);
  ir::ArtifactId addScript(llvm::StringRef location, SourceRange range);
  bool addInputs(llvm::ArrayRef<NamedValue> inputs, const Owner &owner,
                 llvm::SmallVectorImpl<ir::Argument> &into);

  const Model &model;
  Values &values;
  NameTable &names;
  DiagnosticEngine &diags;
  sema::CheckedProgram &program;
  ValueArena &arena;
  llvm::StringMap<ir::ArtifactId> artifacts;
  /// Tasks that have been warned of, with their places.
  std::set<std::pair<uint32_t, llvm::StringRef>> named;
  struct Unused {
    const Interface *interface;
    const Operation *operation;
    /// Somebody may run it by hand.
    bool canBeExecuted;
    /// What the interface, or the operation, may be a misspelling of.
    std::pair<std::string, std::string> meant;
  };
  std::vector<Unused> unused;
};

/// The node type of the profile that \p node is like.
llvm::StringRef modelFor(const BoundNode &node);
/// Whether a node of which \p operations are recorded was an `AttendedHost`.
bool wasAttended(const Value &operations);
/// Whether \p node can change where it is; it then has what an `UpdatingNode`
/// has.
bool isUpdating(const BoundNode &node);

/// A built-in type by its name; what a blueprint defines itself can be
/// anything.
const Type &typeNamed(llvm::StringRef name);
/// The type of \p input, with its constraints.
const Type &inputType(const Parameter &input, ValueArena &arena,
                      DiagnosticEngine &diags);

} // namespace toscac::cloudify

#endif
