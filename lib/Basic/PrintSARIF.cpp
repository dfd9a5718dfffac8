//===- PrintSARIF.cpp - Diagnostics as SARIF 2.1.0 ------------------------===//
///
/// \file
/// One run with one result for each diagnostic. Rules are those rows of the
/// table that occur, in its order; section numbers below are those of the
/// standard (Static Analysis Results Interchange Format 2.1.0, OASIS).
///
//===----------------------------------------------------------------------===//

#include "DiagnosticFormats.h"
#include "toscac/Basic/Version.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace toscac;
using llvm::StringRef;
using llvm::json::fixUTF8;

/// Most rules are those of the standard, and each says its section.
static constexpr StringRef informationPage =
    "https://docs.oasis-open.org/tosca/TOSCA/v2.0/TOSCA-v2.0.html";

namespace {

class SARIFWriter {
public:
  SARIFWriter(const SourceManager &sources, llvm::raw_ostream &os)
      : sources(sources), json(os, /*IndentSize=*/2) {}

  void writeLog(const DiagnosticList &list);

private:
  void writeRun(const DiagnosticList &list);
  void writeTool(const DiagnosticList &list);
  void writeRule(const DiagInfo &row);
  void writeResult(const DiagnosticList::Item &item, StringRef fingerprint);
  void writeRelated(const Note &note, size_t id);
  void writeFix(llvm::ArrayRef<FixIt> fixes);
  void writeRemark(const Remark &remark);
  void writeMessage(StringRef key, StringRef text);
  void writeArtifact(FileId file);
  void writeRegion(StringRef key, SourceRange range);
  void writePhysicalLocation(SourceRange range);

  const SourceManager &sources;
  llvm::json::OStream json;
  /// The rows that occur, each with its index in the array of rules.
  std::map<size_t, int64_t> rules;
};

} // namespace

/// A file's name as a URI reference: relative as given, or `file://` for an
/// absolute path.
static std::string uriOf(StringRef name) {
  std::string uri = name.starts_with("/") ? "file://" : "";
  for (char c : name) {
    if (llvm::isAlnum(c) || StringRef("-._~/").contains(c))
      uri += c;
    else
      uri += "%" + llvm::utohexstr(static_cast<uint8_t>(c),
                                   /*LowerCase=*/false, /*Width=*/2);
  }
  return uri;
}

void SARIFWriter::writeMessage(StringRef key, StringRef text) {
  json.attributeObject(key, [&] { json.attribute("text", fixUTF8(text)); });
}

void SARIFWriter::writeArtifact(FileId file) {
  json.attributeObject("artifactLocation", [&] {
    json.attribute("uri", uriOf(sources.name(file)));
  });
}

void SARIFWriter::writeRegion(StringRef key, SourceRange range) {
  auto [begin, end] = positions(sources, range);
  json.attributeObject(key, [&, begin = begin, end = end] {
    json.attribute("startLine", begin.line);
    json.attribute("startColumn", begin.column);
    json.attribute("endLine", end.line);
    json.attribute("endColumn", end.column);
  });
}

void SARIFWriter::writePhysicalLocation(SourceRange range) {
  json.attributeObject("physicalLocation", [&] {
    writeArtifact(sources.fileOf(range.begin));
    writeRegion("region", range);
  });
}

void SARIFWriter::writeRule(const DiagInfo &row) {
  json.object([&] {
    json.attribute("id", row.name);
    writeMessage("shortDescription", row.help);
    writeMessage("help", row.help);
    json.attributeObject("defaultConfiguration", [&] {
      json.attribute("enabled", row.severity != Severity::Extra);
      json.attribute("level", severityName(row.severity));
    });
    json.attributeObject("properties", [&] {
      json.attribute("group", row.group);
      if (row.section != "-")
        json.attribute("section", row.section);
    });
  });
}

void SARIFWriter::writeTool(const DiagnosticList &list) {
  for (const DiagnosticList::Item &item : list.items)
    rules[indexOf(item.diagnostic->id)] = 0;
  for (auto [place, rule] : llvm::enumerate(rules))
    rule.second = static_cast<int64_t>(place);
  json.attributeObject("tool", [&] {
    json.attributeObject("driver", [&] {
      json.attribute("name", "toscac");
      json.attribute("version", version());
      json.attribute("informationUri", informationPage);
      json.attributeArray("rules", [&] {
        for (const auto &[row, place] : rules)
          writeRule(allDiagnostics()[row]);
      });
    });
  });
}

void SARIFWriter::writeRelated(const Note &note, size_t id) {
  json.object([&] {
    json.attribute("id", static_cast<int64_t>(id));
    if (note.range.isValid())
      writePhysicalLocation(note.range);
    writeMessage("message", note.message);
  });
}

/// All fix-its of a diagnostic are one fix: they are meant together (§3.55).
void SARIFWriter::writeFix(llvm::ArrayRef<FixIt> fixes) {
  llvm::MapVector<uint32_t, std::vector<const FixIt *>> byFile;
  for (const FixIt &fix : fixes)
    byFile[sources.fileOf(fix.range.begin).index].push_back(&fix);
  auto writeReplacement = [&](const FixIt &fix) {
    json.object([&] {
      writeRegion("deletedRegion", fix.range);
      writeMessage("insertedContent", fix.text);
    });
  };
  json.object([&] {
    json.attributeArray("artifactChanges", [&] {
      for (const auto &[file, changes] : byFile)
        json.object([&, file = file, &changes = changes] {
          writeArtifact({file});
          json.attributeArray("replacements", [&] {
            for (const FixIt *fix : changes)
              writeReplacement(*fix);
          });
        });
    });
  });
}

void SARIFWriter::writeResult(const DiagnosticList::Item &item,
                              StringRef fingerprint) {
  const Diagnostic &diagnostic = *item.diagnostic;
  json.object([&] {
    json.attribute("ruleId", info(diagnostic.id).name);
    json.attribute("ruleIndex", rules[indexOf(diagnostic.id)]);
    json.attribute("level", severityName(item.severity));
    writeMessage("message", diagnostic.message);
    json.attributeArray("locations", [&] {
      if (diagnostic.range.isValid())
        json.object([&] { writePhysicalLocation(diagnostic.range); });
    });
    json.attributeObject("partialFingerprints",
                         [&] { json.attribute("toscac/v1", fingerprint); });
    if (!diagnostic.notes.empty())
      json.attributeArray("relatedLocations", [&] {
        for (auto [id, note] : llvm::enumerate(diagnostic.notes))
          writeRelated(note, id);
      });
    if (!diagnostic.fixes.empty())
      json.attributeArray("fixes", [&] { writeFix(diagnostic.fixes); });
  });
}

void SARIFWriter::writeRemark(const Remark &remark) {
  json.object([&] {
    json.attribute("level", "note");
    writeMessage("message", remark.message);
  });
}

void SARIFWriter::writeRun(const DiagnosticList &list) {
  json.object([&] {
    writeTool(list);
    json.attribute("columnKind", "unicodeCodePoints");
    json.attributeArray("invocations", [&] {
      json.object([&] {
        // False would mean that the tool itself broke down (§3.20.14).
        json.attribute("executionSuccessful", true);
        json.attributeArray("toolExecutionNotifications", [&] {
          for (const Remark &remark : list.remarks)
            writeRemark(remark);
        });
      });
    });
    json.attributeArray("results", [&] {
      for (auto [item, fingerprint] :
           llvm::zip_equal(list.items, fingerprints(list, sources)))
        writeResult(item, fingerprint);
    });
  });
}

void SARIFWriter::writeLog(const DiagnosticList &list) {
  json.object([&] {
    json.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json.attribute("version", "2.1.0");
    json.attributeArray("runs", [&] { writeRun(list); });
  });
  json.flush();
}

void toscac::printSARIF(const DiagnosticList &list,
                        const SourceManager &sources, llvm::raw_ostream &os) {
  SARIFWriter(sources, os).writeLog(list);
  os << '\n';
}
