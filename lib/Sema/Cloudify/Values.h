//===- Values.h - Values with intrinsic functions ---------------*- C++ -*-===//
///
/// \file
/// Makes expressions of what stands in a blueprint. Intrinsic functions become
/// queries over the graph; what only a manager could answer (secrets, its own
/// settings, capabilities of other deployments) becomes an input that must be
/// given.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_CLOUDIFY_VALUES_H
#define TOSCAC_LIB_SEMA_CLOUDIFY_VALUES_H

#include "Model.h"
#include "toscac/Sema/Service.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace toscac::cloudify {

/// Whose value it is.
struct Owner {
  /// Index into Model::nodes; not set: the blueprint's.
  std::optional<uint32_t> node;
  /// Of an operation of a relationship, whose source is `node`.
  const BoundRelationship *relationship = nullptr;
};

/// Whether \p node calls an intrinsic function.
bool isCall(const syntax::Node &node);
/// The function that \p node calls, and with what; null if none.
const syntax::Entry *findCall(const syntax::Node &node);

class Values {
public:
  Values(const Model &model, NameTable &names, ValueArena &arena,
         DiagnosticEngine &diags)
      : model(model), names(names), arena(arena), diags(diags) {}

  /// Null after a report.
  const Expr *lower(const syntax::Node &node, const Owner &owner);

  const Expr *literal(Value value, SourceRange range = {}) {
    return arena.make(Expr::literal(value, range));
  }
  const Expr *query(Function function, llvm::ArrayRef<llvm::StringRef> words,
                    SourceRange range);

  /// Names of attributes that are asked for, by node.
  std::vector<llvm::SetVector<llvm::StringRef>> attributes;
  /// Inputs that functions stand for, with whether they are secret.
  llvm::MapVector<llvm::StringRef, bool> externals;

  /// What the requirement for a relationship is called.
  static std::string requirementName(const BoundNode &source,
                                     const BoundRelationship &relationship);

private:
  using Words = llvm::SmallVector<Expr, 8>;
  void warnOfMisspelt(const syntax::Node &node);
  const Expr *lowerCall(llvm::StringRef function, const syntax::Node &argument,
                        const Owner &owner);
  const Expr *lowerInput(const syntax::Node &argument, const Owner &owner);
  const Expr *lowerOf(Function function, llvm::StringRef name,
                      const syntax::Node &argument, const Owner &owner);
  const Expr *lowerAll(const syntax::Node &argument, const Owner &owner);
  const Expr *lowerIdentity(llvm::StringRef name, uint32_t node, Words path,
                            SourceRange range);
  const Expr *lowerConcat(const syntax::Node &argument, const Owner &owner);
  const Expr *lowerStrict(Function function, llvm::StringRef name,
                          const syntax::Node &argument, const Owner &owner);
  const Expr *lowerExternal(llvm::StringRef function,
                            const syntax::Node &argument, const Owner &owner);
  const Expr *call(Function function, llvm::ArrayRef<Expr> arguments,
                   SourceRange range);
  void reportForm(llvm::StringRef function, llvm::StringRef takes,
                  SourceRange range);
  void checkSince(llvm::StringRef function, SourceRange range);
  /// \p name as it is called in the file that \p place is in.
  std::string qualified(llvm::StringRef name, SourceRange place) const;
  /// The words that lead to \p entity, and the node it is; nothing after a
  /// report.
  std::optional<uint32_t> walkTo(const syntax::Node &entity, const Owner &owner,
                                 Words &words);
  bool walkOwn(uint32_t from, uint32_t to, Words &words);
  void checkSingle(uint32_t node, const Owner &owner, SourceRange place);
  bool maySpread(uint32_t node) const;
  void addWord(Words &words, llvm::StringRef text);
  bool addKeys(llvm::ArrayRef<syntax::Node> keys, const Owner &owner,
               Words &words);

  const Model &model;
  NameTable &names;
  ValueArena &arena;
  DiagnosticEngine &diags;
  /// Places that have been warned of.
  llvm::DenseSet<uint32_t> warned;
};

} // namespace toscac::cloudify

#endif
