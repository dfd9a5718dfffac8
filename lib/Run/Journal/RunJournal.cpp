//===- RunJournal.cpp - Durable events of a run ---------------------------===//

#include "RunJournal.h"

#include "toscac/Basic/JSONWriter.h"
#include "llvm/Support/FormatVariadic.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::none;
using planfile::Step;

EventSink::~EventSink() = default;

llvm::Error StoredEvents::add(StringRef lines) {
  if (llvm::Error error = store.addEvents(run, lines))
    return error;
  return store.commit();
}

template <typename Content>
void RunJournal::write(StringRef kind, uint32_t step, Content content) {
  closeGroup();
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  json.object([&] {
    json.attribute(kind, step);
    content(json);
  });
  os << '\n';
}

static void writePlace(JSONWriter &json, const Step &step) {
  if (step.entity == none)
    return;
  json.attribute("entity", step.entity);
  json.attribute("interface", step.interface);
}

static void writeCells(JSONWriter &json, StringRef key, const Value &cells) {
  if (!cells.isMap() || cells.entries().empty())
    return;
  json.attributeBegin(key);
  writeJSON(json, cells);
}

void RunJournal::started(const Step &step, const Value &cells,
                         const Value &failure) {
  write("started", step.id, [&](JSONWriter &json) {
    json.attribute("step", step.name);
    writePlace(json, step);
    writeCells(json, "cells", cells);
    writeCells(json, "failure", failure);
  });
}

void RunJournal::done(const Step &step, const Value &cells,
                      llvm::ArrayRef<state::AttributeWrite> attributes) {
  write("done", step.id, [&](JSONWriter &json) {
    writePlace(json, step);
    writeCells(json, "cells", cells);
    if (attributes.empty())
      return;
    json.attributeBegin("attributes");
    json.array([&] {
      for (const state::AttributeWrite &write : attributes)
        json.array([&] {
          json.value(write.entity);
          json.array([&] {
            for (const Value &key : write.path)
              writeJSON(json, key);
          });
          writeJSON(json, write.value);
        });
    });
  });
}

void RunJournal::skipped(uint32_t step) {
  write("skipped", step, [](JSONWriter &) {});
}

void RunJournal::failed(const Step &step, StringRef reason,
                        const Value &cells) {
  write("failed", step.id, [&](JSONWriter &json) {
    json.attribute("step", step.name);
    json.attribute("reason", reason);
    writePlace(json, step);
    writeCells(json, "cells", cells);
  });
}

void RunJournal::retrying(uint32_t step, StringRef reason, double delay) {
  write("retry", step, [&](JSONWriter &json) {
    json.attribute("reason", reason);
    json.rawAttribute("delay", llvm::formatv("{0:f3}", delay).str());
  });
}

void RunJournal::again(uint32_t step) {
  write("again", step, [](JSONWriter &) {});
}

void RunJournal::found(const Step &step, StringRef entity, StringRef cell,
                       const Value &known, const Value &value) {
  write("found", step.id, [&](JSONWriter &json) {
    json.attribute("name", entity);
    json.attribute("interface", step.interface);
    json.attribute("cell", cell);
    json.attributeBegin("known");
    writeJSON(json, known);
    json.attributeBegin("value");
    writeJSON(json, value);
  });
}

/// The number of \p text in \p list, where few texts are. The texts of a plan
/// are stored once, so that comparing pointers is enough.
static size_t numberOf(StringRef text, std::vector<StringRef> &list) {
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i].data() == text.data())
      return i;
  list.push_back(text);
  return list.size() - 1;
}

void RunJournal::set(uint32_t step, uint32_t entity, StringRef interface,
                     StringRef cells) {
  constexpr size_t manyTexts = 32;
  if (writes.size() >= manyTexts)
    closeGroup();
  llvm::raw_string_ostream os(sets);
  os << (sets.empty() ? "[" : ", [") << step;
  if (entity != none && !cells.empty())
    os << ", " << entity << ", " << numberOf(interface, interfaces) << ", "
       << numberOf(cells, writes);
  os << ']';
}

void RunJournal::closeGroup() {
  if (sets.empty())
    return;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  json.object([&] {
    json.attributeBegin("interfaces");
    json.array([&] {
      for (StringRef interface : interfaces)
        json.value(interface);
    });
    json.attributeBegin("writes");
    json.array([&] {
      for (StringRef cells : writes)
        json.rawValue(cells);
    });
    json.rawAttribute("sets", "[" + sets + "]");
  });
  os << '\n';
  sets.clear();
  interfaces.clear();
  writes.clear();
}

void RunJournal::assumed(uint32_t step) {
  write("done", step,
        [](JSONWriter &json) { json.attribute("assumed", true); });
}

void RunJournal::append(StringRef lines) {
  closeGroup();
  text += lines;
}

llvm::Error RunJournal::commit() {
  closeGroup();
  if (text.empty())
    return llvm::Error::success();
  if (llvm::Error error = sink.add(text))
    return error;
  text.clear();
  return llvm::Error::success();
}
