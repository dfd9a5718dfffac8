//===- EventPath.cpp - Paths in machines ----------------------------------===//

#include "EventPath.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using StepKind = ir::PathStep::Kind;

StringRef sema::stepText(const Expr &step) {
  bool isWord = step.isLiteral() && step.value().isString();
  return isWord ? step.value().asString() : StringRef();
}

/// What a definition has, it mostly has from its type.
static std::string describeType(const Flat &flat) {
  return flat.type && flat.type->flat ? flat.type->flat->describe()
                                      : flat.describe();
}

std::string sema::describe(const Candidate &candidate) {
  if (!candidate.flat)
    return "the service";
  return candidate.node ? candidate.node->describe()
                        : describeType(*candidate.flat);
}

std::string sema::describeInterface(const Flat *interface) {
  return interface ? describeType(*interface) : "the service";
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

const Flat *sema::findOperation(const Flat &interface, StringRef name) {
  if (const Flat *operation = interface.member(Key::Operations, name))
    return operation;
  if (const Flat *notification = interface.member(Key::Notifications, name))
    return notification;
  for (const auto &[ownName, operation] : interface.members(Key::Operations))
    if (operation->machineName && operation->machineName.str() == name)
      return operation;
  return nullptr;
}

const Flat *sema::findCell(const Flat &interface, StringRef name) {
  if (const Flat *cell = interface.member(Key::Attributes, name))
    return cell;
  return interface.member(Key::Properties, name);
}

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

void WalkedPath::stepBack() {
  place = *before;
  before.reset();
  words.pop_back();
  steps.pop_back();
}

namespace {

class PathWalk {
public:
  PathWalk(const EventScope &scope, const PathVariables &variables,
           llvm::ArrayRef<Expr> steps, PathUse use)
      : scope(scope), variables(variables), use(use) {
    result.rest = steps;
  }

  WalkedPath run();

private:
  void start();
  bool step();
  void relationship();
  bool capability();
  void node();
  void end(StepKind kind, TypedPlace to);
  void neighbours();
  /// Takes a name; empty for ALL. \p known has the names there are.
  StringRef takeName(StringRef noun, Key members);
  void takeIndex(bool all);
  bool isIndex() const;
  bool expect(Origin kind, StringRef word);
  void add(StepKind kind, StringRef name, TypedPlace to);

  bool at(StringRef word, size_t offset = 0) const {
    return result.rest.size() > offset && stepText(result.rest[offset]) == word;
  }
  void take() {
    result.words.push_back(result.rest.front());
    drop();
  }
  void drop() {
    range = result.rest.front().range();
    result.rest = result.rest.drop_front();
  }
  void write(StringRef word) {
    result.words.push_back(scope.word(word, range));
  }

  const EventScope &scope;
  const PathVariables &variables;
  PathUse use;
  SourceRange range;
  /// The index that takeIndex() found; null for ALL.
  const Expr *index = nullptr;
  WalkedPath result;
};

} // namespace

void PathWalk::start() {
  result.place = scope.self;
  if (result.rest.empty())
    return;
  const Expr &first = result.rest.front();
  range = first.range();
  if (first.is(ExprKind::Variable)) {
    for (const auto &[name, place] : llvm::reverse(variables))
      if (name == first.name()) {
        result.place = place;
        return take();
      }
  }
  if (at("SELF"))
    return take();
  write("SELF");
  bool isTemplate = result.rest.size() > 1 && scope.service &&
                    scope.service->nodes.contains(stepText(first));
  if (isTemplate)
    node();
}

/// Whether the path may go on from an entity of \p kind; reports it if not.
bool PathWalk::expect(Origin kind, StringRef word) {
  bool unknown = result.place.isOpen && result.place.candidates.empty();
  if (unknown || result.place.kind == kind)
    return true;
  StringRef nouns[] = {"a node", "a relationship", "a service"};
  scope.program.diags.report(range, diag::MisplacedPathStep, word,
                             nouns[static_cast<size_t>(kind)],
                             nouns[static_cast<size_t>(result.place.kind)]);
  result.valid = false;
  return false;
}

StringRef PathWalk::takeName(StringRef noun, Key members) {
  if (result.rest.empty() || stepText(result.rest.front()).empty()) {
    scope.program.diags.report(range, diag::IncompletePath, noun);
    result.valid = false;
    return {};
  }
  Expr word = result.rest.front();
  StringRef name = stepText(word);
  take();
  if (name == "ALL") {
    result.isList = true;
    return {};
  }
  llvm::SmallVector<StringRef> known;
  for (const Candidate &candidate : result.place.candidates)
    if (candidate.flat) {
      llvm::append_range(known, namesOf(candidate.flat->members(members)));
      scope.program.use(word.range(), candidate.flat->member(members, name));
    }
  bool unknown = !result.place.isOpen && !result.place.candidates.empty() &&
                 !llvm::is_contained(known, name);
  if (unknown) {
    scope.program.diags.report(word.range(), diag::UnknownName, noun, name,
                               didYouMean(name, known));
    result.valid = false;
  }
  return name;
}

bool PathWalk::isIndex() const {
  if (result.rest.empty())
    return false;
  const Expr &next = result.rest.front();
  return at("ALL") || next.isCall() ||
         (next.isLiteral() && next.value().isInteger());
}

/// A missing index is ALL after ALL and else 0 (TOSCA 2.0 §10.3).
void PathWalk::takeIndex(bool all) {
  if (isIndex()) {
    const Expr &next = result.rest.front();
    if (next.isLiteral() && next.value().isInteger() &&
        next.value().asInteger() < 0) {
      scope.program.diags.report(next.range(), diag::UnknownPathStep,
                                 toText(next), "");
      result.valid = false;
    }
    take();
  } else if (all)
    write("ALL");
  else
    result.words.push_back(Expr::literal(Value::integer(0), range));
  const Expr &written = result.words.back();
  bool isAll = stepText(written) == "ALL";
  result.isList |= isAll;
  index = isAll ? nullptr : scope.program.arena.make(written);
}

void PathWalk::add(StepKind kind, StringRef name, TypedPlace to) {
  Name step = name.empty() ? Name() : scope.program.names.intern(name);
  result.steps.push_back({kind, step, index});
  result.place = std::move(to);
  result.before.reset();
}

void PathWalk::relationship() {
  if (!expect(Origin::Node, "RELATIONSHIP"))
    return;
  take();
  StringRef name = takeName("requirement", Key::Requirements);
  if (!result.valid)
    return;
  takeIndex(/*all=*/name.empty());
  add(StepKind::Relationship, name,
      scope.places.relationships(result.place, name));
}

/// False where the path goes on inside the capability.
bool PathWalk::capability() {
  if (use == PathUse::Value && result.place.kind == Origin::Relationship &&
      !result.place.candidates.empty())
    return false;
  if (!expect(Origin::Node, "CAPABILITY"))
    return false;
  take();
  StringRef name = takeName("capability", Key::Capabilities);
  if (!result.valid)
    return false;
  bool leadsOn = use == PathUse::Entities || name.empty() ||
                 at("RELATIONSHIP") || at("SOURCE") || at("TARGET") ||
                 at("INTERFACE");
  result.inCapability = !leadsOn;
  if (!leadsOn)
    return false;
  if (at("RELATIONSHIP"))
    take();
  else
    write("RELATIONSHIP");
  takeIndex(/*all=*/name.empty());
  add(StepKind::Capability, name, scope.places.incoming(result.place, name));
  return true;
}

void PathWalk::node() {
  if (at("NODE"))
    take();
  else
    write("NODE");
  if (result.rest.empty() || stepText(result.rest.front()).empty()) {
    scope.program.diags.report(range, diag::IncompletePath, "node template");
    result.valid = false;
    return;
  }
  Expr word = result.rest.front();
  take();
  bool all = stepText(word) == "ALL";
  StringRef name = all ? StringRef() : stepText(word);
  result.isList |= all;
  if (scope.service && !all && !scope.service->nodes.contains(name)) {
    auto known = namesOf(scope.service->nodes);
    scope.program.diags.report(word.range(), diag::UnknownName, "node template",
                               name, didYouMean(name, known));
    result.valid = false;
    return;
  }
  if (scope.service && !all)
    scope.program.use(word.range(),
                      scope.service->nodes.find(name)->second.entity);
  takeIndex(all);
  add(StepKind::Node, name, scope.places.node(name));
}

void PathWalk::end(StepKind kind, TypedPlace to) {
  TypedPlace from = result.place;
  take();
  index = nullptr;
  add(kind, "", std::move(to));
  result.before = std::move(from);
}

/// Which relationships of the source they are, expansion knows.
void PathWalk::neighbours() {
  StringRef word = at("EARLIER") ? "EARLIER" : "LATER";
  if (!expect(Origin::Relationship, word))
    return;
  take();
  bool isAll = at("ALL");
  if (isAll)
    take();
  index = nullptr;
  result.isList = true;
  add(word == "EARLIER" ? StepKind::Earlier : StepKind::Later,
      isAll ? "ALL" : "",
      scope.places.relationships(scope.places.sources(result.place), ""));
}

bool PathWalk::step() {
  if (result.rest.empty())
    return false;
  range = result.rest.front().range();
  if (at("RELATIONSHIP")) {
    relationship();
    return true;
  }
  if (at("CAPABILITY"))
    return capability();
  if (at("NODE")) {
    // Types do not know what templates are called.
    if (scope.service || expect(Origin::Service, "NODE"))
      node();
    return true;
  }
  if (at("SERVICE")) {
    take();
    index = nullptr;
    add(StepKind::Service, "",
        TypedPlace{Origin::Service, {Candidate()}, false});
    return true;
  }
  if (at("EARLIER") || at("LATER")) {
    neighbours();
    return true;
  }
  bool isSource = at("SOURCE");
  if (!isSource && !at("TARGET"))
    return false;
  if (expect(Origin::Relationship, isSource ? "SOURCE" : "TARGET"))
    end(isSource ? StepKind::Source : StepKind::Target,
        isSource ? scope.places.sources(result.place)
                 : scope.places.targets(result.place));
  return true;
}

WalkedPath PathWalk::run() {
  start();
  while (result.valid && step()) {
  }
  return std::move(result);
}

WalkedPath sema::walkPath(const EventScope &scope,
                          const PathVariables &variables,
                          llvm::ArrayRef<Expr> steps, PathUse use) {
  return PathWalk(scope, variables, steps, use).run();
}
