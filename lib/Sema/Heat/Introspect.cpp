//===- Introspect.cpp - What is left to decide ----------------------------===//

#include "toscac/Sema/Heat/Introspect.h"

#include "Composer.h"
#include "llvm/Support/JSON.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
using llvm::json::OStream;
using syntax::Node;
using syntax::ScalarType;

/// Calls \p visit for each resource of \p stack, nested ones included.
static void
forEachResource(const Stack &stack,
                llvm::function_ref<void(const StackResource &)> visit) {
  auto walk = [&](const StackResource &resource, auto &self) -> void {
    visit(resource);
    if (resource.nested)
      forEachResource(*resource.nested, visit);
    for (const auto &member : resource.members)
      self(*member, self);
  };
  for (const auto &resource : stack.resources)
    walk(*resource, walk);
}

static bool isOpen(const StackResource &resource) {
  return resource.choice &&
         llvm::count_if(resource.choice->candidates, [](const auto &candidate) {
           return candidate.fits;
         }) != 1;
}

static void writeNode(OStream &json, const Node &node) {
  switch (node.kind()) {
  case syntax::NodeKind::Null:
    return json.value(nullptr);
  case syntax::NodeKind::Sequence:
    return json.array([&] {
      for (const Node &item : node.items())
        writeNode(json, item);
    });
  case syntax::NodeKind::Mapping:
    return json.object([&] {
      for (const syntax::Entry &entry : node.entries()) {
        json.attributeBegin(entry.key.isScalar()
                                ? llvm::json::fixUTF8(entry.key.text())
                                : std::string());
        writeNode(json, entry.value);
        json.attributeEnd();
      }
    });
  case syntax::NodeKind::Scalar:
    break;
  }
  if (node.scalarType() != ScalarType::String) {
    auto parsed = llvm::json::parse(node.text());
    if (parsed)
      return json.value(*parsed);
    llvm::consumeError(parsed.takeError());
  }
  json.value(llvm::json::fixUTF8(node.text()));
}

namespace {

class ChoicePrinter {
public:
  ChoicePrinter(const ComposeInput &input, Library &library, NameTable &names,
                ValueArena &arena, OStream &json)
      : input(input), library(library), names(names), arena(arena), json(json) {
  }

  void print(const StackResource &resource);

private:
  void printCandidate(const StackResource &resource,
                      const Choice::Candidate &candidate,
                      llvm::ArrayRef<sema::Tag> own);
  void printRequires(const File &file, llvm::ArrayRef<sema::Tag> own);
  void printNeeds(const StackResource &resource, File &file);

  const ComposeInput &input;
  Library &library;
  NameTable &names;
  ValueArena &arena;
  OStream &json;
};

} // namespace

/// What an environment would have to require: the capabilities that tell the
/// file from other candidates and of which it does not say so already.
void ChoicePrinter::printRequires(const File &file,
                                  llvm::ArrayRef<sema::Tag> own) {
  auto isRequired = [&](const Capability &capability) {
    return llvm::any_of(
        input.environment.required, [&](const Capability &other) {
          return other.key.text == capability.key.text &&
                 llvm::any_of(other.values, [&](const Node *value) {
                   return llvm::any_of(
                       capability.values, [&](const Node *declared) {
                         return declared->text() == value->text();
                       });
                 });
        });
  };
  json.attributeObject("requires", [&] {
    for (const Capability &capability : *file.capabilities) {
      bool tellsApart = llvm::any_of(own, [&](const sema::Tag &tag) {
        return tag.key == capability.key.text;
      });
      if (!tellsApart || isRequired(capability))
        continue;
      json.attributeBegin(capability.key.text);
      if (capability.values.size() == 1)
        writeNode(json, *capability.values.front());
      else
        json.array([&] {
          for (const Node *value : capability.values)
            writeNode(json, *value);
        });
      json.attributeEnd();
    }
  });
}

/// Composes the candidate as if it had been chosen.
void ChoicePrinter::printNeeds(const StackResource &resource, File &file) {
  DiagnosticEngine silent;
  Composer composer(input, Detail::Types, library, names, arena, silent);
  auto stack = composer.composeStack(file, &resource);
  if (!stack)
    return;
  json.attributeArray("parameters", [&] {
    for (const auto &[name, parameter] : stack->parameters)
      if (!parameter.node)
        json.value(name);
  });
  json.attributeArray("choices", [&] {
    forEachResource(*stack, [&](const StackResource &inner) {
      if (isOpen(inner))
        json.object([&] {
          json.attribute("resource", inner.path);
          json.attribute("type", inner.choice->entry->key.text);
        });
    });
  });
}

void ChoicePrinter::printCandidate(const StackResource &resource,
                                   const Choice::Candidate &candidate,
                                   llvm::ArrayRef<sema::Tag> own) {
  json.object([&] {
    json.attribute(candidate.file ? "template" : "type", candidate.name);
    json.attribute("fits", candidate.fits);
    json.attribute("reason", candidate.reason);
    if (!candidate.file)
      return;
    printRequires(*candidate.file, own);
    printNeeds(resource, *library.open(candidate.name, {}));
  });
}

void ChoicePrinter::print(const StackResource &resource) {
  json.object([&] {
    json.attribute("resource", resource.path);
    json.attribute("type", resource.choice->entry->key.text);
    json.attributeArray("candidates", [&] {
      std::vector<sema::Tagged> tagged = taggedCandidates(*resource.choice);
      for (size_t i = 0; i != tagged.size(); ++i)
        printCandidate(resource, resource.choice->candidates[i],
                       sema::distinguishingTags(tagged, i));
    });
  });
}

void heat::printChoices(const Stack &stack, const ComposeInput &input,
                        Library &library, NameTable &names, ValueArena &arena,
                        llvm::raw_ostream &os) {
  OStream json(os, /*IndentSize=*/2);
  ChoicePrinter printer(input, library, names, arena, json);
  json.array([&] {
    forEachResource(stack, [&](const StackResource &resource) {
      if (isOpen(resource))
        printer.print(resource);
    });
  });
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Who gives the parameter its value.
static StringRef giverOf(const ParameterValue &parameter) {
  if (parameter.giver)
    return "parent";
  if (!parameter.node)
    return "nobody";
  return parameter.node == parameter.definition->defaultValue ? "default"
                                                              : "environment";
}

static void printParameter(const ParameterValue &parameter, OStream &json) {
  const Parameter &definition = *parameter.definition;
  static constexpr StringRef kinds[] = {"length",          "range",
                                        "modulo",          "allowed_values",
                                        "allowed_pattern", "custom_constraint"};
  json.object([&] {
    json.attribute("type", word(definition.type));
    if (!definition.label.empty())
      json.attribute("label", llvm::json::fixUTF8(definition.label));
    if (!definition.description.empty())
      json.attribute("description",
                     llvm::json::fixUTF8(definition.description));
    json.attribute("value_from", giverOf(parameter));
    bool isGiven = giverOf(parameter) == "environment" && !parameter.merged;
    if (isGiven && !definition.hidden) {
      json.attributeBegin("value");
      writeNode(json, *parameter.node);
      json.attributeEnd();
    }
    if (definition.defaultValue && !definition.hidden) {
      json.attributeBegin("default");
      writeNode(json, *definition.defaultValue);
      json.attributeEnd();
    }
    if (definition.hidden)
      json.attribute("hidden", true);
    if (!definition.constraints.empty())
      json.attributeArray("constraints", [&] {
        for (const Constraint &constraint : definition.constraints)
          json.object([&] {
            json.attributeBegin(kinds[static_cast<size_t>(constraint.kind)]);
            writeNode(json, *constraint.value);
            json.attributeEnd();
          });
      });
  });
}

static void printOwn(const Stack &stack, OStream &json) {
  json.attributeObject(stack.path.empty() ? "/" : stack.path, [&] {
    json.attribute("template", stack.file->path);
    json.attributeObject("parameters", [&] {
      for (const auto &[name, parameter] : stack.parameters) {
        json.attributeBegin(name);
        printParameter(parameter, json);
        json.attributeEnd();
      }
    });
  });
}

void heat::printParameters(const Stack &stack, llvm::raw_ostream &os) {
  OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    printOwn(stack, json);
    forEachResource(stack, [&](const StackResource &resource) {
      if (resource.nested)
        printOwn(*resource.nested, json);
    });
  });
  os << '\n';
}
