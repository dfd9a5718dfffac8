//===- toscac - Compiles service templates to execution plans -------------===//

#include "toscac/Driver/Driver.h"

#include <CLI/CLI.hpp>

int main(int argc, char **argv) {
  CLI::App app("Compiles service templates to execution plans.");
  toscac::DriverOptions options;
  app.add_option("input", options.input)->required();
  CLI11_PARSE(app, argc, argv);
  return toscac::runDriver(options);
}
