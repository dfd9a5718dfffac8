//===- yaml-cpp's bare event pass: reads a file and keeps nothing ---------===//

#include <fstream>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/parser.h>

namespace {
class Ignore : public YAML::EventHandler {
  using Mark = YAML::Mark;
  using Anchor = YAML::anchor_t;
  using Style = YAML::EmitterStyle::value;

  void OnDocumentStart(const Mark &) override {}
  void OnDocumentEnd() override {}
  void OnNull(const Mark &, Anchor) override {}
  void OnAlias(const Mark &, Anchor) override {}
  void OnScalar(const Mark &, const std::string &, Anchor,
                const std::string &) override {}
  void OnSequenceStart(const Mark &, const std::string &, Anchor,
                       Style) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const Mark &, const std::string &, Anchor, Style) override {}
  void OnMapEnd() override {}
};
} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 64;
  std::ifstream input(argv[1], std::ios::binary);
  YAML::Parser parser(input);
  Ignore ignore;
  while (parser.HandleNextDocument(ignore)) {
  }
  return 0;
}
