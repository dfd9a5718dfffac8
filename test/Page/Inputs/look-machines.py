"""Steps every instance of a page that was made of a plan alone through its machines:
look-machines.py PAGE PLAN."""

import json
import sys

import browser

with open(sys.argv[2], encoding="utf-8") as file:
    plan = json.load(file)
with browser.Browser() as started:
    tab = browser.Tab(started)
    tab.open(sys.argv[1])
    tab.go("machines")
    stepped = 0
    for machine in range(tab.run("document.querySelectorAll('#view-machines .list .row').length")):
        tab.go(f"machines/{machine}")
        interface = tab.run(f"document.querySelectorAll('#view-machines .list .row b')[{machine}].textContent")
        if not tab.run("[...document.querySelectorAll('.machine figure')].some((each) => each.firstChild.textContent === 'state')"):
            continue
        for option in range(tab.run("document.querySelectorAll('.machine select option').length")):
            name = tab.run(
                f"(() => {{ const choose = document.querySelector('.machine select'); choose.selectedIndex = {option};"
                " choose.dispatchEvent(new Event('change')); return choose.selectedOptions[0].textContent; })()"
            )
            now = "[...document.querySelectorAll('.machine figure')].find((each) => each.firstChild.textContent === 'state').querySelector('.state.now').textContent"
            states = [tab.run(now)]
            for _ in range(int(tab.run("document.querySelector('.stepper input').max"))):
                tab.run("[...document.querySelectorAll('.stepper .action')].at(-1).click()")
                states.append(tab.run(now))
            entity = next(entity for entity in plan["entities"] if entity["name"] == name)
            expected = [entity["cells"][interface]["state"]]
            for step in plan["steps"]:
                if step.get("entity") == entity["id"] and step["interface"] == interface:
                    expected.append((step.get("success") or {}).get("state", expected[-1]))
            if states != expected or states[-1] != plan["final_state"][name][interface]["state"]:
                sys.exit(f"{name}: {states}, not {expected}")
            stepped += 1
    if tab.problems:
        sys.exit("the console says: " + "\n".join(tab.problems))
print(stepped, "instances stepped through")
