//===- WriteLinks.cpp - Links as JSON -------------------------------------===//

#include "toscac/Basic/JSONWriter.h"
#include "toscac/Sema/Bosh/Links.h"
#include <map>

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

namespace {

/// Texts and maps in turn, ordered by their keys.
struct Tree {
  std::map<StringRef, Tree> children;
  /// A leaf, if it is not nil.
  Value content;
};

} // namespace

static void writeTree(JSONWriter &json, const Tree &tree, unsigned depth) {
  if (!tree.content.isNil())
    return writeJSON(json, tree.content);
  json.objectBegin();
  for (const auto &[key, child] : tree.children) {
    json.newLine();
    json.attributeBegin(key);
    writeTree(json, child, depth + 1);
  }
  if (depth == 0)
    json.newLine();
  json.objectEnd();
}

static Value contentOf(const VariableLink &link, ValueArena &arena) {
  return arena.map(
      {{Value::string("from"), Value::string(link.provider->alias)},
       {Value::string("type"), Value::string(link.type)},
       {Value::string("address"),
        addressOf(*link.provider, link.network, arena)}});
}

void bosh::writeLinks(const Links &links, llvm::raw_ostream &os) {
  Tree root;
  for (const VariableLink &link : links.variables)
    root.children["variables"]
        .children[link.variable]
        .children[link.name]
        .content = contentOf(link, *links.arena);
  std::deque<std::string> indices;
  for (const Link &link : links.links) {
    const PlacedGroup &placed = links.groups[link.group];
    StringRef job = placed.jobs[link.job].job->name.text;
    StringRef name = link.spec->name.text;
    Tree &group = root.children[placed.group->name.text];
    if (!link.content.isNil())
      group.children[job].children[name].content = link.content;
    for (size_t i = 0; i != link.byInstance.size(); ++i) {
      StringRef index =
          indices.emplace_back(std::to_string(placed.instances[i].index));
      group.children[index].children[job].children[name].content =
          link.byInstance[i];
    }
  }
  // Groups that get nothing are not shown.
  std::erase_if(root.children, [](const auto &group) {
    return group.second.children.empty();
  });
  JSONWriter json(os);
  writeTree(json, root, 0);
  os << '\n';
}
