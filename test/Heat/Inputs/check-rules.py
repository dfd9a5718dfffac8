"""check-rules.py TABLE FOLDER: every test that a table of rules names is in the folder."""

import pathlib
import re
import sys

table, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
rows = [line for line in table.read_text(encoding="utf-8").splitlines() if re.match(r"\| \w+\d", line)]
assert len(rows) > 20, rows
for row in rows:
    tests = re.findall(r"`([^`]+)`", row.split("|")[-2])
    assert tests, row
    for test in tests:
        assert (folder / test).exists(), f"{row}: no {test}"
