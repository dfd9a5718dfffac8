//===- Walk.cpp - A deployment that changes at random ---------------------===//

#include "Walk.h"

#include "Interrupt.h"
#include "Shape.h"
#include "toscac/Value/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace toscac;
using namespace toscac::walk;
using llvm::StringRef;

namespace {

class Walk {
public:
  Walk(Planner &planner, std::mt19937 &random, Tally &tally)
      : planner(planner), random(random), tally(tally) {}

  std::string run(unsigned length);

private:
  unsigned pick(unsigned count) { return random() % count; }
  const state::Deployment *now() const {
    return state ? &state->deployments.front() : nullptr;
  }
  template <typename Name>
  bool fail(const Name &what) {
    problem = "after\n" + story + what;
    return false;
  }

  // What to do next.
  Request nextRequest();
  Request scaling();
  std::string anyInstance(StringRef origin = "");
  std::vector<std::string> scalables() const;

  // What must be true.
  bool change(const Request &request);
  bool isFresh(const state::Deployment &deployment);
  bool isRigid(const state::Deployment &deployment) const;
  bool choosesPlaces(const Request &request) const;
  bool isConsistent(const state::Deployment &after);
  bool keepsOthers(const Request &request, const state::Deployment &after);
  bool givesNoIndexAgain(const state::Deployment &after);
  bool isSame(const state::Deployment &wanted, const state::Deployment &found,
              StringRef what);
  bool survives(const Request &request, const Answer &answer);
  bool recover(const Request &request, const state::Deployment &broken,
               const state::Deployment &wanted);
  bool recoverScale(const Request &request, const state::Deployment &broken,
                    const state::Deployment &wanted);
  std::optional<Answer> plan(const state::Deployment &from,
                             const Request &request);

  std::map<std::string, int64_t>
  inputsFor(const state::Deployment &deployment) const;

  Planner &planner;
  std::mt19937 &random;
  Tally &tally;
  std::optional<state::State> state;
  llvm::StringSet<> used;
  /// Somebody chose who goes: which places are free depends on that.
  bool isChosen = false;
  /// Templates that the service lacks now.
  unsigned omitted = 0;
  std::string story, problem;
};

} // namespace

/// The input that \p expr asks for, if it is no more than that.
static StringRef inputIn(const Expr *expr) {
  if (!expr || !expr->isCall(Function::GetInput) ||
      expr->children().size() != 1 || !expr->children().front().isLiteral())
    return "";
  return expr->children().front().value().asString();
}

/// Inputs with which as much is deployed as there is.
std::map<std::string, int64_t>
Walk::inputsFor(const state::Deployment &deployment) const {
  std::map<std::string, int64_t> inputs, counts = countsOf(deployment);
  for (const sema::NodeTemplate &node : planner.service().nodes)
    if (StringRef input = inputIn(node.count); !input.empty())
      inputs[input.str()] = counts[node.name.str().str()];
  for (const sema::Group &group : planner.service().groups)
    for (const sema::Assignment &property : group.properties)
      if (StringRef input = inputIn(property.value);
          !input.empty() && property.name.str() == "instances")
        if (const Value *count = deployment.counts.isMap()
                                     ? deployment.counts.find(group.name.str())
                                     : nullptr)
          inputs[input.str()] = count->asInteger();
  return inputs;
}

std::vector<std::string> Walk::scalables() const {
  std::vector<std::string> names;
  for (const sema::NodeTemplate &node : planner.service().nodes)
    names.push_back(node.name.str().str());
  for (const sema::Group &group : planner.service().groups)
    names.push_back(group.name.str().str());
  return names;
}

std::string Walk::anyInstance(StringRef origin) {
  std::vector<StringRef> names;
  for (const state::Entity &entity : now()->entities)
    if (entity.kind == state::EntityKind::Node &&
        (origin.empty() || entity.origin == origin))
      names.push_back(entity.name);
  return names.empty() ? "" : names[pick(names.size())].str();
}

Request Walk::scaling() {
  std::vector<std::string> names = scalables();
  static const char *const deltas[] = {"-2", "-1", "-1", "1", "1", "2"};
  Request request{"scale",
                  {{"scalable_entity_name", names[pick(names.size())]},
                   {"delta", deltas[pick(6)]}},
                  {},
                  omitted};
  if (pick(6) == 0)
    request.parameters["scale_compute"] = "true";
  else if (request.parameters["delta"][0] == '-' && pick(4) == 0)
    if (std::string one =
            anyInstance(request.parameters["scalable_entity_name"]);
        !one.empty())
      request.parameters["include_instances"] = one;
  return request;
}

Request Walk::nextRequest() {
  if (!now())
    return {"deploy", {}, {}, omitted};
  switch (pick(8)) {
  case 0: {
    Request request{"heal", {}, {}, omitted};
    if (std::string one = anyInstance(); !one.empty())
      request.parameters["instance"] = one;
    return request;
  }
  case 1:
  case 2: {
    Request request{pick(2) ? "update" : "deploy", {}, {}, omitted};
    for (const sema::InputDefinition &input : planner.service().inputs)
      if (pick(3) == 0 && input.name.str() != "pod")
        request.inputs[input.name.str().str()] = pick(4);
    if (planner.numTemplates > 1 && pick(2))
      request.omitted = omitted ^ 1u << pick(planner.numTemplates);
    if (request.omitted + 1 == 1u << planner.numTemplates)
      request.omitted = 0;
    return request;
  }
  case 3:
    if (pick(4) == 0)
      return {"undeploy", {}, {}, omitted};
    [[fallthrough]];
  default:
    return scaling();
  }
}

static std::string difference(const std::vector<std::string> &wanted,
                              const std::vector<std::string> &found) {
  std::string text;
  std::vector<std::string> only;
  std::set_difference(wanted.begin(), wanted.end(), found.begin(), found.end(),
                      std::back_inserter(only));
  for (const std::string &line : only)
    text += "missing " + line + "\n";
  only.clear();
  std::set_difference(found.begin(), found.end(), wanted.begin(), wanted.end(),
                      std::back_inserter(only));
  for (const std::string &line : only)
    text += "found " + line + "\n";
  return text;
}

/// Who is linked to whom, for people.
static std::string linksOf(const state::Deployment &deployment) {
  std::string text;
  for (const state::Entity &entity : deployment.entities)
    if (entity.kind == state::EntityKind::Relationship)
      text += ("  " + entity.name + " -> " + entity.target + "\n").str();
  return text;
}

/// Whether \p request says who goes, or leaves containers that hold different
/// numbers or fewer than they could, or groups that lack some: a fresh
/// deployment would fill the first ones.
bool Walk::choosesPlaces(const Request &request) const {
  if (!planner.service().groups.empty() ||
      request.parameters.contains("include_instances"))
    return true;
  auto entity = request.parameters.find("scalable_entity_name");
  return llvm::any_of(
      planner.service().nodes, [&](const sema::NodeTemplate &node) {
        bool isInside =
            llvm::any_of(node.requirements, [](const auto &requirement) {
              return requirement.name.str() == "host" && requirement.node;
            });
        return isInside && request.workflow != "heal" &&
               (entity == request.parameters.end() ||
                entity->second == node.name.str());
      });
}

/// Whether who gets which place depends on counts alone: nobody chose who goes,
/// or who is in no group, nobody competes for places, and pairs are in step.
bool Walk::isRigid(const state::Deployment &deployment) const {
  std::map<uint32_t, unsigned> takers;
  std::map<std::string, int64_t> counts = countsOf(deployment);
  auto isInStep = [&](const sema::NodeTemplate &node) {
    return llvm::all_of(deployment.entities, [&](const state::Entity &entity) {
      return entity.origin != node.name.str() ||
             entity.index < counts[node.name.str().str()];
    });
  };
  for (const sema::NodeTemplate &node : planner.service().nodes)
    for (const sema::Requirement &requirement : node.requirements) {
      if (requirement.node && !requirement.allocations.empty() &&
          (requirement.count || ++takers[*requirement.node] > 1))
        return false;
      // All in the first one, until others bring their own.
      if (requirement.node && requirement.name.str() == "host" &&
          requirement.allocations.empty() && !requirement.nodeIndex)
        return false;
      if (requirement.node && requirement.nodeIndex &&
          !(isInStep(node) &&
            isInStep(planner.service().nodes[*requirement.node])))
        return false;
    }
  return !isChosen;
}

/// A fresh deployment of as many instances, where there is one, gives the same.
bool Walk::isFresh(const state::Deployment &deployment) {
  Request request{"deploy", {}, inputsFor(deployment), omitted};
  if (deployment.inputs.isMap())
    for (const MapEntry &entry : deployment.inputs.entries())
      if (entry.value.isInteger())
        request.inputs.try_emplace(entry.key.asString().str(),
                                   entry.value.asInteger());
  Answer fresh = planner.plan(nullptr, request);
  if (!fresh.after || countsOf(fresh.deployment()) != countsOf(deployment))
    return true;
  ++tally.compared;
  bool rigid = isRigid(deployment);
  tally.shapes += rigid;
  auto wanted =
      rigid ? shapeOf(fresh.deployment()) : contentOf(fresh.deployment());
  auto found = rigid ? shapeOf(deployment) : contentOf(deployment);
  if (wanted == found)
    return true;
  return fail("differs from " + toText(request) + ":\n" +
              linksOf(fresh.deployment()) + "but has\n" + linksOf(deployment) +
              difference(contentOf(fresh.deployment()), contentOf(deployment)));
}

bool Walk::isConsistent(const state::Deployment &after) {
  std::string contradiction = contradictionIn(after);
  return contradiction.empty() || fail(contradiction + "\n");
}

bool Walk::givesNoIndexAgain(const state::Deployment &after) {
  std::map<std::string, std::string> before;
  if (now())
    before = linesOf(*now());
  for (const state::Entity &entity : after.entities)
    if (entity.kind == state::EntityKind::Node &&
        !before.contains(entity.name.str()) && !used.insert(entity.name).second)
      return fail("'" + entity.name.str() + "' is given again\n");
  return true;
}

/// Scaling leaves recorded instances as they are.
bool Walk::keepsOthers(const Request &request, const state::Deployment &after) {
  if (request.workflow == "heal")
    return isSame(*now(), after, "healed");
  if (request.workflow != "scale")
    return true;
  std::map<std::string, std::string> lines = linesOf(after);
  for (const auto &[name, line] : linesOf(*now()))
    if (auto left = lines.find(name);
        left != lines.end() && left->second != line)
      return fail("changed\n" + line + "\nto\n" + left->second + "\n");
  return true;
}

bool Walk::isSame(const state::Deployment &wanted,
                  const state::Deployment &found, StringRef what) {
  std::vector<std::string> before, after;
  for (const auto &[name, line] : linesOf(wanted))
    before.push_back(line);
  for (const auto &[name, line] : linesOf(found))
    after.push_back(line);
  llvm::sort(before);
  llvm::sort(after);
  return before == after || fail(what.str() + "\n" + difference(before, after));
}

std::optional<Answer> Walk::plan(const state::Deployment &from,
                                 const Request &request) {
  Answer answer = planner.plan(&from, request);
  if (answer.after)
    return answer;
  std::string lines;
  for (const auto &[name, line] : linesOf(from))
    lines += line + "\n";
  fail(toText(request) + ": " + answer.errors + "from\n" + lines);
  return std::nullopt;
}

/// An interrupted scale out is finished by heal, and undone by scaling in; one
/// that scales in is finished by scaling in what is left, and undone by heal.
bool Walk::recoverScale(const Request &request, const state::Deployment &broken,
                        const state::Deployment &wanted) {
  std::optional<Answer> healed = plan(broken, {"heal", {}, {}, omitted});
  if (!healed || !isConsistent(healed->deployment()))
    return false;
  bool isOut = request.parameters.at("delta")[0] != '-';
  if (isOut && !isSame(wanted, healed->deployment(), "scale out, then heal"))
    return false;
  Request back = request;
  if (isOut) {
    back.parameters["delta"] = "-" + back.parameters["delta"];
  } else {
    std::string entity = request.parameters.at("scalable_entity_name");
    if (request.parameters.contains("scale_compute") ||
        !countsOf(*now()).contains(entity))
      return true;
    int64_t left =
        countsOf(broken)[entity] -
        (countsOf(wanted).contains(entity) ? countsOf(wanted)[entity] : 0);
    back.parameters["delta"] = std::to_string(-left);
    back.parameters.erase("include_instances");
  }
  // What has failed beside it is not the business of scaling.
  std::optional<Answer> done = plan(broken, back);
  if (done && !done->deployment().entities.empty())
    done = plan(done->deployment(), {"heal", {}, {}, omitted});
  return done && isSame(isOut ? *now() : wanted, done->deployment(),
                        "scale, interrupted, then " + toText(back));
}

bool Walk::recover(const Request &request, const state::Deployment &broken,
                   const state::Deployment &wanted) {
  if (broken.entities.empty())
    return true;
  if (request.workflow == "scale")
    return recoverScale(request, broken, wanted);
  Request again = request;
  if (request.workflow == "heal")
    again.parameters.clear();
  std::optional<Answer> answer = plan(broken, again);
  return answer && isConsistent(answer->deployment()) &&
         isSame(wanted, answer->deployment(), "interrupted, then again");
}

bool Walk::survives(const Request &request, const Answer &answer) {
  std::string path = planner.write("plan.json", answer.plan);
  llvm::Expected<state::State> broken =
      interrupt(path, planner.write("store.db", ""), now(), random);
  if (!broken)
    return fail(llvm::toString(broken.takeError()));
  ++tally.interrupted;
  const state::Deployment &left = broken->deployments.front();
  return isConsistent(left) && recover(request, left, answer.deployment());
}

static std::string nameOfError(StringRef errors) {
  StringRef first = errors.split('\n').first;
  return first.rsplit('[').second.drop_back().str();
}

bool Walk::change(const Request &request) {
  story += "  " + toText(request) + "\n";
  Answer answer = planner.plan(now(), request);
  if (!answer.after) {
    ++tally.refused;
    ++tally.refusals[nameOfError(answer.errors)];
    story += "    refused: " + answer.errors;
    return !StringRef(answer.errors).contains("[unreachable-goal]") ||
           fail("a goal cannot be reached\n");
  }
  ++tally.changes;
  isChosen |= omitted != request.omitted;
  omitted = request.omitted;
  tally.steps += StringRef(answer.plan).count("\n{\"id\"");
  const state::Deployment &after = answer.deployment();
  isChosen |= now() && choosesPlaces(request);
  if (!isConsistent(after) || !givesNoIndexAgain(after) ||
      (now() && !keepsOthers(request, after)) || !isFresh(after) ||
      (pick(2) && !survives(request, answer)))
    return false;
  if (request.workflow == "undeploy") {
    if (!after.entities.empty())
      return fail("something is left\n");
    state.reset();
    used.clear();
    isChosen = false;
    omitted = 0;
    return true;
  }
  state = std::move(answer.after);
  return true;
}

std::string Walk::run(unsigned length) {
  for (unsigned i = 0; i != length; ++i)
    if (!change(nextRequest()) || !now())
      break;
  if (problem.empty() && now() && !now()->entities.empty())
    change({"undeploy", {}, {}, omitted});
  return problem;
}

std::string walk::walk(Planner &planner, unsigned length, std::mt19937 &random,
                       Tally &tally) {
  return Walk(planner, random, tally).run(length);
}
