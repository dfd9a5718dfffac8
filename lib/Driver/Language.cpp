//===- Language.cpp - Which language a file is in -------------------------===//

#include "Language.h"

#include "toscac/Parse/TopLevelKey.h"

using namespace toscac;
using llvm::StringRef;

namespace {

struct TellingKey {
  StringRef key;
  Language language;
};

} // namespace

/// The first that a file has decides.
static constexpr TellingKey tellingKeys[] = {
    {"tosca_definitions_version", Language::TOSCA},
    {"heat_template_version", Language::Heat},
    {"instance_groups", Language::BOSH},
    {"jobs", Language::BOSH},
};

Language toscac::recognizeLanguage(StringRef text) {
  for (const TellingKey &row : tellingKeys)
    if (hasTopLevelKey(text, row.key))
      return row.language;
  return Language::TOSCA;
}
