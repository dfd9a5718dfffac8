//===- toscac/Parse/Cloudify/AST.h - Blueprints as written ------*- C++ -*-===//
///
/// \file
/// A Cloudify blueprint with all that it imports: types, templates, groups and
/// policies by name. Only shapes are checked here; what a name means is Sema's
/// business. Values, in which there may be calls of intrinsic functions, are
/// nodes of the syntax tree.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_CLOUDIFY_AST_H
#define TOSCAC_PARSE_CLOUDIFY_AST_H

#include "toscac/Parse/SyntaxTree.h"
#include "toscac/Parse/Word.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace toscac::cloudify {

using syntax::Word;

/// A value under a name.
struct NamedValue {
  Word name;
  const syntax::Node *value;
};

/// A property of a type, or an input of the blueprint or of an operation.
struct Parameter {
  Word name;
  /// Empty: any value.
  Word type;
  /// Of the items of a list; empty: any.
  Word itemType;
  /// Null: none.
  const syntax::Node *defaultValue = nullptr;
  llvm::StringRef description;
  /// Items of `constraints`.
  llvm::ArrayRef<syntax::Node> constraints;
  bool required = true;
  /// Not to be shown.
  bool hidden = false;
};

struct Operation {
  Word name;
  /// A script, or `plugin.module.function`; empty: nothing to do.
  Word implementation;
  /// In a template, values; in a type, definitions with defaults.
  std::vector<NamedValue> inputs;
  std::optional<uint32_t> maxRetries;
  std::optional<uint32_t> timeout;
  SourceRange range;
};

struct Interface {
  Word name;
  std::vector<Operation> operations;
};

struct NodeType {
  Word name;
  Word parent;
  std::vector<Parameter> properties;
  std::vector<Interface> interfaces;
};

struct RelationshipType {
  Word name;
  Word parent;
  std::vector<Parameter> properties;
  std::vector<Interface> sourceInterfaces;
  std::vector<Interface> targetInterfaces;
};

struct DataType {
  Word name;
  Word parent;
  std::vector<Parameter> properties;
};

struct Relationship {
  Word type;
  Word target;
  std::vector<NamedValue> properties;
  std::vector<Interface> sourceInterfaces;
  std::vector<Interface> targetInterfaces;
  SourceRange range;
};

/// How many instances there are, and may be; null where nothing is said.
struct Scaling {
  const syntax::Node *count = nullptr;
  const syntax::Node *min = nullptr;
  const syntax::Node *max = nullptr;
};

struct NodeTemplate {
  Word name;
  Word type;
  std::vector<NamedValue> properties;
  std::vector<Interface> interfaces;
  std::vector<Relationship> relationships;
  Scaling scaling;
};

struct Group {
  Word name;
  std::vector<Word> members;
};

struct Policy {
  Word name;
  Word type;
  std::vector<Word> targets;
  Scaling scaling;
};

struct Plugin {
  Word name;
  /// What the import that brings it says about it.
  std::vector<NamedValue> properties;
};

/// An output, or a capability of the deployment.
struct Output {
  Word name;
  const syntax::Node *value = nullptr;
};

/// A file that has been read, once for each prefix that it is imported under.
struct File {
  SourceRange range;
  /// What stands before all names in it: `network--`; mostly empty.
  std::string prefix;
  /// Where the scripts lie that it names.
  std::string folder;
  /// It comes with the compiler.
  bool isBundled = false;
};

struct Blueprint {
  /// 0 to 5: the last figure of `cloudify_dsl_1_3`.
  unsigned version = 0;
  std::vector<Parameter> inputs;
  std::vector<NodeType> nodeTypes;
  std::vector<RelationshipType> relationshipTypes;
  std::vector<DataType> dataTypes;
  std::vector<NodeTemplate> nodes;
  std::vector<Group> groups;
  std::vector<Policy> policies;
  std::vector<Plugin> plugins;
  std::vector<Output> outputs;
  std::vector<Output> capabilities;
  /// Of the first file.
  SourceRange range;
  /// The folder that scripts are named from, and what to call the service.
  std::string folder;
  std::string name;
  /// Where what has a name of its own, by kind and name, is defined.
  llvm::StringMap<SourceRange> defined;
  /// What the above refers to.
  std::deque<syntax::Tree> trees;
  std::vector<File> files;
  llvm::BumpPtrAllocator texts;

  /// The file that \p place is in.
  const File &fileOf(SourceRange place) const;
};

/// Names of the types of values that need not be defined.
llvm::ArrayRef<llvm::StringRef> valueTypes();

/// Whether \p name is one of Cloudify's own, which no prefix changes.
bool isOwnName(llvm::StringRef name);

} // namespace toscac::cloudify

#endif
