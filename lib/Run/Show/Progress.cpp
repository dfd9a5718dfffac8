//===- Progress.cpp - What happens, for those who watch -------------------===//

#include "Progress.h"

#include "toscac/Basic/Counted.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Basic/PrintableStream.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/ioctl.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

Progress::~Progress() = default;

namespace {

class Lines : public Progress {
public:
  explicit Lines(llvm::raw_ostream &target) : target(target), os(target) {}

  void begin(const RunSummary &run) override {
    os << run.workflow << " of " << run.deployment << ": "
       << counted(run.steps, "step") << ", " << counted(run.calls, "call")
       << " (run " << run.run << ")\n";
  }
  void serving(StringRef url) override {
    os << "page: " << url << "\n";
    target.flush();
  }
  void inFlight(StringRef name) override {
    os << "was in flight: " << name << "\n";
  }
  void started(double time, StringRef name) override {
    line(time, "start", name) << "\n";
  }
  void done(double time, StringRef name, double took) override {
    line(time, "done", name) << llvm::formatv(" ({0:f2} s)\n", took);
  }
  void skipped(double time, StringRef name) override {
    line(time, "skip", name) << "\n";
  }
  void set(double, StringRef) override {}
  void event(double time, StringRef name) override {
    line(time, "event", name) << "\n";
  }
  void failed(double time, const StepFailure &failure) override {
    line(time, "FAILED", failure.name) << ": " << failure.reason << "\n";
    if (failure.tail.empty())
      return;
    os << "  last lines of " << failure.log << ":\n";
    StringRef rest = failure.tail;
    while (!rest.empty()) {
      auto [text, more] = rest.split('\n');
      os << "  | " << text << "\n";
      rest = more;
    }
  }
  void retrying(double time, StringRef name, StringRef reason,
                double delay) override {
    line(time, "retry", name)
        << llvm::formatv(": {0}; again in {1:f1} s\n", reason, delay);
  }
  void stopping(double time, bool atOnce) override {
    line(time, "stop",
         atOnce ? "what runs is stopped"
                : "what runs is finished; interrupt again to "
                  "stop it")
        << "\n";
  }
  void show(const Snapshot &) override {}
  void flush() override { target.flush(); }
  void end(double time, StringRef status, const RunCounts &done) override {
    os << status << ": " << counted(done.steps, "step")
       << llvm::formatv(" done in {0:f2} s", time) << ", " << done.calls
       << " of " << counted(done.allCalls, "call") << '\n';
  }

private:
  llvm::raw_ostream &line(double time, StringRef what, StringRef name) {
    return os << llvm::formatv("{0,9:f2} {1,-6} ", time, what) << name;
  }

  llvm::raw_ostream &target;
  PrintableStream os;
};

/// The lines of failures and endings, and below them one that is drawn again
/// and again.
class Bar : public Lines {
public:
  explicit Bar(llvm::raw_fd_ostream &os) : Lines(os), terminal(os) {}

  void begin(const RunSummary &run) override {
    Lines::begin(run);
    terminal.flush();
  }
  void started(double, StringRef) override {}
  void done(double, StringRef, double) override {}
  void failed(double time, const StepFailure &failure) override {
    erase();
    Lines::failed(time, failure);
    terminal.flush();
  }
  void retrying(double time, StringRef name, StringRef reason,
                double delay) override {
    erase();
    Lines::retrying(time, name, reason, delay);
  }
  void stopping(double time, bool atOnce) override {
    erase();
    Lines::stopping(time, atOnce);
  }
  void show(const Snapshot &now) override;
  void end(double time, StringRef status, const RunCounts &done) override {
    erase();
    Lines::end(time, status, done);
  }
  double period() const override { return 0.2; }

private:
  void erase() { terminal << "\r\x1b[K"; }

  llvm::raw_fd_ostream &terminal;
};

} // namespace

static size_t terminalWidth() {
  winsize size;
  bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void Bar::show(const Snapshot &now) {
  constexpr size_t width = 20;
  size_t filled = now.total ? width * now.finished / now.total : width;
  std::string text = llvm::formatv(
      "[{0}{1}] {2}/{3} {4:f0} s", std::string(filled, '#'),
      std::string(width - filled, '.'), now.finished, now.total, now.elapsed);
  if (now.left >= 0)
    text += llvm::formatv(", about {0:f0} s left", now.left).str();
  for (StringRef name : now.running)
    text += (" " + name).str();
  erase();
  PrintableStream(terminal) << StringRef(text).take_front(terminalWidth() - 1);
  terminal.flush();
}

namespace {

class Silence : public Progress {
  void begin(const RunSummary &) override {}
  void serving(StringRef) override {}
  void inFlight(StringRef) override {}
  void started(double, StringRef) override {}
  void done(double, StringRef, double) override {}
  void skipped(double, StringRef) override {}
  void set(double, StringRef) override {}
  void event(double, StringRef) override {}
  void failed(double, const StepFailure &) override {}
  void retrying(double, StringRef, StringRef, double) override {}
  void stopping(double, bool) override {}
  void show(const Snapshot &) override {}
  void end(double, StringRef, const RunCounts &) override {}
};

/// Steps have run elsewhere; only the service speaks here.
class ServiceEvents : public Silence {
public:
  explicit ServiceEvents(llvm::raw_ostream &target) : os(target) {}

private:
  void event(double, StringRef name) override {
    os << "event " << name << '\n';
  }

  PrintableStream os;
};

class JSONEvents : public Progress {
public:
  explicit JSONEvents(llvm::raw_ostream &os) : os(os) {}

  void begin(const RunSummary &run) override {
    write("begin", 0, [&](JSONWriter &json) {
      json.attribute("run", run.run);
      json.attribute("plan", run.plan);
      json.attribute("deployment", run.deployment);
      json.attribute("workflow", run.workflow);
      json.attribute("steps", uint64_t(run.steps));
      json.attribute("calls", uint64_t(run.calls));
    });
  }
  void serving(StringRef url) override {
    write("serving", 0, [&](JSONWriter &json) { json.attribute("url", url); });
  }
  void inFlight(StringRef name) override { step("in_flight", 0, name); }
  void started(double time, StringRef name) override {
    step("started", time, name);
  }
  void done(double time, StringRef name, double took) override {
    write("done", time, [&](JSONWriter &json) {
      json.attribute("step", name);
      json.rawAttribute("seconds", llvm::formatv("{0:f6}", took).str());
    });
  }
  void skipped(double time, StringRef name) override {
    step("skipped", time, name);
  }
  void set(double time, StringRef name) override { step("set", time, name); }
  void event(double time, StringRef name) override {
    step("event", time, name);
  }
  void failed(double time, const StepFailure &failure) override {
    write("failed", time, [&](JSONWriter &json) {
      json.attribute("step", failure.name);
      json.attribute("reason", failure.reason);
      json.attribute("log", failure.log);
      json.attribute("tail", failure.tail);
    });
  }
  void retrying(double time, StringRef name, StringRef reason,
                double delay) override {
    write("retry", time, [&](JSONWriter &json) {
      json.attribute("step", name);
      json.attribute("reason", reason);
      json.rawAttribute("delay", llvm::formatv("{0:f3}", delay).str());
    });
  }
  void stopping(double time, bool atOnce) override {
    write("stopping", time,
          [&](JSONWriter &json) { json.attribute("at_once", atOnce); });
  }
  void show(const Snapshot &) override {}
  void end(double time, StringRef status, const RunCounts &done) override {
    write("end", time, [&](JSONWriter &json) {
      json.attribute("status", status);
      json.attribute("done", uint64_t(done.steps));
      json.attribute("calls", uint64_t(done.calls));
    });
  }
  bool wantsSets() const override { return true; }

private:
  template <typename Content>
  void write(StringRef event, double time, Content content) {
    JSONWriter json(os);
    json.object([&] {
      json.attribute("event", event);
      json.rawAttribute("time", llvm::formatv("{0:f6}", time).str());
      content(json);
    });
    os << '\n';
    os.flush();
  }
  void step(StringRef event, double time, StringRef name) {
    write(event, time, [&](JSONWriter &json) { json.attribute("step", name); });
  }

  llvm::raw_ostream &os;
};

} // namespace

std::unique_ptr<Progress> run::makeLines(llvm::raw_ostream &os) {
  return std::make_unique<Lines>(os);
}

std::unique_ptr<Progress> run::makeBar(llvm::raw_fd_ostream &terminal) {
  return std::make_unique<Bar>(terminal);
}

std::unique_ptr<Progress> run::makeSilence() {
  return std::make_unique<Silence>();
}

std::unique_ptr<Progress> run::makeServiceEvents(llvm::raw_ostream &os) {
  return std::make_unique<ServiceEvents>(os);
}

std::unique_ptr<Progress> run::makeJSONEvents(llvm::raw_ostream &os) {
  return std::make_unique<JSONEvents>(os);
}
