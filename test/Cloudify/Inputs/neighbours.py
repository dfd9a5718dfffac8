"""neighbours.py TOSCAC SEED...: compares the order of operations with that of a small model
of Cloudify's graphs, for random blueprints: a scaling group is scaled out and in, an
instance is healed, and a part is uninstalled and installed again. In the model, whatever
stays has a sequence of its own, with what it establishes or unlinks only; in `scale` it is
ordered with what comes or goes, otherwise with all others, too. (Those targets of it that
come from one template are in no particular order there; here they go side by side.)"""

import itertools
import json
import os
import random
import sys
import tempfile

from workflows import Case, closure, isPair, ourOrder, stepNames, theirName

UP = ["validation.create", "precreate", "create", "preconfigure", "configure"]
UP += ["postconfigure", "start", "poststart", "monitoring.start", "establish"]
DOWN = ["validation.delete", "monitoring.stop", "prestop", "stop", "unlink", "delete"]
DOWN += ["postdelete"]
OF_RELATIONSHIPS = {"preconfigure", "postconfigure", "establish", "unlink"}


def topology(random):
    names = [f"n{i}" for i in range(random.randint(4, 7))]
    nodes = {}
    for i, name in enumerate(names):
        targets = random.sample(names[:i], random.randint(0, min(3, i)))
        nodes[name] = {
            "instances": random.choice([1, 1, 2]),
            "relationships": [{"kind": "connected_to", "target": t} for t in targets],
        }
    members = random.sample(names, 2)
    return {"nodes": nodes, "groups": {"g": {"members": members, "instances": 2}}}


class Model:
    """The graph of one goal. `edges`: targets of each instance, in groups by template."""

    def __init__(self, edges, changed, isDown, isWhole):
        self.edges, self.changed = edges, changed
        self.isDown, self.isWhole = isDown, isWhole
        self.before, self.ends = {}, {}
        for instance in edges:
            self.add(instance)
        for source, groups in edges.items():
            for target in itertools.chain(*groups):
                if self.isOrdered(source, target):
                    first, second = (source, target) if isDown else (target, source)
                    self.before[self.ends[second][0]].append(self.ends[first][1])

    def isOrdered(self, source, target):
        return self.isWhole or source in self.changed or target in self.changed

    def add(self, instance):
        begin = last = (instance, "begin")
        self.before[begin] = []
        for name in (DOWN if self.isDown else UP) if instance in self.changed else [""]:
            for step in self.stage(instance, name):
                for operation in step:
                    self.before[operation] = [last]
                last = (instance, name, len(self.before))
                self.before[last] = step or [begin]
        self.ends[instance] = begin, last

    def stage(self, instance, name):
        """Operations side by side, one such list after another."""
        if name and name not in OF_RELATIONSHIPS:
            return [[f"{name} {instance}"]]
        groups = self.edges[instance]
        if not name:
            groups = [[t for t in group if t in self.changed] for group in groups]
            name = "unlink" if self.isDown else "establish"
        return [
            [f"{name} {instance}->{t} @{side}" for t in group for side in ("source", "target")]
            for group in (reversed(groups) if self.isDown else groups)
            if group
        ]

    def order(self):
        done, order = set(), {}
        waiting = list(self.before)
        while waiting:
            ready = [v for v in waiting if all(b in done for b in self.before[v])]
            order.update((v, self.before[v]) for v in ready)
            done.update(ready)
            waiting = [v for v in waiting if v not in done]
        operations = {v for v in order if isinstance(v, str)}
        return closure(order, operations), operations


def edgesOf(entities, case):
    """Of each instance, its targets by template, in the order of the blueprint."""
    nodes = {e["name"]: e for e in entities if e["kind"] == "node"}
    edges = {}
    for name, node in nodes.items():
        own = case["topology"]["nodes"][node["template"]]["relationships"]
        groups = {each["target"]: [] for each in own}
        for e in entities:
            if e["kind"] == "relationship" and e["source"] == name:
                groups[nodes[e["target"]]["template"]].append(theirName(e["target"]))
        edges[theirName(name)] = list(groups.values())
    return edges


def entitiesOf(one):
    with open(f"{one.folder}/state.json", encoding="utf-8") as file:
        return json.load(file)["deployments"]["default"]["entities"]


def compare(one, plan, isDown, isWhole):
    """The difference, or nothing."""
    first = "validation.delete" if isDown else "validation.create"
    changed = {n.split()[1] for n in stepNames(plan).values() if n.startswith(first)}
    theirs, operations = Model(one.edges, changed, isDown, isWhole).order()
    ours, missing = ourOrder(plan, operations)
    if missing:
        return f"missing {sorted(missing)[:3]}"
    if ours == theirs:
        return ""
    return f"less {sorted(theirs - ours)[:2]}, more {sorted(ours - theirs)[:2]}"


def check(one, random):
    """The differences of one blueprint."""
    one.run("--emit=state", "-o", "state.json")
    healed = f"n{random.randrange(len(one.case['topology']['nodes']))}[0]"
    one.edges = edgesOf(entitiesOf(one), one.case)
    plan = one.plan("--workflow", "heal", f"--param=instances={healed}", "--state", "state.json")
    yield f"down in heal of {healed}", compare(one, plan, True, True)
    yield f"up in heal of {healed}", compare(one, plan, False, True)
    scale = ["--workflow", "scale", "--param=scalable_entity_name=g", "--state", "state.json"]
    plan = one.plan(*scale)
    one.run(*scale, "--emit=state", "-o", "next.json")
    one.run(*scale[:-1], "next.json", "--param=delta=0", "--emit=state", "-o", "state.json")
    one.edges = edgesOf(entitiesOf(one), one.case)
    yield "scaled out", compare(one, plan, False, False)
    yield "scaled in", compare(one, one.plan(*scale, "--param=delta=-1"), True, False)


def checkPart(one, random):
    one.run("--emit=state", "-o", "state.json")
    one.edges = edgesOf(entitiesOf(one), one.case)
    names = list(one.case["topology"]["nodes"])
    part = random.sample(names, random.randint(1, len(names) - 1))
    for workflow in "uninstall", "install":
        args = ["--workflow", workflow, f"--param=node_ids={json.dumps(part)}"]
        args += ["--state", "state.json"]
        plan = one.plan(*args)
        yield f"{workflow} of {part}", compare(one, plan, workflow == "uninstall", True)
        one.run(*args, "--emit=state", "-o", "next.json")
        os.replace(f"{one.folder}/next.json", f"{one.folder}/state.json")


def main():
    toscac, seeds = sys.argv[1], [int(seed) for seed in sys.argv[2:]]
    bad = 0
    for seed in seeds:
        source = random.Random(seed)
        case = {"topology": topology(source)}
        with tempfile.TemporaryDirectory() as folder:
            one = Case(toscac, case, folder)
            for what, difference in [*check(one, source), *checkPart(one, source)]:
                if difference:
                    print(f"case {seed}, {what}: {difference}\n  {json.dumps(case)}")
                    bad += 1
    print(f"{len(seeds)} blueprints, {bad} differences")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
