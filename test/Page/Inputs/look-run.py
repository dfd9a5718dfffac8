"""Looks at the page of a run in a browser, and does there what people do:
look-run.py PAGE [--axe FILE] [--shots FOLDER NAME]."""

import argparse
import json
import os
import sys

import browser
import page


def check(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: {got!r}, not {expected!r}")


class Look:
    def __init__(self, tab, run):
        self.tab = tab
        self.run = run

    def look_at_bars(self):
        bars = "document.querySelectorAll('#view-run button.bar')"
        check("bars", self.tab.run(f"{bars}.length"), len(self.run["told"]))
        for call in self.run["told"]:
            outcome = self.tab.run(f"document.querySelector('button.bar[data-step=\"{call['step']}\"]').className")
            check("bar of " + call["name"], call["outcome"] in outcome.split(), True)
        # Where a bar stands is when its call was.
        track = "document.querySelector('.track:not(.axis)').getBoundingClientRect()"
        width = self.tab.run(f"{track}.width")
        left = self.tab.run(f"{track}.left")
        whole = max([self.run["seconds"], 0.001]) * 1.01
        for call in self.run["told"]:
            at = self.tab.run(f"document.querySelector('button.bar[data-step=\"{call['step']}\"]').getBoundingClientRect().left")
            if abs(at - left - call["begin"] / whole * width) > 2:
                sys.exit(f"{call['name']} is drawn at {at}")

    def look_at_failures(self):
        for call in (call for call in self.run["told"] if call["outcome"] == "failed"):
            text = self.tab.run("document.querySelector('.run-top').textContent")
            for part in (call["name"], call["reason"], call.get("tail", "")):
                check(f"'{part}' is there", part in text, True)
        text = self.tab.run("document.querySelector('.run-below').textContent")
        for name in self.run.get("not_run", []):
            check("not run: " + name, name in text, True)

    def choose(self):
        call = next(iter(self.run["told"]))
        self.tab.run(f"document.querySelector('button.bar[data-step=\"{call['step']}\"]').click()")
        self.tab.go(f"run/{call['step']}")
        check("details", self.tab.run("document.querySelector('#view-run .panel h2').textContent"), call["name"])

    def unfold(self):
        folded = [group for group in self.run["groups"] if group["count"] > 1]
        rows = "document.querySelectorAll('#view-run .gantt-name').length"
        before = self.tab.run(rows)
        if not folded:
            return
        self.tab.run("document.querySelector('#view-run .fold').click()")
        name = self.tab.run("document.querySelector('#view-run .fold').closest('.gantt-name').title")
        count = next(group["count"] for group in folded if group["name"] == name)
        check("rows", self.tab.run(rows), before + count)
        check("bars stay", self.tab.run("document.querySelectorAll('#view-run button.bar').length"), len(self.run["told"]))

    def search(self):
        self.tab.run("document.activeElement.blur()")
        word = self.run["told"][0]["name"].split("[")[0]
        self.tab.press("/")
        check("search has the focus", self.tab.run("document.activeElement.type"), "search")
        for letter in word:
            self.tab.press(letter)
        found = sum(word in call["name"] for call in self.run["told"])
        check("found", self.tab.run("document.querySelectorAll('#view-run button.bar').length"), found)
        self.tab.press("Escape")
        check("all again", self.tab.run("document.querySelectorAll('#view-run button.bar').length"), len(self.run["told"]))

    def step_through(self, plan):
        """Calls begin and end in the order of time, and cells end as the calls say."""
        steps = {step["id"]: step for step in plan["steps"]}
        names = {entity["id"]: entity["name"] for entity in plan["entities"]}
        wanted = {}
        for call in sorted(self.run["told"], key=lambda call: call["end"]):
            step = steps[call["step"]]
            writes = step.get({"done": "success", "failed": "failure"}.get(call["outcome"]), {})
            wanted.update({f"{names[step['entity']]}.{step['interface']}.{cell}": value for cell, value in writes.items()})
        attempts = sum(1 + len(call.get("earlier", [])) for call in self.run["told"])
        stepper = "document.querySelector('#view-run .stepper')"
        count = self.tab.run(f"Number({stepper}.querySelector('input').max) + 1")
        check("moments", count, 1 + 2 * attempts)
        cells, begun = {}, set()
        for number in range(count):
            self.tab.run(f"{stepper}.querySelectorAll('.action')[1].click()")
            at, text = self.tab.run(f"[...{stepper}.querySelector('output').children].map((each) => each.textContent)")
            check("moment", at.split(",")[0], f"{number + 1} of {count}")
            if number and text.endswith(" begins"):
                begun.add(text.removesuffix(" begins"))
            pale = self.tab.run("document.querySelectorAll('button.bar.later').length")
            if pale > len(self.run["told"]) - len(begun):
                sys.exit(f"{pale} bars are pale after '{text}'")
            for write in self.tab.run("[...document.querySelectorAll('.moment-now li')].map((each) => each.textContent)"):
                cell, value = write.split(" = ")
                cells[cell] = value
        check("cells in the end", cells, wanted)
        check("in flight in the end", self.tab.run("document.querySelector('.moment-now p').textContent"), "Nothing is in flight.")

    def compare(self):
        for other in self.run["others"]:
            self.tab.run(
                "(() => { const choose = document.querySelector('#view-run select[aria-label=\"Compare with\"]');"
                f" choose.value = {other['id']}; choose.dispatchEvent(new Event('change')); }})()"
            )
            check(f"bars of run {other['id']}", self.tab.run("document.querySelectorAll('.gantt .bar.other').length"), len(other["told"]))
            captions = self.tab.run("[...document.querySelectorAll('.run-below caption')].map((each) => each.textContent)")
            check("table", f"Run {self.run['id']} and run {other['id']}" in captions, True)

    def read_table(self):
        self.tab.run("[...document.querySelectorAll('.run-below > .as-table')].at(-1).open = true; 0")
        rows = "[...[...document.querySelectorAll('.run-below > .as-table')].at(-1).querySelectorAll('tbody tr')]"
        count = self.tab.run(f"new Promise((done) => setTimeout(() => done({rows}.length)))")
        check("rows of the table", count, len(self.run["told"]))

    def use_keys(self):
        if len(self.run["told"]) < 2:
            return
        self.tab.run("document.querySelector('#view-run button.bar').focus()")
        self.tab.press("ArrowRight")
        self.tab.press("ArrowDown")
        step = self.tab.run("document.activeElement.dataset.step")
        self.tab.press("Enter")
        check("Enter shows details", self.tab.run("location.hash"), f"#run/{step}")

    def find_barriers(self, axe):
        with open(axe, encoding="utf-8") as file:
            self.tab.run(file.read() + "; 0")
        for theme in ("light", "dark"):
            self.tab.use_theme(theme)
            found = self.tab.run(
                "axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) =>"
                " [impact, id, nodes.map((node) => node.html.slice(0, 200))]))"
            )
            for violation in found:
                print("axe:", theme, *violation)
            if any(impact in ("serious", "critical") for impact, *_ in found):
                sys.exit("a serious finding")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--axe")
    parser.add_argument("--shots", nargs=2)
    options = parser.parse_args()
    run = page.read(options.page)["run"]
    with browser.Browser() as started:
        tab = browser.Tab(started)
        tab.open(options.page)
        look = Look(tab, run)
        look.look_at_bars()
        look.look_at_failures()
        look.choose()
        look.search()
        look.unfold()
        look.use_keys()
        look.compare()
        look.step_through(page.read(options.page)["plan"])
        look.read_table()
        if options.axe:
            look.find_barriers(options.axe)
        if options.shots:
            folder, name = options.shots
            os.makedirs(folder, exist_ok=True)
            for theme in ("light", "dark"):
                tab.use_theme(theme)
                tab.shoot(os.path.join(folder, f"{name}-{theme}.png"))
        if tab.problems:
            sys.exit("the console says: " + "\n".join(tab.problems))
        if len(tab.requests) != 1:
            sys.exit(f"the page asks for {json.dumps(tab.requests[1:])}")
    print("the page works")


main()
