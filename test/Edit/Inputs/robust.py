#!/usr/bin/env python3
"""robust.py STEP PATTERN...: every STEP-th prefix of the first 30 files, and the file without
every STEP-th character, is opened and asked about at the place of the cut. Each question has to
be answered, in order, by one server."""

import glob
import sys

from client import Client, position, uri_of

METHODS = ["completion", "hover", "documentSymbol", "definition", "semanticTokens/full"]
METHODS += ["foldingRange", "signatureHelp", "inlayHint", "formatting", "codeLens"]


def variants(text, step):
    for at in range(0, len(text) + 1, step):
        yield text[:at], at
    for at in range(0, len(text), step):
        yield text[:at] + text[at + 1 :], at


def main():
    step = int(sys.argv[1])
    client = Client()
    count = 0
    paths = [path for pattern in sys.argv[2:] for path in sorted(glob.glob(pattern))][:30]
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        uri = uri_of(path)
        client.open(uri, text)
        version = 1
        for changed, at in variants(text, step):
            version += 1
            client.change(uri, version, [{"text": changed}])
            place = position(changed, at)
            params = {"textDocument": {"uri": uri}, "position": place}
            params["range"] = {"start": place, "end": place}
            params["options"] = {"tabSize": 2, "insertSpaces": True}
            asked = [client.ask("textDocument/" + method, params) for method in METHODS]
            for number, method in zip(asked, METHODS):
                _, error = client.answer(number)
                assert error is None, f"{path}, cut at {at}, {method}: {error}"
            count += 1
        client.close(uri)
    code = client.end()
    print(f"{len(paths)} files, all {'good' if code == 0 else 'ended ' + str(code)}")
    print(f"{count} texts", file=sys.stderr)
    return code


sys.exit(main())
