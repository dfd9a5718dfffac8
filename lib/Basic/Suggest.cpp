//===- Suggest.cpp - The name that was meant ------------------------------===//

#include "toscac/Basic/Suggest.h"

#include "llvm/ADT/StringExtras.h"

using namespace toscac;

/// Letters that differ, where two swapped letters and a wrong plural count as
/// one mistake; more than \p limit is only told to be more.
static unsigned distanceOf(llvm::StringRef word, llvm::StringRef candidate,
                           unsigned limit) {
  size_t same = 0;
  while (same < word.size() && same < candidate.size() &&
         word[same] == candidate[same])
    ++same;
  llvm::StringRef a = word.drop_front(same);
  llvm::StringRef b = candidate.drop_front(same);
  bool swapped = a.size() == b.size() && a.size() > 1 && a[0] == b[1] &&
                 a[1] == b[0] && a.drop_front(2) == b.drop_front(2);
  bool plural = (a == "y" && b == "ies") || (a == "ies" && b == "y");
  if (swapped || plural)
    return 1;
  size_t longer = std::max(word.size(), candidate.size());
  size_t shorter = std::min(word.size(), candidate.size());
  if (longer - shorter > limit)
    return limit + 1;
  return word.edit_distance_insensitive(candidate, /*AllowReplacements=*/true,
                                        limit);
}

/// Whether one of two names is the other with a prefix that turns its meaning
/// round, besides what is misspelt in it: without the prefixes they are nearer
/// than \p distance.
static bool areOpposite(llvm::StringRef a, llvm::StringRef b,
                        unsigned distance) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> pairs[] =
      {{"un", ""},   {"dis", ""},   {"de", ""},     {"non", ""},  {"no", ""},
       {"in", ""},   {"dis", "en"}, {"de", "at"},   {"in", "ex"}, {"im", "ex"},
       {"in", "de"}, {"in", "out"}, {"pre", "post"}};
  auto areWithout = [&](llvm::StringRef one, llvm::StringRef other) {
    auto strips = [](llvm::StringRef name, llvm::StringRef prefix,
                     llvm::StringRef otherPrefix) {
      return name.starts_with(prefix) &&
             (!prefix.empty() || !name.starts_with(otherPrefix));
    };
    return strips(a, one, other) && strips(b, other, one) &&
           distanceOf(a.drop_front(one.size()), b.drop_front(other.size()),
                      distance) < distance;
  };
  return llvm::any_of(pairs, [&](const auto &pair) {
    return areWithout(pair.first, pair.second) ||
           areWithout(pair.second, pair.first);
  });
}

/// What follows the last namespace or dot.
static llvm::StringRef lastPart(llvm::StringRef name) {
  return name.drop_front(name.find_last_of(".:") + 1);
}

/// Fewer letters than this may differ. A third is enough for a typo, too few to
/// turn one keyname into another. Of a single letter only the case may.
static unsigned tooManyFor(llvm::StringRef word) {
  return word.size() < 2 ? 1 : std::max<unsigned>(1, word.size() / 3) + 1;
}

std::optional<llvm::StringRef>
toscac::nearestName(llvm::StringRef word,
                    llvm::ArrayRef<llvm::StringRef> candidates) {
  unsigned best = tooManyFor(word);
  llvm::StringRef part = lastPart(word);
  llvm::StringRef space = word.drop_back(part.size());
  std::optional<llvm::StringRef> nearest;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = distanceOf(word, candidate, best);
    if (distance <= best && areOpposite(word, candidate, distance))
      continue;
    // A namespace that both have makes them no more alike.
    if (!space.empty() && candidate.starts_with(space) &&
        distance >= tooManyFor(part))
      continue;
    if (distance < best) {
      best = distance;
      nearest = candidate;
    } else if (distance == best && nearest && *nearest != candidate) {
      nearest.reset();
    }
  }
  return nearest;
}

/// The only one of \p known whose last part is that of \p word, or which goes
/// on where \p word ends: `backup:Nightly` for `Nightly`, `ScalingGroup` for
/// `Scaling`.
static std::optional<llvm::StringRef>
nameWithPart(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known) {
  auto findOnly = [&](llvm::function_ref<bool(llvm::StringRef)> isMeant)
      -> std::optional<llvm::StringRef> {
    std::optional<llvm::StringRef> found;
    for (llvm::StringRef name : known) {
      if (!isMeant(name) || found == name)
        continue;
      if (found)
        return std::nullopt;
      found = name;
    }
    return found;
  };
  llvm::StringRef part = lastPart(word);
  if (part.size() < 3)
    return std::nullopt;
  // `tosca.nodes.Compute` may well be `Compute`, whatever else ends so.
  if (const auto *own = llvm::find(known, part); own != known.end())
    return *own;
  if (auto same = findOnly([&](llvm::StringRef name) {
        return lastPart(name) == part && name != word;
      }))
    return same;
  return findOnly([&](llvm::StringRef name) {
    return name.size() > word.size() && name.starts_with(word);
  });
}

/// A longer list is read by nobody.
static constexpr size_t maxKnown = 12;

Suggestion::Suggestion(llvm::StringRef word,
                       llvm::ArrayRef<llvm::StringRef> known)
    : name(nearestName(word, known)) {
  if (!name)
    name = nameWithPart(word, known);
  // Somewhere else it would be right; here it is not.
  if (name == word)
    name.reset();
  if (!name && known.size() <= maxKnown)
    this->known = known.vec();
}

std::string Suggestion::clause(llvm::StringRef before,
                               llvm::StringRef after) const {
  return name ? ("; did you mean '" + before + *name + after + "'?").str() : "";
}

void Suggestion::noteOn(DiagnosticEngine::Builder report) const {
  if (name)
    report.note({}, diag::DidYouMean, *name);
  else
    noteKnown(report, known);
}

void toscac::noteKnown(DiagnosticEngine::Builder report,
                       llvm::ArrayRef<llvm::StringRef> known) {
  if (known.empty() || known.size() > maxKnown)
    return;
  std::vector<std::string> quoted;
  for (llvm::StringRef name : known)
    quoted.push_back(("'" + name + "'").str());
  std::string last = quoted.back();
  quoted.pop_back();
  report.note({}, diag::KnownNames,
              quoted.empty() ? last
                             : llvm::join(quoted, ", ") + " and " + last);
}

void Suggestion::fixIn(DiagnosticEngine::Builder report,
                       SourceRange range) const {
  if (name)
    report.fixIt(range, name->str());
}

std::string toscac::didYouMean(llvm::StringRef word,
                               llvm::ArrayRef<llvm::StringRef> known) {
  return Suggestion(word, known).clause();
}
