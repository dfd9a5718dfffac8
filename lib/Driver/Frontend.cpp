//===- Frontend.cpp - From a source buffer to a program -------------------===//

#include "Frontend.h"

#include "BundledProfiles.h"
#include "toscac/Parse/Archive.h"
#include "toscac/Parse/Csar.h"
#include "toscac/Parse/TOSCA/PrintAST.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;

static tosca::LoadOptions loadOptions(const DriverOptions &options) {
  return {options.searchPaths, bundledProfiles(),  options.profiles,
          options.profileMaps, options.remoteMaps, options.jobs};
}

/// The files of an archive that analysis starts from.
static std::vector<tosca::EntryFile> openArchive(const std::string &name,
                                                 llvm::StringRef bytes,
                                                 SourceManager &sources,
                                                 DiagnosticEngine &diags) {
  std::optional<Csar> csar = openCsar(name, bytes, sources, diags);
  if (!csar)
    return {};
  auto volume =
      std::make_shared<tosca::Volume>(tosca::Volume{csar->files, "/", name});
  std::vector<std::string> paths = {csar->entry};
  llvm::append_range(paths, csar->others);
  std::vector<tosca::EntryFile> entries;
  for (const std::string &path : paths) {
    auto buffer = csar->files->getBufferForFile(path);
    FileId file = sources.add(name + "/" + path, std::move(*buffer));
    entries.push_back({volume, "/" + path, file});
  }
  return entries;
}

static std::vector<tosca::EntryFile>
openInput(const std::string &name, std::unique_ptr<llvm::MemoryBuffer> input,
          SourceManager &sources, DiagnosticEngine &diags) {
  if (looksLikeArchive(input->getBuffer()))
    return openArchive(name, input->getBuffer(), sources, diags);
  auto volume = std::make_shared<tosca::Volume>(
      tosca::Volume{llvm::vfs::getRealFileSystem(),
                    llvm::sys::path::parent_path(name).str(), ""});
  FileId file = sources.add(name, std::move(input));
  return {{std::move(volume), name, file}};
}

Program toscac::loadProgram(const std::string &name,
                            std::unique_ptr<llvm::MemoryBuffer> input,
                            const DriverOptions &options,
                            SourceManager &sources, DiagnosticEngine &diags) {
  Program program;
  program.names = std::make_unique<NameTable>();
  program.package =
      tosca::load(openInput(name, std::move(input), sources, diags),
                  loadOptions(options), sources, *program.names, diags);
  // The AST is what stands before analysis: --emit=ast shows it as it is.
  if (options.checkOnly || options.emit != EmitKind::AST)
    program.checked = analyze(program.package, *program.names, diags);
  return program;
}

void toscac::printProgram(const Program &program, const SourceManager &sources,
                          llvm::raw_ostream &os) {
  tosca::printAST(program.package, sources, os);
}
