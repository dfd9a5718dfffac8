"""Prints what a browser shows as names of boxes in each view: read-names.py PAGE."""

import sys

import browser

with browser.Browser() as started:
    tab = browser.Tab(started)
    tab.open(sys.argv[1])
    for view in ("plan", "machines", "topology"):
        tab.go(view)
    for name in tab.run("[...document.querySelectorAll('.box')].map((box) => box.title)"):
        print(name if len(name) < 1000 else f"{len(name)} characters")
    # Each can be chosen.
    for number in range(4):
        tab.go(f"topology/{number}")
        tab.go(f"plan/{number}")
    if tab.run("document.querySelectorAll('img').length") or len(tab.requests) != 1:
        sys.exit("a name became markup")
    print("\n".join(tab.problems) or "the console says nothing")
