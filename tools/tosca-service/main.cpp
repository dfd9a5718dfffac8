//===- main.cpp - Show the checked service --------------------------------===//
///
/// \file
/// Prints what Sema makes of a TOSCA file, for tests of the lowering.
///
//===----------------------------------------------------------------------===//

#include "PrintService.h"
#include "toscac/Basic/DiagnosticPrinter.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/WarningOptions.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>

using namespace toscac;

int main(int argc, char **argv) {
  CLI::App app("Shows the checked service of a TOSCA file, for tests.");
  std::string name;
  tosca::LoadOptions options;
  app.add_option("file", name)->required();
  app.add_option("-I", options.searchPaths, "Folder of profiles");
  CLI11_PARSE(app, argc, argv);

  SourceManager sources;
  DiagnosticEngine diags;
  NameTable names;
  sema::CheckedProgram program;
  tosca::Package package;
  if (auto text = readFile(name, diags)) {
    auto volume = std::make_shared<tosca::Volume>(
        tosca::Volume{llvm::vfs::getRealFileSystem(),
                      llvm::sys::path::parent_path(name).str(), ""});
    FileId file = sources.add(name, std::move(text));
    package =
        tosca::load({{volume, name, file}}, options, sources, names, diags);
    program = analyze(package, names, diags);
  }
  DiagnosticList list = listDiagnostics(diags, WarningOptions(), sources);
  printDiagnostics(list, sources, DiagnosticsFormat::Text, /*color=*/false,
                   llvm::errs());
  printServices(program, llvm::outs());
  return diags.hasErrors() ? 1 : 0;
}
