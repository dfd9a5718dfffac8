//===- Driver.cpp - Options and the pipeline ------------------------------===//

#include "toscac/Driver/Driver.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/ReadYAML.h"
#include "toscac/Parse/TOSCA/Parse.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;

int toscac::runDriver(const DriverOptions &options) {
  SourceManager sources;
  DiagnosticEngine diags;
  auto buffer = llvm::MemoryBuffer::getFile(options.input);
  if (!buffer)
    return ExitFile;
  FileId file = sources.add(options.input, std::move(*buffer));
  syntax::Tree tree = readYAML(sources, file, diags);
  NameTable names;
  if (tree.valid)
    tosca::parseFile(tree, names, diags);
  for (const Diagnostic &d : diags.all()) {
    Position p = sources.position(d.range.begin);
    llvm::errs() << sources.name(p.file) << ":" << p.line << ":" << p.column
                 << ": " << d.message << " [" << info(d.id).name << "]\n";
  }
  return diags.hasErrors() ? ExitInvalid : ExitGood;
}
