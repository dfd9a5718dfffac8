//===- PlanContent.h - A plan by names --------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_PLANCONTENT_H
#define TOSCAC_LIB_PLAN_PLANCONTENT_H

#include "toscac/Plan/Plan.h"
#include "llvm/ADT/MapVector.h"

namespace toscac::planfile {

/// Named texts in order, such as the properties of an entity.
using Texts = llvm::MapVector<llvm::StringRef, std::string>;

/// A step without any number in it.
struct StepContent {
  /// Its name, and of a failure step also whose failure it follows.
  std::string name;
  StepKind kind;
  uint32_t entity = none;
  uint32_t stage = 0;
  /// What it runs, and the digests of that.
  std::string files;
  std::string digests;
  Texts inputs;
  /// Guard, writes, outputs, timeout, retries.
  Texts others;
  /// Steps it waits for, with joins resolved.
  llvm::SmallVector<uint32_t, 4> deps;
};

/// All of a plan that can be compared.
class PlanContent {
public:
  explicit PlanContent(Plan &plan) : plan(plan) {}

  llvm::Error read();

  Plan &plan;
  std::vector<std::string> entityNames;
  /// By name of the entity: properties and the like.
  llvm::MapVector<llvm::StringRef, Texts> entities;
  /// By position; joins are empty.
  std::vector<StepContent> steps;
  llvm::StringMap<uint32_t> stepsByName;
  Texts values;
  Texts outputs;

private:
  llvm::Error readEntities();
  llvm::Error readSteps();
  void describe(const Step &step, StepContent &content);
  void resolveDeps(uint32_t step);
  llvm::Error readTexts(llvm::StringRef json, Texts &into);
  /// With names of entities in place of their numbers.
  std::string textOf(const Expr &expr);
  void addParts(llvm::StringRef prefix, const Expr *map, Texts &into);

  NameTable names;
  ValueArena arena;
};

} // namespace toscac::planfile

#endif
