//===- HelpPage.cpp - What tosca-run says of itself -----------------------===//
///
/// \file
/// Examples, the options of every day and exit codes. All else comes from the
/// options themselves.
///
//===----------------------------------------------------------------------===//

#include "HelpPage.h"

using namespace toscac;
using help::Row;

static constexpr const char *usage[] = {
    "[OPTIONS] PLAN",
    "COMMAND [OPTIONS] ...",
};

static constexpr Row examples[] = {
    {"tosca-run plan.json", "run it, one step per processor at once"},
    {"tosca-run --dry-run plan.json", "what would run"},
    {"tosca-run --resume plan.json", "go on after a stop or a crash"},
    {"tosca-run outputs", "what the service says of itself"},
    {"tosca-run state show", "what is there"},
};

static constexpr Row everyday[] = {
    {"-j", nullptr},       {"--on-failure", nullptr},
    {"--resume", nullptr}, {"--dry-run", nullptr},
    {"--state", nullptr},  {"--deployment", nullptr},
    {"--input", nullptr},  {"--json", nullptr},
};

static constexpr Row exitCodes[] = {
    {"0", "all steps are done"},
    {"1", "a step failed"},
    {"2", "the plan was refused, and nothing ran"},
    {"3", "a file or the store cannot be read or written"},
    {"64", "wrong usage"},
    {"130", "stopped; --resume goes on"},
};

static constexpr Row environment[] = {
    {"TOSCA_SECRET_KEY", "The key that seals sensitive values in the store."},
};

static constexpr const char *seeAlso[] = {"toscac", "tosca-diff"};

const help::Page &toscac::helpPage() {
  static const help::Page page = {usage, examples,    everyday, exitCodes,
                                  {},    environment, seeAlso};
  return page;
}
