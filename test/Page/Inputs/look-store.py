"""Looks at the pages of a store in a browser: look-store.py STORE [--axe FILE] [--shots FOLDER]."""

import argparse
import json
import os
import subprocess
import sys

import browser
import served


def check(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: {got!r}, not {expected!r}")


def ask(store, *words):
    answer = subprocess.run(["tosca-run", *words, "--state", store, "--json"], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in answer.stdout.splitlines()]


def look(tab, server, store, options):
    tab.open_url(server.url)
    text = tab.run("document.querySelector('#view-store').textContent")
    runs = ask(store, "history")
    rows = "[...document.querySelectorAll('#view-store table')].find((each) => each.caption.textContent === 'Runs')"
    check("runs", tab.run(f"{rows}.tBodies[0].rows.length"), len(runs))
    for run in runs:
        check(f"run {run['run']}", f"run {run['run']}" in text and run["status"] in text, True)
    for name, value in ask(store, "outputs")[0].items():
        check("output " + name, name in text and (value if isinstance(value, str) else json.dumps(value)) in text, True)
    entities = ask(store, "state", "show")
    nodes = [entity for entity in entities if entity["kind"] == "node"]
    shoot(tab, options, "store")
    tab.go("topology")
    check("instances", tab.run("[...document.querySelectorAll('.box .count')].reduce((sum, each) => sum + Number(each.lastChild.textContent.slice(1)), 0)"), len(nodes))
    check("one by one", tab.run("JSON.parse(document.getElementById('data').textContent).plan.entities.length"), len(entities))
    for node in nodes:
        for cells in node["cells"].values():
            for cell in cells:
                check(node["name"], tab.run(
                    f"JSON.parse(document.getElementById('data').textContent).plan.entities.some((each) => each.name === {json.dumps(node['name'])}"
                    f" && Object.values(each.cells).some((cells) => {json.dumps(cell)} in cells))"), True)  # fmt: skip
    print("the page has what the store has")
    drift = tab.run("JSON.parse(document.getElementById('data').textContent).store.drift.map((each) => each.cell)")
    print("drift:", *drift)
    tab.run("location.hash = 'store'")
    tab.isLoaded = False
    tab.run(f"{rows}.tBodies[0].rows[0].querySelector('a').click()")
    tab.wait_for_load()
    check("the page of a run", tab.run("document.querySelector('[role=tabpanel]:not([hidden])').id"), "view-run")
    print("a run has its page")
    if options.axe:
        for address in (server.url, f"http://{server.host}:{server.port}{server.address('/run', deployment='default', id=1)}"):
            tab.open_url(address)
            find_barriers(tab, options.axe)


def find_barriers(tab, axe):
    with open(axe, encoding="utf-8") as file:
        tab.run(file.read() + "; 0")
    found = tab.run("axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => [impact, id, nodes.map((node) => node.html.slice(0, 200))]))")
    for violation in found:
        print("axe:", *violation)
    if any(impact in ("serious", "critical") for impact, *_ in found):
        sys.exit("a serious finding")


def shoot(tab, options, name):
    if not options.shots:
        return
    os.makedirs(options.shots, exist_ok=True)
    for theme in ("light", "dark"):
        tab.use_theme(theme)
        tab.shoot(os.path.join(options.shots, f"{name}-{theme}.png"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("--axe")
    parser.add_argument("--shots")
    options = parser.parse_args()
    with served.Served("--state", options.store) as server, browser.Browser() as started:
        tab = browser.Tab(started)
        look(tab, server, options.store, options)
        check("console", tab.problems, [])
        own = f"http://{server.host}:{server.port}/"
        check("asks elsewhere", [each for each in tab.requests if not each.startswith(own)], [])


main()
