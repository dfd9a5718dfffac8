//===- ListChoices.cpp - What is left to decide in a stack ----------------===//

#include "DeclaredTags.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Basic/Files.h"
#include "toscac/Driver/Capabilities.h"
#include "toscac/Driver/Driver.h"
#include "toscac/Sema/Heat/Introspect.h"

using namespace toscac;

namespace {

/// A stack composed for its types.
struct Question {
  explicit Question(const StackOptions &options);

  heat::ComposeInput input() { return {*file, environment, {}}; }

  SourceManager sources;
  DiagnosticEngine diags;
  NameTable names;
  ValueArena arena;
  heat::Library library{sources, diags};
  heat::Environment environment;
  heat::File *file = nullptr;
  std::unique_ptr<heat::Stack> stack;
  /// A file that was named cannot be read.
  bool isReadable = true;
};

} // namespace

Question::Question(const StackOptions &options) {
  for (const std::string &path : options.environments)
    isReadable &= library.readEnvironment(path, environment);
  auto text = readFile(options.file, diags);
  isReadable &= text != nullptr;
  if (!isReadable)
    return;
  FileId source = sources.add(options.file, std::move(text));
  file = library.add(heat::joinPath("", options.file), source);
  if (!file)
    return;
  stack = heat::compose(input(), library, names, arena, diags);
}

static int finish(const Question &question, llvm::raw_fd_ostream &err) {
  int code = showProblems(question.diags, question.sources, err);
  return question.isReadable ? code : ExitFile;
}

int toscac::listChoices(const StackOptions &options, llvm::raw_fd_ostream &out,
                        llvm::raw_fd_ostream &err) {
  Question question(options);
  // That choices are open is what was asked for.
  question.diags.removeIf([](const Diagnostic &diagnostic) {
    return diagnostic.id == diag::CapabilityAmbiguous.id ||
           diagnostic.id == diag::CapabilityNoMatch.id;
  });
  int code = finish(question, err);
  if (question.stack && code == ExitGood)
    heat::printChoices(*question.stack, question.input(), question.library,
                       question.names, question.arena, out);
  return code;
}

int toscac::listParameters(const StackOptions &options,
                           llvm::raw_fd_ostream &out,
                           llvm::raw_fd_ostream &err) {
  Question question(options);
  int code = finish(question, err);
  if (question.stack && code == ExitGood)
    heat::printParameters(*question.stack, out);
  return code;
}
