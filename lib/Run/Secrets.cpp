//===- Secrets.cpp - Values that nobody shall see -------------------------===//

#include "Secrets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ScopedPrinter.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

void Secrets::addText(StringRef text) {
  if (text.size() < 3 || llvm::is_contained(texts, text))
    return;
  texts.push_back(text.str());
  llvm::stable_sort(texts, [](const std::string &a, const std::string &b) {
    return a.size() > b.size();
  });
}

void Secrets::add(const Value &value) {
  if (value.isMap()) {
    for (const MapEntry &entry : value.entries())
      add(entry.value);
  } else if (value.isList()) {
    for (const Value &item : value.items())
      add(item);
  } else if (value.isString()) {
    addText(value.asString());
    // As it stands in JSON.
    addText(StringRef(llvm::to_string(value)).drop_front().drop_back());
  } else if (value.isNumber()) {
    addText(llvm::to_string(value));
  }
}

std::string Secrets::hidden(StringRef text) const {
  std::string result = text.str();
  for (const std::string &secret : texts)
    for (size_t at = result.find(secret); at != std::string::npos;
         at = result.find(secret, at + 3))
      result.replace(at, secret.size(), "***");
  return result;
}
