//===- LibraryYAML.cpp - What yaml-cpp tells ------------------------------===//

#include "LibraryYAML.h"

#include "llvm/ADT/STLExtras.h"
#include <istream>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

using namespace toscac;
using llvm::StringRef;
using syntax::BrokenText;

namespace {

class Teller : public YAML::EventHandler {
public:
  Teller(YAMLInput &input, YAMLSink sink) : input(input), sink(sink) {}

  void OnDocumentStart(const YAML::Mark &mark) override {
    ++documents;
    tell(YAMLEvent::DocumentStart, mark);
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    tell(YAMLEvent::Null, mark, anchor);
  }
  void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    tell(YAMLEvent::Alias, mark, anchor);
  }
  void OnScalar(const YAML::Mark &mark, const std::string &tag,
                YAML::anchor_t anchor, const std::string &value) override {
    tell(YAMLEvent::Scalar, mark, anchor, tag, false, value);
  }
  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    tell(YAMLEvent::SequenceStart, mark, anchor, tag,
         style == YAML::EmitterStyle::Flow);
  }
  void OnSequenceEnd() override { sink({YAMLEvent::SequenceEnd}, ""); }
  void OnMapStart(const YAML::Mark &mark, const std::string &tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    tell(YAMLEvent::MapStart, mark, anchor, tag,
         style == YAML::EmitterStyle::Flow);
  }
  void OnMapEnd() override { sink({YAMLEvent::MapEnd}, ""); }

  unsigned numDocuments() const { return documents; }

private:
  void tell(YAMLEvent::Kind kind, const YAML::Mark &mark,
            YAML::anchor_t anchor = 0, StringRef tag = "", bool flow = false,
            StringRef value = "") {
    size_t at = input.offset(mark.pos);
    input.reached(at);
    // yaml-cpp gives what has no tag `?`, or `!` if it is quoted.
    sink({kind, flow, static_cast<uint32_t>(anchor), static_cast<uint32_t>(at),
          value},
         tag.size() > 1 ? tag : "");
  }

  YAMLInput &input;
  YAMLSink sink;
  unsigned documents = 0;
};

/// What yaml-cpp says in terms of its grammar, for people.
struct Complaint {
  StringRef start;
  BrokenText::Kind kind;
  StringRef text;
};
} // namespace

static Complaint reword(StringRef message) {
  namespace ErrorMsg = YAML::ErrorMsg;
  constexpr StringRef version =
      "the version of YAML is given once, as '%YAML 1.2'";
  constexpr StringRef tagLine =
      "the form of this line is '%TAG !name! prefix', once for a name";
  constexpr StringRef anchorName =
      "this character cannot be part of an anchor's name";
  constexpr StringRef tagForm = "this is not the form of a tag";
  // The flow kinds first: `end of map` also begins `end of map flow`.
  const Complaint complaints[] = {
      {ErrorMsg::END_OF_MAP_FLOW, BrokenText::InFlow,
       "the closing '}' is missing"},
      {ErrorMsg::END_OF_SEQ_FLOW, BrokenText::InFlow,
       "the closing ']' is missing"},
      {ErrorMsg::FLOW_END, BrokenText::Bracket, "this bracket closes nothing"},
      {ErrorMsg::MAP_VALUE, BrokenText::Colon, "a value cannot stand here"},
      {ErrorMsg::UNKNOWN_TOKEN, BrokenText::Character,
       "the file ends too early"},
      {ErrorMsg::UNKNOWN_ANCHOR, BrokenText::Alias, "no anchor has this name"},
      {ErrorMsg::BLOCK_ENTRY, BrokenText::Other,
       "a list that starts with '-' stands on lines of its own"},
      {ErrorMsg::MAP_KEY, BrokenText::Other, "a key cannot stand here"},
      {ErrorMsg::END_OF_MAP, BrokenText::InBlock,
       "neither a key nor a value can stand here"},
      {ErrorMsg::END_OF_SEQ, BrokenText::InBlock,
       "an entry of a list starts with '-'"},
      {ErrorMsg::ANCHOR_NOT_FOUND, BrokenText::Other,
       "the name of the anchor is missing"},
      {ErrorMsg::ALIAS_NOT_FOUND, BrokenText::Other,
       "the name of the alias is missing; quote a "
       "'*' that is meant as text"},
      {ErrorMsg::CHAR_IN_ANCHOR, BrokenText::Other, anchorName},
      {ErrorMsg::CHAR_IN_ALIAS, BrokenText::Other, anchorName},
      {ErrorMsg::MULTIPLE_TAGS, BrokenText::Other,
       "a value has at most one tag"},
      {ErrorMsg::MULTIPLE_ANCHORS, BrokenText::Other,
       "a value has at most one anchor"},
      {ErrorMsg::ALIAS_CONTENT, BrokenText::Other,
       "an alias has neither tag nor anchor"},
      {ErrorMsg::END_OF_VERBATIM_TAG, BrokenText::Other,
       "the '>' of this tag is missing"},
      {ErrorMsg::CHAR_IN_TAG_HANDLE, BrokenText::Other, tagForm},
      {ErrorMsg::TAG_WITH_NO_SUFFIX, BrokenText::Other, tagForm},
      {ErrorMsg::INVALID_HEX, BrokenText::Other,
       "an escape in a string needs more hexadecimal digits"},
      {ErrorMsg::INVALID_UNICODE, BrokenText::Other,
       "this escape stands for no character"},
      {ErrorMsg::INVALID_ESCAPE, BrokenText::Other,
       "no escape has this letter; a backslash in a "
       "double-quoted string is written twice"},
      {ErrorMsg::DOC_IN_SCALAR, BrokenText::Other,
       "a line with '---' or '...' stands inside a quoted string"},
      {ErrorMsg::EOF_IN_SCALAR, BrokenText::Other,
       "the file ends inside a string"},
      {ErrorMsg::ZERO_INDENT_IN_BLOCK, BrokenText::Other,
       "the indentation of a block of text is a number from 1 to 9"},
      {ErrorMsg::CHAR_IN_BLOCK, BrokenText::Other,
       "the text after '|' or '>' starts on the next line"},
      {ErrorMsg::YAML_DIRECTIVE_ARGS, BrokenText::Other, version},
      {ErrorMsg::YAML_MAJOR_VERSION, BrokenText::Other, version},
      {ErrorMsg::REPEATED_YAML_DIRECTIVE, BrokenText::Other, version},
      {ErrorMsg::YAML_VERSION, BrokenText::Other, version},
      {ErrorMsg::TAG_DIRECTIVE_ARGS, BrokenText::Other, tagLine},
      {ErrorMsg::REPEATED_TAG_DIRECTIVE, BrokenText::Other, tagLine},
  };
  // Some messages end with the text in question.
  const auto *found =
      llvm::find_if(complaints, [&](const Complaint &complaint) {
        return message.starts_with(complaint.start);
      });
  if (found == std::end(complaints))
    return {message, BrokenText::Other, message};
  return *found;
}

std::optional<YAMLFault> toscac::readByLibrary(YAMLInput &input,
                                               YAMLSink sink) {
  std::istream stream(&input);
  Teller teller(input, sink);
  try {
    YAML::Parser parser(stream);
    while (teller.numDocuments() < 2 && parser.HandleNextDocument(teller)) {
    }
  } catch (const YAML::DeepRecursion &error) {
    return YAMLFault{input.offset(error.mark.pos), /*isTooDeep=*/true};
  } catch (const YAML::ParserException &error) {
    Complaint complaint = reword(error.msg);
    return YAMLFault{input.offset(std::max(error.mark.pos, 0)),
                     /*isTooDeep=*/false, complaint.kind, complaint.text.str()};
  }
  return std::nullopt;
}

std::optional<YAMLEvents> toscac::recordYAML(StringRef text) {
  YAMLEvents events;
  YAMLInput input(text);
  bool isPlain = true;
  unsigned documents = 0;
  auto record = [&](YAMLEvent event, StringRef tag) {
    isPlain &= tag.empty();
    documents += event.kind == YAMLEvent::DocumentStart;
    event.value = event.value.copy(events.values);
    if (event.kind != YAMLEvent::DocumentStart)
      events.list.push_back(event);
  };
  if (readByLibrary(input, record) || !isPlain || documents != 1)
    return std::nullopt;
  return events;
}
