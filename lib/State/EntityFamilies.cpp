//===- EntityFamilies.cpp - Entities that differ in numbers only ----------===//

#include "EntityFamilies.h"

#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::state;
using llvm::ArrayRef;
using llvm::StringRef;

/// Numbers with more digits are no numbers of instances.
static constexpr size_t mostDigits = 18;

/// Where the digits end that start at \p at.
static size_t endOfDigits(StringRef text, size_t at) {
  while (at < text.size() && llvm::isDigit(text[at]))
    ++at;
  return at;
}

/// Calls \p visit with begin and end of each number in brackets.
static void forEachNumber(StringRef text,
                          llvm::function_ref<void(size_t, size_t)> visit) {
  for (size_t at = text.find('['); at != StringRef::npos;
       at = text.find('[', at)) {
    size_t end = endOfDigits(text, ++at);
    if (end != at && end - at <= mostDigits && text.substr(end, 1) == "]")
      visit(at, end);
  }
}

static bool hasNumber(StringRef text) {
  bool found = false;
  forEachNumber(text, [&](size_t, size_t) { found = true; });
  return found;
}

static uint64_t numberOf(StringRef digits) {
  uint64_t number = 0;
  for (char digit : digits)
    number = number * 10 + (digit - '0');
  return number;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

DistinctNames::Family &DistinctNames::familyOf(StringRef name,
                                               InstanceNumbers &numbers) {
  std::string form;
  size_t written = 0;
  forEachNumber(name, [&](size_t begin, size_t end) {
    form += name.slice(written, begin);
    written = end;
    numbers.push_back(numberOf(name.slice(begin, end)));
  });
  return families[form += name.substr(written)];
}

bool DistinctNames::isNew(Family &family, ArrayRef<uint64_t> numbers,
                          ArrayRef<Entity> entities) {
  if (isOrdered) {
    if (!family.isUsed ||
        std::lexicographical_compare(family.last.begin(), family.last.end(),
                                     numbers.begin(), numbers.end())) {
      family.isUsed = true;
      family.last.assign(numbers.begin(), numbers.end());
      return true;
    }
    isOrdered = false;
    for (const Entity &entity : entities.drop_back())
      seen.insert(entity.name);
  }
  return seen.insert(entities.back().name).second;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

bool EntityFamilies::match(const Pattern &pattern, StringRef rest) {
  size_t at = 0;
  found.numbers.clear();
  found.ends.assign(1, 0);
  for (auto [i, literal] : llvm::enumerate(pattern.literals)) {
    if (!rest.substr(at).starts_with(literal))
      return false;
    at += literal.size();
    if (i + 1 == pattern.literals.size())
      break;
    uint64_t number = 0;
    size_t begin = at;
    for (; at < rest.size() && llvm::isDigit(rest[at]); ++at)
      number = number * 10 + (rest[at] - '0');
    if (at == begin || at - begin > mostDigits ||
        (rest[begin] == '0' && at - begin > 1))
      return false;
    found.numbers.push_back(number);
    found.ends.push_back(at);
  }
  if (found.numbers[pattern.index] > UINT32_MAX)
    return false;
  found.text = rest.data();
  found.length = at;
  return true;
}

bool EntityFamilies::match(StringRef rest) {
  if (patterns.empty())
    return false;
  uint32_t expected = patterns[current].next;
  for (uint32_t i = 0; i != patterns.size(); ++i) {
    uint32_t tried = (expected + i) % patterns.size();
    if (!match(patterns[tried], rest))
      continue;
    patterns[current].next = tried;
    current = tried;
    return true;
  }
  return false;
}

StringRef EntityFamilies::textOf(const Part &part) const {
  size_t begin = found.ends[part.begin.number] + part.begin.distance;
  size_t end = found.ends[part.end.number] + part.end.distance;
  return {found.text + begin, end - begin};
}

Entity EntityFamilies::entity() {
  Pattern &pattern = patterns[current];
  Entity entity = pattern.entity;
  entity.name = arena.save(textOf(pattern.name));
  entity.index = found.numbers[pattern.index];
  if (entity.kind == EntityKind::Relationship) {
    StringRef source = textOf(pattern.source), target = textOf(pattern.target);
    entity.source = entity.name.starts_with(source)
                        ? entity.name.take_front(source.size())
                        : arena.save(source);
    if (entity.target != target)
      entity.target = pattern.entity.target = arena.save(target);
  }
  if (!pattern.groups.empty()) {
    llvm::SmallVector<StringRef, 4> groups;
    for (const Part &group : pattern.groups)
      groups.push_back(arena.save(textOf(group)));
    entity.groups = arena.save(ArrayRef<StringRef>(groups));
  }
  return entity;
}

/// The string after \p key in \p head; empty, and at its end, where there is
/// none. Without escapes, the first quote ends it.
static StringRef stringAfter(StringRef head, StringRef key) {
  size_t at = head.find(key);
  StringRef rest =
      at == StringRef::npos ? head.take_back(0) : head.substr(at + key.size());
  return rest.take_until([](char c) { return c == '"'; });
}

/// Cuts \p head at its numbers, the index among them; \p ends gets where they
/// end.
void EntityFamilies::findNumbers(StringRef head, Pattern &pattern,
                                 std::vector<uint32_t> &ends) {
  static constexpr StringRef key = "\"index\": ";
  size_t index = head.find(key) + key.size(), written = 0;
  auto add = [&](size_t begin, size_t end) {
    pattern.literals.push_back(head.slice(written, begin));
    ends.push_back(end);
    written = end;
  };
  forEachNumber(head.take_front(index), add);
  pattern.index = pattern.literals.size();
  add(index, endOfDigits(head, index));
  size_t behind = written;
  forEachNumber(head.substr(behind), [&](size_t begin, size_t end) {
    add(behind + begin, behind + end);
  });
  pattern.literals.push_back(head.substr(written));
}

bool EntityFamilies::learn(StringRef text, const Entity &entity) {
  if (numOthers > mostOthers)
    return false;
  std::string printed;
  llvm::raw_string_ostream os(printed);
  JSONWriter json(os);
  writeEntity(json, entity);
  if (text != printed) {
    ++numOthers;
    return false;
  }
  text = arena.save(text);
  StringRef head = text.take_front(text.find(", \"properties\": "));
  // Names of templates and types are those of the pattern.
  if (head.contains('\\') || hasNumber(entity.origin) ||
      hasNumber(entity.type) || hasNumber(entity.capability))
    return true;
  Pattern pattern;
  std::vector<uint32_t> ends{0};
  findNumbers(head, pattern, ends);
  // The tail belongs to the last literal.
  StringRef &last = pattern.literals.back();
  last = {last.data(), size_t(text.end() - last.data())};
  auto placeOf = [&](const char *at) {
    uint32_t offset = at - text.data();
    uint32_t number = llvm::upper_bound(ends, offset) - ends.begin() - 1;
    return Place{number, offset - ends[number]};
  };
  auto partOf = [&](StringRef part) {
    return Part{placeOf(part.begin()), placeOf(part.end())};
  };
  StringRef name = stringAfter(head, "\"name\": \"");
  pattern.name = partOf(name);
  pattern.source = partOf(stringAfter(head, "\"source\": \""));
  pattern.target = partOf(stringAfter(head, "\"target\": \""));
  StringRef group = stringAfter(head, "\"groups\": [\"");
  for (size_t i = 0; i != entity.groups.size(); ++i) {
    pattern.groups.push_back(partOf(group));
    group =
        stringAfter({group.end(), size_t(head.end() - group.end())}, "\", \"");
  }
  InstanceNumbers numbers;
  pattern.family = &names.familyOf(name, numbers);
  pattern.numbersInName = numbers.size();
  pattern.entity = entity;
  longestText = std::max(longestText, text.size() + mostDigits * ends.size());
  uint32_t place = numLearned++ % mostPatterns;
  pattern.next = place;
  if (!patterns.empty())
    patterns[current].next = place;
  if (place == patterns.size())
    patterns.emplace_back();
  patterns[place] = std::move(pattern);
  current = place;
  return true;
}
