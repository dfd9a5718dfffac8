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
      diag::RequirednessLost.id,
      diag::RangeTooWide.id,
      diag::UnfitRelationship.id,
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
      diag::BadVersionValue.id,
      diag::KeyNotString.id,
  };
  return rules;
}

/// Rules of TOSCA 2.0 whose breach leaves no doubt about what is meant.
static llvm::ArrayRef<DiagId> clearRules() {
  static constexpr DiagId rules[] = {
      diag::WrongBooleanSpelling.id,
      diag::EmptyDataType.id,
  };
  return rules;
}

/// Rules that a profile may break as long as nothing depends on the place:
/// whoever uses the profile cannot correct it.
static llvm::ArrayRef<DiagId> profileRules() {
  static constexpr DiagId rules[] = {
      diag::UnknownName.id,
      diag::MissingProperty.id,
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
  std::vector<FixIt> fixes;

  void reportLenient(DiagnosticEngine &diags) const {
    auto report = diags.report(range, diag::LenientReading, message, rule);
    for (const FixIt &fix : fixes)
      report.safeFixIt(fix.range, fix.text);
  }
};

/// The texts of some files, by place.
class Texts {
public:
  Texts(const Package &package,
        llvm::function_ref<bool(const File &)> isMeant) {
    for (const auto &file : package.files)
      if (isMeant(*file))
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

/// Takes the errors out that break \p rules within \p texts, but for those
/// that \p isKept holds for.
static std::vector<Mistake> takeMistakes(
    const Texts &texts, llvm::ArrayRef<DiagId> rules, DiagnosticEngine &diags,
    llvm::function_ref<bool(const Diagnostic &)> isKept = [](const auto &) {
      return false;
    }) {
  std::vector<Mistake> mistakes;
  diags.removeIf([&](const Diagnostic &said) {
    bool isTolerated = said.severity == Severity::Error &&
                       llvm::is_contained(rules, said.id) &&
                       texts.contain(said.range.begin) && !isKept(said);
    if (isTolerated)
      mistakes.push_back(
          {said.range, said.message, info(said.id).name, said.fixes});
    return isTolerated;
  });
  return mistakes;
}

void tosca::tolerateClearMistakes(const Package &package,
                                  DiagnosticEngine &diags) {
  if (!diags.hasErrors())
    return;
  Texts present(package, [](const File &file) { return !file.dialect; });
  // `yes` may be meant as a text.
  auto isVague = [](const Diagnostic &said) {
    llvm::StringRef message = said.message;
    return said.id == diag::WrongBooleanSpelling.id &&
           !message.starts_with_insensitive("'true'") &&
           !message.starts_with_insensitive("'false'");
  };
  for (const Mistake &mistake :
       takeMistakes(present, clearRules(), diags, isVague))
    mistake.reportLenient(diags);
}

void tosca::tolerateMistakes(const Package &package, DiagnosticEngine &diags) {
  if (!diags.hasErrors())
    return;
  Texts foreign(package, [](const File &file) {
    return file.dialect && file.importedAt.isValid();
  });
  for (const Mistake &mistake : takeMistakes(foreign, foreignRules(), diags))
    diags.report(mistake.range, diag::ForeignMistake, mistake.message,
                 mistake.rule);
  Texts first(package, [](const File &file) {
    return file.dialect && !file.dialect->hasRefinementRules;
  });
  for (const Mistake &mistake : takeMistakes(first, refinementRules(), diags))
    diags.report(mistake.range, diag::LooseRefinement, mistake.message,
                 mistake.rule);
  tolerateClearMistakes(package, diags);
  Texts published(package, [](const File &file) {
    return !file.dialect && file.isOfProfile;
  });
  // A name that is nearly right is a slip of whoever writes the profile.
  auto hasCure = [](const Diagnostic &said) { return !said.fixes.empty(); };
  for (const Mistake &mistake :
       takeMistakes(published, profileRules(), diags, hasCure))
    mistake.reportLenient(diags);
}
