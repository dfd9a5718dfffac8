"""Compares what toscac shows when it compiles with what it shows of the plan it made:
same-of-file.py TOSCAC ARGUMENTS…"""

import subprocess
import sys

# Of the plan alone.
SHOWN = [
    ["--emit=diff"],
    ["--emit=plan-text"],
    ["--emit=plan-text", "--all-steps"],
    ["--format=dot"],
    ["--format=mermaid"],
    ["--emit=state"],
    # Of what it was made from.
    ["--emit=graph"],
    ["--emit=graph", "--format=dot"],
    ["--emit=machines"],
    ["--emit=promela"],
    ["--what-if-fails", "site[1].standard.stop"],
    ["--list-workflows"],
    ["--verify", "--emit=plan-text"],
]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


toscac, *compile = sys.argv[1:]
run(toscac, *compile, "-o", "plan.json")
state = compile.index("--state") if "--state" in compile else None
start = compile[state : state + 2] if state else []
same = 0
for how in SHOWN:
    made, shown = run(toscac, *compile, *how), run(toscac, "plan.json", *start, *how)
    assert made == shown, (how, made, shown)
    same += 1
assert run(toscac, "plan.json") == run(toscac, "plan.json", "--emit=diff")
print(same, "are the same")
