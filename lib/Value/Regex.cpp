//===- Regex.cpp - Regular expressions ------------------------------------===//

#include "Regex.h"

#include "Unicode.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

/// Code points from first to last.
struct CharRange {
  uint32_t first;
  uint32_t last;
};

struct CharSet {
  SmallVector<CharRange, 4> ranges;
  bool negated = false;

  bool contains(uint32_t c) const {
    bool found = llvm::any_of(
        ranges, [c](CharRange r) { return r.first <= c && c <= r.last; });
    return found != negated;
  }
};

enum class Opcode : uint8_t {
  /// Take a character of a set, then go on with the next instruction.
  Take,
  /// Go on at both targets.
  Split,
  Jump,
  AtStart,
  AtEnd,
  AtWordBoundary,
  NotAtWordBoundary,
  Match
};

struct Instruction {
  Opcode opcode;
  /// Index of a set, or where to go on.
  uint32_t target = 0;
  uint32_t otherTarget = 0;
};

/// Instructions that belong together, with targets relative to the first.
using Fragment = std::vector<Instruction>;

/// Parses a pattern by recursive descent, making instructions as it goes.
class RegexParser {
public:
  explicit RegexParser(StringRef pattern) : rest(decode(pattern)) {}

  /// The whole program; empty after a mistake.
  Fragment parse();

  std::vector<CharSet> sets;
  StringRef reason;

private:
  static constexpr size_t maxInstructions = 10000;
  static constexpr unsigned maxNesting = 200;
  static constexpr unsigned unbounded = ~0u;

  bool atEnd() const { return position == rest.size(); }
  bool sees(char c) const { return !atEnd() && rest[position] == uint32_t(c); }
  bool consume(char c);
  bool consume(StringRef text);
  Fragment fail(StringRef why);

  Fragment parseAlternatives();
  Fragment parseSequence();
  Fragment parseRepeated();
  Fragment parseAtom();
  Fragment parseGroup();
  Fragment parseEscape();
  Fragment parseSet();
  bool parseSetItem(CharSet &set);
  std::optional<uint32_t> parseCharEscape(uint32_t letter);
  std::optional<uint32_t> parseHex(unsigned digits);
  std::optional<unsigned> parseCount();
  bool parseBounds(unsigned &min, unsigned &max);

  Fragment take(CharSet set);
  Fragment repeat(const Fragment &part, unsigned min, unsigned max);

  SmallVector<uint32_t> rest;
  size_t position = 0;
  unsigned nesting = 0;
};

} // namespace

static void append(Fragment &to, const Fragment &part) {
  uint32_t offset = static_cast<uint32_t>(to.size());
  for (Instruction instruction : part) {
    if (instruction.opcode == Opcode::Split ||
        instruction.opcode == Opcode::Jump) {
      instruction.target += offset;
      instruction.otherTarget += offset;
    }
    to.push_back(instruction);
  }
}

static Fragment single(Opcode opcode) { return {{opcode}}; }

/// One of two parts.
static Fragment either(const Fragment &a, const Fragment &b) {
  auto aSize = static_cast<uint32_t>(a.size());
  auto bSize = static_cast<uint32_t>(b.size());
  Fragment result = {{Opcode::Split, 1, aSize + 2}};
  append(result, a);
  result.push_back({Opcode::Jump, aSize + 2 + bSize});
  append(result, b);
  return result;
}

static Fragment optional(const Fragment &part) {
  Fragment result = {
      {Opcode::Split, 1, static_cast<uint32_t>(part.size()) + 1}};
  append(result, part);
  return result;
}

static Fragment anyNumber(const Fragment &part) {
  Fragment result = {
      {Opcode::Split, 1, static_cast<uint32_t>(part.size()) + 2}};
  append(result, part);
  result.push_back({Opcode::Jump, 0});
  return result;
}

static CharSet digits() { return {{{'0', '9'}}}; }

static CharSet wordCharacters() {
  return {{{'a', 'z'}, {'A', 'Z'}, {'0', '9'}, {'_', '_'}}};
}

static CharSet spaces() {
  return {{{'\t', '\r'},
           {' ', ' '},
           {0xA0, 0xA0},
           {0x2000, 0x200A},
           {0x2028, 0x2029},
           {0x3000, 0x3000},
           {0xFEFF, 0xFEFF}}};
}

static bool isWordCharacter(uint32_t c) { return wordCharacters().contains(c); }

/// `\d` and its kind; nothing for other letters.
static std::optional<CharSet> classOfEscape(uint32_t letter) {
  std::optional<CharSet> set;
  if (letter == 'd' || letter == 'D')
    set = digits();
  else if (letter == 'w' || letter == 'W')
    set = wordCharacters();
  else if (letter == 's' || letter == 'S')
    set = spaces();
  if (set)
    set->negated = letter < 'a';
  return set;
}

bool RegexParser::consume(char c) {
  if (!sees(c))
    return false;
  ++position;
  return true;
}

bool RegexParser::consume(StringRef text) {
  if (rest.size() - position < text.size())
    return false;
  for (auto [i, c] : llvm::enumerate(text))
    if (rest[position + i] != uint32_t(c))
      return false;
  position += text.size();
  return true;
}

Fragment RegexParser::fail(StringRef why) {
  if (reason.empty())
    reason = why;
  position = rest.size();
  return {};
}

Fragment RegexParser::take(CharSet set) {
  sets.push_back(std::move(set));
  return {{Opcode::Take, static_cast<uint32_t>(sets.size() - 1)}};
}

Fragment RegexParser::parse() {
  Fragment program = parseAlternatives();
  if (!atEnd())
    return fail("')' closes nothing");
  if (!reason.empty())
    return {};
  program.push_back({Opcode::Match});
  return program;
}

Fragment RegexParser::parseAlternatives() {
  Fragment result = parseSequence();
  while (consume('|')) {
    result = either(result, parseSequence());
    if (result.size() > maxInstructions)
      return fail("it is too large");
  }
  return result;
}

Fragment RegexParser::parseSequence() {
  Fragment result;
  while (!atEnd() && !sees('|') && !sees(')')) {
    append(result, parseRepeated());
    if (result.size() > maxInstructions)
      return fail("it is too large");
  }
  return result;
}

std::optional<unsigned> RegexParser::parseCount() {
  if (atEnd() || rest[position] < '0' || rest[position] > '9')
    return std::nullopt;
  unsigned count = 0;
  for (; !atEnd() && rest[position] >= '0' && rest[position] <= '9'; ++position)
    count = std::min(count * 10 + (rest[position] - '0'), 100000u);
  return count;
}

/// `{2}`, `{2,}` or `{2,6}`; anything else that starts with a brace is text.
bool RegexParser::parseBounds(unsigned &min, unsigned &max) {
  size_t start = position;
  ++position;
  if (std::optional<unsigned> count = parseCount()) {
    min = max = *count;
    if (consume(','))
      max = parseCount().value_or(unbounded);
    if (consume('}'))
      return true;
  }
  position = start;
  return false;
}

/// \p min to \p max times \p part.
Fragment RegexParser::repeat(const Fragment &part, unsigned min, unsigned max) {
  if (max != unbounded && max < min)
    return fail("the bounds of a repetition are in the wrong order");
  uint64_t copies = max == unbounded ? uint64_t(min) + 1 : max;
  if (copies * (part.size() + 2) > maxInstructions)
    return fail("it is too large");
  Fragment result;
  for (unsigned i = 0; i < min; ++i)
    append(result, part);
  if (max == unbounded) {
    append(result, anyNumber(part));
    return result;
  }
  for (unsigned i = min; i < max; ++i)
    append(result, optional(part));
  return result;
}

Fragment RegexParser::parseRepeated() {
  Fragment part = parseAtom();
  for (;;) {
    unsigned min = 0, max = unbounded;
    if (consume('+'))
      min = 1;
    else if (consume('?'))
      max = 1;
    else if (!consume('*') && !(sees('{') && parseBounds(min, max)))
      return part;
    // Greedy or not makes no difference to whether there is a match.
    consume('?');
    part = repeat(part, min, max);
  }
}

Fragment RegexParser::parseAtom() {
  if (consume('('))
    return parseGroup();
  if (consume('['))
    return parseSet();
  if (consume('\\'))
    return parseEscape();
  if (consume('^'))
    return single(Opcode::AtStart);
  if (consume('$'))
    return single(Opcode::AtEnd);
  if (consume('.'))
    return take({{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}, true});
  if (sees('*') || sees('+') || sees('?'))
    return fail("there is nothing to repeat");
  uint32_t c = rest[position++];
  return take({{{c, c}}});
}

Fragment RegexParser::parseGroup() {
  if (++nesting > maxNesting)
    return fail("groups are nested too deeply");
  if (consume("?=") || consume("?!") || consume("?<=") || consume("?<!"))
    return fail("look-around is not supported");
  if (consume("?<")) {
    while (!atEnd() && !sees('>'))
      ++position;
    consume('>');
  } else if (sees('?') && !consume("?:")) {
    return fail("flags of a group are not supported");
  }
  Fragment result = parseAlternatives();
  --nesting;
  if (!consume(')'))
    return fail("a ')' is missing");
  return result;
}

std::optional<uint32_t> RegexParser::parseHex(unsigned digits) {
  uint32_t value = 0;
  for (unsigned i = 0; i < digits; ++i, ++position) {
    unsigned digit =
        atEnd() || rest[position] > 'f'
            ? ~0u
            : llvm::hexDigitValue(static_cast<char>(rest[position]));
    if (digit == ~0u)
      return std::nullopt;
    value = value * 16 + digit;
  }
  return value;
}

/// The character that an escape stands for.
std::optional<uint32_t> RegexParser::parseCharEscape(uint32_t letter) {
  switch (letter) {
  case 't':
    return '\t';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 'f':
    return '\f';
  case 'v':
    return '\v';
  case '0':
    return 0;
  case 'x':
    return parseHex(2);
  case 'u':
    return parseHex(4);
  default:
    if (letter < 0x80 && llvm::isAlnum(static_cast<char>(letter)))
      return std::nullopt;
    return letter;
  }
}

Fragment RegexParser::parseEscape() {
  if (atEnd())
    return fail("nothing follows the last '\\'");
  uint32_t letter = rest[position++];
  if (letter == 'b')
    return single(Opcode::AtWordBoundary);
  if (letter == 'B')
    return single(Opcode::NotAtWordBoundary);
  if (letter >= '1' && letter <= '9')
    return fail("back references are not supported");
  if (std::optional<CharSet> set = classOfEscape(letter))
    return take(*set);
  if (std::optional<uint32_t> c = parseCharEscape(letter))
    return take({{{*c, *c}}});
  return fail("a letter after '\\' has no meaning");
}

/// The gaps between \p ranges.
static SmallVector<CharRange, 4> complement(SmallVector<CharRange, 4> ranges) {
  llvm::sort(ranges,
             [](CharRange a, CharRange b) { return a.first < b.first; });
  SmallVector<CharRange, 4> gaps;
  uint32_t next = 0;
  for (CharRange range : ranges) {
    if (range.first > next)
      gaps.push_back({next, range.first - 1});
    next = std::max(next, range.last + 1);
  }
  gaps.push_back({next, ~0u});
  return gaps;
}

/// One item of a set; false after a mistake.
bool RegexParser::parseSetItem(CharSet &set) {
  auto parseOne = [&](uint32_t &c) {
    c = rest[position++];
    if (c != '\\')
      return true;
    if (atEnd())
      return false;
    c = rest[position++];
    if (std::optional<CharSet> named = classOfEscape(c)) {
      llvm::append_range(set.ranges, named->negated ? complement(named->ranges)
                                                    : named->ranges);
      c = ~0u;
      return true;
    }
    std::optional<uint32_t> escaped = c == 'b' ? '\b' : parseCharEscape(c);
    c = escaped.value_or(0);
    return escaped.has_value();
  };
  uint32_t first, last;
  if (!parseOne(first))
    return false;
  if (first == ~0u)
    return true;
  bool isRange =
      sees('-') && position + 1 < rest.size() && rest[position + 1] != ']';
  last = first;
  if (isRange) {
    ++position;
    if (!parseOne(last))
      return false;
    // `[a-\d]`: the dash is a character.
    if (last == ~0u) {
      set.ranges.push_back({'-', '-'});
      last = first;
    }
  }
  set.ranges.push_back({first, last});
  return first <= last;
}

Fragment RegexParser::parseSet() {
  CharSet set;
  set.negated = consume('^');
  while (!sees(']')) {
    if (atEnd())
      return fail("a ']' is missing");
    if (!parseSetItem(set))
      return fail("a range or escape between '[' and ']' has no meaning");
  }
  ++position;
  return take(std::move(set));
}

namespace {

/// All places in the program that the text read so far can have led to.
class Matcher {
public:
  Matcher(const Fragment &program, ArrayRef<CharSet> sets, StringRef text)
      : program(program), sets(sets), text(decode(text)),
        lastVisit(program.size(), ~size_t(0)) {}

  bool run();

private:
  bool enter(uint32_t start, size_t position);
  bool holds(Opcode assertion, size_t position) const;

  const Fragment &program;
  ArrayRef<CharSet> sets;
  SmallVector<uint32_t> text;
  /// Instructions of kind Take to try at this position and at the next.
  std::vector<uint32_t> current, next;
  /// The position at which an instruction was last entered.
  std::vector<size_t> lastVisit;
  std::vector<uint32_t> pending;
};

} // namespace

bool Matcher::holds(Opcode assertion, size_t position) const {
  if (assertion == Opcode::AtStart)
    return position == 0;
  if (assertion == Opcode::AtEnd)
    return position == text.size();
  bool before = position > 0 && isWordCharacter(text[position - 1]);
  bool after = position < text.size() && isWordCharacter(text[position]);
  return (before != after) == (assertion == Opcode::AtWordBoundary);
}

/// Follows everything that takes no character; true if it reaches a match.
bool Matcher::enter(uint32_t start, size_t position) {
  pending.push_back(start);
  while (!pending.empty()) {
    uint32_t at = pending.back();
    pending.pop_back();
    if (lastVisit[at] == position)
      continue;
    lastVisit[at] = position;
    const Instruction &instruction = program[at];
    switch (instruction.opcode) {
    case Opcode::Match:
      return true;
    case Opcode::Take:
      next.push_back(at);
      break;
    case Opcode::Split:
      pending.push_back(instruction.otherTarget);
      pending.push_back(instruction.target);
      break;
    case Opcode::Jump:
      pending.push_back(instruction.target);
      break;
    case Opcode::AtStart:
    case Opcode::AtEnd:
    case Opcode::AtWordBoundary:
    case Opcode::NotAtWordBoundary:
      if (holds(instruction.opcode, position))
        pending.push_back(at + 1);
      break;
    }
  }
  return false;
}

bool Matcher::run() {
  for (size_t position = 0; position <= text.size(); ++position) {
    // A match may start anywhere.
    if (enter(0, position))
      return true;
    if (position == text.size())
      return false;
    std::swap(current, next);
    next.clear();
    for (uint32_t at : current)
      if (sets[program[at].target].contains(text[position]) &&
          enter(at + 1, position + 1))
        return true;
  }
  return false;
}

OrProblem<bool> toscac::matchesRegex(StringRef text, StringRef pattern) {
  RegexParser parser(pattern);
  Fragment program = parser.parse();
  if (!parser.reason.empty())
    return problem({}, diag::BadRegex, pattern, parser.reason);
  return Matcher(program, parser.sets, text).run();
}
