//===- Composer.h - What the parts of composition share ---------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_HEAT_COMPOSER_H
#define TOSCAC_LIB_SEMA_HEAT_COMPOSER_H

#include "ResolveType.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <tuple>

namespace toscac::heat {

/// From this version on, `if` may lack its third part.
constexpr llvm::StringRef elseIsOptional = "2021-04-16";

/// How much of a stack is wanted.
enum class Detail {
  /// Types and templates; what values are wrong is nobody's matter.
  Types,
  /// All: parameters fit, groups have all their members.
  Values
};

/// A condition, which may depend on what is known only when the stack runs.
enum class Truth { False, True, Unknown };

/// What names in a value mean: parameters and resources of a stack.
struct Scope {
  Stack &stack;
  /// The member of a group to which it belongs, if it does: its index is
  /// written into texts.
  const StackResource *member = nullptr;
  /// Hidden parameters show their values: for decisions, not for plans.
  bool reveals = false;
  /// Collects the resources that are referred to, if not null.
  llvm::SetVector<StackResource *> *uses = nullptr;
};

/// One composition at work.
struct Composer {
  Composer(const ComposeInput &input, Detail detail, Library &library,
           NameTable &names, ValueArena &arena, DiagnosticEngine &diags)
      : input(input), detail(detail), library(library), names(names),
        arena(arena), diags(diags),
        resolver(input.environment, library, diags) {}

  const ComposeInput &input;
  Detail detail;
  Library &library;
  NameTable &names;
  ValueArena &arena;
  DiagnosticEngine &diags;
  TypeResolver resolver;
  /// Evaluations within each other, which a cycle would make endless.
  unsigned depth = 0;
  /// Parameters of the whole have no value, and may: what depends on them is
  /// not decided.
  bool isOpen = false;
  /// By node, stack and member.
  std::map<
      std::tuple<const syntax::Node *, const Stack *, const StackResource *>,
      const Expr *>
      evaluated;
  /// Conditions whose evaluation has begun.
  llvm::DenseSet<std::pair<const Stack *, const ConditionDef *>> evaluating;

  static constexpr unsigned maxDepth = 200;
  /// Levels of templates; real ones have a handful.
  static constexpr unsigned maxLevels = 100;
  /// Guards against a typing mistake in a count.
  static constexpr int64_t maxMembers = 100000;
  /// Templates that use each other twice over many levels make more than any
  /// machine can hold.
  static constexpr size_t maxResources = 300000;
  size_t numResources = 0;

  /// Counts a resource at \p place; false where there are too many, which is
  /// reported once.
  bool countResource(SourceRange place);

  /// The whole; null after a report. Warns of requirements that choose nothing.
  std::unique_ptr<Stack> composeAll();
  /// The template \p file in use, for \p facade or (null) as the whole; null
  /// after a report.
  std::unique_ptr<Stack> composeStack(File &file, const StackResource *facade);
  /// Follows \p resource into its template or its members, once.
  void composeResource(StackResource &resource);

  // Parameters.cpp
  void bindParameters(Stack &stack);
  const Expr *parameterValue(ParameterValue &parameter, const Scope &scope);
  void reportUnknownParameter(SourceRange place, llvm::StringRef name,
                              const Stack &stack);
  std::optional<Value> coerce(const Parameter &parameter, const Value &value,
                              SourceRange place, const Stack &stack);
  /// \p value as one of the parameter's type; nothing after a report.
  std::optional<Value> toType(const Parameter &parameter, const Value &value,
                              SourceRange place, const Stack &stack);
  // MergeValues.cpp
  /// The parts of a value as one; nothing after a report.
  std::optional<Value> mergeGiven(const Parameter &parameter,
                                  const GivenValue &given, const Stack &stack);

  // Evaluate.cpp
  /// The value that \p node means: a literal, as far as it is known. Null
  /// after a report.
  const Expr *evaluate(const syntax::Node &node, const Scope &scope);
  /// The same where nobody asks what is referred to: once for each scope, since
  /// resources tell others what others told them.
  const Expr *evaluateOnce(const syntax::Node &node, const Scope &scope);
  /// \p node as data in which there are no functions.
  Value plainValue(const syntax::Node &node);
  Truth evaluateCondition(const syntax::Node &node, const Scope &scope);
  Truth namedCondition(llvm::StringRef name, SourceRange place,
                       const Scope &scope);

  /// Says that the condition of \p what cannot be decided.
  void reportNotKnown(SourceRange place, llvm::StringRef what);

  const Expr *literal(Value value, SourceRange range = {}) {
    return arena.make(Expr::literal(value, range));
  }
  /// A list or map, which is a literal if all its parts are.
  const Expr *list(llvm::ArrayRef<const Expr *> items, SourceRange range);
  const Expr *map(llvm::ArrayRef<const Expr *> keysAndValues,
                  SourceRange range);
  const Expr *call(Function function, llvm::ArrayRef<const Expr *> arguments,
                   SourceRange range);
  /// A call that is evaluated where the resource is created; never a literal.
  const Expr *callAsWritten(llvm::StringRef function, const Expr *argument,
                            SourceRange range);
};
bool isCallAsWritten(const Expr &expr);

/// A function of the language.
struct FunctionInfo {
  llvm::StringRef name;
  /// The first and, if not empty, the last version that has it.
  llvm::StringRef since;
  llvm::StringRef until;
  /// Gives its value for arguments that are known, or what is wrong with them.
  struct Outcome {
    Value value = {};
    std::string problem = {};
    /// It has a value, but not here.
    bool isLater = false;
  };
  using OfValue = Outcome (*)(const Value &argument, ValueArena &arena);
  OfValue ofValue;
  /// Or does all by itself.
  using OfNode = const Expr *(*)(Composer &composer, const syntax::Node &call,
                                 const Scope &scope);
  OfNode ofNode;
  /// Or has a form for arguments of which some parts are not known; null where
  /// it has none for these.
  using OfExpr = const Expr *(*)(Composer &composer, const Expr &argument,
                                 SourceRange range);
  OfExpr ofExpr = nullptr;
};
/// The function \p name in any version of templates in this form, or null.
const FunctionInfo *findFunction(llvm::StringRef name, bool isCfn);
std::vector<llvm::StringRef> functionNames(bool isCfn);

/// The members that a group must not have.
std::vector<std::string> removedMembers(Composer &composer,
                                        const StackResource &group);

/// What `get_attr` with \p path gives at \p resource; null after a report.
const Expr *attributeOf(Composer &composer, StackResource &resource,
                        llvm::ArrayRef<const Expr *> path, SourceRange range);
/// What `get_resource` gives.
const Expr *referenceTo(Composer &composer, const StackResource &resource,
                        SourceRange range);
/// What \p keys lead to inside \p value; null where they lead nowhere.
const Expr *selectParts(Composer &composer, const Expr *value,
                        llvm::ArrayRef<const Expr *> keys, SourceRange range);

/// The text of a scalar value, as it is written into other texts; lists and
/// maps as JSON.
std::string textOf(const Value &value);
/// How long texts may become: templates that hand a text on to each other and
/// double it make more than any machine can hold.
constexpr uint64_t maxText = 4 << 20;
/// The same of lists and maps: items, keys and values.
constexpr uint64_t maxParts = 1 << 20;
/// Takes about as many bytes from \p budget as textOf() would make; false if
/// there are not so many.
bool takeText(const Value &value, uint64_t &budget);

// The functions, by file.
FunctionInfo::Outcome joinList(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome splitText(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome replaceText(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome replaceStrictly(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome replaceVeryStrictly(const Value &argument,
                                          ValueArena &arena);
FunctionInfo::Outcome digest(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome makeURL(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome keepText(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome mergeMaps(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome replaceInMap(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome filterList(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome concatLists(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome concatUnique(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome containsValue(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome equalValues(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome selectPart(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome splitForm(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome memberListToMap(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome replaceForm(const Value &argument, ValueArena &arena);
FunctionInfo::Outcome notHere(const Value &argument, ValueArena &arena);
/// `yaql`, as far as Yaql.h goes.
FunctionInfo::Outcome queryValue(const Value &argument, ValueArena &arena);
/// The same where parts of the data are not known and do not matter.
const Expr *queryParts(Composer &composer, const Expr &argument,
                       SourceRange range);
/// Values with every text changed by \p change, keys included.
Value mapTexts(const Value &value,
               llvm::function_ref<std::string(llvm::StringRef)> change,
               ValueArena &arena);
/// `repeat` for a known argument, whose template has been evaluated.
FunctionInfo::Outcome repeat(const Value &argument, ValueArena &arena);

const Expr *joinParts(Composer &composer, const Expr &argument,
                      SourceRange range);
const Expr *replaceParts(Composer &composer, const Expr &argument,
                         SourceRange range);
const Expr *mergeParts(Composer &composer, const Expr &argument,
                       SourceRange range);
const Expr *concatParts(Composer &composer, const Expr &argument,
                        SourceRange range);

const Expr *getParameter(Composer &composer, const syntax::Node &call,
                         const Scope &scope);
const Expr *getResource(Composer &composer, const syntax::Node &call,
                        const Scope &scope);
const Expr *getAttribute(Composer &composer, const syntax::Node &call,
                         const Scope &scope);
const Expr *getFile(Composer &composer, const syntax::Node &call,
                    const Scope &scope);
const Expr *resourceFacade(Composer &composer, const syntax::Node &call,
                           const Scope &scope);
const Expr *getReference(Composer &composer, const syntax::Node &call,
                         const Scope &scope);
const Expr *findInMap(Composer &composer, const syntax::Node &call,
                      const Scope &scope);
const Expr *decide(Composer &composer, const syntax::Node &call,
                   const Scope &scope);
const Expr *conditionValue(Composer &composer, const syntax::Node &call,
                           const Scope &scope);

} // namespace toscac::heat

#endif
