//===- PrintComposition.cpp - Paths of resources and templates ------------===//

#include "toscac/Basic/JSONWriter.h"
#include "toscac/Sema/Heat/Compose.h"

using namespace toscac;
using namespace toscac::heat;

static void printResource(const StackResource &resource, JSONWriter &json);

static void printStack(const Stack &stack, JSONWriter &json) {
  for (const auto &resource : stack.resources)
    printResource(*resource, json);
}

static void printResource(const StackResource &resource, JSONWriter &json) {
  json.newLine();
  json.attribute(resource.path, resource.implementation.name);
  if (resource.nested)
    printStack(*resource.nested, json);
  for (const auto &member : resource.members)
    printResource(*member, json);
}

void heat::printComposition(const Stack &stack, llvm::raw_ostream &os) {
  JSONWriter json(os);
  json.objectBegin();
  printStack(stack, json);
  json.newLine();
  json.objectEnd();
  os << '\n';
}
