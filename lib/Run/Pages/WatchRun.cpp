//===- WatchRun.cpp - A run as a page -------------------------------------===//

#include "toscac/Run/WatchRun.h"

#include "RunFacts.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Plan/PlanFacts.h"
#include "toscac/Plan/ReadPlan.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <chrono>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using state::RunRecord;
using state::Store;
namespace path = llvm::sys::path;

/// Runs that another one is compared with.
static constexpr size_t maxOthers = 5;

static double secondsNow() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

struct RunWatch::Content {
  Store &store;
  WatchOptions options;
  std::string deployment;
  RunHistory run;
  std::vector<RunHistory> others;
  /// Null where its file is not what it was, or not there.
  std::unique_ptr<planfile::PlanFile> plan;
  bool isAlive = true;

  RunFactsContext context() const {
    return {plan.get(),
            options.workFolder + "/" + std::to_string(run.record().id),
            secondsNow(), isAlive, others};
  }
  llvm::Error readOthers(llvm::ArrayRef<RunRecord> runs);
  void openPlan();
  std::string title() const;
  std::string summary() const;
};

/// What it is compared with does not change while it goes on.
llvm::Error RunWatch::Content::readOthers(llvm::ArrayRef<RunRecord> runs) {
  for (const RunRecord &record : llvm::reverse(runs)) {
    if (record.id == run.record().id || record.status == "running")
      continue;
    RunHistory other(record.id);
    if (llvm::Error error = other.read(store, record))
      return error;
    if (other.calls().empty())
      continue;
    others.push_back(std::move(other));
    if (others.size() == maxOthers)
      break;
  }
  return llvm::Error::success();
}

void RunWatch::Content::openPlan() {
  DiagnosticEngine unheard;
  plan = planfile::PlanFile::open(run.record().plan, unheard);
  if (plan && plan->digest() != run.record().planDigest)
    plan.reset();
}

std::string RunWatch::Content::title() const {
  const RunRecord &record = run.record();
  return (deployment + ": " + record.workflow + ", run " +
          llvm::Twine(record.id))
      .str();
}

std::string RunWatch::Content::summary() const {
  std::string text =
      title() + " " + run::statusOf(run.record(), isAlive).str() + "\n";
  for (const CallHistory &call : run.calls())
    if (call.outcome == CallOutcome::Failed)
      text += call.name + ": " + call.reason + "\n";
  return text;
}

RunWatch::RunWatch(std::unique_ptr<Content> content)
    : content(std::move(content)) {}
RunWatch::~RunWatch() = default;

llvm::Expected<std::unique_ptr<RunWatch>>
RunWatch::open(Store &store, StringRef deployment, int64_t id,
               const WatchOptions &options) {
  std::unique_ptr<RunWatch> watch(new RunWatch(std::make_unique<Content>(
      Content{store, options, deployment.str(), RunHistory(id), {}, {}})));
  Content &content = *watch->content;
  if (content.options.workFolder.empty()) {
    llvm::SmallString<128> folder(state::isStoreUrl(store.path())
                                      ? StringRef()
                                      : path::parent_path(store.path()));
    path::append(folder, ".tosca-run");
    content.options.workFolder = folder.str().str();
  }
  if (llvm::Error error = watch->refresh())
    return error;
  auto runs = store.runs(deployment);
  if (!runs)
    return runs.takeError();
  if (llvm::Error error = content.readOthers(*runs))
    return error;
  content.openPlan();
  return watch;
}

llvm::Error RunWatch::refresh() {
  Store &store = content->store;
  auto runs = store.runs(content->deployment);
  if (!runs)
    return runs.takeError();
  for (const RunRecord &record : *runs) {
    RunHistory &run = content->run;
    if (record.id != run.id())
      continue;
    if (record.status == "running") {
      auto owner = store.lockOwner(content->deployment);
      if (!owner)
        return owner.takeError();
      content->isAlive = *owner && store.isLocked(content->deployment, **owner);
    }
    return run.read(store, record);
  }
  return llvm::createStringError("there is no such run");
}

bool RunWatch::isOver() const {
  return content->run.record().status != "running" || !content->isAlive;
}

std::string RunWatch::facts() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeRunFacts(content->run, content->context(), os);
  return text;
}

llvm::Error RunWatch::writePage(llvm::raw_ostream &os) {
  std::vector<page::Part> parts;
  if (content->plan) {
    planfile::ViewOptions view;
    for (const RunHistory &other : llvm::reverse(content->others))
      for (const CallHistory &call : other.calls())
        if (call.outcome == CallOutcome::Done)
          view.durations[call.name] = call.end - call.begin;
    parts.push_back({"plan", ""});
    llvm::raw_string_ostream text(parts.back().json);
    if (llvm::Error error = writePlanFacts(*content->plan, view, text))
      return error;
  }
  parts.push_back({"run", facts()});
  page::Page page;
  page.title = content->title();
  page.summary = content->summary();
  page.feed = content->options.feed;
  page.parts = parts;
  page::writePage(page, os);
  return llvm::Error::success();
}
