"""Steps through the order that a page shows: look-proof.py PAGE [--axe FILE] [--shots FOLDER NAME]."""

import argparse
import json
import os
import sys

import browser
import page


def check(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: {got!r}, not {expected!r}")


def step_through(tab, story):
    check("claim", tab.run("document.querySelector('.claim').textContent"), story["claim"])
    cells = {cell["name"]: cell["initial"] for cell in story["cells"]}
    names = list(cells)
    for number, moment in enumerate(story["moments"]):
        for cell, value in moment["writes"]:
            cells[names[cell]] = value
        if number:
            tab.run("[...document.querySelectorAll('#view-proof .stepper .action')].at(-1).click()")
        rows = tab.run("[...document.querySelectorAll('#view-proof table')].find((each) => each.caption.textContent === 'Cells that change').tBodies[0].rows.length")
        check("rows", rows, len(cells))
        shown = tab.run(
            "Object.fromEntries([...[...document.querySelectorAll('#view-proof table')].find((each) => each.caption.textContent === 'Cells that change')"
            ".tBodies[0].rows].map((row) => [row.cells[0].textContent, row.cells[1].textContent]))"
        )
        check(f"cells at moment {number}", shown, cells)
        check("moment", tab.run("document.querySelector('.moment[aria-current=step]').textContent"), moment["text"] or "nothing starts")
    print(len(story["moments"]), "moments")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--axe")
    parser.add_argument("--shots", nargs=2)
    options = parser.parse_args()
    stories = page.read(options.page)["proof"]
    with browser.Browser() as started:
        tab = browser.Tab(started)
        tab.open(options.page)
        check("view", tab.run("document.querySelector('[role=tabpanel]:not([hidden])').id"), "view-proof")
        for number, story in enumerate(stories):
            tab.go(f"proof/{number}")
            step_through(tab, story)
        if options.axe:
            with open(options.axe, encoding="utf-8") as file:
                tab.run(file.read() + "; 0")
            found = tab.run("axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => [impact, id, nodes.map((node) => node.html.slice(0, 200))]))")
            for violation in found:
                print("axe:", *violation)
            check("serious findings", [each for each in found if each[0] in ("serious", "critical")], [])
        if options.shots:
            folder, name = options.shots
            os.makedirs(folder, exist_ok=True)
            for theme in ("light", "dark"):
                tab.use_theme(theme)
                tab.shoot(os.path.join(folder, f"{name}-{theme}.png"))
        check("console", tab.problems, [])
        check("requests", json.dumps(tab.requests[1:]), "[]")


main()
