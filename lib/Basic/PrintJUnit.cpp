//===- PrintJUnit.cpp - Diagnostics as results of tests -------------------===//
///
/// \file
/// Servers for CI show failed tests from such files. Each file with diagnostics
/// is a test suite; where there are none, one test has passed.
///
//===----------------------------------------------------------------------===//

#include "DiagnosticFormats.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::StringRef;

using Items = std::vector<const DiagnosticList::Item *>;

/// Escaped for XML, without what XML cannot hold.
static std::string escape(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::printHTMLEscaped(printable(text), os);
  return result;
}

static std::string placeOf(SourceRange range, const SourceManager &sources) {
  if (!range.isValid())
    return "";
  Position place = sources.position(range.begin);
  return (sources.name(place.file) + ":" + llvm::Twine(place.line) + ":" +
          llvm::Twine(place.column))
      .str();
}

static void printCase(const DiagnosticList::Item &item, StringRef file,
                      const SourceManager &sources, llvm::raw_ostream &os) {
  const Diagnostic &diagnostic = *item.diagnostic;
  StringRef id = info(diagnostic.id).name;
  std::string place = placeOf(diagnostic.range, sources);
  os << "    <testcase classname=\"" << escape(file) << "\" name=\"" << id;
  if (!place.empty())
    os << ' ' << escape(place);
  os << "\">\n      <failure type=\"" << severityName(item.severity)
     << "\" message=\"" << escape(diagnostic.message) << "\">" << escape(place);
  for (const Note &note : diagnostic.notes) {
    std::string at = placeOf(note.range, sources);
    os << '\n'
       << escape(at) << (at.empty() ? "" : ": ")
       << "note: " << escape(note.message);
  }
  os << "</failure>\n    </testcase>\n";
}

void toscac::printJUnit(const DiagnosticList &list,
                        const SourceManager &sources, llvm::raw_ostream &os) {
  llvm::MapVector<StringRef, Items> byFile;
  for (const DiagnosticList::Item &item : list.items) {
    SourceRange range = item.diagnostic->range;
    byFile[range.isValid() ? sources.name(sources.fileOf(range.begin))
                           : list.program]
        .push_back(&item);
  }
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\""
     << list.program << "\" tests=\"" << std::max<size_t>(list.items.size(), 1)
     << "\" failures=\"" << list.items.size() << "\">\n";
  if (byFile.empty())
    os << "  <testsuite name=\"" << list.program
       << "\" tests=\"1\" failures=\"0\">\n    <testcase classname=\""
       << list.program << "\" name=\"check\"/>\n  </testsuite>\n";
  for (const auto &[file, items] : byFile) {
    os << "  <testsuite name=\"" << escape(file) << "\" tests=\""
       << items.size() << "\" failures=\"" << items.size() << "\">\n";
    for (const DiagnosticList::Item *item : items)
      printCase(*item, file, sources, os);
    os << "  </testsuite>\n";
  }
  os << "</testsuites>\n";
}
