//===- EmitHtml.cpp - Pages of plans --------------------------------------===//

#include "Emit.h"

#include "PlanInputs.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/IR/GraphFacts.h"
#include "toscac/Page/WritePage.h"
#include "toscac/Plan/PlanFacts.h"

using namespace toscac;

static void writeGraph(const Compilation &compilation, llvm::raw_ostream &os) {
  const ir::Graph &graph = *compilation.graph;
  const SourceManager &sources = compilation.sources;
  FileNamer namer(compilation, graph.deployment.root);
  llvm::DenseMap<uint32_t, std::string> names;
  auto placeOf = [&](SourceRange range) -> std::string {
    if (!range.begin.isValid())
      return "";
    FileId file = sources.fileOf(range.begin);
    auto [name, isNew] = names.try_emplace(file.index);
    if (isNew)
      name->second = namer.nameOf(sources.name(file));
    return name->second + ":" +
           std::to_string(sources.position(range.begin).line);
  };
  ir::writeGraphFacts(graph, placeOf, os);
}

int toscac::showPage(planfile::Plan &plan, const Compilation *compilation,
                     const DriverOptions &options,
                     const planfile::ViewOptions &view, Output &output,
                     DiagnosticEngine &diags) {
  std::vector<page::Part> parts(1, {"plan", ""});
  llvm::raw_string_ostream planText(parts.back().json);
  if (llvm::Error error = writePlanFacts(plan, view, planText)) {
    diags.report({}, diag::CannotReadFile, options.inputs.front(),
                 llvm::toString(std::move(error)));
    return ExitFile;
  }
  if (compilation) {
    parts.push_back({"graph", ""});
    llvm::raw_string_ostream graphText(parts.back().json);
    writeGraph(*compilation, graphText);
  }
  page::Page page;
  page.title = plan.header().service + ": " + plan.header().workflow;
  llvm::raw_string_ostream summary(page.summary);
  viewPlan(plan, view, summary);
  page.parts = parts;
  return output.write([&](llvm::raw_ostream &os) { writePage(page, os); },
                      diags);
}

int toscac::emitHtml(Compilation &compilation, Output &output) {
  return withFinishedPlan(compilation, output, [&](plan::FinishedPlan &plan) {
    planfile::ViewOptions view =
        viewOptions(plan, compilation.options.output, compilation.options);
    return showPage(plan, &compilation, compilation.options, view, output,
                    compilation.diags);
  });
}
