//===- YAMLEvents.cpp - What a reader of YAML tells -----------------------===//

#include "YAMLEvents.h"

#include "YAMLInput.h"
#include "llvm/Support/ErrorHandling.h"
#include <istream>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

using namespace toscac;

namespace {

class Recorder : public YAML::EventHandler {
public:
  explicit Recorder(YAMLEvents &events) : events(events) {}

  void OnDocumentStart(const YAML::Mark &) override { ++documents; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    add(YAMLEvent::Null, mark, "", anchor);
  }
  void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    add(YAMLEvent::Alias, mark, "", anchor);
  }
  void OnScalar(const YAML::Mark &mark, const std::string &tag,
                YAML::anchor_t anchor, const std::string &value) override {
    add(YAMLEvent::Scalar, mark, tag, anchor);
    events.list.back().value = llvm::StringRef(value).copy(events.values);
  }
  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    add(YAMLEvent::SequenceStart, mark, tag, anchor);
    events.list.back().flow = style == YAML::EmitterStyle::Flow;
  }
  void OnSequenceEnd() override {
    events.list.push_back({YAMLEvent::SequenceEnd});
  }
  void OnMapStart(const YAML::Mark &mark, const std::string &tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    add(YAMLEvent::MapStart, mark, tag, anchor);
    events.list.back().flow = style == YAML::EmitterStyle::Flow;
  }
  void OnMapEnd() override { events.list.push_back({YAMLEvent::MapEnd}); }

  bool isOneDocument() const { return documents == 1 && !tagged; }

private:
  void add(YAMLEvent::Kind kind, const YAML::Mark &mark, llvm::StringRef tag,
           YAML::anchor_t anchor) {
    // yaml-cpp gives what has no tag `?`, or `!` if it is quoted.
    tagged |= tag.size() > 1;
    events.list.push_back({kind, false, static_cast<uint32_t>(anchor),
                           static_cast<uint32_t>(mark.pos)});
  }

  YAMLEvents &events;
  unsigned documents = 0;
  bool tagged = false;
};

} // namespace

std::optional<YAMLEvents> toscac::recordYAML(llvm::StringRef text) {
  YAMLEvents events;
  YAMLInput input(text);
  std::istream stream(&input);
  Recorder recorder(events);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(recorder) && recorder.isOneDocument()) {
    }
  } catch (const YAML::Exception &) {
    return std::nullopt;
  }
  if (!recorder.isOneDocument())
    return std::nullopt;
  return events;
}

void toscac::replayYAML(const YAMLEvents &events, YAML::EventHandler &handler) {
  YAML::Mark mark;
  handler.OnDocumentStart(mark);
  for (const YAMLEvent &event : events.list) {
    mark.pos = static_cast<int>(event.at);
    YAML::EmitterStyle::value style =
        event.flow ? YAML::EmitterStyle::Flow : YAML::EmitterStyle::Block;
    switch (event.kind) {
    case YAMLEvent::Null:
      handler.OnNull(mark, event.anchor);
      break;
    case YAMLEvent::Alias:
      handler.OnAlias(mark, event.anchor);
      break;
    case YAMLEvent::Scalar:
      handler.OnScalar(mark, "", event.anchor, event.value.str());
      break;
    case YAMLEvent::SequenceStart:
      handler.OnSequenceStart(mark, "", event.anchor, style);
      break;
    case YAMLEvent::SequenceEnd:
      handler.OnSequenceEnd();
      break;
    case YAMLEvent::MapStart:
      handler.OnMapStart(mark, "", event.anchor, style);
      break;
    case YAMLEvent::MapEnd:
      handler.OnMapEnd();
      break;
    }
  }
  handler.OnDocumentEnd();
}
