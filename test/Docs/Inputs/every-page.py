"""Finds pages of the documentation that no test of this folder runs: every-page.py ROOT"""

import pathlib
import sys

ROOT = pathlib.Path(sys.argv[1])
tested = set()
for test in (ROOT / "test/Docs").glob("*.test"):
    for word in test.read_text(encoding="utf-8").split():
        if word.startswith("%root/"):
            tested.update(ROOT.glob(word[len("%root/") :]))
pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md")]
missing = sorted(page.relative_to(ROOT) for page in pages if page not in tested)
print("".join(f"{page}: no test in test/Docs runs this page\n" for page in missing), end="")
sys.exit(1 if missing else 0)
