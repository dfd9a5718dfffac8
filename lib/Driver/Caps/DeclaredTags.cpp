//===- DeclaredTags.cpp - Templates and what they declare
//--------------------===//

#include "DeclaredTags.h"

#include "toscac/Basic/DiagnosticPrinter.h"
#include "toscac/Basic/WarningOptions.h"
#include "toscac/Driver/Driver.h"
#include "toscac/Parse/Heat/Template.h"
#include "toscac/Parse/TOSCA/ReadTags.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;

std::vector<DeclaredTag> toscac::declaredTags(const syntax::Node &root,
                                              DiagnosticEngine &diags) {
  std::vector<DeclaredTag> tags;
  if (heat::isTemplate(root)) {
    auto capabilities = heat::parseCapabilities(root, diags);
    if (!capabilities)
      return tags;
    for (heat::Capability &capability : *capabilities)
      tags.push_back({capability.key.text, std::move(capability.values),
                      capability.key.text == "resource_type"});
  } else if (tosca::isToscaFile(root)) {
    for (tosca::ServiceTag &tag : tosca::readTags(root))
      tags.push_back({tag.key, std::move(tag.values), tag.key == "node_type"});
  }
  return tags;
}

static DiagnosticList listAll(const DiagnosticEngine &diags,
                              const SourceManager &sources) {
  DiagnosticList list = listDiagnostics(diags, WarningOptions(), sources);
  list.program = "tosca-caps";
  return list;
}

static void printList(const DiagnosticList &list, const SourceManager &sources,
                      llvm::raw_fd_ostream &err) {
  printDiagnostics(list, sources, DiagnosticsFormat::Text, err.has_colors(),
                   err);
}

void toscac::showAsWarnings(const DiagnosticEngine &diags,
                            const SourceManager &sources,
                            llvm::raw_fd_ostream &err) {
  DiagnosticList list = listAll(diags, sources);
  for (DiagnosticList::Item &item : list.items)
    item.severity = Severity::Warning;
  list.numErrors = 0;
  printList(list, sources, err);
}

int toscac::showProblems(const DiagnosticEngine &diags,
                         const SourceManager &sources,
                         llvm::raw_fd_ostream &err) {
  DiagnosticList list = listAll(diags, sources);
  printList(list, sources, err);
  return list.numErrors > 0 ? ExitInvalid : ExitGood;
}
