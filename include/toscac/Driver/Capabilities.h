//===- toscac/Driver/Capabilities.h - What templates declare ----*- C++ -*-===//
///
/// \file
/// What `tosca-caps` does with its options: questions about the capabilities
/// of Heat and TOSCA templates (seed 004), answered from the files alone.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_DRIVER_CAPABILITIES_H
#define TOSCAC_DRIVER_CAPABILITIES_H

#include <string>
#include <vector>

namespace llvm {
class raw_fd_ostream;
}

namespace toscac {

enum class PathFormat { Lines, Nul, JSON };

struct FindOptions {
  /// KEY=VALUE; all must hold.
  std::vector<std::string> conditions;
  std::vector<std::string> paths;
  bool recursive = false;
  PathFormat format = PathFormat::Lines;
};

/// Prints the templates that have all capabilities asked for.
int findTemplates(const FindOptions &options, llvm::raw_fd_ostream &out,
                  llvm::raw_fd_ostream &err);

struct SummaryOptions {
  std::vector<std::string> files;
  std::vector<std::string> environments;
};

/// Prints, as JSON, all capabilities with the values that templates have for
/// them, and all types with the templates that can stand for them.
int summarizeTemplates(const SummaryOptions &options, llvm::raw_fd_ostream &out,
                       llvm::raw_fd_ostream &err);

struct StackOptions {
  std::string file;
  std::vector<std::string> environments;
};

/// Prints, as JSON, every choice of a stack that is still open, with its
/// candidates and what each of them would ask for in addition.
int listChoices(const StackOptions &options, llvm::raw_fd_ostream &out,
                llvm::raw_fd_ostream &err);

/// Prints, as JSON, the parameters of a stack and of all templates that are
/// chosen for it.
int listParameters(const StackOptions &options, llvm::raw_fd_ostream &out,
                   llvm::raw_fd_ostream &err);

} // namespace toscac

#endif
