"""Compares what toscac shows when it compiles with what it shows of the plan it made:
same-of-file.py TOSCAC ARGUMENTS…"""

import subprocess
import sys

SHOWN = [
    ["--emit=diff"],
    ["--emit=plan-text"],
    ["--emit=plan-text", "--all-steps"],
    ["--format=dot"],
    ["--format=mermaid"],
]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


toscac, *compile = sys.argv[1:]
run(toscac, *compile, "-o", "plan.json")
same = sum(run(toscac, *compile, *how) == run(toscac, "plan.json", *how) for how in SHOWN)
assert run(toscac, "plan.json") == run(toscac, "plan.json", "--emit=diff")
print(same, "are the same")
