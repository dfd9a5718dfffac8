//===- tosca-eval - Evaluates expressions, for tests ----------------------===//
///
/// \file
/// Prints the result of each expression of a file (see ReadModel.h) after the
/// number of its line. With --verify-partial it checks instead that evaluation
/// in two steps, with some inputs unknown in the first, gives what evaluation
/// in one step gives.
///
//===----------------------------------------------------------------------===//

#include "ReadModel.h"
#include "toscac/Parse/ReadYAML.h"
#include "toscac/Value/CheckExpr.h"
#include "toscac/Value/CheckValue.h"
#include "toscac/Value/Evaluate.h"
#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <CLI/CLI.hpp>

using namespace toscac;
using llvm::StringRef;

namespace {

/// What the file says is known.
class ModelEnvironment : public Environment {
public:
  Evaluation input(const Query &query) override;
  Evaluation attribute(const Query &query) override;
  Evaluation elements(const Query &query) override;

  llvm::StringMap<const Expr *> inputs;
  llvm::StringMap<Value> typedInputs;
  llvm::StringSet<> hidden;
  std::optional<Value> attributes;
  std::optional<Value> lists;
};

class Tool {
public:
  explicit Tool(std::string fileName) : fileName(std::move(fileName)) {}

  bool load();
  void run();
  bool verifyPartial(unsigned rounds);
  bool finish() const;

private:
  void fillEnvironment();
  std::optional<Value> known(const Expr *expr);
  void evaluateOne(const Expr &expr);
  void checkOne(const TypedExpr &item);
  void parseOne(const Expr &text);
  void print(const Expr &place, const Evaluation &result);
  llvm::raw_ostream &line(const Expr &place);
  void reportAt(const Expr &place, const Problem &problem);
  bool agrees(const Expr &expr, unsigned round);

  std::string fileName;
  SourceManager sources;
  DiagnosticEngine diags;
  NameTable names;
  ValueArena arena;
  syntax::Tree tree;
  Model model;
  ModelEnvironment environment;
};

} // namespace

Evaluation ModelEnvironment::input(const Query &query) {
  StringRef name = query.arguments.front().asString();
  if (hidden.contains(name))
    return Evaluation::unknown();
  llvm::ArrayRef<Value> steps = query.arguments.drop_front();
  if (auto typed = typedInputs.find(name); typed != typedInputs.end())
    return select(typed->second, steps, query.call.range());
  auto found = inputs.find(name);
  if (found == inputs.end())
    return Evaluation::nothing();
  Evaluation whole = toscac::evaluate(*found->second, *this, query.arena);
  return whole.isKnown() ? select(whole.value(), steps, query.call.range())
                         : std::move(whole);
}

Evaluation ModelEnvironment::attribute(const Query &query) {
  if (!attributes)
    return Evaluation::unknown();
  return select(*attributes, query.arguments, query.call.range());
}

Evaluation ModelEnvironment::elements(const Query &query) {
  if (!lists)
    return Evaluation::unknown();
  return select(*lists, query.arguments, query.call.range());
}

bool Tool::load() {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(fileName);
  if (!buffer) {
    llvm::errs() << fileName << ": " << buffer.getError().message() << "\n";
    return false;
  }
  FileId file = sources.add(fileName, std::move(*buffer));
  tree = readYAML(sources, file, diags);
  if (!tree.valid)
    return false;
  model = readModel(tree.root, names, arena, diags);
  fillEnvironment();
  return true;
}

std::optional<Value> Tool::known(const Expr *expr) {
  if (!expr)
    return std::nullopt;
  Environment nothing;
  Evaluation result = evaluate(*expr, nothing, arena);
  return result.isKnown() ? std::optional(result.value()) : std::nullopt;
}

void Tool::fillEnvironment() {
  environment.inputs = model.inputs;
  for (const auto &entry : model.typedInputs) {
    const auto &[type, expr] = entry.second;
    std::optional<Value> value = checkValue(
        *known(expr), *type, environment, arena,
        [&, place = expr](llvm::ArrayRef<PathStep>, const Problem &problem) {
          reportAt(*place, problem);
        });
    if (value)
      environment.typedInputs[entry.first()] = *value;
  }
  for (const std::string &name : model.hidden)
    environment.hidden.insert(name);
  environment.attributes = known(model.attributes);
  environment.lists = known(model.elements);
}

llvm::raw_ostream &Tool::line(const Expr &place) {
  return llvm::outs() << sources.position(place.range().begin).line << ": ";
}

void Tool::reportAt(const Expr &place, const Problem &problem) {
  DiagnosticEngine engine;
  report(engine, problem, place.range());
  const Diagnostic &diagnostic = engine.all().front();
  line(place) << "error: " << diagnostic.message << " ["
              << info(diagnostic.id).name << "] at '"
              << sources.text(diagnostic.range) << "'\n";
}

void Tool::print(const Expr &place, const Evaluation &result) {
  switch (result.state()) {
  case Evaluation::State::Known:
    line(place) << result.value() << "\n";
    return;
  case Evaluation::State::Unknown:
    line(place) << "unknown " << *result.residual() << "\n";
    return;
  case Evaluation::State::Nothing:
    line(place) << "nothing\n";
    return;
  case Evaluation::State::Failed:
    reportAt(place, result.problem());
    return;
  }
}

static const Type *typeOfQuery(const Expr &, llvm::ArrayRef<const Type *>) {
  return nullptr;
}

void Tool::evaluateOne(const Expr &expr) {
  print(expr, evaluate(expr, environment, arena));
}

/// Types first; what is wrong there is not evaluated.
void Tool::checkOne(const TypedExpr &item) {
  auto reportHere = [&](const Problem &problem) {
    reportAt(*item.expr, problem);
  };
  if (!inferType(*item.expr, typeOfQuery, arena, reportHere))
    return;
  const Expr *checked = checkExpr(*item.expr, *item.type, typeOfQuery,
                                  environment, arena, reportHere);
  if (checked)
    line(*item.expr) << *checked << "\n";
}

void Tool::parseOne(const Expr &text) {
  auto printParsed = [&](const OrProblem<Value> &parsed) {
    if (parsed)
      line(text) << *parsed << "\n";
    else
      reportAt(text, parsed.problem());
  };
  printParsed(parseInteger(text.value().asString()));
  printParsed(parseFloat(text.value().asString()));
}

void Tool::run() {
  for (const Expr *expr : model.evaluate)
    evaluateOne(*expr);
  for (const TypedExpr &item : model.check)
    checkOne(item);
  for (const Expr *text : model.parse)
    parseOne(*text);
}

/// One text for what must be equal. Failures count as equal: which of several
/// is found first is not promised.
static std::string outcome(const Evaluation &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (result.isKnown())
    os << result.value();
  else
    os << (result.isFailed()    ? "failed"
           : result.isNothing() ? "nothing"
                                : "unknown");
  return text;
}

bool Tool::agrees(const Expr &expr, unsigned round) {
  std::string whole = outcome(evaluate(expr, environment, arena));
  for (const auto &entry : environment.inputs)
    if (llvm::xxh3_64bits(entry.first().str() + std::to_string(round)) % 2)
      environment.hidden.insert(entry.first());
  Evaluation partial = evaluate(expr, environment, arena);
  environment.hidden.clear();
  std::string twice =
      partial.isUnknown()
          ? outcome(evaluate(*partial.residual(), environment, arena))
          : outcome(partial);
  if (twice == whole)
    return true;
  line(expr) << expr << " gives " << whole << ", in two steps " << twice;
  if (partial.isUnknown())
    llvm::outs() << " by " << *partial.residual();
  llvm::outs() << "\n";
  return false;
}

bool Tool::verifyPartial(unsigned rounds) {
  bool good = true;
  for (const Expr *expr : model.evaluate)
    for (unsigned round = 0; round < rounds; ++round)
      good &= agrees(*expr, round);
  llvm::outs() << model.evaluate.size() << " expressions, " << rounds
               << " rounds\n";
  return good;
}

bool Tool::finish() const {
  for (const Diagnostic &diagnostic : diags.all())
    llvm::outs() << sources.position(diagnostic.range.begin).line
                 << ": error: " << diagnostic.message << " ["
                 << info(diagnostic.id).name << "]\n";
  return !diags.hasErrors();
}

int main(int argc, char **argv) {
  CLI::App app("Evaluates expressions, for tests.");
  std::string file;
  unsigned rounds = 0;
  app.add_option("file", file)->required();
  app.add_option("--verify-partial", rounds,
                 "Compare evaluation in one and in two steps, so many times");
  CLI11_PARSE(app, argc, argv);
  Tool tool(file);
  bool good = tool.load();
  if (good && rounds)
    good = tool.verifyPartial(rounds);
  else if (good)
    tool.run();
  return tool.finish() && good ? 0 : 1;
}
