#!/usr/bin/env python3
"""Asks tosca-lsp about marked places: ask.py FILE QUESTION...

FILE holds one file, or several that begin with lines of `#--- name`; all are opened,
the first one last. `‹a›` marks a place and is not part of the text. With --folder, the
files are those below it: they stay on the disk, but for the first. A QUESTION is
METHOD[@MARK][=ARGUMENT]; `type@a=text` types there, `open=NAME` and `close=NAME` speak of
other files. Answers are printed one thing a line, with lines and columns from 1."""

import json
import os
import re
import subprocess
import sys

MARK = re.compile("‹([a-z0-9]+)›")


def split(text):
    parts = re.split(r"^#--- (.*)\n", text, flags=re.M)
    if len(parts) == 1:
        return [("main.yaml", text)]
    return list(zip(parts[1::2], parts[2::2]))


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


def place(text, offset):
    line = text.count("\n", 0, offset)
    start = text.rfind("\n", 0, offset) + 1
    return {"line": line, "character": utf16(text[start:offset])}


class Session:
    def __init__(self, files, folder):
        self.folder = folder
        self.texts, self.marks, self.versions = {}, {}, {}
        self.out, self.ids = [], {}
        for name, text in files:
            self.add(name, text)
        self.main = files[0][0]

    def add(self, name, text):
        clean = ""
        at = 0
        for found in MARK.finditer(text):
            clean += text[at : found.start()]
            self.marks[found.group(1)] = (name, len(clean))
            at = found.end()
        self.texts[name] = clean + text[at:]

    def uri(self, name):
        if self.folder:
            return "file://" + os.path.join(os.path.abspath(self.folder), name)
        return "test:///" + name

    def shown(self, uri):
        return uri.replace(self.uri(""), "").replace("test:///", "")

    def send(self, method, params, label=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if label is not None:
            message["id"] = len(self.ids)
            self.ids[message["id"]] = (method, label)
        self.out.append(json.dumps(message, ensure_ascii=False))

    def open(self, name):
        self.versions[name] = 1
        document = {"uri": self.uri(name), "languageId": "tosca", "version": 1}
        document["text"] = self.texts[name]
        self.send("textDocument/didOpen", {"textDocument": document})

    def ask(self, question):
        method, _, rest = question.partition("@")
        argument = None
        if rest:
            mark, _, argument = rest.partition("=")
        else:
            method, _, argument = method.partition("=")
            mark = None
        name, offset = self.marks[mark] if mark else (self.main, 0)
        if method == "open":
            return self.open(argument)
        if method == "close":
            return self.send("textDocument/didClose", {"textDocument": {"uri": self.uri(argument)}})
        position = place(self.texts[name], offset)
        params = {"textDocument": {"uri": self.uri(name)}, "position": position}
        if method == "type":
            return self.type(name, offset, argument.replace("\\n", "\n"))
        if method == "symbols":
            return self.send("workspace/symbol", {"query": argument or ""}, question)
        if method == "rename":
            params["newName"] = argument
        if method == "references":
            params["context"] = {"includeDeclaration": argument == "all"}
        if method == "selectionRange":
            params["positions"] = [position]
        if method in ("codeAction", "inlayHint"):
            end = place(self.texts[name], len(self.texts[name]))
            params["range"] = {"start": position, "end": position if mark else end}
            params["context"] = {"diagnostics": []}
        if method == "formatting":
            params["options"] = {"tabSize": 2, "insertSpaces": True}
            params["options"]["orderKeynames"] = argument == "keynames"
        if method == "executeCommand":
            params = {"command": argument, "arguments": [self.uri(name), position]}
            return self.send("workspace/executeCommand", params, question)
        if method == "resolveLens":
            lens = {"range": {"start": position, "end": position}}
            lens["data"] = {"uri": self.uri(name), "command": argument}
            return self.send("codeLens/resolve", lens, question)
        if method == "semanticTokens":
            method = "semanticTokens/full"
        self.send("textDocument/" + method, params, question)

    def type(self, name, offset, text):
        position = place(self.texts[name], offset)
        self.versions[name] += 1
        self.texts[name] = self.texts[name][:offset] + text + self.texts[name][offset:]
        for mark, (owner, at) in self.marks.items():
            if owner == name and at >= offset:
                self.marks[mark] = (owner, at + len(text))
        change = {"range": {"start": position, "end": position}, "text": text}
        document = {"uri": self.uri(name), "version": self.versions[name]}
        self.send(
            "textDocument/didChange",
            {"textDocument": document, "contentChanges": [change]},
        )


def span(range_):
    start, end = range_["start"], range_["end"]
    text = f"{start['line'] + 1}:{start['character'] + 1}"
    if end["line"] == start["line"]:
        return f"{text}-{end['character'] + 1}"
    return f"{text}-{end['line'] + 1}:{end['character'] + 1}"


def show_edits(session, edit, indent=""):
    for uri, edits in edit["changes"].items():
        for change in edits:
            new = json.dumps(change["newText"], ensure_ascii=False)
            print(f"{indent}{session.shown(uri)}:{span(change['range'])} -> {new}")


def show_symbols(symbols, indent=""):
    for symbol in symbols:
        print(f"{indent}{symbol['name']} ({symbol.get('detail', '')}) {span(symbol['range'])}")
        show_symbols(symbol.get("children", []), indent + "  ")


def show(session, method, result, legend):
    kind = method.split("/", 1)[1]
    if result is None:
        print("nothing")
    elif kind == "completion":
        for item in sorted(result["items"], key=lambda item: item["sortText"]):
            new = json.dumps(item["textEdit"]["newText"], ensure_ascii=False)
            print(f"{item['label']} | {item.get('detail', '')} | {new}")
    elif kind == "hover":
        print(f"at {span(result['range'])}")
        print(result["contents"]["value"].rstrip())
    elif kind == "signatureHelp":
        signature = result["signatures"][result["activeSignature"]]
        begin, end = signature["parameters"][result["activeParameter"]]["label"]
        print(f"{signature['label']} <{signature['label'][begin:end]}>")
    elif kind == "rename":
        show_edits(session, result)
    elif kind == "prepareRename":
        print(f"{span(result['range'])} {result['placeholder']}")
    elif kind == "documentSymbol":
        show_symbols(result)
    elif kind == "symbol":
        for symbol in result:
            where = symbol["location"]
            print(f"{symbol['name']} {session.shown(where['uri'])}:{span(where['range'])}")
    elif kind == "codeAction":
        for action in result:
            print(f"{action['title']} [{action['kind']}]")
            if "edit" in action:
                show_edits(session, action["edit"], "  ")
    elif kind == "foldingRange":
        for fold in result:
            print(f"{fold['startLine'] + 1}-{fold['endLine'] + 1} {fold['kind']}")
    elif kind == "selectionRange":
        at = result[0]
        while at:
            print(span(at["range"]))
            at = at.get("parent")
    elif kind == "semanticTokens/full":
        line = column = 0
        lines = session.texts[session.main].split("\n")
        data = result["data"]
        for i in range(0, len(data), 5):
            column = data[i + 1] + (column if data[i] == 0 else 0)
            line += data[i]
            word = lines[line][column : column + data[i + 2]]
            print(f"{line + 1}:{column + 1} {word} {legend[data[i + 3]]}{' declaration' if data[i + 4] else ''}")
    elif kind == "inlayHint":
        for hint in result:
            at = hint["position"]
            print(f"{at['line'] + 1}:{at['character'] + 1}{hint['label']}")
    elif kind == "documentLink":
        for link in result:
            target = session.shown(link["target"])
            print(f"{span(link['range'])} -> {target}")
    elif kind == "codeLens":
        for lens in result:
            print(f"{span(lens['range'])} {lens['command']['title'] if 'command' in lens else '(to resolve)'}")
    elif kind == "resolve":
        print(result["command"]["title"])
    elif kind == "formatting":
        text = session.texts[session.main]
        for edit in result:
            text = edit["newText"]
        print(text, end="")
    elif kind == "executeCommand":
        print(result if isinstance(result, str) else result.get("text", result))
    else:
        for where in result:
            name = session.shown(where["uri"]) + ":" if "uri" in where else ""
            print(f"{name}{span(where['range'])}")


def show_diagnostics(session, params):
    print(f"-- {session.shown(params['uri'])}: {len(params['diagnostics'])} diagnostics")
    for found in params["diagnostics"]:
        severity = {1: "error", 2: "warning"}[found["severity"]]
        tags = "".join({1: " unnecessary", 2: " deprecated"}[tag] for tag in found.get("tags", []))
        print(f"{span(found['range'])} {severity}: {found['message']} [{found['code']}]{tags}")
        for note in found.get("relatedInformation", []):
            where = note["location"]
            print(f"  {session.shown(where['uri'])}:{span(where['range'])} {note['message']}")


def main():
    arguments = sys.argv[1:]
    folder = None
    options = []
    while arguments[0].startswith("--"):
        name, _, value = arguments.pop(0).partition("=")
        if name == "--folder":
            folder = value
        else:
            options.append(value)
    path, questions = arguments[0], arguments[1:]
    with open(path, encoding="utf-8", newline="") as file:
        session = Session(split(file.read()) if not folder else [(os.path.basename(path), file.read())], folder)
    root = "file://" + os.path.abspath(folder) if folder else None
    session.send("initialize", {"rootUri": root, "capabilities": {}}, "initialize")
    session.send("initialized", {})
    for name in list(session.texts)[1:] + [session.main]:
        session.open(name)
    for question in questions:
        session.ask(question)
    session.send("shutdown", {}, "shutdown")
    session.send("exit", {})
    done = subprocess.run(
        [*os.environ.get("TOSCAC_LSP_WRAPPER", "").split(), "tosca-lsp", "--lit-test", *options],
        input="\n// -----\n".join(session.out) + "\n",
        capture_output=True, encoding="utf-8", errors="replace", check=False,
    )  # fmt: skip
    sys.stderr.write(done.stderr)
    legend = []
    for part in re.split(r"^Content-Length: \d+\s*$", done.stdout, flags=re.M)[1:]:
        message = json.loads(part)
        if "id" not in message:
            show_diagnostics(session, message["params"])
            continue
        method, label = session.ids[message["id"]]
        if label == "initialize":
            legend = message["result"]["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
        elif label != "shutdown":
            print(f"== {label}")
            if "error" in message:
                print(f"refused: {message['error']['message']}")
            else:
                show(session, method, message["result"], legend)
    return done.returncode


sys.exit(main())
