"""scenarios.py TOSCAC FOLDER: replays recorded answers of Cloudify: expansion, scaling and
the checks of groups and policies. Compared are whole states up to the names of instances,
and for each change which instances are added, removed and related to these, with the
relationships that the change touches.

Left out are answers that no sane tool should give (`quirk`) and injected failures."""

import collections
import glob
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

PREFIX = "cloudify.relationships."


def loadShape(folder):
    path = os.path.join(folder, "..", "compare.py")
    spec = importlib.util.spec_from_file_location("compare", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.shape


def blueprint(topology, counts):
    def scaling(name, entry):
        values = {
            "default_instances": counts.get(name, entry.get("instances", 1)),
            "min_instances": entry.get("min", 0),
            "max_instances": entry.get("max", -1),
        }
        return {key: value for key, value in values.items() if value is not None}

    def relationship(each):
        result = {"type": each.get("type", PREFIX + each["kind"]), "target": each["target"]}
        if "connection" in each:
            result["properties"] = {"connection_type": each["connection"]}
        return result

    result = {
        "tosca_definitions_version": "cloudify_dsl_1_4",
        "imports": ["cloudify/types/types.yaml"],
        "node_templates": {},
    }
    for name, node in topology["nodes"].items():
        result["node_templates"][name] = {
            "type": "cloudify.nodes." + ("Compute" if node.get("compute") else "Root"),
            "capabilities": {"scalable": {"properties": scaling(name, node)}},
            "relationships": [relationship(each) for each in node.get("relationships", [])],
        }
    groups = topology.get("groups")
    if groups:
        result["groups"] = {name: {"members": g["members"]} for name, g in groups.items()}
        result["policies"] = {
            name + "_scaling": {
                "type": "cloudify.policies.scaling",
                "targets": [name],
                "properties": scaling(name, group),
            }
            for name, group in groups.items()
        }
    return json.dumps(result)


def plainName(name):
    return name.replace("[", "_").rstrip("]")


def kindOf(type):
    return type[len(PREFIX) :] if type.startswith(PREFIX) else type


def instancesOf(path):
    """Our state in the form of the scenarios."""
    with open(path, encoding="utf-8") as file:
        deployment = next(iter(json.load(file)["deployments"].values()))
    result = {}
    for entity in deployment["entities"]:
        if entity["kind"] == "node":
            result[plainName(entity["name"])] = {
                "template": entity["template"],
                "relationships": [],
                "groups": [plainName(group) for group in entity.get("groups", [])],
            }
    for entity in deployment["entities"]:
        if entity["kind"] == "relationship":
            edge = [kindOf(entity["type"]), plainName(entity["target"])]
            result[plainName(entity["source"])]["relationships"].append(edge)
    return result


def recorded(state):
    return {
        name: {
            "template": value["template"],
            "relationships": [[kindOf(k), t] for k, t in value["relationships"]],
            "groups": value.get("groups", []),
        }
        for name, value in state["instances"].items()
    }


def figures(instances, names, edges):
    """How many of each template, and of each kind of edge."""
    counts = collections.Counter(instances[name]["template"] for name in names)
    kinds = collections.Counter(
        f"{instances[a]['template']} -{kind}-> {instances[b]['template']}"
        for a, kind, b in edges
    )
    return dict(counts), dict(kinds)


def changes(before, after):
    """What is added, removed, and related to these; the whole of both is known."""
    result = {}
    for key, old, new in (("added", before, after), ("removed", after, before)):
        names = set(new) - set(old)
        edges = [
            (source, kind, target)
            for source, value in new.items()
            for kind, target in value["relationships"]
        ]
        own = [edge for edge in edges if edge[0] in names]
        touching = [edge for edge in edges if edge[2] in names and edge[0] not in names]
        related = {edge[0] for edge in touching}
        related |= {edge[2] for edge in own if edge[2] not in names}
        result[key] = figures(new, names, own)
        result["related_to_" + key] = figures(new, related, touching)
    return result


def wanted(modification, key):
    section = modification.get(key, {})
    kinds = section.get("relationship_counts", {})
    kinds = {name.replace(PREFIX, ""): count for name, count in kinds.items()}
    return section.get("counts", {}), kinds


def ourName(name):
    template, _, number = name.rpartition("_")
    return f"{template}[{int(number) - 1}]" if number.isdigit() else name


def listed(names):
    return json.dumps([ourName(n) for n in ([names] if isinstance(names, str) else names)])


class Replay:
    def __init__(self, toscac, shape, scenario, folder):
        self.toscac, self.shape, self.folder = toscac, shape, folder
        self.steps = scenario["steps"]
        self.topology = scenario.get("topology")
        self.counts = {0: {}}
        self.states = {}

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def run(self, *args):
        return subprocess.run(
            [self.toscac, *args], cwd=self.folder, capture_output=True, text=True, check=False
        )

    def parse(self, step):
        text = step["blueprint"]
        if "tosca_definitions_version" not in text:
            version = step["expect"].get("error", {}).get("message", "")
            figure = version.split("cloudify_dsl_1_")[1][0] if "dsl_1_" in version else "3"
            text = f"tosca_definitions_version: cloudify_dsl_1_{figure}\n{text}"
        self.write("parsed.yaml", text)
        done = self.run("--check", "parsed.yaml")
        isError = "error" in step["expect"]
        if (done.returncode != 0) != isError:
            return f"exit {done.returncode} {done.stderr[:200]}"
        return ""

    def arguments(self, number, step):
        source = step.get("from", 0)
        counts = dict(self.counts.get(source, {}))

        def countOf(name):
            entries = {**self.topology["nodes"], **self.topology.get("groups", {})}
            return counts.get(name, entries.get(name, {}).get("instances", 1))

        args = ["b.yaml"]
        if step["action"] == "modify" and len(step["set"]) == 1:
            ((name, change),) = step["set"].items()
            delta = change["instances"] - countOf(name)
            args += ["--workflow", "scale", f"--param=scalable_entity_name={name}"]
            args += [f"--param=delta={delta}"]
            for key in ("include", "exclude"):
                if change.get(key):
                    args += [f"--param={key}_instances={listed(change[key])}"]
        elif step["action"] == "scale":
            args += ["--workflow", "scale", f"--param=scalable_entity_name={step['entity']}"]
            args += [f"--param=delta={step['delta']}"]
            if step.get("scale_compute"):
                args += ["--param=scale_compute=true"]
            for key in ("include_instances", "exclude_instances"):
                if step.get(key):
                    args += [f"--param={key}={listed(step[key])}"]
        for name, change in step.get("set", {}).items():
            counts[name] = change["instances"]
        if step["action"] == "update" or len(step.get("set", {})) > 1:
            args = [f"b{number}.yaml", "--workflow", "update"]
            self.write(f"b{number}.yaml", blueprint(step.get("topology", self.topology), counts))
        if step["action"] != "deploy":
            args += ["--state", f"{source}.json"]
        return args, counts

    def check(self, number, step):
        if step["action"] == "parse":
            return self.parse(step)
        expect = step["expect"]
        source = step.get("from", 0)
        args, counts = self.arguments(number, step)
        done = self.run(*args, "--emit=state", "-o", f"{number}.json")
        if "error" in expect:
            self.counts[number] = self.counts.get(source, {})
            self.states[number] = self.states.get(source)
            if number != source and self.states[number] is not None:
                os.link(f"{self.folder}/{source}.json", f"{self.folder}/{number}.json")
            return "" if done.returncode in (1, 2) else f"exit {done.returncode}, not an error"
        if done.returncode:
            return f"exit {done.returncode} {done.stderr[:200]}"
        self.counts[number] = expect.get("state", {}).get("per_parent_instances", counts)
        ours = self.states[number] = instancesOf(f"{self.folder}/{number}.json")
        state = expect.get("state", {})
        if "instances" in state:
            if self.shape({"instances": recorded(state)}) != self.shape({"instances": ours}):
                return "the state differs"
        elif state:
            counted = collections.Counter(value["template"] for value in ours.values())
            if counted != state["counts"]:
                return f"{dict(counted)} instances"
        modification = expect.get("modification")
        if modification is not None:
            for key, found in changes(self.states[source], ours).items():
                if found != wanted(modification, key):
                    return f"{key}: {found}, not {wanted(modification, key)}"
        return ""


def isLeftOut(scenario):
    failures = any(step.get("inject_failure") for step in scenario["steps"])
    return scenario.get("quirk") or failures


def main():
    toscac, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    shape = loadShape(folder)
    total = bad = 0
    for path in sorted(glob.glob(f"{folder}/*.json")):
        with open(path, encoding="utf-8") as file:
            scenario = json.load(file)
        if isLeftOut(scenario):
            continue
        total += 1
        with tempfile.TemporaryDirectory() as scratch:
            replay = Replay(toscac, shape, scenario, scratch)
            if replay.topology:
                replay.write("b.yaml", blueprint(replay.topology, {}))
            for number, step in enumerate(scenario["steps"]):
                wrong = replay.check(number, step)
                if wrong:
                    print(f"{scenario['id']} step {number}: {wrong}")
                    bad += 1
                    break
    print(f"{total} scenarios, {bad} differ")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
