//===- fuzz-tosca - Bytes to AST ------------------------------------------===//
///
/// \file
/// The input is the only file there is, called `input.yaml`, so that it can
/// import itself and nothing else.
///
//===----------------------------------------------------------------------===//

#include "Walk.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/Name.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "toscac/Parse/TOSCA/PrintAST.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->setCurrentWorkingDirectory("/");
  files->addFile("/input.yaml", /*ModificationTime=*/0,
                 llvm::MemoryBuffer::getMemBufferCopy(bytes));
  auto volume = std::make_shared<tosca::Volume>();
  volume->files = files;
  volume->root = "/";

  SourceManager sources;
  NameTable names;
  DiagnosticEngine diags;
  FileId file =
      sources.add("/input.yaml", llvm::MemoryBuffer::getMemBufferCopy(bytes));
  tosca::LoadOptions options;
  options.jobs = 1;
  tosca::EntryFile entry{volume, "/input.yaml", file};
  tosca::Package package = tosca::load(entry, options, sources, names, diags);
  tosca::printAST(package, sources, tosca::ASTLocations::Show, llvm::nulls());
  analyze(package, names, diags);
  checkPlaces(sources, diags.all());
  return 0;
}
