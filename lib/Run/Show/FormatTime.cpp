//===- FormatTime.cpp - Points in time for people -------------------------===//

#include "FormatTime.h"

#include <ctime>

using namespace toscac;

std::string run::formatTime(double seconds) {
  auto whole = static_cast<time_t>(seconds);
  tm parts;
  gmtime_r(&whole, &parts);
  char text[32];
  size_t size = strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, size};
}

std::string run::formatSeconds(double seconds) {
  std::string text = formatFloat(seconds);
  llvm::StringRef bare = text;
  bare.consume_back(".0");
  return bare.str();
}
