//===- toscac/Plan/Plan.h - A plan as data ----------------------*- C++ -*-===//
///
/// \file
/// The plan that everybody shares: those who show, compare, translate and run
/// it. Lowering fills one in memory (FinishPlan.h), ReadPlan.h opens a file.
/// Tables hold what the order of steps depends on, some forty bytes a step;
/// what else belongs to a step or entity is asked for one by one.
///
/// Nothing here knows how plans are made.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PLAN_PLAN_H
#define TOSCAC_PLAN_PLAN_H

#include "toscac/State/PlannedEntity.h"
#include "toscac/Value/ReadJSON.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"

namespace toscac::planfile {

inline constexpr uint32_t none = UINT32_MAX;

enum class StepKind : uint8_t {
  /// Runs handlers.
  Call,
  /// Only writes cells.
  Set,
  /// Only waits.
  Join
};

/// What is known of each step without asking for all of it.
struct StepHead {
  /// none where a step has no entity.
  uint32_t entity = none;
  /// Numbers of texts: interface and operation, and the JSON of what success
  /// writes.
  uint32_t interface = none;
  uint32_t operation = none;
  uint32_t success = none;
  /// Where its predecessors start in the list of all.
  uint32_t firstDep = 0;
  /// The step whose failure starts this one.
  uint32_t afterFailure = none;
  StepKind kind = StepKind::Join;
  /// It has a guard, or success writes what is not known yet.
  bool isLate = false;
  /// It happens only if its guard holds.
  bool isGuarded = false;
};

/// The same of an entity.
struct EntityHead {
  /// Numbers of texts: what stands before a node's own name, `db[0]/`, and the
  /// node template or requirement.
  uint32_t scope = none;
  uint32_t origin = none;
  /// none: the origin is all of its name.
  uint32_t index = 0;
  /// Of a relationship: the number of the entity that it leaves.
  uint32_t source = none;
  /// The number of the text that says why it changes; none: nothing does.
  uint32_t reason = none;
  /// That of the text with the name it has where it is recorded; none: as now.
  uint32_t movedFrom = none;
  state::EntityKind kind = state::EntityKind::Node;
  state::PlannedChange change = state::PlannedChange::None;
};

/// Two steps that must not run at the same time.
struct Exclusion {
  uint32_t later;
  uint32_t earlier;
  friend auto operator<=>(const Exclusion &, const Exclusion &) = default;
};

struct OutputMapping {
  llvm::StringRef name;
  /// `[SELF, attribute, key…]`, or a number instead of SELF;
  /// `[SELF, INTERFACE, name, cell]` for a cell of the step's interface.
  llvm::ArrayRef<Value> path;
  /// The name of a type such as `integer`; empty if any will do.
  llvm::StringRef type;
  /// Those that will do; empty: all of the type.
  llvm::ArrayRef<Value> values;
  /// Nobody is to see it.
  bool sensitive = false;

  bool isCell() const {
    return path.size() == 4 && path[1].isString() &&
           path[1].asString() == "INTERFACE";
  }
};

struct StepHandler {
  uint32_t artifact = none;
  /// A map, or null.
  const Expr *inputs = nullptr;
  llvm::SmallVector<OutputMapping, 2> outputs;
  /// Artifacts that the handler needs beside its own.
  llvm::SmallVector<uint32_t, 2> files;
  /// The entity that is the machine it runs on; none: it runs here.
  uint32_t host = none;
};

/// What a step does: the same for all steps that differ in their entity only.
struct StepBody {
  std::vector<StepHandler> handlers;
  const Expr *guard = nullptr;
  /// Maps of cells, or null.
  const Expr *entry = nullptr;
  const Expr *success = nullptr;
  const Expr *failure = nullptr;
  /// Seconds; 0: none.
  double timeout = 0;
  uint32_t retries = 0;
  /// Scripts see the properties that entities have had.
  bool showsFormer = false;
};

/// All of a step.
struct Step : StepBody {
  uint32_t id = 0;
  std::string name;
  StepKind kind = StepKind::Join;
  uint32_t entity = none;
  llvm::StringRef interface;
  llvm::StringRef operation;
};

struct Artifact {
  std::string type;
  std::string file;
  /// Hexadecimal; empty where the compiler did not find the file.
  std::string sha256;
  /// A handler runs it; others are only needed by one.
  bool isRun = false;
  /// Where it lies beside the artifact that needs it; empty: under its name.
  std::string placeBeside = {};
};

struct PlanHeader {
  std::string service;
  /// The folder, or archive, of artifacts as seen from the plan's folder.
  std::string root = ".";
  std::string deployment = "default";
  std::string workflow;
  /// The workflow that does what is left when this one has failed; empty: the
  /// same.
  std::string goesOn;
  /// JSON objects.
  std::string params = "{}";
  std::string nextIndex = "{}";
  std::string counts = "{}";
  std::string operations = "{}";
  std::string values = "{}";
  std::string outputs = "{}";
  /// `inputs` that are open, with their types, and `outputs` that nobody is to
  /// see.
  std::string sensitive = "{}";
  /// What other deployments may consume, a JSON array; empty: the plan does
  /// not say.
  std::string shared;
  /// Files that were read, with their digests; the template is the first.
  std::vector<std::pair<std::string, std::string>> inputs;
  /// Digest of the state that the plan starts from; empty: of nothing.
  std::string state;
  /// How many node instances are there before and after.
  uint32_t kept = 0;
};

/// How large and deep a plan is.
struct Figures {
  /// Steps that run something.
  uint32_t calls = 0;
  /// Number of stages.
  uint32_t depth = 0;
  /// Most steps in one stage.
  uint32_t width = 0;
  /// The chain of steps that takes longest, the first one first.
  std::vector<uint32_t> criticalPath;
  /// How long that is; nothing: each step counts as one.
  std::optional<double> seconds;
};

class Plan {
public:
  Plan() = default;
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;
  virtual ~Plan();

  const PlanHeader &header() const { return planHeader; }
  llvm::ArrayRef<Artifact> artifacts() const { return planArtifacts; }
  /// Whether a handler names a machine to run on.
  bool runsElsewhere() const { return hasMachines; }
  llvm::ArrayRef<EntityHead> entities() const { return entityHeads; }
  size_t numEntities() const { return entityHeads.size(); }
  /// Whether the entity \p id is a service: its steps are events.
  bool isService(uint32_t id) const {
    return entityHeads[id].kind == state::EntityKind::Service;
  }
  /// `site[2]`, `site[2].vpn[0]`, `db[0]/vm[1]`.
  std::string entityName(uint32_t id) const;
  /// Steps, with failure steps at the end.
  llvm::ArrayRef<StepHead> steps() const { return heads; }
  /// Steps that are no failure steps.
  size_t numSteps() const { return mainSteps; }
  llvm::ArrayRef<uint32_t> deps(uint32_t step) const;
  /// Whether the machines do not imply that \p step waits for the \p number-th
  /// of its deps.
  bool isChoice(uint32_t step, size_t number) const {
    size_t place = heads[step].firstDep + number;
    return place < choices.size() && choices.test(place);
  }
  /// In ascending order; most plans have none.
  llvm::ArrayRef<Exclusion> exclusions() const { return allExclusions; }
  /// Those that \p later names.
  llvm::ArrayRef<Exclusion> exclusions(uint32_t later) const;
  /// Lets each step wait for those that it excludes: the same for engines that
  /// know nothing but an order.
  void orderExclusions();
  llvm::StringRef text(uint32_t number) const {
    return number == none ? llvm::StringRef() : texts[number];
  }
  const Figures &figures() const { return planFigures; }
  /// Finds the critical path where steps take the seconds that \p durations
  /// says, by their names; without any, each step counts as one.
  llvm::Error measure(const llvm::StringMap<double> &durations);

  /// All of step \p id; what it refers to lives as long as \p arena.
  virtual llvm::Expected<Step> step(uint32_t id, JSONReader &json,
                                    ValueArena &arena) = 0;
  virtual llvm::Expected<std::string> stepName(uint32_t id) = 0;
  virtual llvm::Expected<state::PlannedEntity>
  entity(uint32_t id, JSONReader &json, ValueArena &arena) = 0;

protected:
  /// The number of \p text, which is stored once.
  uint32_t number(llvm::StringRef text);
  /// Counts calls, stages and the like.
  void countFigures();

  PlanHeader planHeader;
  std::vector<Artifact> planArtifacts;
  bool hasMachines = false;
  std::vector<EntityHead> entityHeads;
  std::vector<StepHead> heads;
  std::vector<uint32_t> allDeps;
  /// By position in allDeps; shorter where the rest are none.
  llvm::BitVector choices;
  std::vector<Exclusion> allExclusions;
  size_t mainSteps = 0;
  Figures planFigures;

private:
  /// Texts that occur in many steps, each stored once.
  llvm::StringMap<uint32_t, llvm::BumpPtrAllocator> textNumbers;
  std::vector<llvm::StringRef> texts;
};

/// By step: 0 without deps, else one more than the highest among them.
std::vector<uint32_t> stagesOf(const Plan &plan);

/// What the plan \p file of \p header was compiled from: its template, or the
/// archive with it.
std::string templateOf(const PlanHeader &header, llvm::StringRef file);

/// The inputs that the plan of \p header says, as a map: what is given to the
/// run, or made of that, is left out.
Value knownInputs(const PlanHeader &header, ValueArena &arena);

/// \p expr with names instead of the numbers of entities.
Expr withNames(const Expr &expr, const Plan &plan, ValueArena &arena);

} // namespace toscac::planfile

#endif
