"""workflows.py TOSCAC FOLDER: compares the order of operations with what Cloudify has been
seen to do. For each graph in the files of FOLDER, the plan must order the same operations
in the same way: the relation `must be finished before`, restricted to them, is equal.

No order is asked between the two sides of one relationship whose source stays, nor
between the graphs of one run. What Cloudify does wrong is left out: see DEFECTS."""

import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

LIFECYCLE = "precreate create configure start poststart prestop stop delete postdelete"
SIDE = "preconfigure postconfigure establish unlink"
PREFIX = "cloudify.relationships."

# Graphs that we make better, and what is expected instead.
DEFECTS = {
    # The source lets go of its target before that is taken down.
    ("wf_depends_on_operation", 1, 0): "more",
    # What is inside of a machine goes with it; `next`: the graphs from here on are those
    # of a plan of its own, from what the failure has left.
    ("wf_heal_failed_heal_leaves_children", 1, 2): "next",
    ("wf_heal_failed_heal_leaves_children", 1, 3): "more",
    # Nothing is established for a source that is not there; it is when that comes.
    ("wf_install_subset", 0, 0): "absent",
    # A failed run is followed by a new plan from the recorded state.
    ("wf_scale_out_failure_rollback", 1, 1): "none",
}


def operations(names):
    return {name: "noop.sh" for name in names.split()}


def blueprint(case):
    def relationship(kind, target, extra=None):
        sides = {"cloudify.interfaces.relationship_lifecycle": operations(SIDE)}
        result = {"type": PREFIX + kind, "target": target}
        result["source_interfaces"] = result["target_interfaces"] = sides
        if extra:
            result["properties"] = extra
        return result

    nodes = {}
    for name, node in case["topology"]["nodes"].items():
        relationships = [
            relationship(
                each["kind"],
                each["target"],
                {"connection_type": each["connection"]} if "connection" in each else None,
            )
            for each in node.get("relationships", [])
        ]
        awaited = case.get("lifecycle_extra", {}).get(name)
        if awaited:
            relationships.append(
                relationship(
                    "depends_on_lifecycle_operation", awaited[0], {"operation": awaited[1]}
                )
            )
        lifecycle = LIFECYCLE + " heal" if name in case.get("heal", []) else LIFECYCLE
        nodes[name] = {
            "type": "cloudify.nodes." + ("Compute" if node.get("compute") else "Root"),
            "capabilities": {
                "scalable": {"properties": {"default_instances": node.get("instances", 1)}}
            },
            "relationships": relationships,
            "interfaces": {
                "cloudify.interfaces.lifecycle": operations(lifecycle),
                "cloudify.interfaces.validation": operations("create delete"),
                "cloudify.interfaces.monitoring": operations("start stop"),
            },
        }
    result = {
        "tosca_definitions_version": "cloudify_dsl_1_4",
        "imports": ["cloudify/types/types.yaml"],
        "node_templates": nodes,
    }
    groups = case["topology"].get("groups")
    if groups:
        result["groups"] = {name: {"members": g["members"]} for name, g in groups.items()}
        result["policies"] = {
            name + "_policy": {
                "type": "cloudify.policies.scaling",
                "targets": [name],
                "properties": {"default_instances": g.get("instances", 1)},
            }
            for name, g in groups.items()
        }
    return json.dumps(result)


def theirName(name):
    template, index = name.rstrip("]").split("[")
    return f"{template}_{int(index) + 1:03}"


def ourName(name):
    template, _, number = name.rpartition("_")
    return f"{template}[{int(number) - 1}]"


def stepNames(plan):
    """What Cloudify calls each step that does something."""
    entities = plan["entities"]
    names = {}
    for step in plan["steps"]:
        if step["kind"] != "call":
            continue
        entity = entities[step["entity"]]
        operation = step["operation"]
        if entity["kind"] == "relationship":
            ends = [theirName(entities[entity[end]]["name"]) for end in ("source", "target")]
            names[step["id"]] = f"{operation} {ends[0]}->{ends[1]} @{step['interface']}"
            continue
        if step["interface"] != "lifecycle":
            operation = f"{step['interface']}.{operation}"
        names[step["id"]] = f"{operation} {theirName(entity['name'])}"
    return names


def isPair(a, b):
    """The two sides of one relationship."""
    return "->" in a and a.split(" @")[0] == b.split(" @")[0]


def closure(before, wanted):
    """All pairs of `wanted` that must come one after the other."""
    earlier = {}
    for node in before:  # in topological order
        earlier[node] = set()
        for other in before[node]:
            earlier[node] |= earlier[other] | {other}
    return {
        (a, b)
        for b in wanted
        for a in earlier[b]
        if a in wanted and not isPair(a, b)
    }


def ourOrder(plan, wanted):
    names = stepNames(plan)
    key = lambda step: names.get(step, step)
    before = {key(s["id"]): [key(d) for d in s["deps"]] for s in plan["steps"]}
    missing = wanted - set(before)
    return (None, missing) if missing else (closure(before, wanted), missing)


def theirOrder(after):
    order, done = {}, set()
    waiting = collections.deque(after)
    while waiting:
        operation = waiting.popleft()
        if all(other in done for other in after[operation]):
            order[operation] = after[operation]
            done.add(operation)
        else:
            waiting.append(operation)
    return closure(order, set(after))


class Case:
    def __init__(self, toscac, case, folder):
        self.toscac, self.case, self.folder = toscac, case, folder
        with open(f"{folder}/b.yaml", "w", encoding="utf-8") as file:
            file.write(blueprint(case))
        open(f"{folder}/noop.sh", "w", encoding="utf-8").close()

    def run(self, *args):
        done = subprocess.run(
            [self.toscac, "b.yaml", *args],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        # A workflow may find everything as it wants it.
        said = [line for line in done.stderr.splitlines() if "the plan has no steps" not in line]
        if done.returncode or said:
            raise RuntimeError(f"exit {done.returncode}: {done.stderr[:500]}")

    def plan(self, *args):
        self.run(*args, "-o", "plan.json")
        with open(f"{self.folder}/plan.json", encoding="utf-8") as file:
            return json.load(file)

    def setHealth(self, failed):
        """Writes what check_status has found into the state."""
        with open(f"{self.folder}/state.json", encoding="utf-8") as file:
            state = json.load(file)
        for entity in state["deployments"]["default"]["entities"]:
            if entity.get("template") in self.case.get("check_status", []):
                status = "failed" if entity["template"] in failed else "ok"
                entity["cells"]["validation"]["status"] = status
        with open(f"{self.folder}/state.json", "w", encoding="utf-8") as file:
            json.dump(state, file)

    def planOf(self, run):
        params = run.get("params", {})
        state = ["--state", "state.json"]
        if run["workflow"] == "install":
            given = [f"--param={key}={json.dumps(value)}" for key, value in params.items()]
            args = ["--workflow", "install", *given]
            if os.path.exists(f"{self.folder}/state.json"):
                args += state
            plan = self.plan(*args)
            self.run(*args, "--emit=state", "-o", "next.json")
            os.replace(f"{self.folder}/next.json", f"{self.folder}/state.json")
            return plan
        if run["workflow"] == "uninstall":
            return self.plan("--workflow", "undeploy", *state)
        if run["workflow"] == "scale":
            given = [f"--param={key}={value}" for key, value in params.items()]
            return self.plan("--workflow", "scale", *given, *state)
        failed = [
            template
            for template, operation in run.get("inject_failure") or []
            if operation == "validation.check_status"
        ]
        self.setHealth(failed)
        instance = params.get("node_instance_id")
        given = [f"--param=instances={ourName(instance)}"] if instance else []
        return self.plan("--workflow", "heal", *given, *state)

    def planAfter(self, run):
        """What follows where an operation `heal` has failed: a plan of its own."""
        with open(f"{self.folder}/state.json", encoding="utf-8") as file:
            state = json.load(file)
        failed = [template for template, operation in run["inject_failure"]]
        for entity in state["deployments"]["default"]["entities"]:
            if entity.get("template") in failed:
                entity["cells"]["lifecycle"]["error"] = True
        with open(f"{self.folder}/state.json", "w", encoding="utf-8") as file:
            json.dump(state, file)
        return self.plan("--workflow", "heal", "--state", "state.json")


def compare(run, graph, plan, defect):
    """What is wrong; empty: nothing."""
    after = graph["after"]
    # Its outcome is in the state.
    if any("check_status" in op for op in after):
        return ""
    wanted = set(after)
    if defect == "absent":
        nodes = run["params"]["node_ids"]
        wanted = {op for op in after if op.split()[1].split("_")[0] in nodes}
        if len(wanted) == len(after):
            return "all that is wanted is there"
    ours, missing = ourOrder(plan, wanted)
    if missing:
        return f"{len(missing)} operations are missing, like {sorted(missing)[0]!r}"
    theirs = {pair for pair in theirOrder(after) if wanted.issuperset(pair)}
    more, less = ours - theirs, theirs - ours
    if less or (more and defect != "more"):
        return f"order: {len(less)} less {sorted(less)[:2]}, {len(more)} more {sorted(more)[:2]}"
    return ""


def main():
    toscac, folder = sys.argv[1:3]
    graphs = bad = 0
    for path in sorted(glob.glob(f"{folder}/*.json")):
        with open(path, encoding="utf-8") as file:
            case = json.load(file)
        with tempfile.TemporaryDirectory() as scratch:
            one = Case(os.path.abspath(toscac), case, scratch)
            for number, run in enumerate(case["runs"]):
                try:
                    plan = one.planOf(run)
                except RuntimeError as error:
                    print(f"{case['id']} run {number}: {error}")
                    bad += 1
                    continue
                expected = set()
                for at, graph in enumerate(run["graphs"]):
                    defect = DEFECTS.get((case["id"], number, at))
                    if defect == "none":
                        continue
                    if defect == "next":
                        plan = one.planAfter(run)
                        defect = "more"
                    expected |= set(graph["after"])
                    wrong = compare(run, graph, plan, defect)
                    graphs += 1
                    if wrong:
                        print(f"{case['id']} run {number} graph {at}: {wrong}")
                        bad += 1
                extra = set(stepNames(plan).values()) - expected
                isBetter = any(
                    key[:2] == (case["id"], number) and how != "absent"
                    for key, how in DEFECTS.items()
                )
                if extra and not isBetter:
                    print(f"{case['id']} run {number}: also {sorted(extra)[:3]}")
                    bad += 1
    print(f"{graphs} graphs, {bad} differ")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
