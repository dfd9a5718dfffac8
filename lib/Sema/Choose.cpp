//===- Choose.cpp - Candidates by their tags ------------------------------===//

#include "toscac/Sema/Choose.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

static const Tag *findTag(llvm::ArrayRef<Tag> tags, StringRef key) {
  auto found =
      llvm::find_if(tags, [&](const Tag &tag) { return tag.key == key; });
  return found == tags.end() ? nullptr : found;
}

static std::string quoteAll(llvm::ArrayRef<StringRef> values) {
  std::vector<std::string> quoted;
  for (StringRef value : values)
    quoted.push_back(("'" + value + "'").str());
  return llvm::join(quoted, " or ");
}

/// Appends how \p candidate stands to one requirement.
static void judgeKey(const Tag &required, const Tagged &candidate,
                     Verdict &verdict) {
  const Tag *declared = findTag(candidate.tags, required.key);
  bool fits = declared && llvm::any_of(declared->values, [&](StringRef value) {
                return llvm::is_contained(required.values, value);
              });
  std::string text = (required.key + " is ").str();
  if (!declared)
    text = ("it declares no " + required.key).str();
  else if (fits)
    text += quoteAll(declared->values);
  else
    text += quoteAll(declared->values) + ", not " + quoteAll(required.values);
  // What does not fit is all that needs to be said.
  if (verdict.fits && !fits)
    verdict.reason.clear();
  if (!fits || verdict.fits)
    verdict.reason += (verdict.reason.empty() ? "" : "; ") + text;
  verdict.fits &= fits;
}

std::vector<Verdict> sema::judge(llvm::ArrayRef<Tag> required,
                                 llvm::ArrayRef<Tagged> candidates) {
  std::vector<Verdict> verdicts(candidates.size());
  for (const Tag &tag : required) {
    bool counts = llvm::any_of(candidates, [&](const Tagged &candidate) {
      return findTag(candidate.tags, tag.key);
    });
    if (!counts)
      continue;
    for (auto [candidate, verdict] : llvm::zip(candidates, verdicts))
      judgeKey(tag, candidate, verdict);
  }
  std::vector<StringRef> keys;
  for (const Tag &tag : required)
    keys.push_back(tag.key);
  for (Verdict &verdict : verdicts)
    if (verdict.reason.empty())
      verdict.reason =
          keys.empty() ? "nothing is required of it"
                       : "no candidate declares " + llvm::join(keys, " or ");
  return verdicts;
}

std::vector<Tag> sema::distinguishingTags(llvm::ArrayRef<Tagged> candidates,
                                          size_t index) {
  std::vector<Tag> result;
  for (const Tag &tag : candidates[index].tags) {
    bool isCommon = llvm::all_of(candidates, [&](const Tagged &candidate) {
      const Tag *other = findTag(candidate.tags, tag.key);
      return other && other->values == tag.values;
    });
    if (!isCommon)
      result.push_back(tag);
  }
  return result;
}

std::string sema::toText(llvm::ArrayRef<Tag> tags) {
  std::vector<std::string> parts;
  for (const Tag &tag : tags) {
    std::string values = llvm::join(tag.values, ", ");
    bool isOne = tag.values.size() == 1;
    parts.push_back(
        (tag.key + ": " + (isOne ? values : "[" + values + "]")).str());
  }
  return parts.empty() ? "nothing" : llvm::join(parts, ", ");
}
