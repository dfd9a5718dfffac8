//===- Signatures.cpp - What functions take -------------------------------===//

#include "Signatures.h"

#include "CompleteValue.h"
#include "Cursor.h"
#include "toscac/Value/Functions.h"
#include "toscac/Value/Type.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;

static std::string describeKinds(KindSet kinds) {
  std::string result;
  unsigned count = 0;
  for (unsigned i = 0; i <= unsigned(TypeKind::Any); ++i)
    if (kinds & (1u << i)) {
      StringRef noun = describe(TypeKind(i));
      noun.consume_front("an ") || noun.consume_front("a ");
      result += (count++ ? "|" : "") + noun.str();
    }
  return count > 3 || count == 0 ? "value" : result;
}

/// `$name: [ integer, string, … ]`
static Signature makeSignature(StringRef name,
                               llvm::ArrayRef<std::string> arguments,
                               bool isOpen) {
  Signature signature;
  signature.label = "$" + name.str() + ": [ ";
  for (const std::string &argument : arguments) {
    if (&argument != arguments.begin())
      signature.label += ", ";
    unsigned begin = signature.label.size();
    signature.label += argument;
    signature.parameters.push_back({begin, unsigned(signature.label.size())});
  }
  if (isOpen)
    signature.label += arguments.empty() ? "…" : ", …";
  bool isEmpty = arguments.empty() && !isOpen;
  signature.label += isEmpty ? "]" : " ]";
  return signature;
}

static Signature signatureOf(const FunctionInfo &function) {
  std::vector<std::string> arguments;
  unsigned shown =
      std::max<unsigned>(function.minArguments, function.numArguments);
  for (unsigned i = 0; i < shown; ++i)
    arguments.push_back(describeKinds(function.argument(i)));
  Signature signature =
      makeSignature(function.name, arguments,
                    function.maxArguments == FunctionInfo::unbounded);
  if (function.section != "-")
    signature.documentation = "TOSCA 2.0, section " + function.section.str();
  return signature;
}

static Signature signatureOf(const Entity &function, const Entity &declared) {
  std::vector<std::string> arguments;
  for (const Entity &argument : declared.entities(Key::Arguments))
    arguments.push_back(argument.text(Key::Type).str());
  for (const Entity &argument : declared.entities(Key::OptionalArguments))
    arguments.push_back(argument.text(Key::Type).str() + "?");
  Signature signature = makeSignature(function.name.str(), arguments,
                                      declared.text(Key::Variadic) == "true");
  StringRef text = declared.text(Key::Description);
  if (text.empty())
    text = function.text(Key::Description);
  signature.documentation = text.trim().str();
  return signature;
}

std::vector<Signature> edit::signaturesOf(StringRef name,
                                          const Context &context) {
  if (std::optional<Function> known = findFunction(name))
    return {signatureOf(toscac::info(*known))};
  const sema::TypeDecl *found = context.findType(EntityKind::Function, name);
  const Entity *declared = found ? sema::entityOf(*found) : nullptr;
  std::vector<Signature> result;
  if (declared)
    for (const Entity &each : declared->entities(Key::Signatures))
      result.push_back(signatureOf(*declared, each));
  return result;
}

std::optional<SignaturesAt> edit::findSignatures(Workspace &workspace,
                                                 Document &document,
                                                 TextPosition at) {
  size_t offset = workspace.outline(document).lines.offset(at);
  Context context(workspace.recentNames(document), document);
  for (const Marked &marked :
       placeMark(document.text(), wordAt(document.text(), offset))) {
    std::optional<CallAround> call = callAround(marked.place);
    if (!call)
      continue;
    SignaturesAt result;
    result.signatures = signaturesOf(call->name->text().drop_front(), context);
    if (result.signatures.empty())
      continue;
    // The first one that takes so many arguments.
    auto takes = [&](const Signature &each) {
      return call->index < each.parameters.size();
    };
    auto fitting = llvm::find_if(result.signatures, takes);
    if (fitting == result.signatures.end())
      --fitting;
    result.active = fitting - result.signatures.begin();
    if (!fitting->parameters.empty())
      result.activeParameter =
          std::min<size_t>(call->index, fitting->parameters.size() - 1);
    return result;
  }
  return std::nullopt;
}
