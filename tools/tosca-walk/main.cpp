//===- tosca-walk - Deployments that change at random ---------------------===//
///
/// \file
/// Changes deployments of templates, given or made at random, by scale, heal
/// and update, with and without interruptions, and compares each state with
/// what a fresh deployment of as many instances gives; for tests.
///
//===----------------------------------------------------------------------===//

#include "RandomService.h"
#include "Show.h"
#include "Walk.h"
#include "toscac/Basic/Files.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/CLI.hpp>

using namespace toscac;

namespace {

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> substitutes;
  std::string folder;
  tosca::LoadOptions load;
  unsigned services = 0;
  unsigned walks = 1;
  unsigned length = 10;
  unsigned seed = 1;
  bool shows = false;
};

} // namespace

/// False after saying what went wrong.
static bool walkService(llvm::StringRef name, walk::ServiceText variants,
                        unsigned numTemplates, const Options &options,
                        unsigned seed, walk::Tally &tally) {
  std::string text = variants(0);
  walk::Planner planner(name, std::move(variants), numTemplates, options.load,
                        options.substitutes, options.folder);
  std::string problem = planner.problem();
  if (options.shows && problem.empty())
    return walk::show(planner, text, llvm::outs());
  std::mt19937 random(seed);
  for (unsigned i = 0; i != options.walks && problem.empty(); ++i)
    problem = walk::walk(planner, options.length, random, tally);
  if (problem.empty())
    return true;
  llvm::outs() << text << "\n# " << name << ", seed " << seed << "\n"
               << problem << "\n";
  return false;
}

int main(int argc, char **argv) {
  CLI::App app("Changes deployments at random and compares, for tests.");
  Options options;
  app.add_option("files", options.files, "Templates");
  app.add_option("-I", options.load.searchPaths, "Folder of profiles");
  app.add_option("--substitute", options.substitutes,
                 "A service that may stand for nodes")
      ->allow_extra_args(false);
  app.add_option("--folder", options.folder, "Folder for files")->required();
  app.add_option("--services", options.services, "Templates at random");
  app.add_option("--walks", options.walks, "Walks for each");
  app.add_option("--length", options.length, "Changes of each walk");
  app.add_option("--seed", options.seed, "The first seed");
  app.add_flag("--show", options.shows,
               "Make the changes after 'DO:' in the templates, and show them");
  CLI11_PARSE(app, argc, argv);

  walk::Tally tally;
  for (const std::string &file : options.files) {
    auto text = llvm::MemoryBuffer::getFile(file);
    auto same = [&](unsigned) { return (*text)->getBuffer().str(); };
    if (!text || !walkService(file, same, 0, options, options.seed, tally))
      return 1;
  }
  for (unsigned i = 0; i != options.services; ++i) {
    std::mt19937 random(options.seed + i);
    walk::RandomService service = walk::randomService(random);
    if (!walkService("random.yaml", service.text, service.numTemplates, options,
                     options.seed + i, tally))
      return 1;
  }
  if (options.shows)
    return 0;
  llvm::outs() << tally.changes << " changes, " << tally.steps << " steps, "
               << tally.compared << " states compared, " << tally.shapes
               << " with relationships, " << tally.interrupted
               << " interruptions, " << tally.refused << " refused\n";
  for (const auto &[name, count] : tally.refusals)
    llvm::outs() << "  " << name << " " << count << "\n";
  return 0;
}
