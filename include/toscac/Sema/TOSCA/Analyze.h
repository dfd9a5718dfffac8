//===- toscac/Sema/TOSCA/Analyze.h - Check a TOSCA program ------*- C++ -*-===//
///
/// \file
/// Semantic analysis of a file with all it imports.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_TOSCA_ANALYZE_H
#define TOSCAC_SEMA_TOSCA_ANALYZE_H

#include "toscac/Sema/Models.h"
#include "toscac/Sema/TOSCA/PackageNames.h"

namespace toscac {
class DiagnosticEngine;
class NameTable;
namespace tosca {
struct Package;
}

struct AnalyzeOptions {
  /// The name of the binding that gives machines to types without, or `none`;
  /// empty: whichever fits.
  llvm::StringRef lifecycle = "";
  /// Functions that may be called though no file defines them.
  llvm::ArrayRef<std::string> functions = {};
  /// Remember where names are used.
  bool keepsUses = false;
};

/// A package that was checked: a function of its files alone. Its types can
/// still be asked for models, of a front end that follows a profile, and of
/// what no template speaks of any more.
class Analysis : public sema::Profile, public sema::ObsoleteModels {
public:
  /// Checks \p package: names, derivation and refinement of types. Reports
  /// every problem it finds; an error does not cascade. The services, none
  /// after an error, become those of \p result; models add to it what they
  /// need. Refers to all of these.
  Analysis(const tosca::Package &package, NameTable &names,
           DiagnosticEngine &diags, sema::CheckedProgram &result,
           const AnalyzeOptions &options = {});
  ~Analysis() override;

  sema::NodeTemplate node(llvm::StringRef type) override;
  sema::Group group(llvm::StringRef type) override;

  bool concerns(uint32_t service, const sema::RecordedPart &part) override;
  std::optional<sema::NodeTemplate>
  node(uint32_t service, const sema::RecordedPart &part) override;
  std::optional<sema::Requirement>
  requirement(uint32_t service, const sema::NodeTemplate &source,
              const sema::RecordedPart &part) override;
  void finish() override;

  /// What names mean in the files of the package. Good as long as this is.
  sema::PackageNames names() const;

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

/// The services of \p package.
sema::CheckedProgram analyze(const tosca::Package &package, NameTable &names,
                             DiagnosticEngine &diags);

} // namespace toscac

#endif
