//===- PrintGitLab.cpp - Diagnostics for merge requests -------------------===//
///
/// \file
/// GitLab shows such a report beside the changed lines, and tells by the
/// fingerprints what is new.
///
//===----------------------------------------------------------------------===//

#include "DiagnosticFormats.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace toscac;
using llvm::StringRef;
using llvm::json::fixUTF8;

std::vector<std::string> toscac::fingerprints(const DiagnosticList &list,
                                              const SourceManager &sources) {
  std::map<std::string, size_t> seen;
  std::vector<std::string> result;
  for (const DiagnosticList::Item &item : list.items) {
    const Diagnostic &diagnostic = *item.diagnostic;
    std::string text = info(diagnostic.id).name + '\n' + diagnostic.message;
    if (diagnostic.range.isValid())
      text += '\n' + sources.name(sources.fileOf(diagnostic.range.begin)).str();
    text += '\n' + std::to_string(seen[text]++);
    auto digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
    result.push_back(llvm::toHex(digest, /*LowerCase=*/true).substr(0, 32));
  }
  return result;
}

static void writeIssue(llvm::json::OStream &json,
                       const DiagnosticList::Item &item, StringRef fingerprint,
                       const SourceManager &sources) {
  const Diagnostic &diagnostic = *item.diagnostic;
  json.object([&] {
    json.attribute("description", fixUTF8(diagnostic.message));
    json.attribute("check_name", info(diagnostic.id).name);
    json.attribute("fingerprint", fingerprint);
    json.attribute("severity",
                   item.severity == Severity::Error ? "major" : "minor");
    // The report has no place for what has no place.
    bool isPlaced = diagnostic.range.isValid();
    Position place =
        isPlaced ? sources.position(diagnostic.range.begin) : Position();
    json.attributeObject("location", [&] {
      json.attribute("path", isPlaced ? fixUTF8(sources.name(place.file)) : "");
      json.attributeObject(
          "lines", [&] { json.attribute("begin", isPlaced ? place.line : 1); });
    });
  });
}

void toscac::printGitLab(const DiagnosticList &list,
                         const SourceManager &sources, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  std::vector<std::string> prints = fingerprints(list, sources);
  json.array([&] {
    for (auto [item, fingerprint] : llvm::zip_equal(list.items, prints))
      writeIssue(json, item, fingerprint, sources);
  });
  json.flush();
  os << '\n';
}
