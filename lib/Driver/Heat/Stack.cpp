//===- Stack.cpp - Heat templates on their way ----------------------------===//

#include "Stack.h"

#include "Emit.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Sema/Heat/Analyze.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;

/// What stacks are like: a resource of one of Heat's own types, and one that
/// consists of others. The rest is a matter of the profile.
static constexpr llvm::StringLiteral patternText = R"(
tosca_definitions_version: tosca_2_0
imports:
- profile: heat
service_template:
  node_templates:
    plugin:
      type: Plugin
      properties: { resource_type: '' }
      requirements:
      - dependency: stack
    stack:
      type: Stack
      properties: { resource_type: '' }
      requirements:
      - dependency: plugin
)";

void toscac::loadStack(Compilation &compilation, InputFile input) {
  FileId file = compilation.sources.add(input.name, std::move(input.text));
  if (!file.isValid()) {
    compilation.diags.report({}, diag::TooMuchSource, input.name);
    return;
  }
  if (!compilation.stack) {
    compilation.stack =
        std::make_shared<StackInput>(compilation.sources, compilation.diags);
    for (const std::string &path : compilation.options.heat.environments)
      if (!compilation.stack->library.readEnvironment(
              path, compilation.stack->environment))
        compilation.fileCode = ExitFile;
    for (const std::string &path : compilation.options.inputValues.files)
      if (!compilation.stack->library.readParameters(
              path, compilation.stack->environment))
        compilation.fileCode = ExitFile;
  }
  compilation.stack->files.push_back(
      compilation.stack->library.add(heat::joinPath("", input.name), file));
}

static std::unique_ptr<heat::Stack>
composeFile(Compilation &compilation, heat::File &file, ValueArena &arena) {
  heat::ComposeInput input{file, compilation.stack->environment,
                           compilation.options.inputValues.values};
  return heat::compose(input, compilation.stack->library, compilation.names,
                       arena, compilation.diags);
}

/// The pattern that stacks follow, by the front end of TOSCA.
static sema::CheckedProgram loadStackPattern(Compilation &compilation) {
  auto volume = std::make_shared<tosca::Volume>(
      tosca::Volume{llvm::vfs::getRealFileSystem(), "", ""});
  FileId file = compilation.sources.add(
      "<heat>", llvm::MemoryBuffer::getMemBuffer(patternText));
  tosca::Package &package = compilation.stack->pattern;
  package = tosca::load({{std::move(volume), "heat", file}},
                        loadOptions(compilation.options), compilation.sources,
                        compilation.names, compilation.diags);
  return analyze(package, compilation.names, compilation.diags);
}

void toscac::checkStack(Compilation &compilation) {
  for (heat::File *file : compilation.stack->files) {
    if (!file || compilation.diags.hasErrors())
      continue;
    sema::CheckedProgram pattern = loadStackPattern(compilation);
    if (!pattern.hasEntry)
      return;
    heat::ComposeInput input{*file, compilation.stack->environment,
                             compilation.options.inputValues.values};
    compilation.checked = heat::analyze(
        input, compilation.stack->library, std::move(pattern),
        recordedDeployment(compilation), compilation.names, compilation.diags);
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
