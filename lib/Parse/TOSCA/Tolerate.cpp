//===- Tolerate.cpp - Rules that shared types may break -------------------===//

#include "toscac/Parse/TOSCA/Tolerate.h"

#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/DiagnosticsValue.h"

using namespace toscac;
using namespace toscac::tosca;

/// The rules that somebody else may break.
static llvm::ArrayRef<DiagId> foreignRules() {
  static constexpr DiagId rules[] = {
      // A keyname is as if it were not there.
      diag::DuplicateKey.id,
      diag::WrongShape.id,
      diag::EmptyValue.id,
      diag::MissingKeyname.id,
      diag::UnknownConstraint.id,
      diag::ConstraintOnType.id,
      // What stands in the derived type is taken.
      diag::NothingToRefine.id,
      diag::NotNarrower.id,
      diag::NotInParentList.id,
      diag::RepeatedDefinition.id,
      diag::MissingEntrySchema.id,
      diag::MisplacedSchema.id,
      // Values are looked at again when they are used.
      diag::WrongValueType.id,
      diag::WrongExprType.id,
      diag::WrongArgumentType.id,
      diag::ValidationViolated.id,
      diag::MissingProperty.id,
      diag::UnknownProperty.id,
      diag::InheritedDefault.id,
      diag::BadTimestamp.id,
      diag::KeyNotString.id,
  };
  return rules;
}

/// The rules that TOSCA 1.0 and 1.1 do not have: what stands in the derived
/// type is taken.
static llvm::ArrayRef<DiagId> refinementRules() {
  static constexpr DiagId rules[] = {
      diag::NothingToRefine.id,
      diag::NotNarrower.id,
      diag::NotInParentList.id,
  };
  return rules;
}

namespace {

/// An error that becomes a warning.
struct Mistake {
  SourceRange range;
  std::string message;
  llvm::StringRef rule;
};

/// The texts of some files, by place.
class Texts {
public:
  Texts(const Package &package,
        llvm::function_ref<bool(const File &)> isMeant) {
    for (const auto &file : package.files)
      if (file->dialect && isMeant(*file))
        texts.push_back(file->root.range());
    llvm::sort(texts, [](const SourceRange &a, const SourceRange &b) {
      return a.begin < b.begin;
    });
  }

  bool contain(SourceLoc place) const {
    auto next = llvm::upper_bound(texts, place,
                                  [](SourceLoc begin, const SourceRange &text) {
                                    return begin < text.begin;
                                  });
    return next != texts.begin() && place < std::prev(next)->end;
  }

private:
  std::vector<SourceRange> texts;
};

} // namespace

/// Takes the errors out that break \p rules within \p texts.
static std::vector<Mistake> takeMistakes(const Texts &texts,
                                         llvm::ArrayRef<DiagId> rules,
                                         DiagnosticEngine &diags) {
  std::vector<Mistake> mistakes;
  diags.removeIf([&](const Diagnostic &said) {
    bool isTolerated = said.severity == Severity::Error &&
                       llvm::is_contained(rules, said.id) &&
                       texts.contain(said.range.begin);
    if (isTolerated)
      mistakes.push_back({said.range, said.message, info(said.id).name});
    return isTolerated;
  });
  return mistakes;
}

void tosca::tolerateMistakes(const Package &package, DiagnosticEngine &diags) {
  if (!diags.hasErrors())
    return;
  Texts foreign(package,
                [](const File &file) { return file.importedAt.isValid(); });
  for (const Mistake &mistake : takeMistakes(foreign, foreignRules(), diags))
    diags.report(mistake.range, diag::ForeignMistake, mistake.message,
                 mistake.rule);
  Texts first(package, [](const File &file) {
    return !file.dialect->hasRefinementRules;
  });
  for (const Mistake &mistake : takeMistakes(first, refinementRules(), diags))
    diags.report(mistake.range, diag::LooseRefinement, mistake.message,
                 mistake.rule);
}
