//===- VerifyDiagnostics.cpp - Expected diagnostics -----------------------===//
///
/// \file
/// Reads the expectations of all files, then strikes out each diagnostic and
/// note that one of them describes. What is left on either side is an error.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/VerifyDiagnostics.h"

#include "DiagnosticFormats.h"

using namespace toscac;
using llvm::StringRef;

namespace {

struct Expectation {
  Severity severity;
  FileId file;
  /// Nothing for `@*`.
  std::optional<int64_t> line;
  unsigned count = 1;
  StringRef text;
  /// From `expected-` to the closing braces.
  SourceRange range;
};

/// A diagnostic or note that was reported.
struct Reported {
  Severity severity;
  SourceRange range;
  Position position;
  std::string text;
  bool matched = false;
};

} // namespace

static std::optional<Severity> parseSeverity(StringRef &rest) {
  for (Severity severity : {Severity::Error, Severity::Warning, Severity::Note})
    if (rest.consume_front(severityName(severity)))
      return severity;
  return std::nullopt;
}

/// Parses `@+1` and its kind, if there is one. Returns false if it is not
/// understood.
static bool parseLine(StringRef &rest, std::optional<int64_t> &line) {
  if (!rest.consume_front("@"))
    return true;
  int64_t distance = 0;
  if (rest.consume_front("*"))
    line.reset();
  else if (rest.consume_front("above"))
    --*line;
  else if (rest.consume_front("below"))
    ++*line;
  else if (rest.starts_with("+") || rest.starts_with("-")) {
    bool up = rest.front() == '-';
    rest = rest.drop_front();
    if (rest.consumeInteger(10, distance))
      return false;
    *line += up ? -distance : distance;
  } else {
    return false;
  }
  return true;
}

/// Parses what follows the severity; \p rest is what remains of the line.
static bool parseRest(StringRef &rest, Expectation &expectation) {
  if (!parseLine(rest, expectation.line))
    return false;
  rest = rest.ltrim();
  if (!rest.starts_with("{{") &&
      (rest.consumeInteger(10, expectation.count) || expectation.count == 0))
    return false;
  rest = rest.ltrim();
  size_t end = rest.find("}}");
  if (!rest.consume_front("{{") || end == StringRef::npos)
    return false;
  expectation.text = rest.take_front(end - 2);
  rest = rest.drop_front(end);
  return !expectation.text.empty();
}

/// Parses the expectations of \p line, the text of line \p number.
static void parseExpectations(StringRef line, FileId file, uint32_t number,
                              SourceLoc lineStart,
                              std::vector<Expectation> &expectations,
                              DiagnosticEngine &result) {
  constexpr StringRef prefix = "expected-";
  StringRef rest = line;
  for (size_t at = rest.find(prefix); at != StringRef::npos;
       at = rest.find(prefix)) {
    StringRef start = rest.drop_front(at);
    rest = start.drop_front(prefix.size());
    std::optional<Severity> severity = parseSeverity(rest);
    // Other words may begin alike: `expected-errors.yaml`.
    if (!severity || (!rest.empty() && !StringRef("@ {").contains(rest[0])))
      continue;
    StringRef head = start.drop_back(rest.size());
    SourceLoc begin = lineStart.advanced(start.data() - line.data());
    Expectation expectation{*severity, file, number};
    bool parsed = parseRest(rest, expectation);
    expectation.range = {
        begin,
        begin.advanced(parsed ? rest.data() - start.data() : head.size())};
    if (parsed)
      expectations.push_back(expectation);
    else
      result.report(expectation.range, diag::MalformedExpectation, head);
  }
}

static std::vector<Expectation> findExpectations(const SourceManager &sources,
                                                 DiagnosticEngine &result) {
  std::vector<Expectation> expectations;
  for (uint32_t index = 0; index < sources.numFiles(); ++index) {
    FileId file{index};
    SourceLoc lineStart = sources.begin(file);
    StringRef rest = sources.text(file);
    for (uint32_t number = 1; !rest.empty(); ++number) {
      StringRef line = rest.take_until([](char c) { return c == '\n'; });
      parseExpectations(line, file, number, lineStart, expectations, result);
      size_t size = std::min(line.size() + 1, rest.size());
      rest = rest.drop_front(size);
      lineStart = lineStart.advanced(size);
    }
  }
  return expectations;
}

static std::vector<Reported> flatten(const DiagnosticList &list,
                                     const SourceManager &sources) {
  std::vector<Reported> all;
  auto add = [&](Severity severity, SourceRange range, std::string text) {
    Position position;
    if (range.isValid())
      position = sources.position(range.begin);
    all.push_back({severity, range, position, std::move(text)});
  };
  for (const auto &[diagnostic, severity] : list.items) {
    add(severity, diagnostic->range,
        diagnostic->message + " [" + info(diagnostic->id).name + "]");
    for (const Note &note : diagnostic->notes)
      add(Severity::Note, note.range, note.message);
  }
  return all;
}

static bool describes(const Expectation &expectation, const Reported &report) {
  bool inPlace =
      !expectation.line || (report.position.file == expectation.file &&
                            report.position.line == *expectation.line);
  return inPlace && report.severity == expectation.severity &&
         StringRef(report.text).contains(expectation.text);
}

void toscac::verifyDiagnostics(const DiagnosticList &list,
                               const SourceManager &sources,
                               DiagnosticEngine &result) {
  std::vector<Reported> reported = flatten(list, sources);
  for (const Expectation &expectation : findExpectations(sources, result))
    for (unsigned i = 0; i < expectation.count; ++i) {
      auto found = llvm::find_if(reported, [&](const Reported &report) {
        return !report.matched && describes(expectation, report);
      });
      if (found == reported.end()) {
        result.report(expectation.range, diag::MissingDiagnostic,
                      severityName(expectation.severity), expectation.text);
        break;
      }
      found->matched = true;
    }
  for (const Reported &report : reported)
    // What a note without a place adds to a message need not be expected.
    if (!report.matched &&
        (report.severity != Severity::Note || report.range.isValid()))
      result.report(report.range, diag::UnexpectedDiagnostic,
                    severityName(report.severity), report.text);
}
