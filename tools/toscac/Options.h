//===- Options.h - The command line of toscac -------------------*- C++ -*-===//

#ifndef TOSCAC_TOOLS_TOSCAC_OPTIONS_H
#define TOSCAC_TOOLS_TOSCAC_OPTIONS_H

#include "toscac/Driver/Driver.h"

namespace CLI {
class App;
}

/// Options whose words become enumerators after parsing.
struct Words {
  std::string emit = "plan";
  std::string format = "text";
  std::string picture = "text";
  std::string color = "auto";
  std::string table;
  std::string language;
  std::string openRequirements;
  bool fix = false;
  bool fixDryRun = false;
  bool fixUnsafe = false;
};

/// Adds every option to \p app. Parsing fills \p options and \p words.
void addOptions(CLI::App &app, toscac::DriverOptions &options, Words &words);

/// Turns words, which have been checked, into enumerators.
void setEnumerators(const CLI::App &app, const Words &words,
                    toscac::DriverOptions &options);

/// What is wrong about options that are each right; empty if nothing is.
std::string findConflict(const CLI::App &app,
                         const toscac::DriverOptions &options);

#endif
