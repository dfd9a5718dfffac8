//===- PrintText.cpp - Diagnostics for people -----------------------------===//
///
/// \file
/// The shape that compilers have made familiar:
///
///   service.yaml:3:5: error: key 'a' appears twice in the same map [id]
///       a: 1
///       ^~
///
/// A range is marked on its first line. Fix-its on that line stand below the
/// marks, as the text that would be there.
///
//===----------------------------------------------------------------------===//

#include "DiagnosticFormats.h"
#include "toscac/Basic/Counted.h"

#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

/// Lines longer than this, in bytes, are cut to a window of this size.
constexpr size_t maxLineSize = 160;
/// How much of a cut line is shown before the place in question.
constexpr size_t sizeBefore = 60;
constexpr size_t tabWidth = 8;

/// A source line, or the part of it around a place, as a terminal shows it.
class ShownLine {
public:
  /// Shows \p line, in bytes, around the byte \p focus. Nothing is shown of
  /// \p hidden, ranges of its bytes.
  ShownLine(StringRef line, size_t focus,
            llvm::ArrayRef<std::pair<size_t, size_t>> hidden);

  StringRef str() const { return shown; }
  /// The display column, counted from 0, of a byte of the line; one outside of
  /// the window has the column of the nearer end.
  size_t column(size_t byte) const {
    size_t inside = std::max(byte, first) - first;
    return columns[std::min(inside, columns.size() - 1)];
  }

private:
  void append(StringRef part, llvm::ArrayRef<std::pair<size_t, size_t>> hidden);
  void appendCharacter(StringRef part, size_t at);

  std::string shown;
  size_t width = 0;
  /// The first byte of the line that is shown.
  size_t first = 0;
  /// For each byte shown, and the end, its display column.
  std::vector<size_t> columns;
};

} // namespace

/// The start of the code point that the byte \p at belongs to.
static size_t codePointStart(StringRef text, size_t at) {
  size_t start = at;
  while (start > 0 && start < text.size() && at - start < 4 &&
         (text[start] & 0xC0) == 0x80)
    --start;
  return start;
}

ShownLine::ShownLine(StringRef line, size_t focus,
                     llvm::ArrayRef<std::pair<size_t, size_t>> hidden) {
  size_t end = line.size();
  if (line.size() > maxLineSize) {
    first = codePointStart(line, focus > sizeBefore ? focus - sizeBefore : 0);
    end = codePointStart(line, std::min(first + maxLineSize, line.size()));
  }
  if (first > 0) {
    shown = "...";
    width = 3;
  }
  append(line.slice(first, end), hidden);
  columns.push_back(width);
  if (end < line.size())
    shown += "...";
}

void ShownLine::append(StringRef part,
                       llvm::ArrayRef<std::pair<size_t, size_t>> hidden) {
  constexpr StringRef mask = "***";
  while (columns.size() < part.size()) {
    size_t at = columns.size();
    while (!hidden.empty() && hidden.front().second <= first + at)
      hidden = hidden.drop_front();
    if (hidden.empty() || first + at < hidden.front().first) {
      appendCharacter(part, at);
      continue;
    }
    columns.resize(std::min(hidden.front().second - first, part.size()), width);
    shown += mask;
    width += mask.size();
  }
}

void ShownLine::appendCharacter(StringRef part, size_t at) {
  ShownCharacter next = showCharacter(part, at);
  if (part[at] == '\t') {
    next.width = tabWidth - width % tabWidth;
    next.text = std::string(next.width, ' ');
  }
  columns.insert(columns.end(), next.length, width);
  shown += next.text;
  width += next.width;
}

/// `^~~~` below the columns of a range; a place without extent is a `^`.
static std::string marks(const ShownLine &line, size_t begin, size_t end) {
  size_t from = line.column(begin);
  size_t to = std::max(line.column(end), from + 1);
  return std::string(from, ' ') + '^' + std::string(to - from - 1, '~');
}

/// The line that shows fix-its: new text at its place, dashes below text that
/// goes. \p fixes are on the line that starts at \p lineStart.
static std::string fixLine(const ShownLine &line, SourceLoc lineStart,
                           llvm::ArrayRef<const FixIt *> fixes) {
  std::string result;
  for (const FixIt *fix : fixes) {
    size_t from = line.column(fix->range.begin.raw - lineStart.raw);
    size_t to = line.column(fix->range.end.raw - lineStart.raw);
    if (!result.empty())
      result += ' ';
    if (result.size() < from)
      result.append(from - result.size(), ' ');
    result +=
        fix->text.empty() ? std::string(to - from, '-') : printable(fix->text);
  }
  return result;
}

static void printSnippet(SourceRange range, llvm::ArrayRef<const FixIt *> fixes,
                         const DiagnosticList &list,
                         const SourceManager &sources, raw_ostream &os) {
  Position place = sources.position(range.begin);
  SourceLoc lineStart = sources.lineStart(place.file, place.line);
  StringRef text = sources.line(place.file, place.line);
  size_t begin = std::min<size_t>(range.begin.raw - lineStart.raw, text.size());
  size_t end = std::min<size_t>(range.end.raw - lineStart.raw, text.size());
  llvm::SmallVector<std::pair<size_t, size_t>> hidden;
  for (const SourceRange &secret :
       rangesIn(list.hidden, {lineStart, lineStart.advanced(text.size())}))
    hidden.emplace_back(
        std::max(secret.begin, lineStart).raw - lineStart.raw,
        std::min<size_t>(secret.end.raw - lineStart.raw, text.size()));
  ShownLine line(text, begin, hidden);
  os << line.str() << '\n';
  os.changeColor(raw_ostream::GREEN, /*Bold=*/true)
      << marks(line, begin, std::max(begin, end));
  os.resetColor() << '\n';
  if (fixes.empty())
    return;
  os.changeColor(raw_ostream::GREEN) << fixLine(line, lineStart, fixes);
  os.resetColor() << '\n';
}

static raw_ostream::Colors severityColor(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return raw_ostream::RED;
  case Severity::Warning:
  case Severity::Extra:
    return raw_ostream::MAGENTA;
  case Severity::Note:
    return raw_ostream::CYAN;
  }
  llvm_unreachable("all severities are handled");
}

/// `service.yaml:3:5: error: message [name]`, or `toscac: …` without a place.
static void printHeader(SourceRange range, Severity severity, StringRef message,
                        StringRef name, StringRef program,
                        const SourceManager &sources, raw_ostream &os) {
  os.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  if (range.isValid()) {
    Position place = sources.position(range.begin);
    os << printable(sources.name(place.file)) << ':' << place.line << ':'
       << place.column << ": ";
  } else {
    os << program << ": ";
  }
  os.changeColor(severityColor(severity), /*Bold=*/true)
      << severityName(severity) << ": ";
  os.resetColor().changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true)
      << printable(message);
  os.resetColor();
  if (!name.empty())
    os << " [" << name << ']';
  os << '\n';
}

static void printNote(SourceRange range, StringRef message,
                      llvm::ArrayRef<const FixIt *> fixes,
                      const DiagnosticList &list, const SourceManager &sources,
                      raw_ostream &os) {
  printHeader(range, Severity::Note, message, "", list.program, sources, os);
  if (range.isValid())
    printSnippet(range, fixes, list, sources, os);
}

/// Prints the notes; what is left out without -v stands before the last one.
static void printNotes(llvm::ArrayRef<Note> notes, const DiagnosticList &list,
                       const SourceManager &sources, raw_ostream &os) {
  size_t numHidden = 0;
  for (const Note &note : notes) {
    bool isHidden = note.isDetail && !list.isVerbose;
    if (!isHidden && numHidden > 0)
      printNote({},
                llvm::formatv(info(diag::NotesLeftOut.id).text.data(),
                              counted(std::exchange(numHidden, 0), "note"))
                    .str(),
                {}, list, sources, os);
    if (isHidden)
      ++numHidden;
    else
      printNote(note.range, note.message, {}, list, sources, os);
  }
}

static void printDiagnostic(const DiagnosticList::Item &item,
                            const DiagnosticList &list,
                            const SourceManager &sources, raw_ostream &os) {
  const Diagnostic &diagnostic = *item.diagnostic;
  printHeader(diagnostic.range, item.severity, diagnostic.message,
              info(diagnostic.id).name, list.program, sources, os);
  // Fixes on the line of the diagnostic are shown there, others on their own.
  std::vector<const FixIt *> here, elsewhere;
  for (const FixIt &fix : diagnostic.fixes) {
    Position at = sources.position(fix.range.begin);
    bool sameLine = false;
    if (diagnostic.range.isValid()) {
      Position place = sources.position(diagnostic.range.begin);
      sameLine = at.file == place.file && at.line == place.line;
    }
    (sameLine ? here : elsewhere).push_back(&fix);
  }
  llvm::sort(here, [](const FixIt *a, const FixIt *b) {
    return std::tuple(a->range.begin, a) < std::tuple(b->range.begin, b);
  });
  if (diagnostic.range.isValid())
    printSnippet(diagnostic.range, here, list, sources, os);
  printNotes(diagnostic.notes, list, sources, os);
  for (const FixIt *fix : elsewhere)
    printNote(fix->range, info(diag::FixItHere.id).text, fix, list, sources,
              os);
}

void toscac::printText(const DiagnosticList &list, const SourceManager &sources,
                       raw_ostream &os) {
  for (const DiagnosticList::Item &item : list.items)
    printDiagnostic(item, list, sources, os);
  for (const Remark &remark : list.remarks)
    os << list.program << ": " << printable(remark.message) << '\n';
}
