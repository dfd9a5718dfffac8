//===- Stack.cpp - Heat templates on their way ----------------------------===//

#include "Stack.h"

#include "Emit.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Basic/Files.h"
#include "toscac/Sema/Heat/Analyze.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
namespace path = llvm::sys::path;

/// The file with the pattern of stacks, which lies beside the profile `heat`.
static std::string patternPath(const tosca::LoadOptions &options) {
  for (llvm::StringRef profile : options.profiles)
    if (profile.consume_front("heat="))
      return heat::joinPath(path::parent_path(profile), "stack.yaml");
  for (llvm::ArrayRef<std::string> folders :
       {llvm::ArrayRef(options.searchPaths),
        llvm::ArrayRef(options.bundledProfiles)})
    for (const std::string &folder : folders)
      if (std::string file = heat::joinPath(folder, "heat/stack.yaml");
          llvm::sys::fs::exists(file))
        return file;
  return "heat/stack.yaml";
}

void toscac::loadStack(Compilation &compilation, InputFile input) {
  FileId file = compilation.sources.add(input.name, std::move(input.text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, input.name);
    return;
  }
  if (!compilation.stack) {
    compilation.stack = std::make_shared<StackInput>(compilation.sources,
                                                     compilation.diags);
    for (const std::string &path : compilation.options.heat.environments)
      if (!compilation.stack->library.readEnvironment(
              path, compilation.stack->environment))
        compilation.fileCode = ExitFile;
  }
  compilation.stack->files.push_back(compilation.stack->library.add(
      heat::joinPath("", input.name), file));
}

static std::unique_ptr<heat::Stack> composeFile(Compilation &compilation,
                                                heat::File &file,
                                                ValueArena &arena) {
  heat::ComposeInput input{file, compilation.stack->environment,
                           compilation.options.inputValues.values};
  return heat::compose(input, compilation.stack->library, compilation.names,
                       arena, compilation.diags);
}

/// The pattern that stacks follow, by the front end of TOSCA.
static sema::CheckedProgram loadPattern(Compilation &compilation) {
  DiagnosticEngine &diags = compilation.diags;
  tosca::LoadOptions options = loadOptions(compilation.options);
  std::string name = patternPath(options);
  auto text = readFile(name, diags);
  if (!text)
    return {};
  auto volume = std::make_shared<tosca::Volume>(
      tosca::Volume{llvm::vfs::getRealFileSystem(),
                    path::parent_path(name).str(), ""});
  FileId file = compilation.sources.add(name, std::move(text));
  tosca::Package &package = compilation.stack->pattern;
  package =
      tosca::load({{std::move(volume), name, file}}, options,
                  compilation.sources, compilation.names, diags);
  return analyze(package, compilation.names, diags);
}

void toscac::checkStack(Compilation &compilation) {
  for (heat::File *file : compilation.stack->files) {
    if (!file || compilation.diags.hasErrors())
      continue;
    sema::CheckedProgram pattern = loadPattern(compilation);
    if (!pattern.hasEntry)
      return;
    heat::ComposeInput input{*file, compilation.stack->environment,
                             compilation.options.inputValues.values};
    compilation.checked =
        heat::analyze(input, compilation.stack->library, std::move(pattern),
                      compilation.names, compilation.diags);
  }
}

int toscac::emitComposition(Compilation &compilation, Output &output) {
  DiagnosticEngine &diags = compilation.diags;
  if (!compilation.stack) {
    diags.report({}, diag::NotAStack,
                 shownInputName(compilation.options.inputs.front()));
    return ExitInvalid;
  }
  ValueArena arena;
  auto stack =
      composeFile(compilation, *compilation.stack->files.front(), arena);
  if (!stack || diags.hasErrors())
    return ExitInvalid;
  auto print = [&](llvm::raw_ostream &os) {
    heat::printComposition(*stack, os);
  };
  return output.write(print, diags);
}
