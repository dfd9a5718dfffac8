//===- Frontend.cpp - From a source buffer to a program -------------------===//

#include "Frontend.h"

#include "toscac/Parse/TOSCA/PrintAST.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;

static tosca::LoadOptions loadOptions(const DriverOptions &options) {
  return {options.searchPaths, options.profiles, options.profileMaps,
          options.remoteMaps, options.jobs};
}

Program toscac::loadProgram(FileId file, const DriverOptions &options,
                            SourceManager &sources, DiagnosticEngine &diags) {
  auto volume = std::make_shared<tosca::Volume>(tosca::Volume{
      llvm::vfs::getRealFileSystem(),
      llvm::sys::path::parent_path(options.input).str(), ""});
  Program program;
  program.names = std::make_unique<NameTable>();
  program.package =
      tosca::load({{std::move(volume), options.input, file}},
                  loadOptions(options), sources, *program.names, diags);
  analyze(program.package, *program.names, diags);
  return program;
}

void toscac::printProgram(const Program &program, const SourceManager &sources,
                          llvm::raw_ostream &os) {
  tosca::printAST(program.package, sources, os);
}
