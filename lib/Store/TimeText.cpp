//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All times are UTC: a fleet has no time zone.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/TimeText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cmath>

using namespace llvm;

namespace inlay {

static Error malformed(StringRef Text, StringRef Option, StringRef Examples) {
  return createStringError(inconvertibleErrorCode(), Option + " takes " +
                                                         Examples + ", not '" +
                                                         Text + "'");
}

static std::optional<int64_t> durationOf(StringRef Text) {
  static constexpr struct {
    StringLiteral Suffix;
    int64_t Milliseconds;
  } Units[] = {{"ms", 1},      {"s", 1000},     {"m", 60000},
               {"h", 3600000}, {"d", 86400000}, {"w", 604800000}};
  for (const auto &Unit : Units) {
    StringRef Number = Text;
    double Value;
    if (!Number.consume_back(Unit.Suffix) || !to_float(Number, Value))
      continue;
    Value *= static_cast<double>(Unit.Milliseconds);
    // A thousand years.
    if (!(Value >= 1) || Value > 3.2e13)
      return std::nullopt;
    return std::llround(Value);
  }
  return std::nullopt;
}

Expected<int64_t> parseDuration(StringRef Text, StringRef Option) {
  if (std::optional<int64_t> Duration = durationOf(Text))
    return *Duration;
  return malformed(Text, Option, "a time such as 10s, 5m, 36h or 7d");
}

Expected<int64_t> parseTime(StringRef Text, int64_t Now, StringRef Option) {
  if (std::optional<int64_t> Duration = durationOf(Text))
    return Now - *Duration / 1000;
  constexpr int64_t LatestSeconds = int64_t(1) << 36;
  int64_t Seconds;
  if (to_integer(Text, Seconds, 10) && Seconds >= 0 && Seconds < LatestSeconds)
    return Seconds;
  // YYYY-MM-DD[THH:MM:SS[Z]]
  unsigned Year, Month, DayOfMonth, Hours = 0, Minutes = 0, Rest = 0;
  auto Field = [&](size_t At, size_t Size, unsigned &Value) {
    return At + Size <= Text.size() &&
           to_integer(Text.substr(At, Size), Value, 10);
  };
  bool HasTime = Text.size() > 10;
  if (Field(0, 4, Year) && Field(5, 2, Month) && Field(8, 2, DayOfMonth) &&
      Text[4] == '-' && Text[7] == '-' &&
      (!HasTime ||
       (Text.size() >= 19 && (Text[10] == 'T' || Text[10] == ' ') &&
        Field(11, 2, Hours) && Field(14, 2, Minutes) && Field(17, 2, Rest) &&
        (Text.size() == 19 || Text.substr(19) == "Z")))) {
    std::chrono::year_month_day Date{std::chrono::year(static_cast<int>(Year)),
                                     std::chrono::month(Month),
                                     std::chrono::day(DayOfMonth)};
    if (Date.ok() && Hours < 24 && Minutes < 60 && Rest < 60)
      return std::chrono::sys_days(Date).time_since_epoch().count() *
                 int64_t(86400) +
             Hours * 3600 + Minutes * 60 + Rest;
  }
  return malformed(Text, Option,
                   "a time such as 2026-01-31T12:00:00Z, or 3d for three days "
                   "ago");
}

std::string formatDay(int64_t Day) {
  // Years of four digits; what is beyond has a number.
  constexpr int64_t LatestDay = 2932896;
  if (Day < 0 || Day > LatestDay)
    return "day " + itostr(Day);
  std::chrono::year_month_day Date{
      std::chrono::sys_days{std::chrono::days(Day)}};
  std::string Text;
  raw_string_ostream(Text) << format(
      "%04d-%02u-%02u", static_cast<int>(Date.year()),
      static_cast<unsigned>(Date.month()), static_cast<unsigned>(Date.day()));
  return Text;
}

std::string formatTime(int64_t Seconds) {
  int64_t Day = Seconds / 86400, Rest = Seconds % 86400;
  if (Rest < 0) {
    --Day;
    Rest += 86400;
  }
  std::string Text = formatDay(Day);
  raw_string_ostream(Text) << format(
      " %02d:%02d:%02d", static_cast<int>(Rest / 3600),
      static_cast<int>(Rest / 60 % 60), static_cast<int>(Rest % 60));
  return Text;
}

} // namespace inlay
