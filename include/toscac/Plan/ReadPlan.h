//===- toscac/Plan/ReadPlan.h - Plans for executors -------------*- C++ -*-===//
///
/// \file
/// plan.json as an executor needs it. Opening a plan reads it once and keeps
/// what the order of steps depends on, some forty bytes a step; names, handlers
/// and entities are read from the file when they are needed. So a plan of a
/// million steps takes little memory, and its first step starts soon.
///
/// Nothing here knows how plans are made.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PLAN_READPLAN_H
#define TOSCAC_PLAN_READPLAN_H

#include "toscac/State/PlannedEntity.h"
#include "toscac/Value/ReadJSON.h"
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

/// What is known of each step without looking into the file.
struct StepHead {
  uint64_t offset;
  uint32_t length;
  /// none where a step has no entity.
  uint32_t entity = none;
  /// Numbers of texts: the interface, and the JSON of what success writes.
  uint32_t interface = none;
  uint32_t success = none;
  /// Where its predecessors start in the list of all.
  uint32_t firstDep;
  /// The step whose failure starts this one.
  uint32_t afterFailure = none;
  StepKind kind = StepKind::Join;
  /// It has a guard, or success writes what is not known yet.
  bool isLate = false;
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
};

/// All of a step.
struct Step {
  uint32_t id = 0;
  std::string name;
  StepKind kind = StepKind::Join;
  uint32_t entity = none;
  llvm::StringRef interface;
  llvm::StringRef operation;
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

struct Artifact {
  std::string type;
  std::string file;
  /// Hexadecimal; empty where the compiler did not find the file.
  std::string sha256;
  /// A handler runs it; others are only needed by one.
  bool isRun = false;
};

struct PlanHeader {
  std::string service;
  /// The folder, or archive, of artifacts as seen from the plan's folder.
  std::string root = ".";
  std::string deployment = "default";
  std::string workflow;
  /// JSON objects.
  std::string params = "{}";
  std::string nextIndex = "{}";
  std::string counts = "{}";
  std::string operations = "{}";
  std::string values = "{}";
  std::string outputs = "{}";
  /// What other deployments may consume, a JSON array; empty: the plan does
  /// not say.
  std::string shared;
  /// Files that were read, with their digests; the template is the first.
  std::vector<std::pair<std::string, std::string>> inputs;
  /// Digest of the state that the plan starts from; empty: of nothing.
  std::string state;
};

class PlanFile {
public:
  /// Opens and checks the plan \p path; null after a report. The file stays
  /// open, so that it may be deleted.
  static std::unique_ptr<PlanFile> open(llvm::StringRef path,
                                        DiagnosticEngine &diags);
  PlanFile(const PlanFile &) = delete;
  PlanFile &operator=(const PlanFile &) = delete;
  ~PlanFile();

  const PlanHeader &header() const { return planHeader; }
  llvm::ArrayRef<Artifact> artifacts() const { return planArtifacts; }
  size_t numEntities() const { return entityPlaces.size(); }
  /// Whether the entity \p id is a service: its steps are events.
  bool isService(uint32_t id) const { return llvm::is_contained(services, id); }
  /// Steps, with failure steps at the end.
  llvm::ArrayRef<StepHead> steps() const { return heads; }
  /// Steps that are no failure steps.
  size_t numSteps() const { return mainSteps; }
  llvm::ArrayRef<uint32_t> deps(uint32_t step) const;
  /// In ascending order; most plans have none.
  llvm::ArrayRef<Exclusion> exclusions() const { return allExclusions; }
  /// Those that \p later names.
  llvm::ArrayRef<Exclusion> exclusions(uint32_t later) const;
  /// Lets each step wait for those that it excludes: the same for engines that
  /// know nothing but an order.
  void orderExclusions();
  llvm::StringRef text(uint32_t number) const { return texts[number]; }
  /// Depends on the content of the file alone.
  llvm::StringRef digest() const { return contentDigest; }

  /// All of step \p id; what it refers to lives as long as \p arena.
  llvm::Expected<Step> step(uint32_t id, JSONReader &json, ValueArena &arena);
  llvm::Expected<std::string> stepName(uint32_t id);
  llvm::Expected<state::PlannedEntity> entity(uint32_t id, JSONReader &json,
                                              ValueArena &arena);
  /// The line of entity \p id, without its end; good until the next call.
  llvm::Expected<llvm::StringRef> entityLine(uint32_t id);

private:
  friend class PlanReader;
  struct Place {
    uint64_t offset;
    uint32_t length;
  };
  /// A part of the file that was read.
  struct Window {
    std::vector<char> bytes;
    uint64_t start = 0;
    size_t size = 0;
  };
  explicit PlanFile(int file) : file(file) {}
  llvm::Expected<llvm::StringRef> read(Window &window, uint64_t offset,
                                       uint32_t length);

  int file;
  PlanHeader planHeader;
  std::vector<Artifact> planArtifacts;
  std::vector<Place> entityPlaces;
  /// Entities that are services; few.
  llvm::SmallVector<uint32_t, 1> services;
  std::vector<StepHead> heads;
  std::vector<uint32_t> allDeps;
  std::vector<Exclusion> allExclusions;
  size_t mainSteps = 0;
  std::string contentDigest;
  /// Texts that occur in many steps, each stored once.
  llvm::StringMap<uint32_t, llvm::BumpPtrAllocator> textNumbers;
  std::vector<llvm::StringRef> texts;
  Window stepWindow;
  Window entityWindow;
};

} // namespace toscac::planfile

#endif
