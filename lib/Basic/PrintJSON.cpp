//===- PrintJSON.cpp - Diagnostics for programs ---------------------------===//
///
/// \file
/// One object a line, always with the same keys; what has no place has null
/// for file, line and column. Columns count code points from 1, an end is one
/// past the last.
///
//===----------------------------------------------------------------------===//

#include "DiagnosticFormats.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::json::fixUTF8;
using llvm::json::OStream;

static void writePlace(OStream &json, SourceRange range,
                       const SourceManager &sources) {
  if (!range.isValid()) {
    for (const char *key : {"file", "line", "column", "end_line", "end_column"})
      json.attribute(key, nullptr);
    return;
  }
  auto [begin, end] = positions(sources, range);
  json.attribute("file", fixUTF8(sources.name(begin.file)));
  json.attribute("line", begin.line);
  json.attribute("column", begin.column);
  json.attribute("end_line", end.line);
  json.attribute("end_column", end.column);
}

static void writeNote(OStream &json, const Note &note,
                      const SourceManager &sources) {
  json.object([&] {
    json.attribute("message", fixUTF8(note.message));
    writePlace(json, note.range, sources);
  });
}

static void writeFix(OStream &json, const FixIt &fix,
                     const SourceManager &sources) {
  json.object([&] {
    writePlace(json, fix.range, sources);
    json.attribute("text", fixUTF8(fix.text));
    json.attribute("safe", fix.isSafe);
  });
}

static void writeLine(const Diagnostic &diagnostic, Severity severity,
                      const SourceManager &sources, llvm::raw_ostream &os) {
  OStream json(os);
  json.object([&] {
    json.attribute("id", info(diagnostic.id).name);
    json.attribute("severity", severityName(severity));
    json.attribute("message", fixUTF8(diagnostic.message));
    writePlace(json, diagnostic.range, sources);
    json.attributeArray("notes", [&] {
      for (const Note &note : diagnostic.notes)
        writeNote(json, note, sources);
    });
    json.attributeArray("fixes", [&] {
      for (const FixIt &fix : diagnostic.fixes)
        writeFix(json, fix, sources);
    });
  });
  json.flush();
  os << '\n';
}

void toscac::printJSON(const DiagnosticList &list, const SourceManager &sources,
                       llvm::raw_ostream &os) {
  for (const auto &[diagnostic, severity] : list.items)
    writeLine(*diagnostic, severity, sources, os);
  for (const Remark &remark : list.remarks)
    writeLine({remark.id, Severity::Note, {}, remark.message, {}, {}},
              Severity::Note, sources, os);
}
