//===- Language.cpp - Which language a file is in -------------------------===//

#include "Language.h"

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

bool toscac::hasTopLevelKey(StringRef text, StringRef key) {
  for (size_t at = text.find(key); at != StringRef::npos;
       at = text.find(key, at + 1)) {
    StringRef before = text.take_front(at).rtrim("\"'");
    bool startsLine =
        before.empty() || before.back() == '\n' || before == "\xEF\xBB\xBF";
    StringRef after = text.drop_front(at + key.size()).ltrim("\"'");
    bool endsWord = after.ltrim(' ').starts_with(":");
    if (startsLine && endsWord)
      return true;
  }
  return false;
}

Language toscac::recognizeLanguage(StringRef text) {
  for (const TellingKey &row : tellingKeys)
    if (hasTopLevelKey(text, row.key))
      return row.language;
  return Language::TOSCA;
}
