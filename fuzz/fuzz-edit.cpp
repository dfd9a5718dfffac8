//===- fuzz-edit - What an editor may send --------------------------------===//
///
/// \file
/// The input is a session: the text of a file up to a zero byte, then messages
/// of a few bytes each, which change the text or ask about a place. All is done
/// on one workspace, so that what is remembered between messages is tried, too.
///
//===----------------------------------------------------------------------===//

#include "toscac/Edit/Actions.h"
#include "toscac/Edit/Complete.h"
#include "toscac/Edit/Describe.h"
#include "toscac/Edit/Navigate.h"
#include "toscac/Edit/Structure.h"

using namespace toscac;
using namespace toscac::edit;

static const char path[] = "/input.yaml";

static void ask(Workspace &workspace, unsigned question, TextPosition at) {
  Document &document = *workspace.find(path);
  switch (question % 16) {
  case 0:
    complete(workspace, document, at);
    break;
  case 1:
    describe(workspace, document, at);
    break;
  case 2:
    findDefinitions(workspace, document, at);
    break;
  case 3:
    findReferences(workspace, document, at, /*withDeclarations=*/true);
    break;
  case 4:
    rename(workspace, document, at, "other");
    break;
  case 5:
    symbolsOf(workspace.outline(document));
    foldsOf(workspace.outline(document));
    break;
  case 6:
    selectionsAt(workspace.outline(document), at);
    break;
  case 7:
    tokensOf(workspace.outline(document));
    break;
  case 8:
    findActions(workspace, document, {at, at});
    break;
  case 9:
    formatDocument(workspace, document, /*orderKeynames=*/true);
    break;
  case 10:
    findSignatures(workspace, document, at);
    break;
  case 11:
    hintsIn(workspace, document, {{}, at});
    break;
  case 12:
    findTypeDefinitions(workspace, document, at);
    findHighlights(workspace, document, at);
    break;
  case 13:
    findLinks(workspace, document);
    findLenses(workspace, document);
    break;
  case 14:
    findSymbols(workspace, "a");
    break;
  case 15:
    prepareRename(workspace, document, at);
    break;
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  auto [text, messages] = bytes.split('\0');
  Workspace workspace{DriverOptions()};
  int64_t version = 1;
  workspace.open(path, text.str(), version);
  while (messages.size() >= 4) {
    uint8_t kind = messages[0];
    TextPosition at{static_cast<uint8_t>(messages[1]),
                    static_cast<uint8_t>(messages[2])};
    uint8_t length = messages[3] % 32;
    messages = messages.drop_front(4);
    if (kind < 128) {
      ask(workspace, kind, at);
      continue;
    }
    Change change;
    TextPosition end{at.line, at.character + kind % 8};
    change.range = TextRange{at, end};
    change.text = messages.take_front(length).str();
    messages = messages.drop_front(std::min<size_t>(length, messages.size()));
    workspace.change(path, change, ++version);
    if (kind % 2)
      workspace.update([] { return false; });
  }
  workspace.update([] { return false; });
  return 0;
}
