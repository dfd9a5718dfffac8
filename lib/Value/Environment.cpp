//===- Environment.cpp - What expressions ask for -------------------------===//

#include "toscac/Value/Environment.h"

using namespace toscac;

Evaluation Evaluation::unknown(const Expr *residual) {
  Evaluation result(State::Unknown);
  result.rest = residual;
  return result;
}

Evaluation Evaluation::nothing() { return Evaluation(State::Nothing); }

Environment::~Environment() = default;

Evaluation Environment::input(const Query &) { return Evaluation::unknown(); }

Evaluation Environment::property(const Query &) {
  return Evaluation::unknown();
}

Evaluation Environment::attribute(const Query &) {
  return Evaluation::unknown();
}

Evaluation Environment::artifact(const Query &) {
  return Evaluation::unknown();
}

Evaluation Environment::nodeIndex(const Query &) {
  return Evaluation::unknown();
}

Evaluation Environment::relationshipIndex(const Query &) {
  return Evaluation::unknown();
}

Evaluation Environment::availableAllocation(const Query &) {
  return Evaluation::unknown();
}

Evaluation Environment::state(const Query &) { return Evaluation::unknown(); }

Evaluation Environment::custom(const Query &) { return Evaluation::unknown(); }

Evaluation Environment::elements(const Query &) {
  return Evaluation::unknown();
}
