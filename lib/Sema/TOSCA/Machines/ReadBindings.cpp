//===- ReadBindings.cpp - Bindings as files have them ---------------------===//

#include "ReadBindings.h"

#include "EventPath.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;
using Names = llvm::SmallVector<StringRef, 2>;

namespace {

class BindingReader {
public:
  BindingReader(Program &program, const Scope &scope)
      : program(program), scope(scope) {}

  Binding read(StringRef name, SourceRange range, const Node &node);

private:
  InterfaceRule readInterface(const Node &node);
  LikeRule readLike(StringRef noun, const Node &node, EntityKind kind);
  /// Calls \p read for each entry of \p node, which must be a map with keys of
  /// \p known.
  template <typename F>
  void readMap(const Node &node, StringRef noun,
               llvm::ArrayRef<StringRef> known, F read);
  template <typename F>
  void readList(const Node &node, StringRef noun, F read);
  Names readNames(const Entry &entry);
  const Node *readOperations(const Entry &entry);
  TypeDecl *readType(const Entry &entry, EntityKind kind);
  void fail(const Node &node, StringRef noun, StringRef wanted) {
    program.diags.report(node.range(), diag::BadBinding, noun, wanted);
  }

  Program &program;
  const Scope &scope;
};

} // namespace

template <typename F>
void BindingReader::readMap(const Node &node, StringRef noun,
                            llvm::ArrayRef<StringRef> known, F read) {
  if (!node.isMapping())
    return fail(node, noun, "a map");
  for (const Entry &entry : node.entries()) {
    StringRef key = entry.key.isScalar() ? entry.key.text() : "";
    if (llvm::is_contained(known, key))
      read(key, entry);
    else
      program.diags.report(entry.key.range(), diag::UnknownBindingKey, noun,
                           key, didYouMean(key, known));
  }
}

template <typename F>
void BindingReader::readList(const Node &node, StringRef noun, F read) {
  if (!node.isSequence())
    return fail(node, noun, "a list");
  for (const Node &item : node.items())
    read(item);
}

Names BindingReader::readNames(const Entry &entry) {
  Names names;
  StringRef noun = entry.key.text();
  readList(entry.value, noun, [&](const Node &item) {
    if (item.isScalar())
      names.push_back(item.text());
    else
      fail(item, noun, "a list of names");
  });
  return names;
}

const Node *BindingReader::readOperations(const Entry &entry) {
  bool isMap = entry.value.isMapping() &&
               llvm::all_of(entry.value.entries(), [](const Entry &name) {
                 return name.key.isScalar() && name.value.isScalar();
               });
  if (isMap)
    return &entry.value;
  fail(entry.value, entry.key.text(), "a map of names to names");
  return nullptr;
}

TypeDecl *BindingReader::readType(const Entry &entry, EntityKind kind) {
  if (entry.value.isScalar())
    return resolve(program, scope, kind, entry.value);
  fail(entry.value, entry.key.text(), "the name of a type");
  return nullptr;
}

InterfaceRule BindingReader::readInterface(const Node &node) {
  InterfaceRule rule;
  readMap(node, "interfaces", {"types", "must", "may", "machine", "operations"},
          [&](StringRef key, const Entry &entry) {
            if (key == "types")
              rule.types = readNames(entry);
            else if (key == "must")
              rule.must = readNames(entry);
            else if (key == "may")
              rule.may = readNames(entry);
            else if (key == "machine")
              rule.machine = readType(entry, EntityKind::InterfaceType);
            else
              rule.operations = readOperations(entry);
          });
  if (node.isMapping() && !node.find("machine"))
    fail(node, "interfaces", "maps with the keyname 'machine'");
  return rule;
}

LikeRule BindingReader::readLike(StringRef noun, const Node &node,
                                 EntityKind kind) {
  LikeRule rule;
  readMap(node, noun, {"like", "types", "requirements"},
          [&](StringRef key, const Entry &entry) {
            if (key == "like")
              rule.like = readType(entry, kind);
            else if (key == "types")
              rule.types = readNames(entry);
            else
              rule.requirements = readNames(entry);
          });
  if (node.isMapping() && !node.find("like"))
    fail(node, noun, "maps with the keyname 'like'");
  return rule;
}

Binding BindingReader::read(StringRef name, SourceRange range,
                            const Node &node) {
  Binding binding{name, range, &scope, {}, {}, {}, {}};
  readMap(node, name,
          {"description", "interfaces", "nodes", "relationships", "providers"},
          [&](StringRef key, const Entry &entry) {
            if (key == "description")
              return;
            readList(entry.value, key, [&](const Node &item) {
              if (key == "interfaces") {
                InterfaceRule rule = readInterface(item);
                if (rule.machine)
                  binding.interfaces.push_back(std::move(rule));
                return;
              }
              bool isNode = key != "relationships";
              LikeRule rule = readLike(key, item,
                                       isNode ? EntityKind::NodeType
                                              : EntityKind::RelationshipType);
              if (rule.like)
                (key == "providers" ? binding.providers
                 : isNode           ? binding.nodes
                                    : binding.relationships)
                    .push_back(std::move(rule));
            });
          });
  return binding;
}

std::vector<Binding> sema::readBindings(Program &program) {
  std::vector<Binding> bindings;
  for (const Scope &scope : program.scopes) {
    const Node *metadata = scope.file->root.value(Key::Metadata);
    const Node *binds =
        metadata && metadata->isMapping() ? metadata->find("binds") : nullptr;
    if (!binds)
      continue;
    if (!binds->isMapping()) {
      program.diags.report(binds->range(), diag::BadBinding, "binds",
                           "a map of bindings by their names");
      continue;
    }
    BindingReader reader(program, scope);
    for (const Entry &entry : binds->entries())
      if (entry.key.isScalar())
        bindings.push_back(
            reader.read(entry.key.text(), entry.key.range(), entry.value));
  }
  return bindings;
}
