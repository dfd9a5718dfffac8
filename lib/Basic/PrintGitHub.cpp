//===- PrintGitHub.cpp - Diagnostics as workflow commands -----------------===//
///
/// \file
/// GitHub turns such lines of a job's output into annotations of the changed
/// files. An annotation has one place, so notes become further lines of its
/// text.
///
//===----------------------------------------------------------------------===//

#include "DiagnosticFormats.h"

#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::StringRef;

/// Escapes the text after the second `::`, which is shown in a log, too.
static std::string escapeText(StringRef text) {
  std::string result;
  while (!text.empty()) {
    ShownCharacter shown = showCharacter(text, 0);
    if (text.front() == '%')
      result += "%25";
    else if (text.front() == '\n')
      result += "%0A";
    else
      result += shown.text;
    text = text.drop_front(shown.length);
  }
  return result;
}

/// Escapes the value of a property, which also ends at `,` and `:`.
static std::string escapeProperty(StringRef text) {
  std::string result;
  for (char c : escapeText(text)) {
    if (c == ':')
      result += "%3A";
    else if (c == ',')
      result += "%2C";
    else
      result += c;
  }
  return result;
}

static std::string noteLine(const Note &note, const SourceManager &sources) {
  std::string line = "\n";
  llvm::raw_string_ostream os(line);
  if (note.range.isValid()) {
    Position place = sources.position(note.range.begin);
    os << sources.name(place.file) << ':' << place.line << ':' << place.column
       << ": ";
  }
  os << "note: " << note.message;
  return line;
}

static void printCommand(const DiagnosticList::Item &item,
                         const SourceManager &sources, llvm::raw_ostream &os) {
  const Diagnostic &diagnostic = *item.diagnostic;
  os << "::" << severityName(item.severity) << ' ';
  if (diagnostic.range.isValid()) {
    auto [begin, end] = positions(sources, diagnostic.range);
    os << "file=" << escapeProperty(sources.name(begin.file))
       << ",line=" << begin.line << ",col=" << begin.column
       << ",endLine=" << end.line << ",endColumn=" << end.column << ',';
  }
  std::string text = diagnostic.message;
  for (const Note &note : diagnostic.notes)
    text += noteLine(note, sources);
  os << "title=" << info(diagnostic.id).name << "::" << escapeText(text)
     << '\n';
}

void toscac::printGitHub(const DiagnosticList &list,
                         const SourceManager &sources, llvm::raw_ostream &os) {
  for (const DiagnosticList::Item &item : list.items)
    printCommand(item, sources, os);
  for (const Remark &remark : list.remarks)
    os << "::notice title=" << info(remark.id).name
       << "::" << escapeText(remark.message) << '\n';
}
