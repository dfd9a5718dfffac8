//===- TypeFolders.cpp - Types that lie in folders of their own -----------===//

#include "TypeFolders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Node;
namespace path = llvm::sys::path;

/// A folder of types, and what the file of each is called.
struct FolderRow {
  StringRef folder;
  StringRef file;
};
static constexpr FolderRow folderTable[] = {
    {"artifacttypes", "ArtifactType.tosca"},
    {"capabilitytypes", "CapabilityType.tosca"},
    {"datatypes", "DataType.tosca"},
    {"grouptypes", "GroupType.tosca"},
    {"interfacetypes", "InterfaceType.tosca"},
    {"nodetypes", "NodeType.tosca"},
    {"policytypes", "PolicyType.tosca"},
    {"relationshiptypes", "RelationshipType.tosca"},
};

static std::vector<std::string> foldersIn(llvm::vfs::FileSystem &files,
                                          const llvm::Twine &folder) {
  std::vector<std::string> result;
  std::error_code error;
  for (llvm::vfs::directory_iterator at = files.dir_begin(folder, error), end;
       !error && at != end; at.increment(error))
    result.push_back(at->path().str());
  llvm::sort(result);
  return result;
}

const TypeFolders::Index &TypeFolders::indexOf(const Volume &volume,
                                               StringRef root) {
  auto [known, isNew] = indices.try_emplace({volume.files.get(), root.str()});
  if (!isNew)
    return known->second;
  for (const FolderRow &row : folderTable)
    for (StringRef space : foldersIn(*volume.files, root + "/" + row.folder))
      for (StringRef type : foldersIn(*volume.files, space)) {
        std::string file = (type + "/" + row.file).str();
        if (volume.files->exists(file))
          known
              ->second[(path::filename(space) + "." + path::filename(type))
                           .str()]
              .push_back(file);
      }
  return known->second;
}

/// The folder that has all others, if \p file lies in one of them.
static std::string rootOf(const File &file) {
  llvm::SmallString<128> place(file.path);
  bool isOnDisk = file.volume->shownPrefix.empty();
  if (isOnDisk)
    llvm::sys::fs::make_absolute(place);
  path::remove_dots(place, /*remove_dot_dot=*/true);
  StringRef kind =
      path::parent_path(path::parent_path(path::parent_path(StringRef(place))));
  StringRef name = path::filename(kind);
  bool isRepository = name == "servicetemplates" ||
                      llvm::any_of(folderTable, [&](const FolderRow &row) {
                        return row.folder == name;
                      });
  return isRepository ? path::parent_path(kind).str() : std::string();
}

static void collectWords(const Node &node, llvm::StringSet<> &words) {
  if (node.isScalar() && node.text().contains('.'))
    words.insert(node.text());
  if (node.isSequence())
    for (const Node &item : node.items())
      collectWords(item, words);
  if (node.isMapping())
    for (const syntax::Entry &entry : node.entries())
      collectWords(entry.value, words);
}

std::vector<std::string> TypeFolders::filesFor(const File &file) {
  std::string root = rootOf(file);
  if (root.empty() || !file.tree.valid)
    return {};
  const Index &index = indexOf(*file.volume, root);
  llvm::StringSet<> words;
  collectWords(file.tree.root, words);
  std::vector<std::string> result;
  for (StringRef word : words.keys())
    if (auto found = index.find(word); found != index.end())
      llvm::append_range(result, found->second);
  llvm::sort(result);
  return result;
}
