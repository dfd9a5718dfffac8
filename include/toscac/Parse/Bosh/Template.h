//===- toscac/Parse/Bosh/Template.h - Templates of jobs ---------*- C++ -*-===//
///
/// \file
/// Templates of jobs are ERB: text with Ruby in it. The tree here is that of
/// the program which a template stands for: texts are statements that print.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_BOSH_TEMPLATE_H
#define TOSCAC_PARSE_BOSH_TEMPLATE_H

#include "toscac/Basic/SourceManager.h"
#include <memory>
#include <string>
#include <vector>

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::bosh {

struct RubyNode;
using RubyNodePtr = std::unique_ptr<RubyNode>;

/// A parameter of a block or a method.
struct RubyParameter {
  enum class Kind : uint8_t { Plain, Splat, Key, Block, Nested };
  Kind kind = Kind::Plain;
  std::string name;
  RubyNodePtr defaultValue;
  /// Of Nested: `(a, b)`.
  std::vector<RubyParameter> parts;
};

struct RubyNode {
  enum class Kind : uint8_t {
    /// Text of the template; prints itself.
    Text,
    /// `<%= value %>`
    Output,
    Nil,
    True,
    False,
    Self,
    Integer,
    Float,
    /// `text`, with what is interpolated in `parts`; then `text` is empty.
    String,
    Symbol,
    Regexp,
    Array,
    /// Of Pair and DoubleSplat.
    Hash,
    Pair,
    Splat,
    DoubleSplat,
    /// `a..b`, or with `isFlag` `a...b`; a part may be null.
    Range,
    /// A variable, or a call without receiver and arguments.
    Name,
    /// `@a`, `$a`
    Variable,
    /// `A`, or with a part `part::A`.
    Constant,
    /// parts[0] is the receiver or null; the rest are arguments.
    Call,
    And,
    Or,
    Not,
    Defined,
    /// `parts[0] = parts[1]`, or with an operator as text `+=`.
    Assign,
    /// All parts but the last are targets.
    MultiAssign,
    /// Condition, then, else; parts may be null.
    If,
    /// Subject or null, When nodes, at last the else part or null.
    Case,
    /// Values and, at last, the body.
    When,
    /// Condition and body; with `isFlag` `until`.
    While,
    /// List and body; the variables are parameters.
    For,
    /// Body, Rescue nodes; then `otherwise` is `ensure`.
    Begin,
    /// Classes and, at last, the body; `text` is the variable.
    Rescue,
    Def,
    Lambda,
    Return,
    Next,
    Break,
    Yield,
    /// Statements.
    Body
  };
  Kind kind = Kind::Nil;
  std::string text;
  int64_t number = 0;
  double real = 0;
  std::vector<RubyNodePtr> parts;
  /// Of Call: its block, a Lambda, or what stands after `&`.
  RubyNodePtr block;
  /// Of Begin: `ensure`.
  RubyNodePtr otherwise;
  std::vector<RubyParameter> parameters;
  /// Of Call: `&.`
  bool isFlag = false;
  SourceRange range;
};

struct Template {
  /// Statements; null after a report.
  RubyNodePtr program;
};

/// Parses the text of \p file, which has to live as long as the result.
Template parseTemplate(const SourceManager &sources, FileId file,
                       DiagnosticEngine &diags);

} // namespace toscac::bosh

#endif
