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
    {"HeatTemplateFormatVersion", Language::Heat},
    {"AWSTemplateFormatVersion", Language::Heat},
    {"instance_groups", Language::BOSH},
    {"jobs", Language::BOSH},
};

/// Whether \p text names a version of Cloudify's language, be it in JSON, where
/// a line can begin anywhere.
static bool isBlueprint(StringRef text) {
  StringRef key = "tosca_definitions_version";
  for (size_t at = text.find(key); at != StringRef::npos;
       at = text.find(key, at + 1)) {
    StringRef before = text.take_front(at).rtrim(" \"'");
    bool startsEntry =
        before.empty() || StringRef("\n{,").contains(before.back());
    StringRef after = text.drop_front(at + key.size()).ltrim(" \"':");
    if (startsEntry)
      return after.starts_with("cloudify_dsl_");
  }
  return false;
}

Language toscac::recognizeLanguage(StringRef text) {
  if (isBlueprint(text))
    return Language::Cloudify;
  for (const TellingKey &row : tellingKeys)
    if (hasTopLevelKey(text, row.key))
      return row.language;
  return Language::TOSCA;
}

bool toscac::isOfKnownLanguage(StringRef text) {
  if (isBlueprint(text))
    return true;
  bool isOldManifest =
      hasTopLevelKey(text, "jobs") && hasTopLevelKey(text, "releases");
  return isOldManifest || llvm::any_of(tellingKeys, [&](const TellingKey &row) {
           return row.key != "jobs" && hasTopLevelKey(text, row.key);
         });
}

YAMLDialect toscac::dialectOf(Language language) {
  switch (language) {
  case Language::TOSCA:
    return YAMLDialect::Strict;
  case Language::BOSH:
    return YAMLDialect::GoYAML;
  case Language::Heat:
  case Language::Cloudify:
    return YAMLDialect::PyYAML;
  }
  llvm_unreachable("all languages are handled");
}
