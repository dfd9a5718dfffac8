//===- StepText.cpp - Steps as lines of plan.json -------------------------===//

#include "StepText.h"

#include "toscac/Basic/JSONWriter.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;
using planfile::OutputMapping;
using planfile::StepBody;
using planfile::StepHandler;
using planfile::StepHead;
using planfile::StepKind;

static std::string quote(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  writeJSONString(os, text);
  return result;
}

StepText::StepText(const FinishedPlan &plan)
    : plan(plan), stages(stagesOf(plan)) {}

const StepText::Parts &StepText::partsOf(const StepHead &head) {
  std::pair key(head.interface, head.operation);
  if (lastParts && key == lastKey)
    return *lastParts;
  Parts &own = parts[key];
  if (own.name.empty()) {
    std::string interface = quote(plan.text(head.interface));
    std::string name = quote(plan.text(head.operation));
    own.name = "." + interface.substr(1, interface.size() - 2) + "." +
               name.substr(1, name.size() - 2);
    own.operation = ", \"interface\": " + interface +
                    ", \"operation\": " + name + ", \"deps\": [";
  }
  lastKey = key;
  // Adding another moves them.
  lastParts = &own;
  return own;
}

void StepText::writeOrder(uint32_t step, raw_ostream &os) {
  bool hasChoice = false;
  StringRef separator = "";
  ArrayRef<uint32_t> deps = plan.deps(step);
  for (size_t i = 0; i != deps.size(); ++i) {
    os << separator;
    writeDecimal(os, deps[i]);
    separator = ", ";
    hasChoice |= plan.isChoice(step, i);
  }
  os << "], \"stage\": ";
  writeDecimal(os, stages[step]);
  if (hasChoice) {
    os << ", \"choices\": [";
    separator = "";
    for (size_t i = 0; i != deps.size(); ++i) {
      if (!plan.isChoice(step, i))
        continue;
      os << separator << deps[i];
      separator = ", ";
    }
    os << ']';
  }
  if (plan.exclusions().empty())
    return;
  if (ArrayRef<planfile::Exclusion> own = plan.exclusions(step); !own.empty()) {
    os << ", \"excludes\": [";
    llvm::interleaveComma(
        own, os, [&](const planfile::Exclusion &pair) { os << pair.earlier; });
    os << ']';
  }
}

void StepText::writeHead(uint32_t step, raw_ostream &os) {
  const StepHead &head = plan.steps()[step];
  const Parts &known = partsOf(head);
  os << "{\"id\": ";
  writeDecimal(os, step);
  os << ", \"name\": \"";
  plan->names.write(plan->listed[head.entity], os);
  os << known.name;
  if (auto again = plan->occurrences.find(step);
      again != plan->occurrences.end())
    os << '#' << again->second;
  os << (head.kind == StepKind::Call ? "\", \"kind\": \"call"
                                     : "\", \"kind\": \"set")
     << "\", \"entity\": ";
  writeDecimal(os, head.entity);
  os << known.operation;
}

void StepText::write(uint32_t step, raw_ostream &os) {
  const StepHead &head = plan.steps()[step];
  if (head.kind == StepKind::Join) {
    os << "{\"id\": " << step << ", \"kind\": \"join\", \"deps\": [";
    writeOrder(step, os);
    os << '}';
    return;
  }
  writeHead(step, os);
  writeOrder(step, os);
  if (head.afterFailure != planfile::none)
    os << ", \"after_failure\": " << head.afterFailure;
  writeBody(step, os);
  os << '}';
}

namespace {

/// Writes the part of a step that follows its stage.
class BodyWriter {
public:
  /// Members of an object, each after a comma.
  std::string text(const StepBody &body);

private:
  void write(const StepBody &body);
  void writeHandler(const StepHandler &handler);
  void writeOutputs(ArrayRef<OutputMapping> outputs);
  void writeMap(StringRef key, const Expr *map) {
    if (!map)
      return;
    json.attributeBegin(key);
    writeJSON(json, *map);
  }

  std::string result;
  llvm::raw_string_ostream os{result};
  JSONWriter json{os};
};

} // namespace

std::string BodyWriter::text(const StepBody &body) {
  json.object([&] { write(body); });
  StringRef members = StringRef(result).drop_front().drop_back();
  return members.empty() ? std::string() : (", " + members).str();
}

void BodyWriter::writeOutputs(ArrayRef<OutputMapping> outputs) {
  if (outputs.empty())
    return;
  json.attributeBegin("outputs");
  json.object([&] {
    for (const OutputMapping &output : outputs) {
      json.attributeBegin(output.name);
      json.array([&] {
        for (const Value &word : output.path)
          writeJSON(json, word);
      });
    }
  });
  auto some = [&](auto isMeant, StringRef key, auto write) {
    if (llvm::none_of(outputs, isMeant))
      return;
    json.attributeBegin(key);
    json.object([&] {
      for (const OutputMapping &output : outputs)
        if (isMeant(output)) {
          json.attributeBegin(output.name);
          write(output);
        }
    });
  };
  some([](const OutputMapping &output) { return !output.type.empty(); },
       "output_types",
       [&](const OutputMapping &output) { json.value(output.type); });
  some([](const OutputMapping &output) { return !output.values.empty(); },
       "output_values",
       [&](const OutputMapping &output) {
         json.array([&] {
           for (const Value &value : output.values)
             writeJSON(json, value);
         });
       });
  auto isSecret = [](const OutputMapping &output) { return output.sensitive; };
  if (llvm::none_of(outputs, isSecret))
    return;
  json.attributeBegin("sensitive");
  json.array([&] {
    for (const OutputMapping &output : outputs)
      if (isSecret(output))
        json.value(output.name);
  });
}

void BodyWriter::writeHandler(const StepHandler &handler) {
  json.objectBegin();
  json.attribute("artifact", handler.artifact);
  if (!handler.files.empty()) {
    json.attributeBegin("files");
    json.array([&] {
      for (uint32_t file : handler.files)
        json.value(file);
    });
  }
  if (handler.host != planfile::none)
    json.attribute("host", handler.host);
  writeMap("inputs", handler.inputs);
  writeOutputs(handler.outputs);
  json.objectEnd();
}

void BodyWriter::write(const StepBody &body) {
  if (!body.handlers.empty()) {
    json.attributeBegin("handlers");
    json.array([&] {
      for (const StepHandler &handler : body.handlers)
        writeHandler(handler);
    });
  }
  writeMap("entry", body.entry);
  writeMap("success", body.success);
  writeMap("failure", body.failure);
  writeMap("guard", body.guard);
  if (body.timeout > 0)
    json.attribute("timeout", uint32_t(body.timeout));
  if (body.retries)
    json.attribute("retries", body.retries);
  if (body.showsFormer)
    json.attribute("former", true);
}

void StepText::writeBody(uint32_t step, raw_ostream &os) {
  uint32_t number = plan->bodyOf[step];
  const StepBody &body = plan->bodies[number];
  if (!plan->isShared[number]) {
    os << BodyWriter().text(body);
    return;
  }
  auto [known, isNew] = bodies.try_emplace(number);
  if (isNew)
    known->second = BodyWriter().text(body);
  os << known->second;
}
