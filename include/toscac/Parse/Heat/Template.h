//===- toscac/Parse/Heat/Template.h - A HOT file as its author sees it ----===//
///
/// \file
/// The AST of a Heat Orchestration Template: its sections with their entries.
/// Values stay nodes of the syntax tree; what functions in them mean is a
/// matter of Sema. Templates in the form of CloudFormation have the same AST.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_HEAT_TEMPLATE_H
#define TOSCAC_PARSE_HEAT_TEMPLATE_H

#include "toscac/Parse/SyntaxTree.h"
#include "toscac/Parse/Word.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace toscac {
class DiagnosticEngine;

namespace heat {

/// A version of the language. Newer ones compare greater.
struct Version {
  /// `2016-10-14`
  llvm::StringRef date;
  /// `newton`; the earlier ones have none.
  llvm::StringRef codename;

  bool isAtLeast(llvm::StringRef other) const { return date >= other; }
};
llvm::ArrayRef<Version> allVersions();

using syntax::Word;

/// What a template declares to be (seed 004): a key, and any of these values.
struct Capability {
  Word key;
  llvm::SmallVector<const syntax::Node *, 1> values;
};

enum class ParameterType : uint8_t { String, Number, Json, List, Boolean };
/// `comma_delimited_list`
llvm::StringRef word(ParameterType type);

enum class ConstraintKind : uint8_t {
  Length,
  Range,
  Modulo,
  AllowedValues,
  AllowedPattern,
  CustomConstraint
};

struct Constraint {
  ConstraintKind kind;
  const syntax::Node *value;
  llvm::StringRef description;
  SourceRange range;
};

struct Parameter {
  Word name;
  ParameterType type = ParameterType::String;
  llvm::StringRef label;
  llvm::StringRef description;
  /// Null: it needs a value.
  const syntax::Node *defaultValue = nullptr;
  bool hidden = false;
  std::vector<Constraint> constraints;
};

struct ConditionDef {
  Word name;
  const syntax::Node *value;
};

struct Resource {
  Word name;
  Word type;
  /// Null where they are not there.
  const syntax::Node *properties = nullptr;
  const syntax::Node *metadata = nullptr;
  const syntax::Node *updatePolicy = nullptr;
  const syntax::Node *deletionPolicy = nullptr;
  const syntax::Node *externalId = nullptr;
  const syntax::Node *condition = nullptr;
  std::vector<Word> dependsOn;
};

struct Output {
  Word name;
  llvm::StringRef description;
  const syntax::Node *value = nullptr;
  const syntax::Node *condition = nullptr;
};

struct Template {
  Version version;
  /// In the form of CloudFormation, whose functions have names of their own.
  bool isCfn = false;
  llvm::StringRef description;
  /// Of CloudFormation: tables of values. Null: none.
  const syntax::Node *mappings = nullptr;
  std::vector<Parameter> parameters;
  std::vector<ConditionDef> conditions;
  std::vector<Resource> resources;
  std::vector<Output> outputs;

  const Parameter *findParameter(llvm::StringRef name) const;
  const Resource *findResource(llvm::StringRef name) const;
  const Output *findOutput(llvm::StringRef name) const;
};

/// Whether a file with this root is a template, in either form.
bool isTemplate(const syntax::Node &root);

/// The capabilities of a template; nothing after a report.
std::optional<std::vector<Capability>>
parseCapabilities(const syntax::Node &root, DiagnosticEngine &diags);

/// Reads the sections of a template. What is wrong in one of them is reported
/// and left out.
Template parseTemplate(const syntax::Node &root, DiagnosticEngine &diags);

} // namespace heat
} // namespace toscac

#endif
