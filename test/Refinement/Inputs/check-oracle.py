#!/usr/bin/env python3
"""Shows that the oracle can see: what small services do is known, plans that are wrong on
purpose are refused, and the same seed gives the same service."""

import copy
import json

import generate
import replay
import semantics
import shrink
import template



def service(operations, triggers=(), go=(), nodes=("a",), links=()):
    """A service of nodes with one machine; `links` are pairs of nodes."""
    requirement = {"capability": "C", "node": "N", "relationship": "R"}
    templates = {name: {"type": "N"} for name in nodes}
    for source, target in links:
        templates[source].setdefault("requirements", []).append({"q": target})
    cell = {
        "type": "string",
        "default": "v0",
        "validation": {"$valid_values": ["$value", ["v0", "v1", "v2", "busy"]]},
    }
    machine = {"attributes": {"s": cell}, "operations": operations}
    machine["triggers"] = list(triggers)
    sent = [{"event": ["NODE", node, "INTERFACE", "m", name]} for node, name in go]
    return {
        "interface_types": {"M": machine},
        "relationship_types": {"R": {}},
        "node_types": {
            "N": {
                "capabilities": {"c": "C"},
                "requirements": [{"q": requirement}],
                "interfaces": {"m": {"type": "M"}},
            }
        },
        "service_template": {
            "node_templates": templates,
            "events": {"go": {"on_entry": {"triggers": sent}}},
        },
    }


def state(value):
    return {"$equal": [{"$get_state": ["s"]}, value]}


def outcomes(text):
    system = template.read(text, "go")
    explored = semantics.Exploration(system)
    return system, explored


def expect(name, text, number, **counts):
    """That all orders have so many outcomes, and how often operations run in the first."""
    system, explored = outcomes(text)
    assert len(explored.outcomes) == number, (name, len(explored.outcomes))
    for operation, count in counts.items():
        key = ("a[0]", "m", operation)
        ran = explored.outcomes[0].counts[system.operation_numbers[key]]
        assert ran == count, (name, operation, ran)
    print(f"{name}: {number} outcome{'s' if number > 1 else ''}")


def interpreter():
    send = lambda *names: {"on_success": {"triggers": [{"event": n} for n in names]}}
    expect("an event that comes too early is lost", service(
        {"x": {"on_success": {"set": {"s": "v1"}}}, "y": {"precondition": state("v1")}},
        go=[("a", "y"), ("a", "x")]), 1, x=1, y=0)
    expect("a rule waits", service(
        {"x": {"on_success": {"set": {"s": "v1"}}}, "y": {"precondition": state("v1")}},
        [{"event": "y"}], [("a", "x")]), 1, x=1, y=1)
    expect("what is in flight is not accepted again", service(
        {"x": send("y", "y"), "y": {}}, go=[("a", "x")]), 1, x=1, y=1)
    expect("two senders of one operation", service(
        {"x": send("z"), "y": send("z"), "z": {}}, go=[("a", "x"), ("a", "y")]), 2)
    expect("two rules that exclude each other", service(
        {"x": {"precondition": state("v0"), "on_entry": {"set": {"s": "v1"}}},
         "y": {"precondition": state("v0"), "on_entry": {"set": {"s": "v2"}}}},
        [{"event": "x"}, {"event": "y"}]), 2)
    def rounds(middle):
        """x, y and z one after another; w whenever the state is v1."""
        operations = {"x": send("y"), "y": send("z"), "z": send()}
        for name, value in zip("xyz", ("v1", middle, "v1")):
            operations[name]["on_success"]["set"] = {"s": value}
        operations["w"] = {"precondition": state("v1")}
        return service(operations, [{"event": "w"}], [("a", "x")])

    expect("a rule that rises again fires again", rounds("v2"), 1, x=1, w=2)
    expect("a rule that goes on to hold does not", rounds("v1"), 1, x=1, w=1)
    system, explored = outcomes(service({"x": send("x")}, go=[("a", "x")]))
    assert [o.endless for o in explored.outcomes] == [0]
    print("an operation that sends itself: endless")


def step(number, operation, deps=(), **more):
    return {"id": number, "name": f"a[0].m.{operation}", "kind": "call", "entity": 0,
            "interface": "m", "operation": operation, "deps": list(deps), **more}


def refuted(plan, system):
    """What is wrong with a plan, or None; random replays have to agree with a search."""
    read = replay.Plan(plan, system)
    wrong = None
    try:
        replay.search(read)
    except replay.Violation as violation:
        wrong = str(violation)
    met = False
    for seed in range(200):
        for options in ({}, {"lazy": True}, {"width": 1}, {"width": 2}):
            try:
                replay.run(read, seed, **options)
            except replay.Violation:
                met = True
    assert met == bool(wrong), (met, wrong)
    return wrong


def replays():
    """`save` may come before or after `move` but not while it runs, and after `open`."""
    text = service({
        "open": {"precondition": state("v0"), "on_success": {"set": {"s": "v1"}}},
        "move": {
            "precondition": state("v1"),
            "on_entry": {"set": {"s": "busy"}},
            "on_success": {"set": {"s": "v2"}},
        },
        "save": {"precondition": {"$or": [state("v1"), state("v2")]}},
    })
    system = template.read(text, "go")
    plan = {
        "entities": [{"name": "a[0]"}],
        "steps": [
            step(0, "open", success={"s": "v1"}),
            step(1, "move", [0], entry={"s": "busy"}, success={"s": "v2"}),
            step(2, "save", [0], excludes=[1]),
        ],
        "final_state": {"a[0]": {"m": {"s": "v2"}}},
    }
    print(f"the right plan: {refuted(plan, system)}")
    wrong = copy.deepcopy(plan)
    del wrong["steps"][2]["excludes"]
    print(f"without the exclusion: {refuted(wrong, system)}")
    for number, name in ((1, "move"), (2, "save")):
        wrong = copy.deepcopy(plan)
        wrong["steps"][number]["deps"] = []
        print(f"{name} waits for nothing: {refuted(wrong, system)}")
    wrong = copy.deepcopy(plan)
    wrong["final_state"]["a[0]"]["m"]["s"] = "v1"
    print(f"another end: {refuted(wrong, system)}")
    wrong = copy.deepcopy(plan)
    wrong["steps"].append(step(3, "save", [0], excludes=[1]))
    print(f"twice at once: {refuted(wrong, system)}")


def generator():
    services = [json.dumps(generate.generate(seed).template) for seed in range(50)]
    again = [json.dumps(generate.generate(seed).template) for seed in range(50)]
    assert services == again
    print(f"50 seeds, {len(set(services))} services")


def shrinking():
    """What shows nothing is left out."""
    case = generate.generate(3)
    small = shrink.shrink(case, lambda c: "'o0': {" in repr(c.template))
    print(f"shrunk to {json.dumps(small.template)}")


if __name__ == "__main__":
    interpreter()
    replays()
    generator()
    shrinking()
