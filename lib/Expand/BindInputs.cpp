//===- BindInputs.cpp - Values for inputs ---------------------------------===//

#include "toscac/Expand/BindInputs.h"

#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/GivenText.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Parse/ReadYAML.h"
#include "toscac/Sema/Service.h"
#include "toscac/Value/CheckExpr.h"
#include "toscac/Value/ParseLiteral.h"
#include "toscac/Value/Sealed.h"
#include "llvm/ADT/MapVector.h"

using namespace toscac;
using llvm::StringRef;
using sema::InputDefinition;
using syntax::Entry;
using syntax::Node;
using syntax::ScalarType;

namespace {

class InputBinder {
public:
  InputBinder(const sema::Service &service, YAMLDialect dialect,
              SourceManager &sources, ValueArena &arena,
              DiagnosticEngine &diags)
      : service(service), dialect(dialect), sources(sources), arena(arena),
        diags(diags) {}

  void takeRecorded(const Value &recorded);
  void readFile(FileId file);
  void readValue(const std::string &assignment);
  std::vector<ir::InputValue> finish();

private:
  const InputDefinition *find(StringRef name, SourceRange place);
  const Expr *check(const InputDefinition &input, const Expr &value);
  /// Neither a message nor a line is to show what was given for \p input.
  void reportUnfit(const InputDefinition &input) {
    diags.report({}, diag::UnfitSecret, input.name.str(),
                 typeName(*input.type));
  }
  /// What \p read gives; where it reports, that is not shown for \p input.
  template <typename Read>
  const Expr *readQuietly(const InputDefinition &input, Read read);
  bool hasSecrets() const {
    return llvm::any_of(service.inputs, [](const InputDefinition &input) {
      return input.sensitive;
    });
  }
  /// Invalid after a report.
  syntax::Tree readTree(FileId file);
  void reportMissing();

  const Expr *convert(const Node &node);
  std::optional<Value> convertScalar(const Node &node);
  const Expr *convertText(const InputDefinition &input, FileId file);

  const sema::Service &service;
  YAMLDialect dialect;
  SourceManager &sources;
  ValueArena &arena;
  DiagnosticEngine &diags;
  /// As written, the strongest of each; null where it could not be read.
  llvm::DenseMap<const InputDefinition *, const Expr *> values;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values as they were written: data, in which nothing is a function
//===----------------------------------------------------------------------===//

std::optional<Value> InputBinder::convertScalar(const Node &node) {
  switch (node.scalarType()) {
  case ScalarType::Null:
    return Value();
  case ScalarType::Boolean:
    return Value::boolean(node.text().starts_with_insensitive("t"));
  case ScalarType::String:
    return arena.string(node.text());
  case ScalarType::Integer:
  case ScalarType::Float:
    break;
  }
  auto number = parseNumber(node.text());
  if (number)
    return *number;
  report(diags, number.problem(), node.range());
  return std::nullopt;
}

/// Null after a report.
const Expr *InputBinder::convert(const Node &node) {
  if (node.isNull())
    return arena.make(Expr::literal(Value(), node.range()));
  if (node.isScalar()) {
    auto value = convertScalar(node);
    return value ? arena.make(Expr::literal(*value, node.range())) : nullptr;
  }
  llvm::SmallVector<Expr> children;
  auto add = [&](const Node &child) {
    const Expr *converted = convert(child);
    if (converted)
      children.push_back(*converted);
    return converted != nullptr;
  };
  bool valid = true;
  if (node.isSequence())
    for (const Node &item : node.items())
      valid &= add(item);
  else
    for (const Entry &entry : node.entries())
      valid &= add(entry.key) && add(entry.value);
  if (!valid)
    return nullptr;
  llvm::ArrayRef<Expr> saved = arena.save(llvm::ArrayRef<Expr>(children));
  return arena.make(node.isSequence() ? Expr::list(saved, node.range())
                                      : Expr::map(saved, node.range()));
}

/// Whether values of this kind are written as strings: `1.10` is a version on a
/// command line, whatever YAML thinks.
static bool isText(TypeKind kind) {
  return kind == TypeKind::String || kind == TypeKind::Bytes ||
         kind == TypeKind::Timestamp || kind == TypeKind::Version ||
         kind == TypeKind::Scalar;
}

const Expr *InputBinder::convertText(const InputDefinition &input,
                                     FileId file) {
  if (!isText(input.type->kind)) {
    syntax::Tree tree = readYAML(sources, file, diags, dialect);
    return tree.valid ? convert(tree.root) : nullptr;
  }
  StringRef text = sources.text(file);
  SourceLoc begin = sources.begin(file);
  SourceRange range{begin, begin.advanced(text.size())};
  return arena.make(Expr::literal(arena.string(text), range));
}

template <typename Read>
const Expr *InputBinder::readQuietly(const InputDefinition &input, Read read) {
  if (!input.sensitive)
    return read(*this);
  DiagnosticEngine quiet;
  InputBinder other(service, dialect, sources, arena, quiet);
  const Expr *result = read(other);
  if (!result)
    reportUnfit(input);
  return result;
}

syntax::Tree InputBinder::readTree(FileId file) {
  if (!hasSecrets())
    return readYAML(sources, file, diags, dialect);
  DiagnosticEngine quiet;
  syntax::Tree tree = readYAML(sources, file, quiet, dialect);
  if (!quiet.hasErrors())
    return tree;
  const Diagnostic &first =
      *llvm::find_if(quiet.all(), [](const Diagnostic &each) {
        return each.severity == Severity::Error;
      });
  unsigned line =
      first.range.isValid() ? sources.position(first.range.begin).line : 1;
  diags.report({}, diag::UnreadSecrets, sources.name(file), line);
  tree.valid = false;
  return tree;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

const InputDefinition *InputBinder::find(StringRef name, SourceRange place) {
  llvm::SmallVector<StringRef> known;
  for (const InputDefinition &input : service.inputs) {
    if (input.name.str() == name)
      return &input;
    known.push_back(input.name.str());
  }
  // The line may hold what was meant for a sensitive one.
  if (hasSecrets())
    place = {};
  Suggestion meant(name, known);
  auto report = diags.report(place, diag::UnknownInput, service.name.str(),
                             name, meant.clause());
  bool isWritten = place.size() > 0;
  if (isWritten)
    meant.fixIn(report, place);
  return nullptr;
}

/// A single value for a list is its only entry.
static const Expr &asList(const InputDefinition &input, const Expr &value,
                          ValueArena &arena) {
  bool isSingle = value.isLiteral()
                      ? !value.value().isList() && !value.value().isNil()
                      : !value.is(ExprKind::List);
  if (input.type->kind != TypeKind::List || !isSingle)
    return value;
  llvm::ArrayRef<Expr> entry = arena.save(llvm::ArrayRef<Expr>(value));
  return *arena.make(Expr::list(entry, value.range()));
}

/// Null after a report.
const Expr *InputBinder::check(const InputDefinition &input,
                               const Expr &value) {
  if (input.isFixed) {
    diags.report(value.range(), diag::FixedInput, input.name.str())
        .note(input.range, diag::DeclaredHere, input.name.str());
    return nullptr;
  }
  Environment nothing;
  auto typeOfCall = [](const Expr &, llvm::ArrayRef<const Type *>) {
    return static_cast<const Type *>(nullptr);
  };
  bool isReported = false;
  auto reportProblem = [&](const Problem &problem) {
    if (input.sensitive) {
      if (!isReported)
        reportUnfit(input);
      isReported = true;
      return;
    }
    report(diags, problem, value.range())
        .note(input.range, diag::DeclaredHere, input.name.str());
  };
  return checkExpr(value, *input.type, typeOfCall, nothing, arena,
                   reportProblem);
}

/// What is sealed is opened by the run.
void InputBinder::takeRecorded(const Value &recorded) {
  for (const InputDefinition &input : service.inputs)
    if (const Value *value = recorded.find(input.name.str());
        value && !input.isFixed && !sealedText(*value))
      values[&input] = arena.make(Expr::literal(*value));
}

void InputBinder::readFile(FileId file) {
  syntax::Tree tree = readTree(file);
  if (!tree.valid || tree.root.isNull())
    return;
  const Node *root = &tree.root;
  if (root->isMapping() && root->entries().size() == 1)
    if (const Node *below = root->find("inputs"); below && below->isMapping())
      root = below;
  if (!root->isMapping()) {
    diags.report(root->range(), diag::InputsNotMap);
    return;
  }
  for (const Entry &entry : root->entries()) {
    StringRef name = entry.key.isScalar() ? entry.key.text() : "";
    if (const InputDefinition *input = find(name, entry.key.range()))
      values[input] = readQuietly(*input, [&](InputBinder &binder) {
        return binder.convert(entry.value);
      });
  }
}

void InputBinder::readValue(const std::string &assignment) {
  auto [name, text] = StringRef(assignment).split('=');
  if (!StringRef(assignment).contains('=')) {
    diags.report({}, diag::InputWithoutValue, assignment);
    return;
  }
  bool isSecret =
      llvm::any_of(service.inputs, [name = name](const InputDefinition &input) {
        return input.sensitive && input.name.str() == name;
      });
  std::string given = text.str();
  if (isSecret) {
    std::optional<std::string> read = readGivenText(name, text, diags);
    if (!read)
      return;
    given = *read;
  }
  // What is wrong is shown in the value, as if it were a file.
  FileId file = sources.add(("<input " + name + ">").str(),
                            llvm::MemoryBuffer::getMemBufferCopy(given));
  if (!file.isValid())
    return;
  SourceLoc begin = sources.begin(file);
  if (const InputDefinition *input = find(name, {begin, begin}))
    values[input] = readQuietly(*input, [&](InputBinder &binder) {
      return binder.convertText(*input, file);
    });
}

//===----------------------------------------------------------------------===//
// What is missing
//===----------------------------------------------------------------------===//

/// Sensitive ones are given to the plan.
void InputBinder::reportMissing() {
  llvm::SmallVector<const InputDefinition *> missing;
  std::string list;
  for (const InputDefinition &input : service.inputs)
    if (input.required && !input.sensitive && !input.defaultValue &&
        !values.contains(&input)) {
      missing.push_back(&input);
      list +=
          (llvm::Twine(list.empty() ? "" : ", ") + "'" + input.name.str() + "'")
              .str();
    }
  if (missing.empty())
    return;
  auto report = diags.report({}, diag::MissingInputs, service.name.str(), list);
  for (const InputDefinition *input : missing) {
    StringRef description = input->description.trim();
    report.note(input->range, diag::InputMissingHere, input->name.str(),
                typeName(*input->type),
                description.empty() ? "" : ": " + description.str());
  }
}

std::vector<ir::InputValue> InputBinder::finish() {
  reportMissing();
  std::vector<ir::InputValue> result;
  for (const InputDefinition &input : service.inputs)
    if (const Expr *written = values.lookup(&input))
      if (const Expr *value = check(input, asList(input, *written, arena)))
        result.push_back({input.name, value, input.sensitive});
  return result;
}

std::vector<ir::InputValue> toscac::bindInputs(const sema::Service &service,
                                               const InputSources &given,
                                               SourceManager &sources,
                                               ValueArena &arena,
                                               DiagnosticEngine &diags) {
  InputBinder binder(service, given.dialect, sources, arena, diags);
  if (given.recorded.isMap())
    binder.takeRecorded(given.recorded);
  for (FileId file : given.files)
    binder.readFile(file);
  for (const std::string &value : given.values)
    binder.readValue(value);
  return binder.finish();
}
