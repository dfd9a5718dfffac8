//===- ReadModel.h - Types and expressions from YAML ------------*- C++ -*-===//
///
/// \file
/// Reads the small language in which the module Value is tested: data types,
/// what is known, and expressions, in the words of TOSCA but without the rest
/// of it.
///
///   types:      data types as in TOSCA
///   inputs:     expressions by name, for $get_input
///   typed:      [ type, value ] by name: inputs after conversion
///   hidden:     names of inputs that are not known
///   attributes: values by element and name, for $get_attribute
///   elements:   lists by name, for the paths of $for_each
///   evaluate:   expressions
///   check:      [ type, expression ]
///   parse:      texts of numbers, read as integers and as floats
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_TOOLS_TOSCA_EVAL_READMODEL_H
#define TOSCAC_TOOLS_TOSCA_EVAL_READMODEL_H

#include "toscac/Parse/SyntaxTree.h"
#include "toscac/Value/Expr.h"
#include "toscac/Value/Problem.h"
#include "toscac/Value/Type.h"
#include "llvm/ADT/StringMap.h"

namespace toscac {

struct TypedExpr {
  const Type *type;
  const Expr *expr;
};

struct Model {
  llvm::StringMap<const Type *> types;
  llvm::StringMap<const Expr *> inputs;
  llvm::StringMap<TypedExpr> typedInputs;
  std::vector<std::string> hidden;
  const Expr *attributes = nullptr;
  const Expr *elements = nullptr;
  std::vector<const Expr *> evaluate;
  std::vector<TypedExpr> check;
  std::vector<const Expr *> parse;
};

Model readModel(const syntax::Node &root, NameTable &names, ValueArena &arena,
                DiagnosticEngine &diags);

} // namespace toscac

#endif
