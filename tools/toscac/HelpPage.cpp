//===- HelpPage.cpp - What toscac says of itself --------------------------===//
///
/// \file
/// Examples, the options of every day, topics and exit codes. All else comes
/// from the options themselves.
///
//===----------------------------------------------------------------------===//

#include "HelpPage.h"

using namespace toscac;
using help::Row;

static constexpr const char *usage[] = {
    "[OPTIONS] FILE",
    "--check|--fix [OPTIONS] FILE|FOLDER...",
};

static constexpr Row examples[] = {
    {"toscac --check .", "mistakes in all files here"},
    {"toscac service.yaml --emit=diff", "what would happen"},
    {"toscac service.yaml -o plan.json", "a plan, for tosca-run"},
    {"toscac service.yaml --verify -o plan.json", "and prove it right"},
    {"toscac service.yaml --state toscac.db -o plan.json",
     "what has changed since"},
    {"toscac --explain lost-trigger", "what a message means"},
};

static constexpr Row everyday[] = {
    {"-o", nullptr},
    {"--check", nullptr},
    {"--fix", "Correct what has only one correction"},
    {"--emit", "What to make: plan (default), plan-text, diff,\n"
               "graph, machines, state, … (--help-all has all)"},
    {"--format", "How to show it: text (default), dot, mermaid"},
    {"-I", nullptr},
    {"--input", nullptr},
    {"--inputs", nullptr},
    {"--state", "Take what is deployed from FILE"},
    {"--workflow", "Plan this workflow, not the one that brings up"},
    {"--param", "Give a parameter of the workflow a value"},
    {"--take-down", "Plan the workflow that takes down"},
    {"--list-workflows", nullptr},
    {"--verify", "Try every order in which operations can end"},
    {"-W", "-Wno-NAME, -Wextra, -Werror: which warnings count"},
    {"--explain", "Print what the diagnostic NAME means"},
};

static constexpr Row exitCodes[] = {
    {"0", "good"},
    {"1", "the input has errors"},
    {"2", "the input is right, and there is no plan for it"},
    {"3", "a file cannot be read or written"},
    {"64", "wrong usage"},
};

static constexpr Row heat[] = {
    {"toscac stack.yaml -e env.yaml --check", "look for mistakes"},
    {"toscac stack.yaml -e env.yaml --emit=composition",
     "what each resource is"},
    {"toscac stack.yaml --input size=3 -o plan.json", "with a parameter"},
};
static constexpr Row bosh[] = {
    {"toscac manifest.yml --releases releases --cloud cloud.yml --emit=links",
     "what jobs get"},
    {"toscac manifest.yml --releases releases --ops-file ops.yml -v name=x -o "
     "plan.json",
     "a plan"},
    {"toscac manifest.yml --releases releases --explain-link group/job/link",
     "why a link is what it is"},
};
static constexpr Row cloudify[] = {
    {"toscac blueprint.yaml -I plugins --check", "look for mistakes"},
    {"toscac blueprint.yaml --input size=3 -o plan.json",
     "a plan to install it"},
    {"toscac blueprint.yaml --state toscac.db --workflow scale --param "
     "scalable_entity_name=vm -o plan.json",
     "one more"},
    {"toscac blueprint.yaml --list-workflows", "with their parameters"},
};

static const help::Topic topics[] = {
    {"heat", "Heat templates", heat, "docs/Heat.md"},
    {"bosh", "BOSH manifests", bosh, "docs/Links.md"},
    {"cloudify", "", cloudify, "docs/Cloudify.md"},
    {"testing", "Testing", {}, "docs/AddingFeatures.md"},
};

static constexpr Row environment[] = {
    {"TOSCAC_VERIFY_ROUNDTRIP, TOSCAC_KEEP_PLANS",
     "For tests: the options --verify-roundtrip and --keep-plans."},
};

static constexpr const char *seeAlso[] = {"tosca-run", "tosca-diff",
                                          "tosca-caps", "tosca-lsp"};

const help::Page &toscac::helpPage() {
  static const help::Page page = {usage,  examples,    everyday, exitCodes,
                                  topics, environment, seeAlso};
  return page;
}
