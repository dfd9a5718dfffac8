//===- RubyParser.h - Ruby in templates -------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_BOSH_RUBYPARSER_H
#define TOSCAC_LIB_PARSE_BOSH_RUBYPARSER_H

#include "RubyReader.h"

namespace toscac::bosh {

/// The Ruby that templates of jobs use: statements, blocks, methods, texts; no
/// classes and no patterns.
class RubyParser {
public:
  explicit RubyParser(RubyReader &in) : in(in) {}

  RubyNodePtr parseProgram();

private:
  using Kind = RubyNode::Kind;
  using Ends = llvm::ArrayRef<llvm::StringRef>;

  // RubyParser.cpp: statements.
  RubyNodePtr parseBody(Ends ends);
  RubyNodePtr parseBodyUntilEnd(Ends ends);
  bool parseTags(RubyNode &body);
  RubyNodePtr parseOutput(size_t begin);
  RubyNodePtr parseStatement();
  RubyNodePtr parseTargets(RubyNodePtr first, size_t begin);
  RubyNodePtr parseKeyword(llvm::StringRef word, size_t begin);
  RubyNodePtr parseIf(size_t begin, bool isUnless);
  RubyNodePtr parseCase(size_t begin);
  RubyNodePtr parseLoop(size_t begin, bool isUntil);
  RubyNodePtr parseFor(size_t begin);
  RubyNodePtr parseGuarded(size_t begin, llvm::StringRef last);
  RubyNodePtr parseRescue();
  RubyNodePtr parseDef(size_t begin);
  bool parseParameters(llvm::StringRef last, std::vector<RubyParameter> &into);

  // RubyExpressions.cpp and RubyCalls.cpp
  RubyNodePtr parseCondition();
  RubyNodePtr parseNot();
  RubyNodePtr parseExpression();
  RubyNodePtr parseTernary();
  RubyNodePtr parseBinary(unsigned level);
  RubyNodePtr parseUnary();
  RubyNodePtr parsePower();
  RubyNodePtr parsePostfix();
  RubyNodePtr parsePrimary();
  RubyNodePtr parseIdentifier(size_t begin);
  RubyNodePtr parseLambda(size_t begin);
  RubyNodePtr parseArray(size_t begin);
  RubyNodePtr parseHash(size_t begin);
  bool parseArguments(char last, RubyNode &call);
  bool parseArgument(RubyNode &call);
  bool parseCommandArguments(RubyNode &call);
  bool startsArgument(bool hasReceiver) const;
  bool parseCallRest(RubyNode &call, bool hasReceiver);
  bool parseBlock(RubyNode &call);
  bool isHashKey() const;

  // RubyTexts.cpp
  RubyNodePtr parseText(char last, bool interpolates, Kind kind, size_t begin,
                        char open = '\0');
  RubyNodePtr parsePercent(size_t begin);
  RubyNodePtr parseHeredoc(size_t begin);
  RubyNodePtr parseInterpolated(llvm::StringRef raw, size_t offset,
                                bool interpolates, Kind kind, size_t begin);
  RubyNodePtr parseSymbol(size_t begin);
  RubyNodePtr parseNumber(size_t begin);
  bool readEscape(llvm::StringRef raw, size_t &at, std::string &into);

  RubyNodePtr make(Kind kind, size_t begin, llvm::StringRef text = "") {
    auto node = std::make_unique<RubyNode>();
    node->kind = kind;
    node->text = text.str();
    node->range = in.rangeFrom(begin);
    return node;
  }
  template <typename... Parts>
  RubyNodePtr make(Kind kind, size_t begin, llvm::StringRef text,
                   RubyNodePtr first, Parts... rest) {
    RubyNodePtr node = make(kind, begin, text);
    node->parts.push_back(std::move(first));
    (node->parts.push_back(std::move(rest)), ...);
    return node;
  }

  RubyReader &in;
  /// Names that are variables: what follows them is no argument.
  std::set<std::string> variables;
  /// `do` belongs to a loop around this.
  bool lacksDo = false;
  /// Between `|` and `|`.
  bool lacksPipes = false;
  /// In the middle of `a ? b : c`.
  bool lacksCommands = false;
};

} // namespace toscac::bosh

#endif
