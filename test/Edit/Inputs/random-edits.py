#!/usr/bin/env python3
"""random-edits.py COUNT SEED FILE: makes COUNT random edits one after another. After each,
the server that followed them has to say the same as one that opens the text afresh."""

import random
import sys

from client import Client, position, uri_of

PIECES = ["\n", "  ", ": ", "- ", "{", "}", "[", "]", "type", "x", "$get_input", "'", "#", "é", "𝄞", "\t", "node_types:\n"]


def edit(text, rand):
    begin = rand.randrange(len(text) + 1)
    kind = rand.random()
    if kind < 0.5:
        return begin, begin, rand.choice(PIECES)
    end = min(len(text), begin + rand.choice([1, 1, 1, 2, 5, 20]))
    if kind < 0.8:
        return begin, end, ""
    source = rand.randrange(len(text) + 1)
    return begin, end, text[source : source + rand.randrange(30)]


def state(client, uri):
    asked = {"textDocument": {"uri": uri}}
    return [client.request("textDocument/" + method, asked) for method in ("documentSymbol", "semanticTokens/full")]


def main():
    count, seed, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    rand = random.Random(seed)
    with open(path, encoding="utf-8") as file:
        original = text = file.read()
    uri = uri_of(path)
    following, fresh = Client(), Client()
    following.open(uri, text)
    for version in range(2, count + 2):
        # Texts that are mostly broken tell little.
        if rand.random() < 0.05:
            begin, end, new = 0, len(text), original
        else:
            begin, end, new = edit(text, rand)
        where = {"start": position(text, begin), "end": position(text, end)}
        following.change(uri, version, [{"range": where, "text": new}])
        text = text[:begin] + new + text[end:]
        fresh.open(uri, text, version)
        followed = following.wait_for(uri, version)
        opened = fresh.wait_for(uri, version)
        assert followed == opened, f"edit {version}: {followed}\n{opened}\n{text}"
        assert state(following, uri) == state(fresh, uri), f"edit {version}:\n{text}"
        fresh.close(uri)
    assert following.end() == 0 and fresh.end() == 0
    print("all the same")
    return 0


sys.exit(main())
