"""Random services. Each is a template as data, as YAML would give it, with the workflow
to plan and, for day two, the values that cells have by then. The same seed gives the same
service.

Machines are lifecycles that somebody has been careless with: a chain of states, each
transition asked for by a rule, by the one before or by a neighbour, some that wait for
neighbours, and then operations that log, reset, poll or tell others."""

import random

VALUES = ["v0", "v1", "v2", "v3"]
OUT = ["SELF", "RELATIONSHIP", "ALL"]
IN = ["SELF", "CAPABILITY", "ALL"]


class Case:
    """A template, the workflow, recorded cells (None: a first deployment), inputs."""

    def __init__(self, template, workflow, cells=None, inputs=None):
        self.template, self.workflow, self.cells = template, workflow, cells
        self.inputs = inputs or {}


class Conditions:
    """What operations, rules and triggers ask for. `length` is the number of
    transitions of a lifecycle; `busy` says that it has a value for being on the way."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.length = self.pick(1, 2, 2, 3)
        self.busy = self.flip(0.5)
        self.links = self.flip(0.5)
        self.second = self.flip(0.2)

    def flip(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return self.random.choice(choices)

    def values(self):
        return VALUES[: self.length + 1]

    def level(self):
        """Values from some point of a lifecycle on, or just that point."""
        first = self.random.randint(1, self.length)
        if self.flip(0.6):
            return self.values()[first:]
        return [VALUES[first]]

    def compare(self, value):
        """That a value is as far as somebody wants it, in one of several spellings."""
        if self.busy and self.flip(0.15):
            return {"$not": [{"$equal": [value, "busy"]}]}
        allowed = self.level()
        others = [v for v in self.values() if v not in allowed]
        forms = [{"$valid_values": [value, allowed]}]
        forms.append({"$or": [{"$equal": [value, v]} for v in allowed]})
        if len(allowed) == 1:
            forms = forms[:1] + 2 * [{"$equal": [value, allowed[0]]}]
        if self.flip(0.2):
            forms = [{"$not": [{"$valid_values": [value, others]}]}]
        return self.pick(*forms)

    def around(self, links=None):
        """What a node asks of its neighbours, or of the relationships to them."""
        links = links or self.pick(OUT, OUT, IN)
        tail = ["TARGET" if links is OUT else "SOURCE", "INTERFACE", "m", "s"]
        if self.links and self.flip(0.4):
            tail = ["INTERFACE", "r", "x"]
        read = {"$get_attribute": links + tail}
        kind = self.random.randrange(8)
        if kind == 0:
            unwanted = [v for v in self.values() if v not in self.level()] or ["v0"]
            return {"$not": [{"$has_any_entry": [read, unwanted]}]}
        if kind == 1:
            return {"$has_entry": [read, self.random.choice(self.level())]}
        if kind == 2:
            return {"$has_any_entry": [read, self.level()]}
        if kind == 3:
            return {"$has_all_entries": [read, self.level()[:1]]}
        if kind == 4 and self.busy:
            return {"$not": [{"$has_entry": [read, "busy"]}]}
        body = self.compare({"$get_attribute": ["n"] + tail})
        if kind == 5:
            comparison = self.pick("$greater_or_equal", "$less_than", "$equal")
            return {comparison: [{"$count": ["n", links, body]}, self.random.randrange(1, 3)]}
        return {"$for_each": ["n", links, body]}

    def ends(self):
        """What a relationship asks of one of its ends."""
        end = self.pick("SOURCE", "TARGET")
        return self.compare({"$get_attribute": ["SELF", end, "INTERFACE", "m", "s"]})

    def beside(self):
        """What a second machine asks of the first one of the same node."""
        return self.compare({"$get_attribute": ["SELF", "INTERFACE", "m", "s"]})


def send(operation, event, when="on_success", condition=None):
    trigger = {"event": event}
    if condition:
        trigger["condition"] = condition
    operation.setdefault(when, {}).setdefault("triggers", []).append(trigger)


def state_is(value, cell="s"):
    return {"$equal": [{"$get_state": [cell]}, value]}


class Machines(Conditions):
    """Interface types."""

    def __init__(self, seed):
        super().__init__(seed)
        self.style = self.pick("rules", "edges", "mixed", "mixed")
        self.noise = self.pick(0, 0, 0, 0.15, 0.3)
        self.waits = self.pick(0, 0.3, 0.7)
        self.fails = self.flip(0.3)

    def cell(self):
        values = self.values()
        values = values + ["busy"] * self.busy + ["bad"] * self.fails
        return {
            "type": "string",
            "default": "v0",
            "validation": {"$valid_values": ["$value", values]},
        }

    def chain(self, cell, names, condition):
        """A lifecycle: operations that lead from each value to the next."""
        operations, triggers = {}, []
        for number, name in enumerate(names):
            by_rule = self.style == "rules" or self.style == "mixed" and self.flip(0.5)
            needs = [] if self.flip(0.1) else [state_is(VALUES[number], cell)]
            # What the workflow asks for at once should mostly be ready for it.
            if self.flip(self.waits if number or by_rule else self.waits / 5):
                needs.append(condition())
            operation = operations[name] = {}
            if needs:
                operation["precondition"] = needs[0] if needs[1:] == [] else {"$and": needs}
            if self.busy and self.flip(0.6):
                operation["on_entry"] = {"set": {cell: "busy"}}
            operation["on_success"] = {"set": {cell: VALUES[number + 1]}}
            if self.fails and self.flip(0.5):
                operation["on_failure"] = {"set": {cell: "bad"}}
            if by_rule:
                asked = {"condition": condition()} if self.flip(0.25) else {}
                triggers.append({"event": name, **asked})
            elif number > 0 and not self.flip(0.1):
                send(operations[names[number - 1]], name)
        return operations, triggers

    def node_machine(self):
        names = [f"o{n}" for n in range(self.length)]
        operations, triggers = self.chain("s", names, self.around)
        cells = {"s": self.cell()}
        if self.flip(0.3):
            cells["f"] = {"type": "boolean", "default": False}
            chosen = operations[self.random.choice(names)]
            chosen.setdefault("on_success", {}).setdefault("set", {})["f"] = True
        self.spread(operations, names)
        while self.flip(self.noise):
            self.disturb(operations, triggers, names, cells)
        if self.fails and self.flip(0.5):
            mended = {"on_success": {"set": {"s": "v0"}}}
            operations["mend"] = {"precondition": state_is("bad"), **mended}
            send(operations[self.random.choice(names)], "mend", "on_failure")
        return {"attributes": cells, "operations": operations, "triggers": triggers}

    def spread(self, operations, names):
        """Events to neighbours: the style of edges needs them, others may have them."""
        probability = {"edges": 0.7, "mixed": 0.3, "rules": 0.05}[self.style]
        for name in names:
            while self.flip(probability):
                probability /= 2
                first = ["SELF", "RELATIONSHIP", "q", 0, "TARGET"]
                where = self.pick(IN + ["SOURCE"], IN + ["SOURCE"], OUT + ["TARGET"], first)
                path = where + ["INTERFACE", "m", self.random.choice(names)]
                if self.links and self.flip(0.4):
                    path = self.pick(IN, OUT) + ["INTERFACE", "r", self.pick("p0", "p1")]
                condition = self.around() if self.flip(0.1) else None
                when = "on_entry" if self.flip(0.1) else "on_success"
                send(operations[name], path, when, condition)

    def disturb(self, operations, triggers, names, cells):
        """One more operation, or a way to reach one that is there."""
        kind = self.random.randrange(6)
        some = operations[self.random.choice(names)]
        state = {"$get_state": ["s"]}
        if kind == 0:
            asked = {"precondition": self.compare(state)} if self.flip(0.5) else {}
            operations["log"] = asked
            send(some, "log")
        elif kind == 1:
            back = {"on_success": {"set": {"s": self.pick(*VALUES[: self.length])}}}
            operations["reset"] = {"precondition": state_is(VALUES[self.length]), **back}
            send(some, "reset", condition=self.around() if self.flip(0.5) else None)
        elif kind == 2:
            send(some, self.random.choice(names))
        elif kind == 3:
            operations.setdefault("log", {})
            triggers.append({"event": "log", "condition": self.compare(state)})
        elif kind == 4:
            cells["g"] = {"type": "boolean", "default": False}
            operations["mark"] = {"on_success": {"set": {"g": True}}}
            send(some, "mark")
            triggers.append({"event": "mark", "condition": state_is(False, "g")})
        else:
            other = ["SELF", "RELATIONSHIP", "q", 0, "TARGET", "INTERFACE", "m", "s"]
            alike = {"$equal": [{"$get_attribute": other}, state]}
            operations["pair"] = {"precondition": alike}
            if self.flip(0.5):
                triggers.append({"event": "pair"})
            else:
                send(some, "pair")

    def link_machine(self, names):
        operations, triggers = self.chain("x", ["p0", "p1"][: self.length], self.ends)
        operations.setdefault("p1", {})
        if self.style != "rules" or self.flip(0.2):
            end = self.pick("SOURCE", "TARGET")
            path = ["SELF", end, "INTERFACE", "m", self.random.choice(names)]
            send(operations[self.pick("p0", "p1")], path)
        cells = {"x": self.cell()}
        return {"attributes": cells, "operations": operations, "triggers": triggers}

    def second_machine(self):
        operations, triggers = self.chain("u", ["k0", "k1"][: self.length], self.beside)
        if not any(rule["event"] == "k0" for rule in triggers):
            triggers.append({"event": "k0"})
        cells = {"u": self.cell()}
        return {"attributes": cells, "operations": operations, "triggers": triggers}


class Generator(Machines):
    """Node types, templates and workflows."""

    def __init__(self, seed, copies=1):
        super().__init__(seed)
        self.copies = copies
        self.narrows = self.flip(0.25)
        self.outputs = self.flip(0.15)
        self.reports = self.flip(0.15)
        self.workflow = self.random.choice(["event"] * 6 + ["tasks", "intent", "idle"])

    def make(self):
        machine = self.node_machine()
        names = list(machine["operations"])
        interface_types = {"M": machine}
        interfaces = {"m": {"type": "M"}}
        link = {"valid_source_node_types": ["N"], "valid_target_node_types": ["N"]}
        if self.links:
            interface_types["Q"] = self.link_machine(names)
            link["interfaces"] = {"r": {"type": "Q"}}
        if self.second:
            interface_types["K"] = self.second_machine()
            interfaces["k"] = {"type": "K"}
        requirement = {"capability": "C", "node": "N", "relationship": "R"}
        requirement["count_range"] = [0, "UNBOUNDED"]
        node = {
            "capabilities": {"c": {"type": "C", "valid_relationship_types": ["R"]}},
            "requirements": [{"q": requirement}],
            "interfaces": interfaces,
        }
        node_types = {"N": node}
        self.handle(machine, node, names)
        kinds = ["N"]
        if self.narrows:
            kinds += self.narrow(interface_types, node_types, names)
        template = {
            "tosca_definitions_version": "tosca_2_0",
            "artifact_types": {"Bash": {}},
            "capability_types": {"C": {}},
            "interface_types": interface_types,
            "relationship_types": {"R": link},
            "node_types": node_types,
            "service_template": {"node_templates": self.templates(kinds)},
        }
        workflow = self.goal(template, names)
        cells = None
        if self.workflow != "intent" and self.flip(0.12):
            cells = self.record(template)
        return Case(template, workflow, cells)

    def handle(self, machine, node, names):
        """Handlers, some with an output that goes to a cell."""
        handled = {}
        for name in names:
            if self.flip(0.4):
                handled[name] = {"handlers": [{"execute": "work"}]}
        if self.outputs:
            self.tell(machine, handled, names)
        if handled:
            node["artifacts"] = {"work": {"type": "Bash", "file": "work.sh"}}
            node["interfaces"]["m"]["operations"] = handled

    def tell(self, machine, handled, names):
        """Outputs that go to cells, and what asks for them."""
        for cell in ["h", "w"][: self.pick(1, 1, 1, 2)]:
            values = self.pick([False, True], [False, True], ["n0", "n1", "n2"])
            kind = "boolean" if values[0] is False else "string"
            machine["attributes"][cell] = {
                "type": kind,
                "default": values[0],
                "validation": {"$valid_values": ["$value", values]},
            }
            if self.flip(0.05):
                cell = "s"
            writer = self.pick(names[0], names[0], self.random.choice(names))
            handled.setdefault(writer, {"handlers": [{"execute": "work"}]})
            outputs = handled[writer]["handlers"][0].setdefault("outputs", {})
            outputs[f"r_{cell}"] = ["SELF", "INTERFACE", "m", cell]
            while cell != "s":
                self.ask(machine, self.late(machine, writer), cell, values)
                if self.flip(0.5):
                    break

    def late(self, machine, writer):
        """Operations that may wait for what another has found out."""
        operations = machine["operations"]
        if len(operations) == 1 or self.flip(0.3):
            operations["act"] = {"on_success": {"set": {"s": VALUES[self.length]}}}
            if self.flip(0.4):
                operations["act"] = {}
            if self.flip(0.5):
                send(operations[writer], "act")
            else:
                machine["triggers"].append({"event": "act"})
        late = [name for name in operations if name not in ("o0", writer)]
        return late if late and self.flip(0.9) else list(operations)

    def ask(self, machine, names, cell, values):
        """Somebody wants an output to be something."""
        wanted = state_is(self.random.choice(values), cell)
        if self.flip(0.2):
            wanted = {"$not": [wanted]}
        operation = machine["operations"][self.random.choice(names)]
        kind = self.random.randrange(5)
        sent = [operation.get(when, {}) for when in ("on_entry", "on_success")]
        triggers = [trigger for each in sent for trigger in each.get("triggers", [])]
        if kind == 0 and machine["triggers"]:
            triggers = [self.random.choice(machine["triggers"])]
        if kind <= 1 and triggers:
            trigger = self.random.choice(triggers)
            before = trigger.get("condition")
            trigger["condition"] = {"$and": [before, wanted]} if before else wanted
            return
        if kind == 2:
            links, end = self.pick((OUT, "TARGET"), (IN, "SOURCE"))
            read = {"$get_attribute": links + [end, "INTERFACE", "m", cell]}
            test = self.pick("$has_entry", "$has_any_entry")
            value = self.random.choice(values)
            wanted = {test: [read, value if test == "$has_entry" else [value]]}
        needs = [operation.get("precondition"), wanted]
        needs = [need for need in needs if need]
        operation["precondition"] = needs[0] if needs[1:] == [] else {"$and": needs}

    def narrow(self, interface_types, node_types, names):
        """Types that derive and add: of nodes alone, or of the interface as well."""
        extra = {}
        if self.flip(0.6):
            extra["precondition"] = self.around(OUT)
        if self.flip(0.4):
            send(extra, self.random.choice(names))
        more = {"operations": {self.random.choice(names): extra}}
        if self.flip(0.3):
            more["triggers"] = [{"event": self.random.choice(names)}]
        if self.flip(0.5):
            interface_types["MX"] = {"derived_from": "M", **more}
            more = {"type": "MX"}
        node_types["NX"] = {"derived_from": "N", "interfaces": {"m": more}}
        return ["NX"]

    def templates(self, kinds):
        names = [f"t{n}" for n in range(self.random.randint(1, 3))]
        ring = self.flip(0.1)
        templates = {}
        for name in names:
            templates[name] = {"type": self.random.choice(kinds)}
            if self.copies > 1:
                templates[name]["count"] = self.copies
            elif self.flip(0.2):
                templates[name]["count"] = 2
        for place, name in enumerate(names):
            requirements = []
            for other in range(len(names)):
                if other == place or not ring and other < place or self.flip(0.4):
                    continue
                for _ in range(1 + self.flip(0.15)):
                    requirements.append({"q": self.target(names[other], templates)})
            if requirements:
                templates[name]["requirements"] = requirements
        return templates

    def target(self, other, templates):
        count = templates[other].get("count", 1)
        if self.copies > 1:
            return {"node": [other, "$node_index"]}
        if count > 1 and self.flip(0.5):
            return {"node": other, "count": count}
        return {"node": [other, self.random.randrange(count)]}

    # Workflows.

    def goal(self, template, names):
        service = template["service_template"]
        if self.workflow == "idle":
            service["events"] = {"go": {}}
            return "go"
        if self.workflow == "intent":
            return self.intend(template)
        if self.workflow == "tasks":
            return self.plan(service)
        machine = template["interface_types"]["M"]
        ruled = any(rule["event"] == "o0" for rule in machine["triggers"])
        triggers = []
        for name in service["node_templates"]:
            path = ["NODE", name, "ALL", "INTERFACE", "m"]
            if self.flip(0.1 if ruled else 0.8):
                triggers.append({"event": path + ["o0"]})
            if self.flip(0.07):
                triggers.append({"event": path + [self.random.choice(names)]})
        if not triggers and not ruled or self.flip(0.05):
            triggers = [{"event": ["NODE", "ALL", "INTERFACE", "m", "o0"]}]
        sent = {self.pick("on_entry", "on_success"): {"triggers": triggers}}
        service["events"] = {"go": sent}
        if self.reports:
            service["events"]["told"] = {}
            send(machine["operations"][self.random.choice(names)], ["SERVICE", "told"])
        return "go"

    def intend(self, template):
        """A desired state: rules lead there."""
        machine = template["interface_types"]["M"]
        machine["attributes"]["state"] = machine["attributes"].pop("s")
        machine["attributes"]["desired_state"] = self.cell()
        last = self.values()[-1]
        machine["metadata"] = {"intent.deploy": last, "intent.undeploy": "v0"}
        rename(template, "s", "state")
        wish = state_is(last, "desired_state")
        asked = [rule["event"] for rule in machine["triggers"]]
        for rule in machine["triggers"]:
            if self.flip(0.7):
                before = rule.get("condition")
                rule["condition"] = {"$and": [wish, before]} if before else wish
        if "o0" not in asked:
            machine["triggers"].append({"event": "o0", "condition": wish})
        return "deploy"

    def plan(self, service):
        steps = {}
        names = list(service["node_templates"])
        for number in range(self.random.randint(1, 3)):
            calls = range(self.random.randint(1, self.length))
            activities = [{"call_operation": f"m.o{n}"} for n in calls]
            target = self.random.choice(names)
            steps[f"a{number}"] = {"target": target, "activities": activities}
        for number in range(1, len(steps)):
            if self.flip(0.8):
                before = steps[f"a{self.random.randrange(number)}"]
                before.setdefault("on_success", []).append(f"a{number}")
        service["workflows"] = {"go": {"steps": steps}}
        return "go"

    def record(self, template):
        """Values that cells may have on day two, by instance, interface and cell."""
        values = self.values() + ["bad"] * self.fails
        cells = {}
        for name, definition in template["service_template"]["node_templates"].items():
            for index in range(definition.get("count", 1)):
                cells[f"{name}[{index}]", "m", "s"] = self.random.choice(values)
        return cells


def rename(what, old, new):
    """Renames a cell wherever it is read or written."""
    if isinstance(what, dict):
        for key, value in list(what.items()):
            if key == "set" and old in value:
                what[key] = {new if k == old else k: v for k, v in value.items()}
            elif key in ("$get_state", "$get_attribute") and value[-1] == old:
                value[-1] = new
            elif key == "outputs":
                for path in value.values():
                    path[-1] = new if path[-1] == old else path[-1]
            else:
                rename(value, old, new)
    elif isinstance(what, list):
        for value in what:
            rename(value, old, new)


def generate(seed, copies=1):
    return Generator(seed, copies).make()
