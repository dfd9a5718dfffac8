//===- EmitEngine.cpp - Folders for other engines -------------------------===//
///
/// \file
/// Whether a plan was just compiled or comes as plan.json: it is written into
/// the folder, and beside it what the engine reads.
///
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Paths.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Basic/Signature.h"
#include "toscac/Emit/Emit.h"
#include "toscac/Plan/WritePlan.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool toscac::isForEngine(EmitKind kind) {
  switch (kind) {
#define ENGINE(KIND, WORD, HELP) case EmitKind::KIND:
#include "toscac/Emit/Engines.def"
    return true;
  default:
    return false;
  }
}

std::string toscac::planFile(const DriverOptions &options) {
  if (!isForEngine(options.emit))
    return options.output;
  llvm::SmallString<128> file(options.output);
  path::append(file, "plan.json");
  return file.str().str();
}

int toscac::signPlan(StringRef text, const DriverOptions &options,
                     DiagnosticEngine &diags) {
  if (options.signingKey.empty())
    return ExitGood;
  llvm::Expected<std::string> signature = sign(text, options.signingKey);
  if (!signature) {
    diags.report({}, diag::CannotSign, llvm::toString(signature.takeError()));
    return ExitFile;
  }
  size_t before = diags.numErrors();
  writeFile(
      signatureFile(planFile(options)),
      [&](llvm::raw_ostream &os) { os << *signature; }, diags);
  return diags.numErrors() > before ? ExitFile : ExitGood;
}

static bool makeFolder(const DriverOptions &options, DiagnosticEngine &diags) {
  if (std::error_code error = fs::create_directories(options.output)) {
    diags.report({}, diag::CannotWriteFile, options.output, error.message());
    return false;
  }
  return true;
}

/// Makes the files of the engine beside the plan in the folder.
static int writeFiles(planfile::Plan &plan, const DriverOptions &options,
                      emit::Engine engine, DiagnosticEngine &diags) {
  size_t before = diags.numErrors();
  plan.orderExclusions();
  std::vector<emit::EngineFile> files =
      engine(plan, {options.engineConfig}, diags);
  if (diags.numErrors() > before)
    return ExitUnplannable;
  for (const emit::EngineFile &file : files) {
    llvm::SmallString<128> name(options.output);
    path::append(name, file.name);
    writeFile(name, [&](llvm::raw_ostream &os) { os << file.text; }, diags);
    if (file.isProgram && diags.numErrors() == before)
      fs::setPermissions(name, fs::all_read | fs::all_exe | fs::owner_write);
  }
  return diags.numErrors() > before ? ExitFile : ExitGood;
}

static int emitCompiled(Compilation &compilation, Output &output,
                        emit::Engine engine) {
  const DriverOptions &options = compilation.options;
  if (!makeFolder(options, compilation.diags))
    return ExitFile;
  return withFinishedPlan(compilation, output, [&](plan::FinishedPlan &plan) {
    std::string file = planFile(options);
    Output planOutput(file, output.standard(), output.messages);
    int code = writePlanFile(plan, planOutput, compilation);
    return code == ExitGood
               ? writeFiles(plan, options, engine, compilation.diags)
               : code;
  });
}

#define ENGINE(KIND, WORD, HELP)                                               \
  int toscac::emit##KIND(Compilation &compilation, Output &output) {           \
    return emitCompiled(compilation, output, emit::files##KIND);               \
  }
#include "toscac/Emit/Engines.def"

// A plan that was made before.

static std::string quoted(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  writeJSONString(os, text);
  return result;
}

/// \p text, of a plan whose artifacts are in \p root, which \p now is seen as.
static std::string moveRoot(StringRef text, StringRef root, StringRef now) {
  std::string old = "\"root\": " + quoted(root);
  std::string other = "\"root\": " + quoted(now);
  if (size_t at = text.find(old); at != StringRef::npos)
    return (text.take_front(at) + other + text.drop_front(at + old.size()))
        .str();
  // It is where the plan is, and the plan does not say so.
  size_t start = text.find('{') + 1;
  return (text.take_front(start) + other + ", " + text.drop_front(start)).str();
}

static emit::Engine engineOf(EmitKind kind) {
  switch (kind) {
#define ENGINE(KIND, WORD, HELP)                                               \
  case EmitKind::KIND:                                                         \
    return emit::files##KIND;
#include "toscac/Emit/Engines.def"
  default:
    return nullptr;
  }
}

std::string toscac::textOfPlan(StringRef folder, const planfile::Plan &plan,
                               const InputFile &input) {
  std::string root = plan.header().root;
  if (!path::is_absolute(root)) {
    llvm::SmallString<128> from(path::parent_path(input.name));
    path::append(from, root);
    root = relativePath(absolutePath(from), absolutePath(folder));
  }
  return moveRoot(input.text->getBuffer(), plan.header().root, root);
}

int toscac::emitEngineOfPlan(planfile::Plan &plan, const InputFile &input,
                             const DriverOptions &options,
                             DiagnosticEngine &diags) {
  if (!makeFolder(options, diags))
    return ExitFile;
  std::string text = textOfPlan(options.output, plan, input);
  size_t before = diags.numErrors();
  writeFile(
      planFile(options), [&](llvm::raw_ostream &os) { os << text; }, diags);
  if (diags.numErrors() > before)
    return ExitFile;
  if (int code = signPlan(text, options, diags))
    return code;
  return writeFiles(plan, options, engineOf(options.emit), diags);
}
