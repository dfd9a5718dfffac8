"""run-registry-cases.py TOSCAC CASES: runs each lookup as a stack with one resource.

Where Heat's answer is a defect, or where the language has got something that Heat
lacks, the table below has what is right.
"""

import json
import os
import subprocess
import sys

import yaml

# Lists and `requires` are what seed 004 adds; more specific entries win.
OTHER = {
    "HR01": "capability-ambiguous",
    "HR02": None,
    "HR08": ["x.yaml", "OS::Heat::None"],
    "HR20": "template-recursion",
    "HR21": ["OS::Neutron::Net"],
    "HR22": ["x.yaml"],
}


def write(name, content):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "w", encoding="utf-8") as file:
        yaml.safe_dump(content, file)


def templates_in(value):
    if isinstance(value, dict):
        for item in value.values():
            yield from templates_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from templates_in(item)
    elif isinstance(value, str) and value.endswith(".yaml"):
        yield value


def ask(toscac, case, lookup):
    """What the type of a resource stands for, or the ids of errors."""
    environments = case.get("environments") or [
        {"resource_registry": registry}
        for registry in (case.get("global"), case.get("registry"))
        if registry
    ]
    name = lookup.get("resource", "a")
    resources = {name: {"type": lookup["type"]}} if "type" in lookup else {}
    write("main.yaml", {"heat_template_version": "2015-10-15", "resources": resources})
    for template in [*templates_in(environments), *templates_in(lookup)]:
        write(template, {"heat_template_version": "2015-10-15"})
    command = [toscac, "main.yaml", "--emit=composition", "--diagnostics-format=json"]
    for number, environment in enumerate(environments):
        write(f"env{number}.yaml", environment)
        command += ["-e", f"env{number}.yaml"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return json.loads(run.stdout).get("/" + name)
    return [json.loads(line)["id"] for line in run.stderr.splitlines()]


def check(toscac, case):
    lookups = case.get("lookup") or [{}]
    wanted = case["actual"].get("lookup") or [{"error": "x"} if "error" in case["actual"] else {}]
    for number, lookup in enumerate(lookups):
        answer = ask(toscac, case, lookup)
        want = wanted[min(number, len(wanted) - 1)].get("name")
        fails = "error" in wanted[min(number, len(wanted) - 1)]
        if case["id"] in OTHER:
            other = OTHER[case["id"]]
            fails = isinstance(other, str)
            want = other[number] if isinstance(other, list) else other
            if fails and answer != [want]:
                return f"{answer}, not an error {want}"
        if isinstance(answer, list) != fails or (not fails and answer != want):
            return f"{answer}, not {'an error' if fails else want}"
    return ""


def main():
    toscac, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        cases = yaml.safe_load(file)["cases"]
    bad = [(case["id"], why) for case in cases if (why := check(toscac, case))]
    for identifier, why in bad:
        print(identifier, why)
    print(f"{len(cases) - len(bad)} of {len(cases)} are right")
    return 1 if bad else 0


sys.exit(main())
