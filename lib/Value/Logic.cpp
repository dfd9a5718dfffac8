//===- Logic.cpp - Strict functions of truth values -----------------------===//
///
/// \file
/// TOSCA 2.0 §10.2.2.1. `$and` and `$or` may know their result before all
/// arguments are known; they are the evaluator's.
///
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace toscac;

Evaluation toscac::callNot(const CallSite &, llvm::ArrayRef<Value> arguments) {
  return Value::boolean(!arguments[0].asBoolean());
}

Evaluation toscac::callXor(const CallSite &, llvm::ArrayRef<Value> arguments) {
  return Value::boolean(arguments[0].asBoolean() != arguments[1].asBoolean());
}
