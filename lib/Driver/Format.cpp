//===- Format.cpp - A file in its one form --------------------------------===//

#include "toscac/Driver/Format.h"

#include "Language.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/FormatSource.h"
#include "toscac/Parse/TOSCA/Parse.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using llvm::StringRef;
using syntax::Node;

/// Whether \p a and \p b say the same, but for the order of keys.
static bool hasSameEntries(const Node &a, const Node &b) {
  if (a.isMapping() && b.isMapping())
    return a.entries().size() == b.entries().size() &&
           llvm::all_of(a.entries(), [&](const syntax::Entry &entry) {
             const Node *other =
                 entry.key.isScalar() ? b.find(entry.key.text()) : nullptr;
             return other && hasSameEntries(entry.value, *other);
           });
  if (a.isSequence() && b.isSequence())
    return llvm::equal(a.items(), b.items(), hasSameEntries);
  return isSameContent(a, b);
}

/// \p tree with the keynames in order; nothing where that would say something
/// else.
static std::optional<syntax::Tree> ordered(const syntax::Tree &tree,
                                           SourceManager &sources) {
  NameTable names;
  DiagnosticEngine ignored;
  tosca::Entity root =
      tosca::parseFile(tree, SourceRange(), nullptr, names, ignored);
  const tosca::EarlierVersion *dialect =
      tosca::findEarlierVersion(root.text(tosca::Key::ToscaDefinitionsVersion));
  std::string text =
      tosca::orderKeynames(sources.text(tree.file), root, dialect, sources);
  FileId file = sources.add(sources.name(tree.file).str(),
                            llvm::MemoryBuffer::getMemBufferCopy(text));
  if (!file.isValid())
    return std::nullopt;
  syntax::Tree result = readYAML(sources, file, ignored);
  if (!result.valid || !hasSameEntries(tree.root, result.root))
    return std::nullopt;
  return result;
}

std::optional<std::string>
toscac::formatText(StringRef name, std::unique_ptr<llvm::MemoryBuffer> text,
                   const FormatOptions &options, SourceManager &sources,
                   DiagnosticEngine &diags) {
  Language language = recognizeLanguage(text->getBuffer());
  YAMLDialect dialect = dialectOf(language);
  FileId file = sources.add(name.str(), std::move(text));
  if (!file.isValid())
    return std::nullopt;
  syntax::Tree tree = readYAML(sources, file, diags, dialect);
  if (!tree.valid || diags.hasErrors())
    return std::nullopt;
  // A file without content has no form.
  if (tree.root.isNull())
    return sources.text(file).str();
  if (options.orderKeynames && language == Language::TOSCA)
    if (std::optional<syntax::Tree> sorted = ordered(tree, sources))
      tree = std::move(*sorted);
  return formatSource(tree, sources, dialect);
}
