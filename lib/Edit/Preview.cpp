//===- Preview.cpp - What would run, of a file in the editor --------------===//

#include "toscac/Edit/Actions.h"

#include "Places.h"
#include "toscac/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
using tosca::Key;

std::vector<Lens> edit::findLenses(Workspace &workspace, Document &document) {
  const Outline &outline = workspace.outline(document);
  const tosca::Field *service = outline.root.find(Key::ServiceTemplate);
  if (!service || !service->keyNode)
    return {};
  TextRange range = outline.range(service->keyNode->range());
  return {{range, "", "toscac.showPlan"},
          {range, "Topology", "toscac.showTopology"},
          {range, "Machines", "toscac.showMachine"}};
}

namespace {

/// What a run of the compiler gave.
struct Made {
  std::string text;
  /// Errors, one a line; empty if there are none.
  std::string problem;
};

} // namespace

static Made make(Workspace &workspace, const Document &document,
                 EmitKind kind) {
  DriverOptions options = workspace.options();
  options.inputs = {document.path};
  auto files = workspace.overlay();
  options.files = files.get();
  options.emit = kind;
  options.isEmitGiven = true;
  Made made;
  options.host.result = &made.text;
  options.host.diagnostics = [&](const DiagnosticList &list,
                                 const SourceManager &sources) {
    Places places(sources);
    for (const DiagnosticList::Item &item : list.items) {
      if (item.severity != Severity::Error)
        continue;
      const Diagnostic &error = *item.diagnostic;
      if (error.range.isValid())
        made.problem +=
            "line " + std::to_string(places.range(error.range).start.line + 1) +
            ": ";
      made.problem += error.message + "\n";
    }
  };
  runDriver(options, llvm::outs(), llvm::errs());
  return made;
}

std::string edit::summarizePlan(Workspace &workspace, Document &document) {
  // Nobody waits for the plan of so many instances at every pause in typing.
  constexpr size_t maxInstances = 10000;
  const ir::Graph *graph = workspace.checked(document)->graph();
  size_t instances = 0;
  if (graph)
    for (const ir::NodeClass &nodeClass : graph->nodeClasses)
      instances += nodeClass.nodes.count;
  if (!graph || instances > maxInstances)
    return "Plan";
  Made view = make(workspace, document, EmitKind::Diff);
  StringRef last = StringRef(view.text).rtrim().rsplit('\n').second;
  return last.starts_with("Plan: ") ? last.str() : "Plan";
}

Preview edit::showPreview(Workspace &workspace, Document &document,
                          StringRef command) {
  Preview preview;
  StringRef view = command;
  bool isKnown = view.consume_front("toscac.show");
  preview.view = view == "Plan"       ? "plan"
                 : view == "Topology" ? "topology"
                 : view == "Machine"  ? "machines"
                                      : "";
  if (!isKnown || preview.view.empty()) {
    preview.problem = "there is no command '" + command.str() + "'";
    return preview;
  }
  // A file of types has machines, but nothing that could be planned.
  bool hasService =
      workspace.outline(document).root.find(Key::ServiceTemplate) ||
      !workspace.outline(document).isTosca();
  bool isPage = hasService || preview.view != "machines";
  Made made =
      make(workspace, document, isPage ? EmitKind::Html : EmitKind::Machines);
  preview.format = isPage ? "html" : "text";
  preview.text = std::move(made.text);
  preview.problem = std::move(made.problem);
  if (preview.text.empty() && preview.problem.empty())
    preview.problem = "there is no service in this file";
  return preview;
}
