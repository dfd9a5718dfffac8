"""Compiles, looks at the plan, and at what is wrong with others."""

import subprocess
import sys

import toscac

plan = toscac.compile("service.yaml", inputs={"count": 2}, warnings=["error"])
print(plan, plan.service, plan.workflow, plan.deployment)
print(plan.entities)
for step in plan.steps:
    print(step.id, step.name, step.kind, step.stage, step.deps, step.entity, step.operation)
print(plan.steps[-1] == list(plan.steps)[-1], len(plan.steps[1:]) == len(plan.steps) - 1)
said = subprocess.run(
    ["toscac", "service.yaml", "--input", "count=2"], capture_output=True, check=True, text=True
).stdout
print("same as toscac:", plan.json == said, len(plan.data["steps"]))

with open("plan.json", "w", encoding="utf-8") as file:
    file.write(plan.json)
print("read:", list(toscac.read_plan("plan.json").steps) == list(plan.steps))

for problem in toscac.check("wrong.yaml"):
    print(problem)
    print(problem.severity, problem.name, problem.line, problem.column, problem.end_column)
    print(problem.fixes)
for file, options in (
    ("wrong.yaml", {}),
    ("service.yaml", {"inputs": {"count": -1}}),
    ("service.yaml", {"inputs": {"count": 1}, "workflow": "dance"}),
    ("gone.yaml", {}),
    ("service.yaml", {"warnings": ["odd"]}),
):
    try:
        toscac.compile(file, **options)
    except toscac.CompileError as error:
        print(error.code, error.diagnostics[0].name, str(error).splitlines()[0])
try:
    toscac.compile("service.yaml", no_such_option="x")
except ValueError as error:
    print("ValueError:", error)
try:
    toscac.read_plan("service.yaml")
except toscac.CompileError as error:
    print(error.code, error.diagnostics[0].name)
sys.stdout.flush()
