//===- WriteStories.cpp - Orders that show something, as JSON -------------===//

#include "toscac/Basic/JSONWriter.h"
#include "toscac/Plan/Story.h"

using namespace toscac;
using namespace toscac::plan;

static void writeMoment(const Story::Moment &moment, JSONWriter &json) {
  json.newLine();
  json.object([&] {
    json.attribute("text", moment.text);
    json.attributeBegin("writes");
    json.array([&] {
      for (const auto &[cell, value] : moment.writes)
        json.array([&, cell = cell, &value = value] {
          json.value(cell);
          json.value(value);
        });
    });
    json.attributeBegin("running");
    json.array([&] {
      for (const std::string &name : moment.running)
        json.value(name);
    });
  });
}

static void writeStory(const Story &story, JSONWriter &json) {
  json.newLine();
  json.object([&] {
    json.attribute("claim", story.claim);
    json.attribute("refused", story.isRefused);
    json.attributeBegin("cells");
    json.array([&] {
      for (const Story::Cell &cell : story.cells)
        json.object([&] {
          json.attribute("name", cell.name);
          json.attribute("initial", cell.initial);
          if (!cell.expected.empty())
            json.attribute("expected", cell.expected);
        });
    });
    json.attributeBegin("moments");
    json.array([&] {
      for (const Story::Moment &moment : story.moments)
        writeMoment(moment, json);
    });
  });
}

void toscac::plan::writeStories(llvm::ArrayRef<Story> stories,
                                llvm::raw_ostream &os) {
  JSONWriter json(os);
  json.array([&] {
    for (const Story &story : stories)
      writeStory(story, json);
  });
}
