//===- RunHistory.cpp - When a run did what -------------------------------===//

#include "RunHistory.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

StringRef run::spelling(CallOutcome outcome) {
  switch (outcome) {
  case CallOutcome::Running:
    return "running";
  case CallOutcome::Waiting:
    return "waiting";
  case CallOutcome::Done:
    return "done";
  case CallOutcome::Failed:
    return "failed";
  case CallOutcome::Stopped:
    return "stopped";
  }
  llvm_unreachable("all are handled");
}

/// One line of the journal, as far as it is about time.
struct RunHistory::Event {
  enum class Kind : uint8_t {
    Other,
    Started,
    Done,
    Failed,
    Skipped,
    Retry,
    Again,
    Found
  };
  Kind kind = Kind::Other;
  uint32_t step = 0;
  std::string name;
  std::string reason;
  Finding finding;
  /// Done by an earlier run.
  bool isAssumed = false;
};

bool RunHistory::readMember(StringRef key, JSONField &value, Event &event) {
  using Kind = Event::Kind;
  static constexpr std::pair<StringRef, Kind> kinds[] = {
      {"started", Kind::Started}, {"done", Kind::Done},
      {"failed", Kind::Failed},   {"skipped", Kind::Skipped},
      {"retry", Kind::Retry},     {"again", Kind::Again},
      {"found", Kind::Found}};
  for (auto [name, kind] : kinds)
    if (key == name) {
      std::optional<uint32_t> step = value.index();
      event.kind = kind;
      event.step = step.value_or(0);
      return step.has_value();
    }
  auto take = [&](std::string &to) {
    std::optional<StringRef> text = value.string();
    to = text.value_or("").str();
    return text.has_value();
  };
  if (key == "step")
    return take(event.name);
  if (key == "reason")
    return take(event.reason);
  if (key == "assumed")
    event.isAssumed = true;
  if (event.kind != Kind::Found)
    return true;
  if (key == "name")
    return take(event.finding.name);
  if (key == "interface")
    return take(event.finding.interface);
  if (key == "cell")
    return take(event.finding.cell);
  if (key == "known")
    event.finding.known = value.raw().value_or("null").str();
  if (key == "value")
    event.finding.value = value.raw().value_or("null").str();
  return true;
}

void RunHistory::apply(Event &event, double time) {
  using Kind = Event::Kind;
  if (event.kind == Kind::Skipped)
    ++skipped;
  if (event.kind == Kind::Found)
    found.push_back(std::move(event.finding));
  auto known = numbers.find(event.step);
  if (event.kind == Kind::Started) {
    if (known == numbers.end()) {
      numbers[event.step] = all.size();
      CallHistory &call = all.emplace_back();
      call.name = std::move(event.name);
      call.step = event.step;
      call.begin = call.lastBegin = time;
      return;
    }
    // The run was interrupted, and went on.
    CallHistory &call = all[known->second];
    call.earlier.push_back({call.lastBegin, call.isOver() ? call.end : time,
                            "the run was interrupted"});
    call.outcome = CallOutcome::Running;
    call.lastBegin = time;
    return;
  }
  // Steps that take no time end without a start.
  if (known == numbers.end() || event.isAssumed)
    return;
  CallHistory &call = all[known->second];
  switch (event.kind) {
  case Kind::Done:
  case Kind::Failed:
    call.outcome =
        event.kind == Kind::Done ? CallOutcome::Done : CallOutcome::Failed;
    call.reason = std::move(event.reason);
    call.end = time;
    return;
  case Kind::Retry:
    call.earlier.push_back({call.lastBegin, time, std::move(event.reason)});
    call.outcome = CallOutcome::Waiting;
    return;
  case Kind::Again:
    call.outcome = CallOutcome::Running;
    call.lastBegin = time;
    return;
  default:
    return;
  }
}

llvm::Error RunHistory::readRow(double time, StringRef lines,
                                JSONReader &json) {
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    lines = rest;
    if (line.empty())
      continue;
    Event event;
    if (llvm::Error error =
            json.fields(line, [&](StringRef key, JSONField &value) {
              return readMember(key, value, event);
            }))
      return error;
    apply(event, time);
  }
  return llvm::Error::success();
}

llvm::Error RunHistory::read(state::Store &store,
                             const state::RunRecord &record) {
  row = record;
  ValueArena arena;
  NameTable names;
  JSONReader json(arena, names);
  if (llvm::Error error =
          store.newEvents(run, lastRow, [&](double time, StringRef lines) {
            return readRow(std::max(0.0, time - row.started), lines, json);
          }))
    return error;
  if (row.status == "running")
    return llvm::Error::success();
  double end = seconds(0);
  for (CallHistory &call : all)
    if (!call.isOver()) {
      call.outcome = CallOutcome::Stopped;
      call.end = std::max(end, call.lastBegin);
    }
  return llvm::Error::success();
}

double RunHistory::seconds(double now) const {
  double end = row.status == "running" ? now : row.ended;
  return std::max(0.0, end - row.started);
}

int64_t RunHistory::callOf(uint32_t step) const {
  auto known = numbers.find(step);
  return known == numbers.end() ? -1 : int64_t(known->second);
}
