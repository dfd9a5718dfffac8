//===- ReadGraph.cpp - Graphs that come as text ---------------------------===//

#include "Compilation.h"

#include "Deployment.h"
#include "Paths.h"
#include "toscac/Basic/DiagnosticsIR.h"
#include "toscac/Expand/GraphPasses.h"
#include "toscac/IR/ParseGraph.h"
#include "toscac/IR/PrintGraph.h"
#include "toscac/IR/VerifyGraph.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using llvm::StringRef;

bool toscac::isGraphText(const InputFile &input, const DriverOptions &options) {
  if (options.readsGraphs ||
      llvm::sys::path::extension(input.name).equals_insensitive(".tir"))
    return true;
  // What comes through a pipe has no name.
  StringRef text = input.text->getBuffer();
  return input.name == "<stdin>" &&
         llvm::any_of(
             llvm::ArrayRef<StringRef>({"type ", "artifact ", "input ",
                                        "machine ", "service ", "deployment "}),
             [&](StringRef word) { return text.starts_with(word); });
}

static std::string printed(const ir::Graph &graph) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ir::printGraph(graph, os);
  return text;
}

size_t toscac::firstDifference(StringRef a, StringRef b) {
  size_t line = 1;
  for (size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i)
    line += a[i] == '\n';
  return line;
}

std::unique_ptr<ir::Graph> toscac::printAndRead(Compilation &compilation) {
  std::string text = printed(*compilation.graph);
  FileId file = compilation.sources.add(
      "<printed>", llvm::MemoryBuffer::getMemBufferCopy(text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, "<printed>");
    return nullptr;
  }
  auto again = ir::parseGraph(compilation.sources, file, compilation.names,
                              compilation.diags);
  if (!again || !ir::verify(*again, compilation.names, compilation.diags))
    return nullptr;
  return again;
}

/// Prints the graph, reads that and prints it again.
static void verifyRoundtrip(Compilation &compilation) {
  auto again = printAndRead(compilation);
  if (!again)
    return;
  std::string text = printed(*compilation.graph), second = printed(*again);
  if (second != text)
    llvm::report_fatal_error("the printed graph reads back as another: line " +
                             llvm::Twine(firstDifference(text, second)));
}

void toscac::verifyGraph(Compilation &compilation) {
  ir::Graph &graph = *compilation.graph;
  const TestOptions &test = compilation.options.test;
  if (test.changeGraph)
    test.changeGraph(graph);
  bool isValid = ir::verify(graph, compilation.names, compilation.diags);
  for (const std::string &pass : test.graphPasses) {
    if (!isValid)
      break;
    runGraphPass(pass, graph, compilation.names);
    isValid = ir::verify(graph, compilation.names, compilation.diags);
  }
  if (!isValid)
    compilation.graph.reset();
  else if (test.verifyRoundtrip)
    verifyRoundtrip(compilation);
}

void toscac::readGraph(Compilation &compilation, InputFile input) {
  FileId file = compilation.sources.add(input.name, std::move(input.text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, input.name);
    return;
  }
  compilation.graph = ir::parseGraph(compilation.sources, file,
                                     compilation.names, compilation.diags);
  if (!compilation.graph)
    return;
  ir::Deployment &deployment = compilation.graph->deployment;
  if (!deployment.root.empty()) {
    llvm::SmallString<128> root(deployment.root);
    if (!llvm::sys::path::is_absolute(root)) {
      root = llvm::sys::path::parent_path(input.name);
      llvm::sys::path::append(root, deployment.root);
    }
    deployment.root = compilation.graph->arena.save(absolutePath(root));
  }
  // What is printed again is what was read.
  if (compilation.options.emit != EmitKind::Graph)
    completeDeployment(compilation);
  verifyGraph(compilation);
}
