//===- toscac/Parse/Heat/Environment.h - Heat environments ------*- C++ -*-===//
///
/// \file
/// Environment files: values for parameters, which type names stand for what
/// (`resource_registry`), and what is required of the templates that are
/// chosen (`requires`, seed 004). Several are merged into one; what a later
/// file says of a key holds.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_HEAT_ENVIRONMENT_H
#define TOSCAC_PARSE_HEAT_ENVIRONMENT_H

#include "toscac/Parse/Heat/Template.h"
#include "llvm/ADT/MapVector.h"
#include <memory>
#include <string>

namespace toscac::heat {

/// What a type name stands for.
struct RegistryEntry {
  Word key;
  /// A list of candidates, of which `requires` leaves one.
  bool isList = false;
  /// Names of types, or of templates relative to `folder`.
  std::vector<Word> targets;
  std::string folder;
};

/// Whether \p name is that of a template, and not of a type.
bool namesTemplate(llvm::StringRef name);

struct Registry {
  llvm::MapVector<llvm::StringRef, RegistryEntry> entries;
  /// What holds for some resources only, by name or pattern (`*_server`); the
  /// sections of their nested resources lie within.
  llvm::MapVector<llvm::StringRef, std::unique_ptr<Registry>> resources;
};

/// How the values that several environments give a parameter become one.
enum class MergeStrategy : uint8_t { Overwrite, Merge, DeepMerge };
/// `deep_merge`
llvm::StringRef word(MergeStrategy strategy);

/// What environments say of a parameter.
struct GivenValue {
  /// One, or those to be merged, in the order of environments.
  llvm::SmallVector<const syntax::Node *, 1> parts;
  MergeStrategy strategy = MergeStrategy::Overwrite;
  /// Where the strategy was chosen.
  SourceRange chosenAt;
};

struct Environment {
  llvm::MapVector<llvm::StringRef, GivenValue> parameters;
  llvm::MapVector<llvm::StringRef, GivenValue> defaults;
  Registry registry;
  /// In the order of first mention.
  std::vector<Capability> required;
};

/// Adds what the environment file with this root says to \p environment.
/// Template names in it are relative to \p folder.
void parseEnvironment(const syntax::Node &root, llvm::StringRef folder,
                      Environment &environment, DiagnosticEngine &diags);

/// Adds values of parameters: \p root itself, or what stands in it below
/// `parameters`.
void parseParameters(const syntax::Node &root, Environment &environment,
                     DiagnosticEngine &diags);

} // namespace toscac::heat

#endif
