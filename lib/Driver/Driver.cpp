//===- Driver.cpp - Options and the pipeline ------------------------------===//

#include "toscac/Driver/Driver.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/Archive.h"
#include "toscac/Parse/Csar.h"
#include "toscac/Parse/ReadYAML.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace toscac;
using llvm::StringRef;

/// The file to read: the input itself, or a CSAR's entry.
static FileId findEntry(const std::string &name,
                        std::unique_ptr<llvm::MemoryBuffer> buffer,
                        SourceManager &sources, DiagnosticEngine &diags) {
  if (!looksLikeArchive(buffer->getBuffer()))
    return sources.add(name, std::move(buffer));
  std::optional<Csar> csar =
      openCsar(name, buffer->getBuffer(), sources, diags);
  if (!csar)
    return FileId();
  auto entry = csar->files->getBufferForFile(csar->entry);
  return sources.add(
      name + "/" + csar->entry,
      llvm::MemoryBuffer::getMemBufferCopy((*entry)->getBuffer()));
}

int toscac::runDriver(const DriverOptions &options) {
  SourceManager sources;
  DiagnosticEngine diags;
  auto buffer = llvm::MemoryBuffer::getFile(options.input);
  if (!buffer)
    return ExitFile;
  FileId file = findEntry(options.input, std::move(*buffer), sources, diags);
  if (file.isValid())
    readYAML(sources, file, diags);
  std::multimap<SourceLoc, const Diagnostic *> sorted;
  for (const Diagnostic &d : diags.all())
    sorted.emplace(d.range.begin, &d);
  for (const auto &[at, diagnostic] : sorted) {
    const Diagnostic &d = *diagnostic;
    StringRef severity = d.severity == Severity::Error ? "error" : "warning";
    if (!d.range.isValid()) {
      llvm::errs() << "toscac: " << severity << ": " << d.message << " ["
                   << info(d.id).name << "]\n";
      continue;
    }
    Position p = sources.position(d.range.begin);
    llvm::errs() << sources.name(p.file) << ":" << p.line << ":" << p.column
                 << ": " << severity << ": " << d.message << " ["
                 << info(d.id).name << "]\n";
  }
  return diags.hasErrors() ? ExitInvalid : ExitGood;
}
