//===- ViewPlan.cpp - What will happen ------------------------------------===//

#include "toscac/Plan/ViewPlan.h"

#include "EstimateTime.h"
#include "FoldReasons.h"
#include "FoldSteps.h"
#include "toscac/Basic/Counted.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace toscac;
using namespace toscac::planfile;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;
using state::EntityKind;
using state::PlannedChange;

/// Lines of one kind before the rest is summed up.
static constexpr size_t maxReasons = 3;
static constexpr size_t maxOperations = 6;
static constexpr size_t maxStageRows = 16;
/// How many stages that come again and again are seen as one round.
static constexpr size_t maxRound = 16;

/// Entities that steps work on.
static llvm::BitVector findBusy(const Plan &plan) {
  llvm::BitVector busy(plan.numEntities());
  for (const StepHead &head : plan.steps().take_front(plan.numSteps()))
    if (head.entity != none)
      busy.set(head.entity);
  return busy;
}

static PlanTotals countTotals(const Plan &plan, const llvm::BitVector &busy) {
  PlanTotals totals;
  totals.kept = plan.header().kept;
  for (auto [i, head] : llvm::enumerate(plan.entities())) {
    if (head.kind != EntityKind::Node)
      continue;
    totals.moved += head.movedFrom != none;
    switch (head.change) {
    case PlannedChange::New:
      ++totals.added;
      break;
    case PlannedChange::Updated:
      ++totals.changed;
      break;
    case PlannedChange::Replaced:
      ++totals.replaced;
      break;
    case PlannedChange::Gone:
      ++totals.removed;
      break;
    case PlannedChange::None:
      if (!busy.test(i))
        break;
      ++totals.changed;
      totals.kept -= totals.kept > 0;
    }
  }
  totals.calls = plan.figures().calls;
  totals.chain = llvm::count_if(plan.figures().criticalPath, [&](uint32_t id) {
    return plan.steps()[id].kind != StepKind::Join;
  });
  return totals;
}

PlanTotals planfile::totalsOf(const Plan &plan) {
  PlanTotals totals = countTotals(plan, findBusy(plan));
  for (uint32_t depth : callDepths(plan))
    totals.stages = std::max(totals.stages, depth);
  return totals;
}

namespace {

class Viewer {
public:
  Viewer(Plan &plan, const ViewOptions &options, raw_ostream &os)
      : plan(plan), options(options), names(plan), depths(callDepths(plan)),
        busy(findBusy(plan)), totals(countTotals(plan, busy)), os(os) {
    for (uint32_t depth : depths)
      totals.stages = std::max(totals.stages, depth);
  }

  void print();
  void printSummary();

private:
  /// Calls of one operation that alike entities have in one stage.
  struct Group {
    uint32_t pattern;
    uint32_t interface;
    uint32_t operation;
    std::vector<uint32_t> entities;
    auto key() const { return std::tuple(pattern, interface, operation); }
  };
  using Groups = std::vector<Group>;
  /// Why entities change.
  struct Reason {
    std::string text;
    std::vector<uint32_t> entities;
    /// The text is for several that differ.
    bool isFolded = false;
  };
  struct Row {
    size_t firstStage;
    size_t lastStage;
    /// How often its groups come, one after the other.
    size_t rounds = 1;
    Groups groups;
  };

  char signOf(uint32_t entity) const;
  void printChanges();
  void printChanges(char sign, ArrayRef<uint32_t> entities);
  std::string operationsOf(ArrayRef<uint32_t> entities) const;
  std::vector<Reason> reasonsOf(ArrayRef<uint32_t> entities) const;
  std::vector<Groups> groupCalls() const;
  std::vector<Row> foldStages(std::vector<Groups> stages) const;
  void printMoved();
  void printCalls();
  void printOpen();
  /// Prints \p words after \p indent, broken where a line is full.
  void wrap(StringRef first, ArrayRef<std::string> words);

  Plan &plan;
  const ViewOptions &options;
  FoldedNames names;
  std::vector<uint32_t> depths;
  llvm::BitVector busy;
  PlanTotals totals;
  raw_ostream &os;
};

} // namespace

/// `+` new, `-` leaves, `~` changes, `!` is replaced; blank: nothing happens,
/// or it goes without saying.
char Viewer::signOf(uint32_t entity) const {
  const EntityHead &head = plan.entities()[entity];
  if (head.kind == EntityKind::Service)
    return ' ';
  char sign = head.change == PlannedChange::New        ? '+'
              : head.change == PlannedChange::Gone     ? '-'
              : head.change == PlannedChange::Replaced ? '!'
              : head.change == PlannedChange::Updated || busy.test(entity)
                  ? '~'
                  : ' ';
  if (head.kind == EntityKind::Node || head.source == none)
    return sign;
  // A relationship comes, goes and changes with its source.
  char source = signOf(head.source);
  return source == ' ' || (source == '~' && sign != '~') ? sign : ' ';
}

/// What is called of those that stay; where nothing is, what else they do.
std::string Viewer::operationsOf(ArrayRef<uint32_t> entities) const {
  llvm::BitVector meant(plan.numEntities());
  for (uint32_t entity : entities)
    meant.set(entity);
  std::vector<std::string> calls, sets;
  for (const StepHead &head : plan.steps().take_front(plan.numSteps())) {
    if (head.entity == none || !meant.test(head.entity))
      continue;
    std::vector<std::string> &words =
        head.kind == StepKind::Call ? calls : sets;
    std::string word = plan.text(head.operation).str();
    if (!llvm::is_contained(words, word))
      words.push_back(word);
  }
  std::vector<std::string> &words = calls.empty() ? sets : calls;
  if (words.size() > maxOperations) {
    words.resize(maxOperations);
    words.push_back("…");
  }
  return llvm::join(words, ", ");
}

/// By why they change, in the order of entities.
std::vector<Viewer::Reason>
Viewer::reasonsOf(ArrayRef<uint32_t> entities) const {
  // 0 is none.
  llvm::MapVector<uint32_t, std::vector<uint32_t>> byNumber;
  for (uint32_t entity : entities)
    byNumber[plan.entities()[entity].reason + 1].push_back(entity);
  std::vector<Reason> reasons;
  for (auto &[number, own] : byNumber)
    reasons.push_back({plan.text(number - 1).str(), std::move(own)});
  auto fold = [&](auto keyOf, auto textOf) {
    std::vector<Reason> folded;
    llvm::StringMap<size_t> known;
    for (Reason &each : reasons) {
      auto [place, isNew] = known.try_emplace(keyOf(each.text), folded.size());
      if (isNew) {
        folded.push_back({std::move(each.text), std::move(each.entities)});
        continue;
      }
      Reason &first = folded[place->second];
      if (!std::exchange(first.isFolded, true))
        first.text = textOf(first.text);
      llvm::append_range(first.entities, each.entities);
    }
    reasons = std::move(folded);
  };
  auto general = [](StringRef text) { return withoutIndices(text); };
  if (reasons.size() > maxReasons)
    fold(general, general);
  if (reasons.size() > maxReasons)
    fold(
        [](StringRef text) {
          std::string names = changedNames(text);
          return names.empty() ? text.str() : names;
        },
        foldReason);
  if (reasons.size() > maxReasons) {
    std::string text = reasons.front().text + ", and " +
                       std::to_string(reasons.size() - 1) + " other reasons";
    reasons.assign(1, {std::move(text), entities.vec()});
  }
  return reasons;
}

void Viewer::printChanges(char sign, ArrayRef<uint32_t> entities) {
  for (Reason &reason : reasonsOf(entities)) {
    os << "  " << sign << ' ' << names.fold(reason.entities);
    if (reason.text.empty() && sign == '~')
      reason.text = operationsOf(reason.entities);
    if (!reason.text.empty())
      os << ": " << reason.text;
    os << '\n';
  }
}

void Viewer::printChanges() {
  // What goes comes first, then what changes, then what comes.
  static constexpr char signs[] = {'-', '!', '~', '+'};
  std::vector<std::vector<uint32_t>> byPattern(std::size(signs) *
                                               names.numPatterns());
  for (uint32_t i = 0; i != plan.numEntities(); ++i) {
    const char *sign = llvm::find(signs, signOf(i));
    if (sign != std::end(signs))
      byPattern[(sign - signs) * names.numPatterns() + names.pattern(i)]
          .push_back(i);
  }
  for (auto [i, entities] : llvm::enumerate(byPattern))
    if (!entities.empty())
      printChanges(signs[i / names.numPatterns()], entities);
}

/// `> site[0..2]: was called branch`; what is inside goes without saying.
void Viewer::printMoved() {
  llvm::MapVector<uint32_t, std::vector<uint32_t>> byPattern;
  for (auto [i, head] : llvm::enumerate(plan.entities()))
    if (head.kind == EntityKind::Node && head.movedFrom != none &&
        head.scope == none)
      byPattern[names.pattern(i)].push_back(i);
  for (const auto &[pattern, entities] : byPattern)
    os << "  > " << names.fold(entities) << ": was called "
       << withoutIndices(plan.text(plan.entities()[entities.front()].movedFrom))
       << '\n';
}

std::vector<Viewer::Groups> Viewer::groupCalls() const {
  std::vector<Groups> stages(totals.stages);
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, size_t> known;
  for (uint32_t i = 0; i != plan.numSteps(); ++i) {
    const StepHead &head = plan.steps()[i];
    if (head.kind != StepKind::Call)
      continue;
    uint32_t pattern = names.pattern(head.entity);
    Groups &groups = stages[depths[i] - 1];
    auto [place, isNew] = known.try_emplace(
        {depths[i], pattern, head.interface, head.operation}, groups.size());
    if (isNew)
      groups.push_back({pattern, head.interface, head.operation, {}});
    groups[place->second].entities.push_back(head.entity);
  }
  for (Groups &groups : stages)
    llvm::sort(groups, [](const Group &a, const Group &b) {
      return a.key() < b.key();
    });
  return stages;
}

/// Stages that have the same calls of other instances, one round after the
/// other, become one row.
std::vector<Viewer::Row> Viewer::foldStages(std::vector<Groups> stages) const {
  auto isAlike = [&](size_t a, size_t b) {
    return llvm::equal(
        stages[a], stages[b],
        [](const Group &x, const Group &y) { return x.key() == y.key(); });
  };
  std::vector<Row> rows;
  for (size_t i = 0; i != stages.size();) {
    size_t length = 1, rounds = 1;
    for (size_t p = 1; p <= maxRound && rounds == 1; ++p) {
      size_t end = i + p;
      while (end < stages.size() && isAlike(end, end - p))
        ++end;
      if (size_t n = (end - i) / p; n > 1) {
        length = p;
        rounds = n;
      }
    }
    Row row{i + 1, i + length * rounds, rounds, {}};
    for (size_t j = 0; j != length; ++j)
      for (Group &group : stages[i + j]) {
        for (size_t round = 1; round != rounds; ++round)
          for (const Group &other : stages[i + j + round * length])
            if (other.key() == group.key())
              llvm::append_range(group.entities, other.entities);
        row.groups.push_back(std::move(group));
      }
    rows.push_back(std::move(row));
    i += length * rounds;
  }
  return rows;
}

void Viewer::wrap(StringRef first, ArrayRef<std::string> words) {
  constexpr size_t width = 100;
  size_t indent = first.size(), column = indent;
  os << first;
  for (auto [i, word] : llvm::enumerate(words)) {
    bool isLast = i + 1 == words.size();
    if (column > indent && column + word.size() > width) {
      os << '\n';
      os.indent(indent);
      column = indent;
    }
    os << word << (isLast ? "" : ", ");
    column += word.size() + 2;
  }
  os << '\n';
}

void Viewer::printCalls() {
  if (totals.calls == 0)
    return;
  std::vector<Row> rows = foldStages(groupCalls());
  os << "  calls, stage by stage\n";
  size_t left = rows.size() > maxStageRows ? maxStageRows - 2 : rows.size();
  for (auto [i, row] : llvm::enumerate(rows)) {
    if (i == left && left != rows.size()) {
      os << "    … " << rows[rows.size() - 2].lastStage - row.firstStage + 1
         << " more stages\n";
      continue;
    }
    if (i > left && left != rows.size() && i + 1 != rows.size())
      continue;
    std::vector<std::string> words;
    for (Group &group : row.groups) {
      // An operation may run again in a later round.
      llvm::sort(group.entities);
      group.entities.erase(llvm::unique(group.entities), group.entities.end());
      words.push_back(names.fold(group.entities) + "." +
                      plan.text(group.interface).str() + "." +
                      plan.text(group.operation).str());
    }
    std::string number = std::to_string(row.firstStage);
    if (row.lastStage != row.firstStage) {
      number += ".." + std::to_string(row.lastStage);
      words.back() += row.rounds > 1 && row.groups.size() == 1
                          ? " one after the other"
                          : " in " + std::to_string(row.rounds) + " rounds";
    }
    number.resize(std::max<size_t>(number.size(), 6), ' ');
    wrap("    " + number + " ", words);
  }
}

static std::vector<std::string> keysOf(StringRef json, StringRef member) {
  ValueArena arena;
  NameTable names;
  std::vector<std::string> keys;
  llvm::Expected<Value> map = JSONReader(arena, names).value(json);
  if (!map) {
    llvm::consumeError(map.takeError());
    return keys;
  }
  if (const Value *part = map->find(member); part && part->isMap())
    for (const MapEntry &entry : part->entries())
      keys.push_back(entry.key.asString().str());
  return keys;
}

/// What only the run will find out.
void Viewer::printOpen() {
  std::vector<std::string> open;
  if (!plan.header().state.empty())
    open.push_back("whether what is recorded is so");
  std::vector<std::string> missing;
  for (const Artifact &artifact : plan.artifacts())
    if (artifact.sha256.empty() && !StringRef(artifact.file).empty())
      missing.push_back(artifact.file);
  if (!missing.empty())
    open.push_back("files that are not there (" +
                   llvm::join(ArrayRef(missing).take_front(3), ", ") +
                   (missing.size() > 3 ? ", …" : "") + ")");
  if (std::vector<std::string> inputs =
          keysOf(plan.header().sensitive, "inputs");
      !inputs.empty())
    open.push_back("inputs that are given to the run (" +
                   llvm::join(inputs, ", ") + ")");
  size_t guarded = llvm::count_if(
      plan.steps().take_front(plan.numSteps()), [](const StepHead &head) {
        return head.kind == StepKind::Call && head.isGuarded;
      });
  if (guarded)
    open.push_back("conditions that decide about " + counted(guarded, "call"));
  if (!open.empty())
    wrap("  not checked: ", open);
}

static std::string timeText(double seconds) {
  if (seconds >= 5400)
    return llvm::formatv("{0:f1} h", seconds / 3600);
  if (seconds >= 90)
    return llvm::formatv("{0:f0} min", seconds / 60);
  return llvm::formatv("{0} s", std::max(1, int(seconds + 0.5)));
}

void Viewer::printSummary() {
  os << "Plan: " << totals.added << " to add, " << totals.changed
     << " to change, " << totals.replaced << " to replace, " << totals.removed
     << " to remove";
  if (totals.moved)
    os << ", " << totals.moved << " to rename";
  os << "; " << counted(totals.calls, "call") << " in "
     << counted(totals.stages, "stage") << ", longest chain " << totals.chain;
  if (std::optional<double> seconds =
          estimateSeconds(plan, options.durations, options.jobs))
    os << " (about " << timeText(*seconds) << " by the last run)";
  uint32_t before =
      totals.kept + totals.changed + totals.replaced + totals.removed;
  if (totals.removed && totals.removed == before)
    os << "; takes down "
       << (before == 1 ? "the ONLY instance"
                       : "ALL " + std::to_string(before) + " instances");
  else if (uint64_t(totals.removed) * 10 > before)
    os << "; takes down " << totals.removed << " of " << before << " instances";
  os << '\n';
}

void Viewer::print() {
  const PlanHeader &header = plan.header();
  os << header.workflow << " of " << header.deployment;
  if (!header.inputs.empty())
    os << " from " << header.inputs.front().first;
  os << '\n';
  printChanges();
  printMoved();
  printCalls();
  printOpen();
  printSummary();
}

void planfile::viewPlan(Plan &plan, const ViewOptions &options,
                        raw_ostream &os) {
  Viewer(plan, options, os).print();
}

void planfile::summarizePlan(Plan &plan, const ViewOptions &options,
                             raw_ostream &os) {
  Viewer(plan, options, os).printSummary();
}

std::vector<std::string> planfile::foldCalls(const Plan &plan,
                                             ArrayRef<uint32_t> steps) {
  constexpr size_t maxShown = 8;
  FoldedNames names(plan);
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<uint32_t>>
      groups;
  std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> order;
  for (uint32_t step : steps) {
    const StepHead &head = plan.steps()[step];
    if (head.kind != StepKind::Call)
      continue;
    std::tuple key(names.pattern(head.entity), head.interface, head.operation);
    std::vector<uint32_t> &entities = groups[key];
    if (entities.empty())
      order.push_back(key);
    entities.push_back(head.entity);
  }
  std::vector<std::string> result;
  for (const auto &key : order) {
    if (result.size() == maxShown) {
      result.push_back("and " + std::to_string(order.size() - maxShown) +
                       " more");
      break;
    }
    result.push_back(names.fold(groups[key]) + "." +
                     plan.text(std::get<1>(key)).str() + "." +
                     plan.text(std::get<2>(key)).str());
  }
  return result;
}
