//===- Planner.h - Plans for one template, again and again ------*- C++ -*-===//

#ifndef TOSCAC_TOOLS_TOSCA_WALK_PLANNER_H
#define TOSCAC_TOOLS_TOSCA_WALK_PLANNER_H

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "toscac/Plan/MakePlan.h"
#include "toscac/Sema/Service.h"
#include "toscac/State/State.h"
#include <functional>
#include <map>

namespace toscac::walk {

struct Request {
  std::string workflow;
  /// Numbers and truth values are written as such.
  std::map<std::string, std::string> parameters;
  /// Others are as recorded.
  std::map<std::string, int64_t> inputs;
  /// Templates that the service lacks, as bits.
  unsigned omitted = 0;
};

/// The text of a service without the templates of some bits.
using ServiceText = std::function<std::string(unsigned omitted)>;

/// `scale delta=2 scalable_entity_name=a`
std::string toText(const Request &request);

struct Answer {
  /// The predicted state; not set where there is no plan.
  std::optional<state::State> after;
  /// plan.json
  std::string plan;
  /// Errors, one a line.
  std::string errors;

  const state::Deployment &deployment() const {
    return after->deployments.front();
  }
};

/// A template, each variant of which is read and checked once.
class Planner {
public:
  /// \p folder is for files that come and go.
  Planner(llvm::StringRef name, ServiceText text, unsigned numTemplates,
          const tosca::LoadOptions &options,
          llvm::ArrayRef<std::string> substitutes, std::string folder);

  /// What is wrong with the template; empty: nothing.
  std::string problem() const { return broken; }
  /// Of the variant that was last planned for.
  const sema::Service &service() const {
    return last->program.services.front();
  }
  /// How many templates may be left out; 0: there is only one variant.
  const unsigned numTemplates;

  /// \p before is null where nothing is deployed.
  Answer plan(const state::Deployment *before, const Request &request);
  /// Writes \p text to a file and gives its path.
  std::string write(llvm::StringRef name, llvm::StringRef text);

private:
  std::vector<ir::InputValue> inputsOf(const state::Deployment *before,
                                       const Request &request,
                                       ValueArena &arena);
  std::string errorsOf(const DiagnosticEngine &diags) const;
  struct Variant {
    tosca::Package package;
    sema::CheckedProgram program;
  };
  const Variant &variant(unsigned omitted);

  SourceManager sources;
  NameTable names;
  std::string name;
  ServiceText text;
  tosca::LoadOptions options;
  /// Files with services that may stand for nodes.
  std::vector<std::string> substitutes;
  std::map<unsigned, Variant> variants;
  const Variant *last = nullptr;
  std::string folder;
  std::string broken;
};

} // namespace toscac::walk

#endif
