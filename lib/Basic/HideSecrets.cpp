//===- HideSecrets.cpp - Diagnostics about sensitive values ---------------===//
///
/// \file
/// What is said of a sensitive value may quote it in any spelling: a number
/// that was read, a string without its escapes. So a message at such a value is
/// shown without its arguments; one at a place around it, without the value's
/// text.
///
//===----------------------------------------------------------------------===//

#include "DiagnosticFormats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr StringRef mask = "***";

/// \p ranges by their places, each byte in one of them.
static std::vector<SourceRange> merged(ArrayRef<SourceRange> ranges) {
  std::vector<SourceRange> sorted(ranges);
  llvm::sort(sorted, [](const SourceRange &a, const SourceRange &b) {
    return std::tuple(a.begin, a.end) < std::tuple(b.begin, b.end);
  });
  std::vector<SourceRange> result;
  for (const SourceRange &range : sorted)
    if (!result.empty() && range.begin <= result.back().end)
      result.back().end = std::max(result.back().end, range.end);
    else if (range.size() > 0)
      result.push_back(range);
  return result;
}

ArrayRef<SourceRange> toscac::rangesIn(ArrayRef<SourceRange> sorted,
                                       SourceRange range) {
  const SourceRange *first = llvm::partition_point(
      sorted, [&](const SourceRange &each) { return each.end <= range.begin; });
  const SourceRange *last = first;
  while (last != sorted.end() &&
         (last->begin < range.end || last->begin == range.begin))
    ++last;
  return {first, last};
}

namespace {

class Hider {
public:
  Hider(ArrayRef<SourceRange> hidden, const SourceManager &sources)
      : hidden(hidden), sources(sources) {}

  /// \p diagnostic as it may be shown; null: as it is.
  std::shared_ptr<const Diagnostic> change(const Diagnostic &diagnostic) const;

private:
  ArrayRef<SourceRange> touched(SourceRange range) const {
    return range.isValid() ? rangesIn(hidden, range) : ArrayRef<SourceRange>();
  }
  bool isWithin(SourceRange range) const {
    ArrayRef<SourceRange> around = touched(range);
    return !around.empty() && around.front().begin <= range.begin &&
           range.end <= around.front().end;
  }
  std::string without(StringRef message, ArrayRef<SourceRange> secrets) const;

  ArrayRef<SourceRange> hidden;
  const SourceManager &sources;
};

} // namespace

static void replaceAll(std::string &text, StringRef what) {
  if (what.empty())
    return;
  for (size_t at = 0;
       (at = text.find(what.data(), at, what.size())) != std::string::npos;
       at += mask.size())
    text.replace(at, what.size(), mask);
}

std::string Hider::without(StringRef message,
                           ArrayRef<SourceRange> secrets) const {
  std::string result = message.str();
  for (const SourceRange &secret : secrets) {
    StringRef written = sources.text(secret);
    replaceAll(result, written);
    replaceAll(result, written.trim("\"'"));
    for (StringRef line : llvm::split(written, '\n'))
      replaceAll(result, line.trim());
  }
  return result;
}

/// The text of the row, with its arguments left out.
static std::string withoutArguments(DiagId id) {
  std::string result;
  StringRef rest = info(id).text;
  while (true) {
    size_t open = rest.find('{');
    result += rest.take_front(open);
    if (open == StringRef::npos)
      return result;
    result += mask;
    rest = rest.drop_front(open).split('}').second;
  }
}

std::shared_ptr<const Diagnostic>
Hider::change(const Diagnostic &diagnostic) const {
  std::vector<SourceRange> secrets(touched(diagnostic.range));
  bool isAtSecret = isWithin(diagnostic.range);
  for (const Note &note : diagnostic.notes) {
    llvm::append_range(secrets, touched(note.range));
    isAtSecret |= isWithin(note.range);
  }
  if (secrets.empty())
    return nullptr;
  auto result = std::make_shared<Diagnostic>(diagnostic);
  if (!diagnostic.isDiscreet)
    result->message = isAtSecret ? withoutArguments(diagnostic.id)
                                 : without(diagnostic.message, secrets);
  // Its length is nobody's business, either.
  auto cut = [&](SourceRange &range) {
    if (isWithin(range))
      range.end = range.begin = touched(range).front().begin;
  };
  cut(result->range);
  for (Note &note : result->notes) {
    note.message = isWithin(note.range)
                       ? info(diag::SensitiveHere.id).text.str()
                       : without(note.message, secrets);
    cut(note.range);
  }
  llvm::erase_if(result->fixes, [&](const FixIt &fix) {
    return !touched(fix.range).empty() || isAtSecret;
  });
  return result;
}

void toscac::hideSecrets(DiagnosticList &list, ArrayRef<SourceRange> ranges,
                         const SourceManager &sources) {
  list.hidden = merged(ranges);
  if (list.hidden.empty())
    return;
  Hider hider(list.hidden, sources);
  for (DiagnosticList::Item &item : list.items)
    if (auto changed = hider.change(*item.diagnostic)) {
      item.diagnostic = changed.get();
      list.changed.push_back(std::move(changed));
    }
}
