//===- WritePage.cpp - Data with their viewer -----------------------------===//

#include "toscac/Page/WritePage.h"

#include "Topology.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Value/Sealed.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/SHA256.h"
#include <Viewer.inc>

using namespace toscac;
using namespace toscac::page;
using llvm::raw_ostream;
using llvm::StringRef;

/// As a policy names the text of a script or style.
static std::string policyHash(StringRef text) {
  return "'sha256-" +
         llvm::encodeBase64(llvm::SHA256::hash(
             llvm::ArrayRef(text.bytes_begin(), text.size()))) +
         "'";
}

static void writeText(StringRef text, raw_ostream &os) {
  for (char c : text) {
    if (c == '&')
      os << "&amp;";
    else if (c == '<')
      os << "&lt;";
    else
      os << c;
  }
}

/// Where the sealed value that \p json starts with ends; npos: it starts with
/// another one.
static size_t endOfSealed(StringRef json) {
  StringRef rest = json;
  if (!rest.consume_front("{"))
    return StringRef::npos;
  rest = rest.ltrim();
  if (!rest.consume_front("\""))
    return StringRef::npos;
  // Where it stands in an expression, it has another dollar sign.
  size_t quote = rest.find('"');
  if (rest.take_front(quote).ltrim('$') != sealedFunction)
    return StringRef::npos;
  size_t end = rest.find('}');
  return end == StringRef::npos ? json.size()
                                : rest.data() + end + 1 - json.data();
}

void page::writeData(StringRef json, raw_ostream &os) {
  while (!json.empty()) {
    size_t next = json.find_first_of("<{");
    os << json.take_front(next);
    if (next == StringRef::npos)
      return;
    json = json.drop_front(next);
    if (size_t end = endOfSealed(json); end != StringRef::npos) {
      os << "\"(sensitive)\"";
      json = json.drop_front(end);
      continue;
    }
    os << (json.front() == '<' ? "\\u003c" : "{");
    json = json.drop_front(1);
  }
}

static StringRef partOf(const Page &page, StringRef name) {
  for (const Part &part : page.parts)
    if (part.name == name)
      return part.json;
  return "";
}

void page::writePage(const Page &page, raw_ostream &os) {
  os << "<!doctype html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; base-uri 'none'; form-action 'none'; script-src "
     << policyHash(viewerScript) << "; style-src " << policyHash(viewerStyle)
     << (page.feed.empty() ? "" : "; connect-src 'self'")
     << "\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>";
  writeText(page.title, os);
  os << "</title>\n<style>" << viewerStyle << "</style>\n</head>\n<body>\n"
     << "<noscript><pre>";
  writeText(page.summary, os);
  os << "</pre></noscript>\n"
        "<script type=\"application/json\" id=\"data\">{";
  StringRef separator = "";
  if (!page.feed.empty()) {
    os << "\n\"feed\": ";
    writeJSONString(os, page.feed);
    separator = ",";
  }
  for (const Part &part : page.parts) {
    os << separator << "\n\"" << part.name << "\": ";
    writeData(part.json, os);
    separator = ",";
  }
  if (StringRef plan = partOf(page, "plan"); !plan.empty())
    os << ",\n\"layout\": " << layOutTopology(plan, partOf(page, "graph"));
  os << "\n}</script>\n<script type=\"module\">" << viewerScript
     << "</script>\n</body>\n</html>\n";
}
