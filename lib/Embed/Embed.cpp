//===- Embed.cpp - The driver for programs in any language ----------------===//
///
/// \file
/// Runs the driver and keeps what it says. This is the border of the library:
/// whatever is thrown inside becomes a code and a text here.
///
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/WarningOptions.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>

using namespace toscac;

/// LLVM ends the process after this unless it does not return. Its own frames
/// have nothing to clean up.
static void throwFatal(void *, const char *reason, bool) {
  throw std::runtime_error(reason);
}

static void throwBadAlloc(void *, const char *, bool) {
  throw std::bad_alloc();
}

static void installHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(throwFatal);
    llvm::install_bad_alloc_error_handler(throwBadAlloc);
  });
}

static void fail(toscac_result &result, const char *why) noexcept {
  result.code = TOSCAC_FAILED;
  result.diagnostics.clear();
  result.plan.reset();
  try {
    result.failure = why;
  } catch (const std::bad_alloc &) {
    result.failure = "out of memory";
  }
}

/// Lets \p run fill \p result; what it throws is a failure.
template <typename Run>
static void fill(toscac_result &result, Run run) noexcept {
  try {
    run(result);
  } catch (const std::bad_alloc &) {
    fail(result, "out of memory");
  } catch (const std::exception &problem) {
    fail(result, problem.what());
  } catch (...) {
    fail(result, "unknown");
  }
}

/// What the limits on nesting are made for. Threads of hosts may have less.
static constexpr std::optional<unsigned> stackSize = 8 << 20;

/// A result, which \p run fills on a stack of its own.
template <typename Run>
static toscac_result *runGuarded(Run run) {
  return answer<toscac_result *>(nullptr, [&] {
    installHandlers();
    auto result = std::make_unique<toscac_result>();
    // There may be no thread to be had.
    fill(*result, [&](toscac_result &) {
      llvm::thread thread(stackSize, [&] { fill(*result, run); });
      thread.join();
    });
    return result.release();
  });
}

static Place placeOf(SourceRange range, const SourceManager &sources) {
  if (!range.isValid())
    return {};
  Position begin = sources.position(range.begin);
  Position end = sources.position(range.end);
  return {begin.line, begin.column, end.line, end.column};
}

static std::string fileOf(SourceRange range, const SourceManager &sources) {
  return range.isValid() ? sources.name(sources.fileOf(range.begin)).str() : "";
}

static toscac_diagnostic copy(const DiagnosticList::Item &item,
                              const SourceManager &sources) {
  const Diagnostic &from = *item.diagnostic;
  toscac_diagnostic to{item.severity == Severity::Error ? TOSCAC_ERROR
                                                        : TOSCAC_WARNING,
                       info(from.id).name,
                       from.message,
                       fileOf(from.range, sources),
                       placeOf(from.range, sources),
                       {},
                       {}};
  for (const Note &note : from.notes)
    to.notes.push_back({TOSCAC_NOTE,
                        "",
                        note.message,
                        fileOf(note.range, sources),
                        placeOf(note.range, sources),
                        {},
                        {}});
  for (const FixIt &fix : from.fixes)
    to.fixes.push_back({placeOf(fix.range, sources), fix.text, fix.isSafe});
  return to;
}

void toscac::keep(const DiagnosticList &list, const SourceManager &sources,
                  toscac_result &result) {
  for (const DiagnosticList::Item &item : list.items)
    result.diagnostics.push_back(copy(item, sources));
  for (const Remark &remark : list.remarks)
    result.diagnostics.push_back(
        {TOSCAC_NOTE, "", remark.message, "", {}, {}, {}});
}

/// Runs the driver on \p files as \p given says; the text it made.
static std::string runDriver(std::vector<std::string> files, bool checkOnly,
                             const toscac_options *given,
                             toscac_result &result) {
  DriverOptions options = given ? given->driver : DriverOptions();
  options.inputs = std::move(files);
  options.checkOnly = checkOnly;
  options.isEmitGiven = true;
  // What is thrown on another thread could not be caught here.
  options.jobs = 1;
  std::string made;
  options.host.result = &made;
  options.host.diagnostics = [&](const DiagnosticList &list,
                                 const SourceManager &sources) {
    keep(list, sources, result);
  };
  result.code = toscac::runDriver(options, llvm::outs(), llvm::errs());
  return made;
}

toscac_result *toscac_check(const char *const *files, size_t count,
                            const toscac_options *options) {
  return runGuarded([&](toscac_result &result) {
    std::vector<std::string> names(files, files + count);
    runDriver(std::move(names), /*checkOnly=*/true, options, result);
  });
}

toscac_result *toscac_compile(const char *file, const toscac_options *options) {
  return runGuarded([&](toscac_result &result) {
    std::string made =
        runDriver({file ? file : ""}, /*checkOnly=*/false, options, result);
    if (result.code == TOSCAC_GOOD && !made.empty())
      openPlan(std::move(made), file, result);
  });
}

toscac_result *toscac_read_plan(const char *file) {
  return runGuarded([&](toscac_result &result) {
    DiagnosticEngine diags;
    if (auto buffer = readFile(file ? file : "", diags))
      return openPlan(buffer->getBuffer().str(), file, result);
    result.code = TOSCAC_FILE;
    keep(listDiagnostics(diags, WarningOptions(), SourceManager()),
         SourceManager(), result);
  });
}

void toscac_result_free(toscac_result *result) { delete result; }

const char *toscac_version() { return toscac::version(); }

// What is asked of results.

static const char *textOf(const std::string &text) {
  return text.empty() ? nullptr : text.c_str();
}

template <typename Element>
static const Element *at(const std::vector<Element> &elements, size_t index) {
  return index < elements.size() ? &elements[index] : nullptr;
}

int toscac_result_code(const toscac_result *result) {
  return result ? result->code : TOSCAC_FAILED;
}

const char *toscac_result_failure(const toscac_result *result) {
  return result ? textOf(result->failure) : nullptr;
}

const toscac_plan *toscac_result_plan(const toscac_result *result) {
  return result ? result->plan.get() : nullptr;
}

size_t toscac_result_diagnostic_count(const toscac_result *result) {
  return result ? result->diagnostics.size() : 0;
}

const toscac_diagnostic *toscac_result_diagnostic(const toscac_result *result,
                                                  size_t index) {
  return result ? at(result->diagnostics, index) : nullptr;
}

int toscac_diagnostic_severity(const toscac_diagnostic *diagnostic) {
  return diagnostic ? diagnostic->severity : TOSCAC_NOTE;
}

const char *toscac_diagnostic_name(const toscac_diagnostic *diagnostic) {
  return diagnostic ? textOf(diagnostic->name) : nullptr;
}

const char *toscac_diagnostic_message(const toscac_diagnostic *diagnostic) {
  return diagnostic ? diagnostic->message.c_str() : nullptr;
}

const char *toscac_diagnostic_file(const toscac_diagnostic *diagnostic) {
  return diagnostic ? textOf(diagnostic->file) : nullptr;
}

uint32_t toscac_diagnostic_line(const toscac_diagnostic *diagnostic) {
  return diagnostic ? diagnostic->place.line : 0;
}

uint32_t toscac_diagnostic_column(const toscac_diagnostic *diagnostic) {
  return diagnostic ? diagnostic->place.column : 0;
}

uint32_t toscac_diagnostic_end_line(const toscac_diagnostic *diagnostic) {
  return diagnostic ? diagnostic->place.endLine : 0;
}

uint32_t toscac_diagnostic_end_column(const toscac_diagnostic *diagnostic) {
  return diagnostic ? diagnostic->place.endColumn : 0;
}

size_t toscac_diagnostic_note_count(const toscac_diagnostic *diagnostic) {
  return diagnostic ? diagnostic->notes.size() : 0;
}

const toscac_diagnostic *
toscac_diagnostic_note(const toscac_diagnostic *diagnostic, size_t index) {
  return diagnostic ? at(diagnostic->notes, index) : nullptr;
}

size_t toscac_diagnostic_fix_count(const toscac_diagnostic *diagnostic) {
  return diagnostic ? diagnostic->fixes.size() : 0;
}

const toscac_fix *toscac_diagnostic_fix(const toscac_diagnostic *diagnostic,
                                        size_t index) {
  return diagnostic ? at(diagnostic->fixes, index) : nullptr;
}

const char *toscac_fix_text(const toscac_fix *fix) {
  return fix ? fix->text.c_str() : nullptr;
}

uint32_t toscac_fix_line(const toscac_fix *fix) {
  return fix ? fix->place.line : 0;
}

uint32_t toscac_fix_column(const toscac_fix *fix) {
  return fix ? fix->place.column : 0;
}

uint32_t toscac_fix_end_line(const toscac_fix *fix) {
  return fix ? fix->place.endLine : 0;
}

uint32_t toscac_fix_end_column(const toscac_fix *fix) {
  return fix ? fix->place.endColumn : 0;
}

int toscac_fix_is_safe(const toscac_fix *fix) { return fix && fix->isSafe; }
