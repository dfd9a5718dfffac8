//===- toscac/Basic/Diagnostics.h - The diagnostics engine ------*- C++ -*-===//
///
/// \file
/// What can be said to the user, and the list of what was said.
///
/// Every message is a row of a table; Diagnostics.def explains them. A row
/// becomes a typed constant
/// (`diag::UnknownKeyname`), so that a report with the wrong arguments does not
/// compile, and a public name (`unknown-keyname`) that never changes.
///
/// Reports are collected and shown at the end, sorted by place: threads and
/// passes may find problems in any order.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_DIAGNOSTICS_H
#define TOSCAC_BASIC_DIAGNOSTICS_H

#include "toscac/Basic/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toscac {

/// How grave a row is unless the command line says otherwise. Extra is a
/// warning that is silent without -Wextra.
enum class Severity : uint8_t { Note, Extra, Warning, Error };

/// Each stage has a table, and a header that declares its rows
/// (DiagnosticsParse.h): who adds one compiles that stage again, no more.
enum class DiagStage : uint8_t {
#define STAGE(NAME) NAME,
#include "toscac/Basic/DiagnosticStages.def"
};

/// A row: its stage and its place in that stage's table.
enum class DiagId : uint16_t {};

/// A row of the table, without the types of its parameters.
struct DiagInfo {
  /// The public name, `unknown-keyname`.
  std::string name;
  Severity severity;
  /// The group's public name, `keynames`; -W takes it like a name.
  std::string group;
  llvm::StringRef text;
  /// Section of the TOSCA 2.0 specification, or "-".
  llvm::StringRef section;
  llvm::StringRef help;
};

/// All rows, stage by stage, in the order of the tables.
llvm::ArrayRef<DiagInfo> allDiagnostics();
/// The names and the groups of all rows but notes, each once.
std::vector<llvm::StringRef> diagnosticNames();
/// Where allDiagnostics() has \p id.
size_t indexOf(DiagId id);
const DiagInfo &info(DiagId id);

namespace diag {
namespace detail {
template <typename Signature>
struct Row;
template <typename... Args>
struct Row<void(Args...)> {
  DiagId id;
};

inline constexpr unsigned maxRowsPerStage = 1024;
constexpr DiagId makeId(DiagStage stage, unsigned row) {
  return DiagId(static_cast<unsigned>(stage) * maxRowsPerStage + row);
}

/// Number of arguments that a message text asks for.
constexpr unsigned numPlaceholders(std::string_view text) {
  unsigned count = 0;
  for (size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == '{' && text[i + 1] >= '0' && text[i + 1] <= '9' &&
        unsigned(text[i + 1] - '0') + 1 > count)
      count = unsigned(text[i + 1] - '0') + 1;
  return count;
}
template <typename... Args>
constexpr unsigned numArguments(void (*)(Args...)) {
  return sizeof...(Args);
}
} // namespace detail
} // namespace diag

/// Replace the text in \p range (empty: insert there) by \p text.
struct FixIt {
  SourceRange range;
  std::string text;
  /// Nothing else can have been meant: --fix may apply it unasked.
  bool isSafe = false;
};

/// A second place that belongs to a diagnostic; never stands alone.
struct Note {
  SourceRange range;
  std::string message;
  /// One link of a long chain: people see it with -v only.
  bool isDetail = false;
};

struct Diagnostic {
  DiagId id;
  Severity severity;
  SourceRange range;
  std::string message;
  std::vector<Note> notes;
  std::vector<FixIt> fixes;
  /// The message quotes no value, even if it stands at one that is sensitive.
  bool isDiscreet = false;
};

/// What is said at the end about the run as a whole.
struct Remark {
  DiagId id;
  std::string message;
};

class DiagnosticEngine {
public:
  /// Nobody reads more; hostile input can have a problem in every byte.
  static constexpr size_t maxKept = 100000;

  /// Adds to the report just made.
  class Builder {
  public:
    template <typename... Args>
    Builder &note(SourceRange range, diag::detail::Row<void(Args...)> row,
                  std::type_identity_t<Args>... args) {
      assert(info(row.id).severity == Severity::Note && "not a note");
      diagnostic.notes.push_back({range, format(row.id, args...), false});
      return *this;
    }
    /// Of a chain of notes, each the reason of the one before, the first and
    /// the last say most: those between become details.
    void foldNotes() {
      for (size_t i = 1; i + 1 < diagnostic.notes.size(); ++i)
        diagnostic.notes[i].isDetail = true;
    }
    /// Shows what the author may have meant.
    Builder &fixIt(SourceRange range, std::string text) {
      diagnostic.fixes.push_back({range, std::move(text)});
      return *this;
    }
    /// Shows what the author must have meant.
    Builder &safeFixIt(SourceRange range, std::string text) {
      diagnostic.fixes.push_back({range, std::move(text), /*isSafe=*/true});
      return *this;
    }

    /// The message quotes no value.
    Builder &discreet() {
      diagnostic.isDiscreet = true;
      return *this;
    }

  private:
    friend class DiagnosticEngine;
    explicit Builder(Diagnostic &diagnostic) : diagnostic(diagnostic) {}
    Diagnostic &diagnostic;
  };

  /// Reports \p row at \p range (may be invalid: no place). The builder is
  /// good until the next report.
  template <typename... Args>
  Builder report(SourceRange range, diag::detail::Row<void(Args...)> row,
                 std::type_identity_t<Args>... args) {
    Severity severity = info(row.id).severity;
    assert(severity != Severity::Note && "a note hangs on a diagnostic");
    errors += severity == Severity::Error;
    Diagnostic &added = diagnostics.size() < maxKept
                            ? diagnostics.emplace_back()
                            : drop(severity);
    added = {row.id, severity, range, format(row.id, args...), {}, {}};
    return Builder(added);
  }

  /// Says \p row, a note, once at the very end; it belongs to no place and to
  /// no diagnostic.
  template <typename... Args>
  void remark(diag::detail::Row<void(Args...)> row,
              std::type_identity_t<Args>... args) {
    assert(info(row.id).severity == Severity::Note && "report it instead");
    remarks.push_back({row.id, format(row.id, args...)});
  }

  /// Errors by the table's severities; -Werror is applied when shown.
  bool hasErrors() const { return errors; }
  size_t numErrors() const { return errors; }
  llvm::ArrayRef<Diagnostic> all() const { return diagnostics; }
  /// How many were reported beyond maxKept, and how many of them are errors.
  size_t numDropped() const { return dropped; }
  size_t numDroppedErrors() const { return droppedErrors; }
  llvm::ArrayRef<Remark> allRemarks() const { return remarks; }

  /// Adds the note \p row to the diagnostics that \p isMeant holds for.
  template <typename... Args>
  void noteOn(llvm::function_ref<bool(const Diagnostic &)> isMeant,
              SourceRange range, diag::detail::Row<void(Args...)> row,
              std::type_identity_t<Args>... args) {
    for (Diagnostic &diagnostic : diagnostics)
      if (isMeant(diagnostic))
        Builder(diagnostic).note(range, row, args...);
  }

  /// What stands in \p range is sensitive: nobody is to see it in a diagnostic.
  void hide(SourceRange range) { hidden.push_back(range); }
  llvm::ArrayRef<SourceRange> allHidden() const { return hidden; }

  /// Removes the diagnostics that \p isUnwanted holds for.
  void removeIf(llvm::function_ref<bool(const Diagnostic &)> isUnwanted);

  /// Appends what \p other, an engine of another thread, collected.
  void take(DiagnosticEngine &&other);

private:
  template <typename... Args>
  static std::string format(DiagId id, const Args &...args) {
    return llvm::formatv(info(id).text.data(), args...).str();
  }

  /// Counts a report that is not kept; gives a place to write it to.
  Diagnostic &drop(Severity severity) {
    ++dropped;
    droppedErrors += severity == Severity::Error;
    return spare;
  }

  std::vector<Diagnostic> diagnostics;
  std::vector<Remark> remarks;
  std::vector<SourceRange> hidden;
  size_t errors = 0;
  size_t dropped = 0;
  size_t droppedErrors = 0;
  Diagnostic spare;
};

/// The candidate nearest to a misspelt \p word, if exactly one is close enough
/// to be meant.
std::optional<llvm::StringRef>
nearestName(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace toscac

/// Files, options and formats concern every stage.
#define DIAG_STAGE Basic
#define DIAG_TABLE "toscac/Basic/DiagnosticsBasic.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
