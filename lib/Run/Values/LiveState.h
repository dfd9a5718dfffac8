//===- LiveState.h - What is known while a plan runs ------------*- C++ -*-===//
///
/// \file
/// Properties, attributes and cells of the plan's entities as they are now. It
/// answers what late expressions and guards ask.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_LIVESTATE_H
#define TOSCAC_LIB_RUN_LIVESTATE_H

#include "Secrets.h"
#include "toscac/Plan/ReadPlan.h"
#include "toscac/State/Journal.h"
#include "toscac/Value/Environment.h"
#include "llvm/ADT/DenseMap.h"

namespace toscac::run {

/// \p value as plans and stores write it.
std::string jsonText(const Value &value);

class LiveState : public Environment {
public:
  /// \p before has the state that the run started from, if there is any.
  LiveState(planfile::PlanFile &plan, const state::Deployment *before,
            Secrets &secrets);

  /// Gives input \p name, which the plan does not say, its value.
  void setInput(llvm::StringRef name, const Value &value);
  /// Inputs that the plan leaves open and nobody has given.
  std::vector<std::string> missingInputs() const;
  bool isGiven(llvm::StringRef name) const { return given.contains(name); }
  /// The inputs of the service as they are kept, as JSON: what was given is
  /// sealed.
  llvm::Expected<std::string> keptInputs();

  /// The value of \p expr, and whether it depends on a secret.
  struct Answer {
    Evaluation evaluation;
    bool isSecret;
  };
  Answer ask(const Expr &expr, ValueArena &into);

  /// \p cells is a map.
  void writeCells(uint32_t entity, llvm::StringRef interface,
                  const Value &cells);
  /// The same; \p json is what the plan says, word for word.
  void writeCells(uint32_t entity, uint32_t interface, uint32_t json);
  /// False where the path leads into something that has no parts.
  bool writeAttribute(uint32_t entity, llvm::ArrayRef<Value> path,
                      const Value &value);
  void apply(const state::Journal &journal);

  /// Entity \p id as it is now. Good until the next call of this function.
  llvm::Expected<const state::PlannedEntity *> entity(uint32_t id);
  /// \p map, of properties or attributes, with everything evaluated that can
  /// be; the rest is nil.
  Value evaluated(const Value &map, ValueArena &into);

  Evaluation input(const Query &query) override;
  Evaluation property(const Query &query) override;
  Evaluation attribute(const Query &query) override;
  Evaluation state(const Query &query) override;
  Evaluation custom(const Query &query) override;

  Secrets &secrets;
  ValueArena arena;
  NameTable names;
  JSONReader json;
  /// For copies into other arenas.
  JSONReader copier{arena, names};

private:
  struct CellWrite {
    uint32_t next;
    uint32_t interface;
    /// The number of a text of the plan or, beyond, of ownTexts.
    uint32_t json;
  };
  uint32_t ownText(llvm::StringRef text);
  llvm::StringRef text(uint32_t number) const;
  Value cellsOf(uint32_t id, const Value &before);
  void replaceWrites(uint32_t id, const Value &cells);
  Evaluation lookUp(const Query &query, Value state::Entity::*member);

  planfile::PlanFile &plan;
  llvm::DenseMap<llvm::StringRef, const state::Entity *> before;
  Value values;
  llvm::StringMap<Value> given;
  /// Attributes of entities that a step has written some of.
  llvm::DenseMap<uint32_t, Value> attributes;
  /// A list for each entity: the last write of each, and all writes.
  std::vector<uint32_t> lastWrite;
  std::vector<CellWrite> writes;
  llvm::StringMap<uint32_t, llvm::BumpPtrAllocator> ownNumbers;
  std::vector<llvm::StringRef> ownTexts;
  /// The entity asked for last.
  std::optional<state::PlannedEntity> current;
  std::unique_ptr<ValueArena> currentArena = std::make_unique<ValueArena>();
  JSONReader currentReader{*currentArena, names};
  uint32_t currentId = planfile::none;
  /// A secret was asked for since this was last cleared.
  bool hasReadSecret = false;
};

} // namespace toscac::run

#endif
