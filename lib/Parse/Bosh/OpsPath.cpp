//===- OpsPath.cpp - Paths of operations ----------------------------------===//

#include "OpsPath.h"

#include "llvm/ADT/StringExtras.h"

using namespace toscac::bosh;
using llvm::StringRef;

/// `~1` is a slash, `~7` a colon and `~0` a tilde that belongs to a name.
static std::string unescapeStep(StringRef text) {
  std::string result;
  while (!text.empty()) {
    size_t plain = text.size();
    char meant = 0;
    for (auto [escape, character] :
         {std::pair("~0", '~'), std::pair("~1", '/'), std::pair("~7", ':')})
      if (size_t at = text.find(escape); at < plain) {
        plain = at;
        meant = character;
      }
    result += text.take_front(plain);
    text = text.drop_front(plain);
    if (meant) {
      result += meant;
      text = text.drop_front(2);
    }
  }
  return result;
}

/// Reads what stands behind the name of a step, after a colon.
static std::optional<std::string> addModifier(StringRef word, PathStep &step) {
  if (step.insertion != PathStep::None)
    return ("nothing can follow ':before' or ':after', and ':" + word +
            "' does")
        .str();
  if (word == "prev")
    --step.shift;
  else if (word == "next")
    ++step.shift;
  else if (word == "before")
    step.insertion = PathStep::Before;
  else if (word == "after")
    step.insertion = PathStep::After;
  else
    return ("':" + word +
            "' is none of :prev, :next, :before and :after; a "
            "colon that belongs to a name is written ~7")
        .str();
  return std::nullopt;
}

static void setName(StringRef name, bool isLast, PathStep &step) {
  std::string text = unescapeStep(name);
  if (isLast && text == "-") {
    step.kind = PathStep::End;
    return;
  }
  StringRef digits = text;
  digits.consume_front("+");
  if (!digits.empty() && llvm::isDigit(digits.back()) &&
      !digits.getAsInteger(10, step.index)) {
    step.kind = PathStep::Index;
    return;
  }
  StringRef rest = text;
  step.isOptional |= rest.consume_back("?");
  auto [key, value] = rest.split('=');
  step.kind = rest.contains('=') ? PathStep::Match : PathStep::Key;
  step.key = key.str();
  step.value = value.str();
}

std::optional<std::string>
toscac::bosh::parseOpsPath(StringRef path, std::vector<PathStep> &steps) {
  if (path.empty())
    return std::nullopt;
  if (!path.starts_with("/"))
    return "it does not start with '/'";
  llvm::SmallVector<StringRef> parts;
  path.drop_front().split(parts, '/');
  bool isOptional = false;
  for (auto [i, part] : llvm::enumerate(parts)) {
    PathStep step;
    step.isOptional = isOptional;
    step.path = path.take_front(part.end() - path.begin());
    llvm::SmallVector<StringRef, 3> words;
    part.split(words, ':');
    bool isLast = i + 1 == parts.size();
    setName(words.front(), isLast, step);
    for (StringRef word : llvm::drop_begin(words))
      if (auto problem = addModifier(word, step))
        return problem;
    if (words.size() > 1 &&
        (step.kind == PathStep::Key || step.kind == PathStep::End))
      return ("'" + part +
              "' is no item of a list, and only those have "
              "neighbours")
          .str();
    if (step.insertion != PathStep::None && !isLast)
      return "':before' and ':after' stand at its end";
    isOptional = step.isOptional;
    steps.push_back(std::move(step));
  }
  return std::nullopt;
}
