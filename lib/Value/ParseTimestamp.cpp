//===- ParseTimestamp.cpp - RFC 3339 --------------------------------------===//
///
/// \file
/// TOSCA 2.0 §9.1.2.1: the date-time of RFC 3339 §5.6, or its full-date alone.
/// `-00:00`, the unknown zone of the RFC, is UTC.
///
//===----------------------------------------------------------------------===//

#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using llvm::StringRef;

namespace {

/// A text of which parts are taken from the front. The first part that is
/// wrong decides; all later ones do nothing.
class TimestampReader {
public:
  explicit TimestampReader(StringRef text) : rest(text) {}

  void readDate();
  void readTime();
  void readZone();

  StringRef rest;
  /// Why the text is no timestamp; empty if it is one.
  StringRef reason;
  Timestamp result;

private:
  unsigned readNumber(unsigned digits, unsigned lowest, unsigned highest,
                      StringRef reasonIfOutside);
  void expect(char c);
  void fail(StringRef why) {
    if (reason.empty())
      reason = why;
  }
};

} // namespace

static constexpr StringRef shape =
    "timestamps look like 2025-04-12 or 2025-04-12T23:20:50Z";

unsigned TimestampReader::readNumber(unsigned digits, unsigned lowest,
                                     unsigned highest,
                                     StringRef reasonIfOutside) {
  StringRef part = rest.take_front(digits);
  if (part.size() < digits || !llvm::all_of(part, llvm::isDigit)) {
    fail(shape);
    return lowest;
  }
  rest = rest.drop_front(digits);
  unsigned number = 0;
  (void)part.getAsInteger(10, number);
  if (number < lowest || number > highest)
    fail(reasonIfOutside);
  return number;
}

void TimestampReader::expect(char c) {
  if (!rest.consume_front(StringRef(&c, 1)))
    fail(shape);
}

static bool isLeapYear(unsigned year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static unsigned daysInMonth(unsigned year, unsigned month) {
  static constexpr unsigned days[] = {31, 28, 31, 30, 31, 30,
                                      31, 31, 30, 31, 30, 31};
  return month == 2 && isLeapYear(year) ? 29 : days[month - 1];
}

/// Days from 1970-01-01, in the proleptic Gregorian calendar. Years are
/// counted from March, so that the leap day is the last of its year.
static int64_t daysSinceEpoch(unsigned year, unsigned month, unsigned day) {
  int64_t y = int64_t(year) - (month <= 2);
  unsigned monthFromMarch = (month + 9) % 12;
  unsigned dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1;
  int64_t leapDays = (y >= 0 ? y / 4 - y / 100 + y / 400 : -1);
  return 365 * y + leapDays + dayOfYear - 719468;
}

void TimestampReader::readDate() {
  unsigned year = readNumber(4, 0, 9999, "");
  expect('-');
  unsigned month = readNumber(2, 1, 12, "months are 01 to 12");
  expect('-');
  unsigned day = readNumber(2, 1, 31, "the month has no such day");
  if (!reason.empty())
    return;
  if (day > daysInMonth(year, month))
    return fail("the month has no such day");
  result.seconds = daysSinceEpoch(year, month, day) * 86400;
}

void TimestampReader::readTime() {
  if (rest.starts_with(" "))
    fail("date and time are joined by 'T', not by a blank");
  if (!rest.consume_front("T"))
    expect('t');
  unsigned hour = readNumber(2, 0, 23, "hours are 00 to 23");
  expect(':');
  unsigned minute = readNumber(2, 0, 59, "minutes are 00 to 59");
  expect(':');
  unsigned second = readNumber(2, 0, 60, "seconds are 00 to 59");
  if (rest.consume_front(".")) {
    StringRef digits = rest.take_while(llvm::isDigit);
    rest = rest.drop_front(digits.size());
    if (digits.empty())
      fail("no digits follow the point");
    result.fraction = digits.rtrim('0');
  }
  result.isLeapSecond = second == 60;
  result.seconds += hour * 3600 + minute * 60 + std::min(second, 59u);
}

void TimestampReader::readZone() {
  if (rest.empty())
    return fail("a time needs a zone: 'Z' or an offset such as '+02:00'");
  if (rest.consume_front("Z") || rest.consume_front("z"))
    return;
  bool behind = rest.consume_front("-");
  if (!behind)
    expect('+');
  unsigned hours = readNumber(2, 0, 23, "hours of a zone are 00 to 23");
  expect(':');
  unsigned minutes = readNumber(2, 0, 59, "minutes of a zone are 00 to 59");
  int64_t offset = hours * 3600 + minutes * 60;
  result.seconds += behind ? offset : -offset;
}

/// Leap seconds end a day of UTC.
static bool isPossibleLeapSecond(int64_t secondBefore) {
  return ((secondBefore % 86400) + 86400) % 86400 == 86399;
}

OrProblem<Value> toscac::parseTimestamp(StringRef text, ValueArena &arena) {
  StringRef saved = arena.save(text);
  TimestampReader reader(saved);
  reader.readDate();
  if (reader.reason.empty() && !reader.rest.empty()) {
    reader.readTime();
    reader.readZone();
  }
  StringRef reason = reader.reason;
  if (reason.empty() && !reader.rest.empty())
    reason = shape;
  if (reason.empty() && reader.result.isLeapSecond &&
      !isPossibleLeapSecond(reader.result.seconds))
    reason = "second 60 is a leap second, which only 23:59 of UTC can have";
  if (!reason.empty())
    return problem({}, diag::BadTimestamp, text, reason);
  reader.result.text = saved;
  return arena.timestamp(reader.result);
}
