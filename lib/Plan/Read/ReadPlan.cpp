//===- ReadPlan.cpp - Opening plans ---------------------------------------===//
///
/// \file
/// One pass over the file, piece by piece. Everything that steps refer to is
/// checked here, so that an executor need not.
///
//===----------------------------------------------------------------------===//

#include "toscac/Plan/ReadPlan.h"

#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/JSONCursor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ScopedPrinter.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::planfile;
using llvm::ArrayRef;
using llvm::StringRef;

namespace toscac::planfile {

class PlanReader {
public:
  explicit PlanReader(PlanFile &plan)
      : plan(plan), cursor(plan.file),
        json(std::make_unique<JSONReader>(*arena, names)) {}

  /// What is wrong, or nothing.
  std::string read();
  uint64_t line() const { return cursor.line(); }

private:
  void readMember(StringRef key);
  void readHeader(StringRef key);
  bool readFigures(const Value &figures);
  void readEntities();
  void addEntity(const state::PlannedEntity &entity);
  void readArtifacts();
  void readSteps(bool areFailureSteps);
  void readStep(StringRef line, bool isFailureStep);
  bool readStepField(StringRef key, JSONField &value, StepHead &head);
  bool readDeps(JSONField &value, StepHead &head);
  bool readChoices(JSONField &value, const StepHead &head);
  bool readExclusions(JSONField &value);
  bool readEarlier(JSONField &value, StringRef relation,
                   llvm::SmallVectorImpl<uint32_t> &steps);
  bool readHandlers(JSONField &value);
  void checkEntities();
  uint32_t number(StringRef text) { return plan.number(text); }
  void fail(const llvm::Twine &text);
  void check(llvm::Error error);
  bool isGood() const { return problem.empty() && !cursor.failed(); }
  void limitMemory();

  PlanFile &plan;
  JSONCursor cursor;
  NameTable names;
  /// For what is only looked at.
  std::unique_ptr<ValueArena> arena = std::make_unique<ValueArena>();
  std::unique_ptr<JSONReader> json;
  std::string problem;
  bool hasVersion = false;
  /// The highest number of an entity that another refers to.
  uint32_t lastEnd = 0;
  size_t piecesRead = 0;
};

} // namespace toscac::planfile

void PlanReader::fail(const llvm::Twine &text) {
  if (problem.empty())
    problem = text.str();
}

void PlanReader::check(llvm::Error error) {
  if (error)
    fail(llvm::toString(std::move(error)));
}

/// The arena only grows; what is in it is never needed for long.
void PlanReader::limitMemory() {
  if (++piecesRead % 4096 != 0)
    return;
  auto fresh = std::make_unique<ValueArena>();
  json->useArena(*fresh);
  arena = std::move(fresh);
}

std::string PlanReader::read() {
  if (cursor.enterObject())
    while (isGood()) {
      std::optional<StringRef> key = cursor.nextKey();
      if (!key)
        break;
      readMember(key->str());
    }
  if (isGood() && !hasVersion)
    fail("this is no plan: it lacks '\"plan\": 1'");
  if (isGood() && !cursor.atEnd())
    fail("something stands after the plan");
  checkEntities();
  for (uint32_t step : plan.planFigures.criticalPath)
    if (isGood() && step >= plan.numSteps())
      fail("'figures' has the wrong form");
  if (isGood())
    plan.countFigures();
  if (isGood() && plan.planFigures.criticalPath.empty())
    check(plan.measure({}));
  // In case that a step says it twice.
  llvm::sort(plan.allExclusions);
  return cursor.failed() ? cursor.error().str() : problem;
}

void PlanReader::readMember(StringRef key) {
  if (key == "entities")
    return readEntities();
  if (key == "artifacts")
    return readArtifacts();
  if (key == "steps" || key == "failure_steps")
    return readSteps(key == "failure_steps");
  readHeader(key);
}

static void readInputs(const Value &map, PlanHeader &header) {
  for (const MapEntry &entry : map.entries())
    header.inputs.emplace_back(
        entry.key.asString().str(),
        entry.value.isString() ? entry.value.asString().str() : "");
}

static bool readWorkflow(const Value &map, PlanHeader &header) {
  const Value *name = map.find("name");
  if (!name || !name->isString())
    return false;
  header.workflow = name->asString().str();
  if (const Value *params = map.find("params"))
    header.params = llvm::to_string(*params);
  if (const Value *other = map.find("goes_on")) {
    if (!other->isString())
      return false;
    header.goesOn = other->asString().str();
  }
  return true;
}

/// What else they say can be counted.
bool PlanReader::readFigures(const Value &figures) {
  if (const Value *kept = figures.find("kept")) {
    if (!kept->isInteger() || kept->asInteger() < 0 ||
        kept->asInteger() >= none)
      return false;
    plan.planHeader.kept = kept->asInteger();
  }
  const Value *path = figures.find("critical_path");
  if (!path)
    return true;
  if (!path->isList())
    return false;
  for (const Value &step : path->items()) {
    if (!step.isInteger() || step.asInteger() < 0 || step.asInteger() >= none)
      return false;
    plan.planFigures.criticalPath.push_back(step.asInteger());
  }
  return true;
}

/// Reads one of the small members.
void PlanReader::readHeader(StringRef key) {
  PlanHeader &header = plan.planHeader;
  auto *text = llvm::StringSwitch<std::string *>(key)
                   .Case("service", &header.service)
                   .Case("root", &header.root)
                   .Case("deployment", &header.deployment)
                   .Case("state", &header.state)
                   .Default(nullptr);
  auto *raw = llvm::StringSwitch<std::string *>(key)
                  .Case("next_index", &header.nextIndex)
                  .Case("counts", &header.counts)
                  .Case("operations", &header.operations)
                  .Case("values", &header.values)
                  .Case("outputs", &header.outputs)
                  .Case("sensitive", &header.sensitive)
                  .Case("shared", &header.shared)
                  .Default(nullptr);
  std::optional<StringRef> piece = cursor.value();
  if (!piece)
    return;
  bool isKnown = text || raw || key == "plan" || key == "workflow" ||
                 key == "inputs" || key == "figures";
  if (!isKnown)
    return;
  llvm::Expected<Value> value = json->value(*piece);
  if (!value)
    return check(value.takeError());
  bool good = true;
  if (key == "plan") {
    hasVersion = *value == Value::integer(1);
    if (!hasVersion)
      fail("this is a plan of another version; version 1 is understood");
  } else if (text) {
    good = value->isString() || (key == "state" && value->isNil());
    *text = value->isString() ? value->asString().str() : "";
  } else if (!value->is(key == "shared" ? ValueKind::List : ValueKind::Map)) {
    good = false;
  } else if (raw) {
    *raw = piece->str();
  } else if (key == "inputs") {
    readInputs(*value, header);
  } else if (key == "figures") {
    good = readFigures(*value);
  } else {
    good = readWorkflow(*value, header);
  }
  if (!good)
    fail("'" + key + "' has the wrong form");
}

/// Plans that others made may call entities what they like.
void PlanReader::addEntity(const state::PlannedEntity &entity) {
  const state::Entity &content = entity.content;
  EntityHead &head = plan.entityHeads.emplace_back();
  head.kind = content.kind;
  head.change = entity.change;
  if (!entity.reason.empty())
    head.reason = number(entity.reason);
  if (!entity.movedFrom.empty())
    head.movedFrom = number(entity.movedFrom);
  StringRef before = content.name;
  bool isUsual =
      content.kind != state::EntityKind::Service && before.consume_back("]") &&
      before.consume_back(std::to_string(content.index)) &&
      before.consume_back("[") && before.consume_back(content.origin);
  if (!isUsual) {
    head.origin = number(content.name);
    head.index = none;
    return;
  }
  head.origin = number(content.origin);
  head.index = content.index;
  if (content.kind == state::EntityKind::Relationship)
    head.source = entity.source;
  else if (!before.empty())
    head.scope = number(before);
}

void PlanReader::readEntities() {
  if (!cursor.enterArray())
    return;
  while (isGood()) {
    std::optional<StringRef> line = cursor.nextElement();
    if (!line)
      return;
    llvm::Expected<state::PlannedEntity> entity =
        state::readPlannedEntity(*line, *json, *arena);
    if (!entity)
      return check(entity.takeError());
    lastEnd = std::max({lastEnd, entity->source, entity->target});
    addEntity(*entity);
    plan.entityPlaces.add(cursor.offset(), line->size());
    limitMemory();
  }
}

void PlanReader::checkEntities() {
  // All is new where nothing was there.
  if (plan.planHeader.state.empty())
    for (EntityHead &head : plan.entityHeads)
      if (head.change == state::PlannedChange::None)
        head.change = state::PlannedChange::New;
  if (isGood() && lastEnd >= plan.numEntities() && lastEnd > 0)
    fail("a relationship refers to entity " + llvm::Twine(lastEnd) +
         ", but there are only " + llvm::Twine(plan.numEntities()));
}

void PlanReader::readArtifacts() {
  if (!cursor.enterArray())
    return;
  while (isGood()) {
    std::optional<StringRef> line = cursor.nextElement();
    if (!line)
      return;
    Artifact &artifact = plan.planArtifacts.emplace_back();
    check(json->fields(*line, [&](StringRef key, JSONField &value) {
      std::string *text = key == "type"     ? &artifact.type
                          : key == "file"   ? &artifact.file
                          : key == "sha256" ? &artifact.sha256
                          : key == "as"     ? &artifact.placeBeside
                                            : nullptr;
      if (!text)
        return true;
      std::optional<StringRef> read = value.string();
      *text = read.value_or("").str();
      return read.has_value();
    }));
  }
}

void PlanReader::readSteps(bool areFailureSteps) {
  if (!cursor.enterArray())
    return;
  while (isGood()) {
    std::optional<StringRef> line = cursor.nextElement();
    if (!line)
      break;
    readStep(*line, areFailureSteps);
    limitMemory();
  }
  if (!areFailureSteps)
    plan.mainSteps = plan.heads.size();
}

void PlanReader::readStep(StringRef line, bool isFailureStep) {
  auto id = static_cast<uint32_t>(plan.heads.size());
  plan.stepPlaces.add(cursor.offset(), line.size());
  StepHead head;
  head.firstDep = plan.allDeps.size();
  bool isNumbered = false;
  check(json->fields(line, [&](StringRef key, JSONField &value) {
    if (key != "id")
      return readStepField(key, value, head);
    isNumbered = value.index() == id;
    return isNumbered;
  }));
  if (isGood() && !isNumbered)
    fail("step " + llvm::Twine(id) + " has no id");
  if (isGood() && isFailureStep && head.afterFailure >= id)
    fail("a failure step does not say which step it follows");
  plan.heads.push_back(head);
}

/// Reads a list of steps that came before, each once. The \p relation to them
/// is for the report.
bool PlanReader::readEarlier(JSONField &value, StringRef relation,
                             llvm::SmallVectorImpl<uint32_t> &steps) {
  if (!value.indices(steps))
    return false;
  uint32_t next = 0;
  for (uint32_t step : steps) {
    if (step < next || step >= plan.heads.size()) {
      fail("step " + llvm::Twine(plan.heads.size()) + " " + relation +
           " step " + llvm::Twine(step) +
           "; such steps stand before it, in order");
      return false;
    }
    next = step + 1;
  }
  return true;
}

bool PlanReader::readDeps(JSONField &value, StepHead &head) {
  llvm::SmallVector<uint32_t> deps;
  if (!readEarlier(value, "waits for", deps))
    return false;
  head.firstDep = plan.allDeps.size();
  llvm::append_range(plan.allDeps, deps);
  return true;
}

/// They stand after the steps that are waited for, and are some of these.
bool PlanReader::readChoices(JSONField &value, const StepHead &head) {
  llvm::SmallVector<uint32_t> steps;
  if (!value.indices(steps))
    return false;
  ArrayRef<uint32_t> deps = ArrayRef(plan.allDeps).drop_front(head.firstDep);
  for (uint32_t step : steps) {
    const uint32_t *dep = llvm::lower_bound(deps, step);
    if (dep == deps.end() || *dep != step)
      return false;
    size_t place = head.firstDep + (dep - deps.begin());
    if (place >= plan.choices.size())
      plan.choices.resize(std::max<size_t>(place + 1, plan.choices.size() * 2));
    plan.choices.set(place);
  }
  return true;
}

bool PlanReader::readExclusions(JSONField &value) {
  llvm::SmallVector<uint32_t> steps;
  if (!readEarlier(value, "excludes", steps))
    return false;
  for (uint32_t step : steps)
    plan.allExclusions.push_back({uint32_t(plan.heads.size()), step});
  return true;
}

bool PlanReader::readHandlers(JSONField &value) {
  auto isArtifact = [&](std::optional<uint32_t> number) {
    return number && *number < plan.planArtifacts.size();
  };
  return value.elements([&](JSONField &handler) {
    return handler.fields([&](StringRef key, JSONField &part) {
      if (key == "artifact") {
        std::optional<uint32_t> number = part.index();
        if (isArtifact(number))
          plan.planArtifacts[*number].isRun = true;
        return isArtifact(number);
      }
      if (key == "host") {
        plan.hasMachines = true;
        return part.index().has_value();
      }
      if (key != "files")
        return true;
      return part.elements(
          [&](JSONField &file) { return isArtifact(file.index()); });
    });
  });
}

static std::optional<StepKind> parseKind(StringRef text) {
  return llvm::StringSwitch<std::optional<StepKind>>(text)
      .Case("call", StepKind::Call)
      .Case("set", StepKind::Set)
      .Case("join", StepKind::Join)
      .Default(std::nullopt);
}

bool PlanReader::readStepField(StringRef key, JSONField &value,
                               StepHead &head) {
  if (key == "kind") {
    std::optional<StringRef> text = value.string();
    std::optional<StepKind> kind = parseKind(text.value_or(""));
    head.kind = kind.value_or(StepKind::Join);
    return kind.has_value();
  }
  if (key == "deps")
    return readDeps(value, head);
  if (key == "excludes")
    return readExclusions(value);
  if (key == "entity") {
    head.entity = value.index().value_or(none);
    return head.entity < plan.numEntities();
  }
  if (key == "after_failure") {
    head.afterFailure = value.index().value_or(none);
    return head.afterFailure < plan.heads.size();
  }
  if (key == "interface") {
    std::optional<StringRef> text = value.string();
    head.interface = number(text.value_or(""));
    return text.has_value();
  }
  if (key == "operation") {
    std::optional<StringRef> text = value.string();
    head.operation = number(text.value_or(""));
    return text.has_value();
  }
  if (key == "choices")
    return readChoices(value, head);
  if (key == "success") {
    std::optional<StringRef> raw = value.raw();
    if (!raw || !raw->starts_with("{"))
      return false;
    // It becomes part of a line of the journal.
    std::string line = raw->str();
    std::replace(line.begin(), line.end(), '\n', ' ');
    head.success = number(line);
    head.isLate |= raw->contains("\"$");
    return true;
  }
  if (key == "handlers")
    return readHandlers(value);
  if (key == "guard")
    head.isLate = head.isGuarded = true;
  return true;
}

// Files.

/// Hashes what the file holds from its start.
static std::string digestOf(int file) {
  std::vector<uint8_t> chunk((1 << 16) + sizeof(uint64_t));
  uint64_t hash = 0;
  uint64_t offset = 0;
  while (true) {
    // The hash so far goes in front of the bytes.
    std::memcpy(chunk.data(), &hash, sizeof(hash));
    ssize_t count = pread(file, chunk.data() + sizeof(hash),
                          chunk.size() - sizeof(hash), offset);
    if (count <= 0)
      return llvm::toHex(llvm::ArrayRef(reinterpret_cast<uint8_t *>(&hash),
                                        sizeof(hash)),
                         /*LowerCase=*/true) +
             "-" + std::to_string(offset);
    hash =
        llvm::xxh3_64bits(llvm::ArrayRef(chunk.data(), sizeof(hash) + count));
    offset += count;
  }
}

std::unique_ptr<PlanFile> PlanFile::open(StringRef path,
                                         DiagnosticEngine &diags) {
  namespace fs = llvm::sys::fs;
  fs::file_status status;
  if (std::error_code error = fs::status(path, status)) {
    diags.report({}, diag::CannotReadFile, path, error.message());
    return nullptr;
  }
  if (status.type() != fs::file_type::regular_file) {
    diags.report({}, diag::CannotReadFile, path, "it is not a file");
    return nullptr;
  }
  int file = ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    diags.report({}, diag::CannotReadFile, path,
                 std::generic_category().message(errno));
    return nullptr;
  }
  return take(file, path, diags);
}

/// A file in memory that holds \p text and has no name; -1 if the system has
/// none.
static int holdInMemory(StringRef text) {
  int file = memfd_create("plan.json", MFD_CLOEXEC);
  if (file < 0)
    return -1;
  llvm::raw_fd_ostream os(file, /*shouldClose=*/false);
  os << text;
  os.flush();
  if (!os.has_error() && ::lseek(file, 0, SEEK_SET) == 0)
    return file;
  os.clear_error();
  ::close(file);
  return -1;
}

std::unique_ptr<PlanFile> PlanFile::fromText(StringRef text, StringRef name,
                                             DiagnosticEngine &diags) {
  int file = holdInMemory(text);
  if (file >= 0)
    return take(file, name, diags);
  diags.report({}, diag::CannotReadFile, name,
               std::generic_category().message(errno));
  return nullptr;
}

std::unique_ptr<PlanFile> PlanFile::take(int file, StringRef path,
                                         DiagnosticEngine &diags) {
  std::unique_ptr<PlanFile> plan(new PlanFile(file));
  PlanReader reader(*plan);
  std::string problem = reader.read();
  if (!problem.empty()) {
    diags.report({}, diag::MalformedPlan, path, reader.line(), problem);
    return nullptr;
  }
  plan->contentDigest = digestOf(file);
  return plan;
}

PlanFile::~PlanFile() { ::close(file); }
