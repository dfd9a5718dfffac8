"""Compares the orders of a page with what the compiler has said: compare-proof.py PAGE FILE."""

import sys

import page

data = page.read(sys.argv[1])
with open(sys.argv[2], encoding="utf-8") as file:
    said = file.read()
for story in data["proof"]:
    print("refused:", story["refused"])
    assert ("plan" not in data) == story["refused"]
    at = said.index(story["claim"])
    for moment in story["moments"]:
        assert moment["text"] in said[at:], moment["text"]
        at = said.index(moment["text"], at)
    print("the page tells what the message tells")
    values = [cell["initial"] for cell in story["cells"]]
    for moment in story["moments"]:
        for cell, value in moment["writes"]:
            assert values[cell] != value, "a write that changes nothing"
            values[cell] = value
    differs = any(cell.get("expected", value) != value for cell, value in zip(story["cells"], values))
    print("it ends otherwise than the plan, or breaks a promise:", differs or "expected" not in story["cells"][0])
