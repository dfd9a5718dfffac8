//===- EmitEngine.cpp - Folders for other engines -------------------------===//
///
/// \file
/// Whether a plan was just compiled or comes as plan.json: it is written into
/// the folder first, and what the engine reads is made from there.
///
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Paths.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Emit/Emit.h"
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

static bool makeFolder(const DriverOptions &options, DiagnosticEngine &diags) {
  if (std::error_code error = fs::create_directories(options.output)) {
    diags.report({}, diag::CannotWriteFile, options.output, error.message());
    return false;
  }
  return true;
}

/// Makes the files of the engine from the plan in the folder.
static int writeFiles(const DriverOptions &options, emit::Engine engine,
                      DiagnosticEngine &diags) {
  size_t before = diags.numErrors();
  auto plan = planfile::PlanFile::open(planFile(options), diags);
  if (!plan)
    return ExitInvalid;
  plan->orderExclusions();
  std::vector<emit::EngineFile> files =
      engine(*plan, {options.engineConfig}, diags);
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
  if (!makeFolder(compilation.options, compilation.diags))
    return ExitFile;
  std::string file = planFile(compilation.options);
  Output planOutput(file, output.standard(), output.messages);
  int code = emitPlan(compilation, planOutput);
  return code == ExitGood
             ? writeFiles(compilation.options, engine, compilation.diags)
             : code;
}

#define ENGINE(KIND, WORD, HELP)                                               \
  int toscac::emit##KIND(Compilation &compilation, Output &output) {           \
    return emitCompiled(compilation, output, emit::files##KIND);               \
  }
#include "toscac/Emit/Engines.def"

// A plan that was made before.

bool toscac::isPlanText(const InputFile &input) {
  StringRef text = input.text->getBuffer().ltrim();
  return text.consume_front("{") && text.ltrim().starts_with("\"plan\":");
}

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

int toscac::emitFromPlan(const DriverOptions &options, const InputFile &input,
                         DiagnosticEngine &diags) {
  emit::Engine engine = engineOf(options.emit);
  if (!engine) {
    diags.report({}, diag::InputIsPlan, input.name);
    return ExitInvalid;
  }
  auto plan = planfile::PlanFile::open(input.name, diags);
  if (!plan)
    return ExitInvalid;
  if (!makeFolder(options, diags))
    return ExitFile;
  std::string root = plan->header().root;
  if (!path::is_absolute(root)) {
    llvm::SmallString<128> folder(path::parent_path(input.name));
    path::append(folder, root);
    root = relativePath(absolutePath(folder), absolutePath(options.output));
  }
  std::string moved =
      moveRoot(input.text->getBuffer(), plan->header().root, root);
  size_t before = diags.numErrors();
  writeFile(
      planFile(options), [&](llvm::raw_ostream &os) { os << moved; }, diags);
  return diags.numErrors() > before ? ExitFile
                                    : writeFiles(options, engine, diags);
}
