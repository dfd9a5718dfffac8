//===- EmitOfPlan.cpp - What is shown of a plan.json ----------------------===//
///
/// \file
/// A plan holds what is shown of it. What else can be asked for, such as its
/// graph, takes what it was made from: that is compiled again, if it is still
/// the same.
///
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Basic/Digest.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Plan/ReadPlan.h"
#include "toscac/State/FindStore.h"
#include "toscac/State/State.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using llvm::StringRef;
using planfile::PlanHeader;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool toscac::isPlanText(const InputFile &input) {
  StringRef text = input.text->getBuffer().ltrim();
  return text.consume_front("{") && text.ltrim().starts_with("\"plan\":");
}

/// What is shown of a plan; nothing: that takes what it was made from.
static std::optional<EmitKind> shownOf(const DriverOptions &options) {
  bool isPlan = options.emit == EmitKind::Plan;
  if (options.emit == EmitKind::Diff || options.emit == EmitKind::PlanText ||
      options.emit == EmitKind::Html || options.emit == EmitKind::State ||
      (isPlan && options.format != PictureFormat::Text))
    return options.emit;
  if (isPlan && !options.isEmitGiven)
    return EmitKind::Diff;
  return std::nullopt;
}

bool toscac::isShownOfPlan(const DriverOptions &options) {
  const PlanFlags &flags = options.plan;
  if (!flags.failing.empty() || flags.listWorkflows || flags.verify)
    return false;
  return options.emit == EmitKind::Plan || isForEngine(options.emit) ||
         shownOf(options);
}

/// The state that a plan starts from, and of which \p file is told by the user.
/// False after a report.
static bool readStateOfPlan(const PlanHeader &header, const InputFile &input,
                            std::string &file,
                            std::optional<state::State> &known,
                            DiagnosticEngine &diags) {
  if (file.empty() && !header.state.empty())
    file = state::storeBeside(input.name, /*goesOn=*/true);
  if (!file.empty() && !(known = state::readState(file, diags)))
    return false;
  if (header.state.empty())
    return true;
  const state::Deployment *before = known->find(header.deployment);
  if (before && state::digest(*before) == header.state)
    return true;
  diags.report({}, diag::PlanOutdated, file, input.name);
  return false;
}

static int emitStateOfPlan(planfile::Plan &plan, const InputFile &input,
                           const DriverOptions &options, Output &output,
                           DiagnosticEngine &diags) {
  std::string file = options.state.file;
  std::optional<state::State> known;
  if (!readStateOfPlan(plan.header(), input, file, known, diags))
    return ExitInvalid;
  return writeStateAfter(plan, known ? &*known : nullptr, input.name, output,
                         diags);
}

int toscac::emitFromPlan(const DriverOptions &options, const InputFile &input,
                         Output &output, DiagnosticEngine &diags) {
  auto plan = planfile::PlanFile::open(input.name, diags);
  if (!plan)
    return ExitInvalid;
  if (!options.plan.durations.empty()) {
    llvm::StringMap<double> durations;
    if (!readDurations(options.plan.durations, durations, diags))
      return ExitFile;
    if (llvm::Error error = plan->measure(durations)) {
      diags.report({}, diag::CannotReadFile, input.name,
                   llvm::toString(std::move(error)));
      return ExitFile;
    }
  }
  if (isForEngine(options.emit))
    return emitEngineOfPlan(*plan, input, options, diags);
  std::optional<EmitKind> shown = shownOf(options);
  if (shown == EmitKind::State)
    return emitStateOfPlan(*plan, input, options, output, diags);
  if (!shown) {
    std::string text =
        textOfPlan(path::parent_path(options.output), *plan, input);
    int code = output.write([&](llvm::raw_ostream &os) { os << text; }, diags);
    return code == ExitGood ? signPlan(text, options, diags) : code;
  }
  planfile::ViewOptions view = viewOptions(*plan, input.name, options);
  if (shown == EmitKind::Html)
    return showPage(*plan, nullptr, options, view, /*stories=*/{}, output,
                    diags);
  return showPlan(*plan, *shown, options, view, output, diags);
}

/// Whether the files that \p header names are as they were; what is in archives
/// and profiles is seen when it is read.
static bool areFilesSame(const PlanHeader &header, const InputFile &input,
                         StringRef entry, DiagnosticEngine &diags) {
  bool isGood = true;
  for (const auto &[name, digest] : header.inputs) {
    llvm::SmallString<128> file(path::parent_path(input.name));
    path::append(file, header.root, name);
    path::remove_dots(file, /*remove_dot_dot=*/true);
    if (StringRef(name).starts_with("profile:") ||
        file.starts_with((entry + "/").str()))
      continue;
    auto text = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    if (text &&
        "sha256:" + *hexDigest("sha256", (*text)->getBuffer()) == digest)
      continue;
    diags.report({}, diag::PlanOutdated, file, input.name);
    isGood = false;
  }
  return isGood;
}

static std::string jsonOf(const Value &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  writeJSON(json, value);
  return text;
}

std::optional<DriverOptions> toscac::optionsOfPlan(const DriverOptions &options,
                                                   const InputFile &input,
                                                   DiagnosticEngine &diags) {
  auto plan = planfile::PlanFile::open(input.name, diags);
  if (!plan)
    return std::nullopt;
  const PlanHeader &header = plan->header();
  if (header.inputs.empty()) {
    diags.report({}, diag::InputIsPlan, input.name);
    return std::nullopt;
  }
  DriverOptions result = options;
  std::string entry = templateOf(header, input.name);
  std::optional<state::State> known;
  if (!areFilesSame(header, input, entry, diags) ||
      !readStateOfPlan(header, input, result.state.file, known, diags))
    return std::nullopt;
  ValueArena arena;
  NameTable names;
  result.inputs = {entry};
  result.made = MadePlan{input.name, header.inputs};
  result.inputValues.ofPlan = jsonOf(knownInputs(header, arena));
  result.state.deployment = header.deployment;
  result.plan.workflow = header.workflow;
  result.plan.takesDown = false;
  result.plan.parameters.clear();
  llvm::Expected<Value> parameters =
      JSONReader(arena, names).value(header.params);
  if (!parameters) {
    llvm::consumeError(parameters.takeError());
    parameters = arena.map({});
  }
  for (const MapEntry &entry : parameters->entries())
    result.plan.parameters.push_back(entry.key.asString().str() + "=" +
                                     (entry.value.isString()
                                          ? entry.value.asString().str()
                                          : jsonOf(entry.value)));
  if (options.plan.verify && !options.isEmitGiven) {
    result.emit = EmitKind::Diff;
    result.isEmitGiven = true;
  }
  return result;
}

bool toscac::isAsPlanned(Compilation &compilation) {
  const std::optional<MadePlan> &made = compilation.options.made;
  if (!made || !compilation.graph)
    return true;
  ir::Graph &graph = *compilation.graph;
  for (const ir::Deployment::File &file : graph.deployment.files) {
    bool isSame = llvm::any_of(made->inputs, [&](const auto &input) {
      return file.name == input.first && file.digest == input.second;
    });
    if (isSame)
      continue;
    compilation.diags.report({}, diag::PlanOutdated, file.name, made->file);
    return false;
  }
  // Files with values for inputs are not read again: the plan has the values.
  graph.deployment.files.clear();
  for (const auto &[name, digest] : made->inputs)
    graph.deployment.files.push_back(
        {graph.arena.save(name), graph.arena.save(digest)});
  return true;
}
