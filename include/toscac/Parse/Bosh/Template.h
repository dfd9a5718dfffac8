//===- toscac/Parse/Bosh/Template.h - Templates of jobs ---------*- C++ -*-===//
///
/// \file
/// The part of ERB that links need: text with `<%= expression %>` and with
/// blocks `<% expression do |name| %> … <% end %>`. An expression is a chain of
/// calls, like `link("db").instances.map(&:address).join(",")`. Whatever else
/// Ruby has is reported, so that no file is rendered wrong.
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

struct TemplateExpr {
  enum class Kind : uint8_t {
    /// A text in quotes.
    String,
    Integer,
    /// A variable, or a call without receiver and arguments.
    Name,
    /// A call, with a receiver or with arguments.
    Call,
    /// `[index]` of the receiver.
    Index,
    /// `&:name`, as an argument.
    Symbol
  };
  Kind kind = Kind::Name;
  /// The name or text.
  std::string text;
  int64_t number = 0;
  /// Null where there is none.
  std::unique_ptr<TemplateExpr> receiver;
  std::vector<TemplateExpr> arguments;
  /// Of a call with `{ |name| expression }`.
  std::string parameter;
  std::unique_ptr<TemplateExpr> body;
  SourceRange range;
};

struct TemplateItem {
  enum class Kind : uint8_t { Text, Output, Block };
  Kind kind = Kind::Text;
  llvm::StringRef text;
  /// Of Output; of Block the call with `do`.
  TemplateExpr expr;
  /// Of Block.
  std::vector<std::string> parameters;
  std::vector<TemplateItem> items;
  /// Of Block: after `end.else do`.
  std::vector<TemplateItem> otherwise;
};

struct Template {
  std::vector<TemplateItem> items;
  /// Nothing was reported.
  bool valid = false;
};

/// Parses the text of \p file, which has to live as long as the result.
Template parseTemplate(const SourceManager &sources, FileId file,
                       DiagnosticEngine &diags);

} // namespace toscac::bosh

#endif
