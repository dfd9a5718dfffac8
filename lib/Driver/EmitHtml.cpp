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

static void addGraph(const Compilation &compilation,
                     std::vector<page::Part> &parts) {
  parts.push_back({"graph", ""});
  llvm::raw_string_ostream text(parts.back().json);
  writeGraph(compilation, text);
}

static void addStories(llvm::ArrayRef<plan::Story> stories,
                       std::vector<page::Part> &parts) {
  if (stories.empty())
    return;
  parts.push_back({"proof", ""});
  llvm::raw_string_ostream text(parts.back().json);
  writeStories(stories, text);
}

static int writeParts(page::Page page, llvm::ArrayRef<page::Part> parts,
                      Output &output, DiagnosticEngine &diags) {
  page.parts = parts;
  return output.write([&](llvm::raw_ostream &os) { writePage(page, os); },
                      diags);
}

int toscac::showPage(planfile::Plan &plan, const Compilation *compilation,
                     const DriverOptions &options,
                     const planfile::ViewOptions &view,
                     llvm::ArrayRef<plan::Story> stories, Output &output,
                     DiagnosticEngine &diags) {
  std::vector<page::Part> parts(1, {"plan", ""});
  llvm::raw_string_ostream planText(parts.back().json);
  if (llvm::Error error = writePlanFacts(plan, view, planText)) {
    diags.report({}, diag::CannotReadFile, options.inputs.front(),
                 llvm::toString(std::move(error)));
    return ExitFile;
  }
  if (compilation)
    addGraph(*compilation, parts);
  addStories(stories, parts);
  page::Page page;
  page.title = plan.header().service + ": " + plan.header().workflow;
  llvm::raw_string_ostream summary(page.summary);
  viewPlan(plan, view, summary);
  return writeParts(std::move(page), parts, output, diags);
}

/// Of a plan that was refused, the page has why, and not what was only warned
/// of.
static int showRefusal(const Compilation &compilation,
                       std::vector<plan::Story> stories, Output &output,
                       DiagnosticEngine &diags) {
  llvm::erase_if(stories,
                 [](const plan::Story &story) { return !story.isRefused; });
  std::vector<page::Part> parts;
  addGraph(compilation, parts);
  addStories(stories, parts);
  page::Page page;
  const ir::Graph &graph = *compilation.graph;
  page.title = "refused: " + graph.goal.workflow.str().str();
  for (const plan::Story &story : stories) {
    page.summary += story.claim + "\n";
    for (const plan::Story::Moment &moment : story.moments)
      page.summary += "  " + moment.text + "\n";
  }
  return writeParts(std::move(page), parts, output, diags);
}

int toscac::emitHtml(Compilation &compilation, Output &output) {
  std::vector<plan::Story> stories;
  auto show = [&](plan::FinishedPlan &plan) {
    planfile::ViewOptions view =
        viewOptions(plan, compilation.options.output, compilation.options);
    return showPage(plan, &compilation, compilation.options, view, stories,
                    output, compilation.diags);
  };
  int code = withFinishedPlan(compilation, output, show, &stories);
  if (code == ExitUnplannable &&
      llvm::any_of(stories, [](const plan::Story &s) { return s.isRefused; }))
    showRefusal(compilation, std::move(stories), output, compilation.diags);
  return code;
}
