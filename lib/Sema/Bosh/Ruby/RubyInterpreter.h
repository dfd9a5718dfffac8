//===- RubyInterpreter.h - Templates at work --------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_BOSH_RUBY_RUBYINTERPRETER_H
#define TOSCAC_LIB_SEMA_BOSH_RUBY_RUBYINTERPRETER_H

#include "RubyValue.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::bosh {

class RubyInterpreter;

/// What a template sees: a job on one instance.
struct RubyContext {
  RubyValue properties;
  /// By name: what templates of the director get, a map.
  RubyValue links;
  RubyValue spec;
  llvm::StringRef job;
  llvm::StringRef group;
};

/// A call of a method that the interpreter has.
struct RubyCall {
  RubyInterpreter &in;
  llvm::StringRef name;
  const RubyValue &self;
  std::vector<RubyValue> &arguments;
  /// Nil: none.
  const RubyValue &block;
  const RubyNode &node;

  size_t count() const { return arguments.size(); }
  bool hasBlock() const { return !block.isNil(); }
  /// What the block gives for \p values.
  RubyValue yield(std::vector<RubyValue> values) const;
};

using RubyMethod = RubyValue (*)(const RubyCall &call);
/// Null: there is none of that name.
RubyMethod findAnyMethod(llvm::StringRef name);
RubyMethod findScalarMethod(llvm::StringRef name);
RubyMethod findTextMethod(llvm::StringRef name);
RubyMethod findListMethod(llvm::StringRef name);
RubyMethod findMapMethod(llvm::StringRef name);
RubyMethod findObjectMethod(const RubyValue &self, llvm::StringRef name);
RubyMethod findModuleMethod(llvm::StringRef module, llvm::StringRef name);
RubyMethod findFunction(llvm::StringRef name);

class RubyInterpreter {
public:
  RubyInterpreter(const RubyContext &context, DiagnosticEngine &diags)
      : context(context), diags(diags) {}

  /// Appends what \p program prints; false after a report.
  bool run(const RubyNode &program, std::string &output);

  RubyValue callMethod(const RubyValue &self, llvm::StringRef name,
                       std::vector<RubyValue> arguments, const RubyValue &block,
                       const RubyNode &node);
  RubyValue callProc(const RubyValue &proc, std::vector<RubyValue> arguments,
                     const RubyNode &node);
  /// Reports what is not understood; nothing goes on after it.
  RubyValue unsupported(const RubyNode &node, llvm::StringRef what);
  /// Begins to leave for a `rescue`.
  RubyValue raise(const RubyNode &node, llvm::StringRef className,
                  llvm::StringRef message);
  RubyValue raise(const RubyNode &node, RubyValue exception);
  /// Whether an evaluation has to stop here.
  bool isLeaving() const { return leaving != Leaving::No; }
  /// `$~`, and `$1` of it.
  void setMatch(const RubyValue &match);
  /// Takes one step, of which there are not too many.
  bool takeStep(const RubyNode &node);

  const RubyContext &context;

private:
  enum class Leaving : uint8_t { No, Next, Break, Return, Raise, Failed };
  using Kind = RubyNode::Kind;

  RubyValue evaluate(const RubyNode &node);
  RubyValue evaluatePart(const RubyNode &node, size_t part);
  RubyValue evaluateBody(const RubyNode &node);
  RubyValue evaluateCall(const RubyNode &node);
  RubyValue evaluateName(const RubyNode &node);
  RubyValue evaluateText(const RubyNode &node);
  RubyValue evaluateMap(const RubyNode &node);
  RubyValue evaluateCase(const RubyNode &node);
  RubyValue evaluateLoop(const RubyNode &node);
  RubyValue evaluateGuarded(const RubyNode &node);
  RubyValue evaluateAssign(const RubyNode &node);
  RubyValue evaluateConstant(const RubyNode &node);
  bool evaluateItems(llvm::ArrayRef<RubyNodePtr> nodes,
                     std::vector<RubyValue> &into);
  bool matches(const RubyValue &pattern, const RubyValue &value,
               const RubyNode &node);
  bool assign(const RubyNode &target, RubyValue value);
  bool assignAll(llvm::ArrayRef<RubyNodePtr> targets, const RubyValue &value);
  bool bind(llvm::ArrayRef<RubyParameter> parameters,
            std::vector<RubyValue> arguments, bool isLambda,
            const RubyNode &node);
  RubyValue blockOf(const RubyNode &node);
  std::shared_ptr<RubyScope> makeScope();
  RubyValue *findVariable(llvm::StringRef name);
  void reportRaised();

  DiagnosticEngine &diags;
  std::string *output = nullptr;
  std::shared_ptr<RubyScope> scope;
  std::vector<std::weak_ptr<RubyScope>> scopes;
  llvm::StringMap<const RubyNode *> methods;
  llvm::StringMap<RubyValue> globals;
  Leaving leaving = Leaving::No;
  /// What is returned, or the exception.
  RubyValue carried;
  SourceRange raisedAt;
  uint64_t steps = 0;
  unsigned depth = 0;
};

} // namespace toscac::bosh

#endif
