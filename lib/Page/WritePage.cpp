//===- WritePage.cpp - Data with their viewer -----------------------------===//

#include "toscac/Page/WritePage.h"

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

/// \p json within a script: no name in it can end that.
static void writeData(StringRef json, raw_ostream &os) {
  while (!json.empty()) {
    size_t end = json.find('<');
    os << json.take_front(end);
    if (end == StringRef::npos)
      return;
    os << "\\u003c";
    json = json.drop_front(end + 1);
  }
}

void page::writePage(const Page &page, raw_ostream &os) {
  os << "<!doctype html>\n<html lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; base-uri 'none'; form-action 'none'; script-src "
     << policyHash(viewerScript) << "; style-src " << policyHash(viewerStyle)
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
  for (const Part &part : page.parts) {
    os << separator << "\n\"" << part.name << "\": ";
    writeData(part.json, os);
    separator = ",";
  }
  os << "\n}</script>\n<script type=\"module\">" << viewerScript
     << "</script>\n</body>\n</html>\n";
}
