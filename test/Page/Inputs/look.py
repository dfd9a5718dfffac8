"""Looks at a page in a browser, and does there what people do:
look.py PAGE PLAN [--axe FILE] [--shots FOLDER]. The page is one of the SD-WAN."""

import argparse
import json
import os
import sys

import browser

VIEWS = ["plan", "topology", "machines"]


class Look:
    def __init__(self, tab, plan):
        self.tab = tab
        self.plan = plan

    def check(self, what, expression, expected):
        got = self.tab.run(expression)
        if got != expected:
            sys.exit(f"{what}: {got!r}, not {expected!r}")

    def count_steps(self):
        counts = "[...document.querySelectorAll('.chip')].reduce((sum, chip) => sum + Number(chip.querySelector('.count')?.textContent.slice(1) ?? 1), 0)"
        self.check("calls", counts, self.plan["figures"]["calls"])
        self.tab.run("document.querySelectorAll('.toolbar input[type=checkbox]')[1].click()")
        self.check("steps", counts, sum(step["kind"] != "join" for step in self.plan["steps"]))
        self.tab.run("document.querySelector('#view-plan .as-table').open = true; 0")
        self.check(
            "rows of the table",
            "new Promise((done) => setTimeout(() => done([...document.querySelectorAll('#view-plan .as-table tbody tr')]"
            ".reduce((sum, row) => sum + Number(row.children[3].textContent), 0))))",
            sum(step["kind"] != "join" for step in self.plan["steps"]),
        )

    def count_entities(self):
        kinds = [entity["kind"] for entity in self.plan["entities"]]
        self.tab.go("topology")
        self.check(
            "instances",
            "[...document.querySelectorAll('.box .count')].reduce((sum, each) => sum + Number(each.lastChild.textContent.slice(1)), 0)",
            kinds.count("node"),
        )
        self.check("head", "document.querySelector('#view-topology .lead').textContent.includes("
                   f"'{kinds.count('relationship')} relationships')", True)  # fmt: skip

    def unfold(self):
        self.tab.run("document.querySelector('.box[title=site]').click()")
        self.tab.go(self.tab.run("location.hash.slice(1)"))
        properties = "document.querySelector('#view-topology .entity').textContent"
        for site in (entity for entity in self.plan["entities"] if entity.get("template") == "site"):
            self.tab.run(
                "(() => { const choose = document.querySelector('#view-topology .panel select');"
                f" choose.value = {site['index']}; choose.dispatchEvent(new Event('change')); }})()"
            )
            self.check(site["name"], f"{properties}.includes({json.dumps(site['properties']['location']['city'])})", True)

    def search(self):
        self.tab.go("plan")
        self.tab.press("/")
        self.check("search has the focus", "document.activeElement.type", "search")
        for letter in "vpe":
            self.tab.press(letter)
        self.check("found", "[...document.querySelectorAll('.chip:not(.dim)')].every((chip) => chip.title.startsWith('vpe'))", True)
        self.check("others", "document.querySelectorAll('.chip.dim').length > 0", True)
        self.tab.press("Escape")
        self.check("all again", "document.querySelectorAll('.chip.dim').length", 0)

    def fail(self):
        data = "JSON.parse(document.getElementById('data').textContent).plan"
        box = self.tab.run(f"{data}.boxes.findIndex((box) => box.name.startsWith('vpe') && box.operation === 'start')")
        self.tab.go(f"plan/{box}")
        self.tab.run("[...document.querySelectorAll('#view-plan .panel .action')].at(-1).click()")
        self.check("failing", "document.querySelectorAll('.chip.fails').length", 1)
        self.check(
            "boxes that do not run",
            "document.querySelectorAll('.chip.never, .chip.partly').length",
            self.tab.run(f"{data}.boxes[{box}].never.length"),
        )
        self.check("what runs", "document.querySelectorAll('.chip.runs').length > 0", True)
        self.tab.press("Escape")
        self.check("left", "document.querySelectorAll('.chip.fails, .chip.runs').length", 0)

    def step(self):
        self.tab.go("machines")
        name = self.tab.run("document.querySelector('.machine select').selectedOptions[0].textContent")
        now = "document.querySelector('.state.now').textContent"
        states = [self.tab.run(now)]
        for _ in range(int(self.tab.run("document.querySelector('.stepper input').max"))):
            self.tab.run("[...document.querySelectorAll('.stepper .action')].at(-1).click()")
            states.append(self.tab.run(now))
        entity = next(entity for entity in self.plan["entities"] if entity["name"] == name)
        first, last = entity["cells"]["standard"]["state"], self.plan["final_state"][name]["standard"]["state"]
        if states[0] != first or states[-1] != last or len(set(states)) < 3:
            sys.exit(f"states of {name}: {states}, from {first} to {last}")

    def use_keys(self):
        for key, view in enumerate(VIEWS, 1):
            self.tab.run("document.activeElement.blur()")
            self.tab.press(str(key))
            self.check(f"key {key}", "document.querySelector('[role=tabpanel]:not([hidden])').id", f"view-{view}")
        self.tab.press("1")
        self.tab.run("document.querySelector('.chip').focus()")
        before = self.tab.run("document.activeElement.dataset.box")
        self.tab.press("ArrowRight")
        after = self.tab.run("document.activeElement.dataset.box")
        if before == after:
            sys.exit("ArrowRight stays where it is")
        self.tab.press("Enter")
        self.check("Enter shows details", "location.hash", f"#plan/{after}")
        self.check("of the same", "document.querySelector('.chip.selected').dataset.box", after)

    def follow_cursor(self):
        data = "JSON.parse(document.getElementById('data').textContent)"
        place = self.tab.run(f"{data}.graph.templates.find((template) => template.name === 'vpe').place")
        name, line = place.rsplit(":", 1)

        def put(view, line):
            message = json.dumps({"view": view, "file": "/somewhere/" + name, "line": line})
            self.tab.run(
                "new Promise((resolve) => { addEventListener('message', resolve, { once: true });"
                f" postMessage({message}, '*'); }}).then(() => 0)"
            )
            self.check(f"view of {view}", "document.querySelector('[role=tabpanel]:not([hidden])').id", f"view-{view}")

        put("plan", int(line) + 1)
        self.check("a step of it", "document.querySelector('.chip.selected').title.startsWith('vpe')", True)
        put("plan", 1)
        self.check("nothing above", "document.querySelectorAll('.chip.selected').length", 0)
        put("topology", int(line))
        self.check("the template", "document.querySelector('#view-topology .panel h2').textContent.startsWith('vpe')", True)
        put("machines", int(line))
        self.check("its machine", "document.querySelector('.machine').textContent.includes('vpe')", True)

    def print_it(self):
        """On paper all views stand below each other, unfolded, in light colours."""
        dark = [{"name": "prefers-color-scheme", "value": "dark"}]
        self.tab.call("Emulation.setEmulatedMedia", media="print", features=dark)
        self.tab.run("dispatchEvent(new Event('beforeprint')); 0")
        self.check("views", "[...document.querySelectorAll('[role=tabpanel]')].filter((each) => each.offsetHeight).length", len(VIEWS))
        self.check("folded", "document.querySelectorAll('main details:not([open])').length", 0)
        for view in VIEWS:
            self.check(f"tables of {view}", f"document.querySelector('#view-{view} tbody td') !== null", True)
        self.check("ink", "getComputedStyle(document.body).color", "rgb(29, 37, 48)")
        self.tab.call("Emulation.setEmulatedMedia", media="", features=[])

    def find_barriers(self, axe):
        with open(axe, encoding="utf-8") as file:
            self.tab.run(file.read() + "; 0")
        for theme in ("light", "dark"):
            self.tab.use_theme(theme)
            for place in ("plan", "plan/1", "topology/1", "machines"):
                self.tab.go(place)
                found = self.tab.run(
                    "axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) =>"
                    " [impact, id, nodes.map((node) => node.html.slice(0, 200))]))"
                )
                for violation in found:
                    print("axe:", theme, place, *violation)
                if any(impact in ("serious", "critical") for impact, *_ in found):
                    sys.exit("a serious finding")

    def shoot(self, folder):
        os.makedirs(folder, exist_ok=True)
        for theme in ("light", "dark"):
            self.tab.use_theme(theme)
            for place in ("plan", "topology", "machines"):
                self.tab.go(place)
                self.tab.shoot(os.path.join(folder, f"{place}-{theme}.png"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("plan")
    parser.add_argument("--axe")
    parser.add_argument("--shots")
    options = parser.parse_args()
    with open(options.plan, encoding="utf-8") as file:
        plan = json.load(file)
    with browser.Browser() as started:
        tab = browser.Tab(started)
        tab.open(options.page)
        look = Look(tab, plan)
        look.count_steps()
        look.count_entities()
        look.unfold()
        look.search()
        look.fail()
        look.step()
        look.use_keys()
        look.follow_cursor()
        look.print_it()
        if options.axe:
            look.find_barriers(options.axe)
        if options.shots:
            look.shoot(options.shots)
        if tab.problems:
            sys.exit("the console says: " + "\n".join(tab.problems))
        if len(tab.requests) != 1:
            sys.exit(f"the page asks for {tab.requests[1:]}")
    print("the page works")


main()
