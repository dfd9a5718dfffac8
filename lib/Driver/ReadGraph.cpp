//===- ReadGraph.cpp - Graphs that come as text ---------------------------===//

#include "Compilation.h"

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
  return options.readsGraphs ||
         llvm::sys::path::extension(input.name).equals_insensitive(".tir");
}

static std::string toText(const ir::Graph &graph) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ir::printGraph(graph, os);
  return text;
}

/// The number of the first line in which the texts differ.
static size_t firstDifference(StringRef a, StringRef b) {
  size_t line = 1;
  for (size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i)
    line += a[i] == '\n';
  return line;
}

/// Prints \p graph, reads that and prints it again.
static void verifyRoundtrip(Compilation &compilation, const ir::Graph &graph) {
  std::string text = toText(graph);
  FileId file = compilation.sources.add(
      "<printed>", llvm::MemoryBuffer::getMemBufferCopy(text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, "<printed>");
    return;
  }
  auto again = ir::parseGraph(compilation.sources, file, compilation.names,
                              compilation.diags);
  if (!again || !ir::verify(*again, compilation.names, compilation.diags))
    return;
  std::string second = toText(*again);
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
    verifyRoundtrip(compilation, graph);
}

void toscac::readGraph(Compilation &compilation, InputFile input) {
  FileId file = compilation.sources.add(input.name, std::move(input.text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, input.name);
    return;
  }
  compilation.graph = ir::parseGraph(compilation.sources, file,
                                     compilation.names, compilation.diags);
  if (compilation.graph)
    verifyGraph(compilation);
}
