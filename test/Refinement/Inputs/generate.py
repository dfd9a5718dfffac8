"""Random services. Each is a template as data, as YAML would give it, with the workflow
to plan and, for day two, the values that cells have by then. The same seed gives the same
service.

Machines are lifecycles that somebody has been careless with: a chain of states, each
transition asked for by a rule, by the one before or by a neighbour, some that wait for
neighbours, and then operations that log, reset, poll or tell others."""

import random

VALUES = ["v0", "v1", "v2", "v3"]
LISTS = ["$has_entry", "$has_any_entry", "$has_all_entries"]


class Case:
    """A template, the workflow, recorded cells (None: a first deployment), inputs."""

    def __init__(self, template, workflow, cells=None, inputs=None):
        self.template, self.workflow, self.cells = template, workflow, cells
        self.inputs = inputs or {}


class Generator:
    def __init__(self, seed, copies=1):
        self.random = random.Random(seed)
        self.copies = copies
        # What this service is made of, so that each trait is met alone and together.
        chance = self.random.random
        self.style = self.random.choice(["rules", "edges", "mixed", "mixed"])
        self.has_links = chance() < 0.5
        self.has_busy = chance() < 0.5
        self.noise = self.random.choice([0, 0, 0, 0.15, 0.3])
        self.waits = self.random.choice([0, 0.3, 0.7])
        self.narrows = chance() < 0.25
        self.fails = chance() < 0.3
        self.outputs = chance() < 0.08
        self.reports = chance() < 0.15
        self.workflow = self.random.choice(["event"] * 6 + ["tasks", "intent", "idle"])
        self.length = self.random.choice([1, 2, 2, 3])

    def flip(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return self.random.choice(choices)

    # Conditions.

    def compare(self, value, allowed):
        """That a value is one of those allowed, in one of several spellings."""
        domain = VALUES[: self.length + 1]
        allowed = [v for v in domain if v in allowed] or [domain[-1]]
        if len(allowed) == 1:
            return self.pick(
                {"$equal": [value, allowed[0]]},
                {"$equal": [value, allowed[0]]},
                {"$valid_values": [value, allowed]},
            )
        if self.flip(0.5):
            return {"$valid_values": [value, allowed]}
        if self.flip(0.5):
            return {"$or": [{"$equal": [value, v]} for v in allowed]}
        others = [v for v in domain if v not in allowed]
        if not others:
            return {"$valid_values": [value, allowed]}
        return {"$not": [{"$valid_values": [value, others]}]}

    def level(self):
        """Values from some point of a lifecycle on, or just that point."""
        first = self.random.randint(1, self.length)
        if self.flip(0.6):
            return VALUES[first : self.length + 1]
        return [VALUES[first]]

    def around(self, where):
        """What a node may ask of its neighbours; `where` leads to them."""
        cell = self.pick("s", "s", "s", "b") if self.has_links and where[-1] == "R" else "s"
        path = where[:-1] if where[-1] == "R" else where
        kind = self.random.randrange(5)
        allowed = self.level()
        if where[-1] == "R":
            read = lambda start: {"$get_attribute": start + ["INTERFACE", "r", "x"]}
        else:
            read = lambda start: {"$get_attribute": start + ["INTERFACE", "m", "s"]}
        tail = [] if where[-1] == "R" else [where[-1]]
        steps = path[:-1] if tail else path
        if kind == 0:
            others = [v for v in VALUES[: self.length + 1] if v not in allowed]
            inner = {self.pick("$has_any_entry"): [read(steps + tail), others or ["v0"]]}
            return {"$not": [inner]}
        if kind == 1:
            return {"$has_entry": [read(steps + tail), self.random.choice(allowed)]}
        if kind == 2 and self.flip(0.3):
            return {"$has_all_entries": [read(steps + tail), allowed[:1]]}
        return {"$for_each": ["n", steps, self.compare(read(["n"] + tail), allowed)]}

    def neighbours(self):
        if self.has_links and self.flip(0.4):
            return self.pick(["SELF", "RELATIONSHIP", "ALL", "R"], ["SELF", "CAPABILITY", "ALL", "R"])
        return self.pick(
            ["SELF", "RELATIONSHIP", "ALL", "TARGET"],
            ["SELF", "RELATIONSHIP", "ALL", "TARGET"],
            ["SELF", "CAPABILITY", "ALL", "SOURCE"],
        )

    def ends(self):
        """A condition of a relationship about one of its ends."""
        read = {"$get_attribute": ["SELF", self.pick("SOURCE", "TARGET"), "INTERFACE", "m", "s"]}
        return self.compare(read, self.level())

    # Machines.

    def cell(self, values):
        return {
            "type": "string",
            "default": values[0],
            "validation": {"$valid_values": ["$value", values]},
        }

    def chain(self, cell, names, condition):
        """A lifecycle: operations that lead from each value to the next."""
        operations, triggers = {}, []
        for number, name in enumerate(names):
            here = {"$get_state": [cell]}
            needs = [{"$equal": [here, VALUES[number]]}]
            if self.flip(0.1):
                needs = []
            by_rule = self.style == "rules" or self.style == "mixed" and self.flip(0.5)
            # What the workflow asks for at once should mostly be ready for it.
            if self.flip(self.waits if number or by_rule else self.waits / 5):
                needs.append(condition())
            operation = {}
            if needs:
                operation["precondition"] = needs[0] if len(needs) == 1 else {"$and": needs}
            if self.has_busy and self.flip(0.6):
                operation["on_entry"] = {"set": {cell: "busy"}}
            operation["on_success"] = {"set": {cell: VALUES[number + 1]}}
            if self.fails and self.flip(0.5):
                operation["on_failure"] = {"set": {cell: "bad"}}
            operations[name] = operation
            if by_rule:
                rule = {"event": name}
                if self.flip(0.25):
                    rule["condition"] = condition()
                triggers.append(rule)
            elif number > 0 and not self.flip(0.1):
                self.send(operations[names[number - 1]], name)
        return operations, triggers

    def send(self, operation, event, when="on_success", condition=None):
        trigger = {"event": event}
        if condition:
            trigger["condition"] = condition
        operation.setdefault(when, {}).setdefault("triggers", []).append(trigger)

    def node_machine(self):
        names = [f"o{n}" for n in range(self.length)]
        condition = lambda: self.around(self.neighbours())
        operations, triggers = self.chain("s", names, condition)
        values = VALUES[: self.length + 1]
        if self.has_busy:
            values = values + ["busy"]
        if self.fails:
            values = values + ["bad"]
        cells = {"s": self.cell(values)}
        if self.flip(0.3):
            cells["f"] = {"type": "boolean", "default": False}
            chosen = operations[self.random.choice(names)]
            chosen.setdefault("on_success", {}).setdefault("set", {})["f"] = True
        self.spread(operations, names)
        while self.flip(self.noise):
            self.disturb(operations, triggers, names, cells)
        if self.fails and self.flip(0.5):
            operations["mend"] = {"precondition": {"$equal": [{"$get_state": ["s"]}, "bad"]}, "on_success": {"set": {"s": "v0"}}}
            self.send(operations[self.random.choice(names)], "mend", "on_failure")
        return {"attributes": cells, "operations": operations, "triggers": triggers}

    def spread(self, operations, names):
        """Events to neighbours: the style of edges needs them, others may have them."""
        probability = {"edges": 0.7, "mixed": 0.3, "rules": 0.05}[self.style]
        for name in names:
            while self.flip(probability):
                probability /= 2
                where = self.pick(
                    ["SELF", "CAPABILITY", "ALL", "SOURCE"],
                    ["SELF", "CAPABILITY", "ALL", "SOURCE"],
                    ["SELF", "RELATIONSHIP", "ALL", "TARGET"],
                    ["SELF", "RELATIONSHIP", "q", 0, "TARGET"],
                )
                path = where + ["INTERFACE", "m", self.random.choice(names)]
                if self.has_links and self.flip(0.4):
                    where = self.pick(["SELF", "CAPABILITY", "ALL"], ["SELF", "RELATIONSHIP", "ALL"])
                    path = where + ["INTERFACE", "r", self.pick("p0", "p1")]
                condition = self.around(self.neighbours()) if self.flip(0.1) else None
                when = "on_entry" if self.flip(0.1) else "on_success"
                self.send(operations[name], path, when, condition)

    def disturb(self, operations, triggers, names, cells):
        """One more operation, or a way to reach one that is there."""
        kind = self.random.randrange(6)
        some = operations[self.random.choice(names)]
        state = {"$get_state": ["s"]}
        if kind == 0:
            operations["log"] = {"precondition": self.compare(state, self.level())} if self.flip(0.5) else {}
            self.send(some, "log")
        elif kind == 1:
            operations["reset"] = {"precondition": {"$equal": [state, VALUES[self.length]]}, "on_success": {"set": {"s": self.pick(*VALUES[: self.length])}}}
            self.send(some, "reset", condition=self.around(self.neighbours()) if self.flip(0.5) else None)
        elif kind == 2:
            self.send(some, self.random.choice(names))
        elif kind == 3:
            operations.setdefault("log", {})
            triggers.append({"event": "log", "condition": self.compare(state, self.level())})
        elif kind == 4:
            cells["g"] = {"type": "boolean", "default": False}
            operations["mark"] = {"on_success": {"set": {"g": True}}}
            self.send(some, "mark")
            triggers.append({"event": "mark", "condition": {"$equal": [{"$get_state": ["g"]}, False]}})
        else:
            read = {"$get_attribute": ["SELF", "RELATIONSHIP", "q", 0, "TARGET", "INTERFACE", "m", "s"]}
            operations["pair"] = {"precondition": {"$equal": [read, state]}}
            if self.flip(0.5):
                triggers.append({"event": "pair"})
            else:
                self.send(some, "pair")

    def link_machine(self, names):
        operations, triggers = self.chain("x", ["p0", "p1"][: max(1, self.length)], self.ends)
        operations.setdefault("p1", {})
        if self.style != "rules" or self.flip(0.2):
            end = self.pick("SOURCE", "TARGET")
            path = ["SELF", end, "INTERFACE", "m", self.random.choice(names)]
            self.send(operations[self.pick("p0", "p1")], path)
        values = VALUES[: self.length + 1] + (["busy"] if self.has_busy else []) + (["bad"] if self.fails else [])
        return {"attributes": {"x": self.cell(values)}, "operations": operations, "triggers": triggers}

    # The service.

    def make(self):
        machine = self.node_machine()
        names = list(machine["operations"])
        interface_types = {"M": machine}
        interfaces = {"m": {"type": "M"}}
        if self.has_links:
            interface_types["Q"] = self.link_machine(names)
        link = {"valid_source_node_types": ["N"], "valid_target_node_types": ["N"]}
        if self.has_links:
            link["interfaces"] = {"r": {"type": "Q"}}
        requirement = {"capability": "C", "node": "N", "relationship": "R", "count_range": [0, "UNBOUNDED"]}
        node_types = {
            "N": {
                "capabilities": {"c": {"type": "C", "valid_relationship_types": ["R"]}},
                "requirements": [{"q": requirement}],
                "interfaces": interfaces,
            }
        }
        self.handle(machine, node_types["N"], names)
        kinds = ["N"]
        if self.narrows:
            kinds += self.narrow(interface_types, node_types, machine, names)
        templates = self.templates(kinds)
        service = {"node_templates": templates}
        template = {
            "tosca_definitions_version": "tosca_2_0",
            "artifact_types": {"Bash": {}},
            "capability_types": {"C": {}},
            "interface_types": interface_types,
            "relationship_types": {"R": link},
            "node_types": node_types,
            "service_template": service,
        }
        workflow = self.goal(template, names)
        cells = None
        if self.workflow != "intent" and self.flip(0.12):
            cells = self.record(template)
        return Case(template, workflow, cells)

    def handle(self, machine, node_type, names):
        """Handlers, some with an output that goes to a cell."""
        handled = {}
        for name in names:
            if self.flip(0.4):
                handled[name] = {"handlers": [{"execute": "work"}]}
        if self.outputs:
            machine["attributes"]["h"] = {"type": "boolean", "default": False}
            writer, reader = self.random.choice(names), self.random.choice(names)
            handled[writer] = {"handlers": [{"execute": "work", "outputs": {"r": ["SELF", "INTERFACE", "m", "h"]}}]}
            asked = {"$equal": [{"$get_state": ["h"]}, True]}
            if reader != writer:
                before = machine["operations"][reader].get("precondition")
                machine["operations"][reader]["precondition"] = {"$and": [before, asked]} if before else asked
        if handled:
            node_type["artifacts"] = {"work": {"type": "Bash", "file": "work.sh"}}
            node_type["interfaces"]["m"]["operations"] = handled

    def narrow(self, interface_types, node_types, machine, names):
        """Types that derive and add: of nodes alone, or of the interface as well."""
        name = self.random.choice(names)
        extra = {}
        if self.flip(0.6):
            extra["precondition"] = self.around(["SELF", "RELATIONSHIP", "ALL", "TARGET"])
        if self.flip(0.4):
            self.send(extra, self.random.choice(names))
        more = {"operations": {name: extra}}
        if self.flip(0.3):
            more["triggers"] = [{"event": self.random.choice(names)}]
        if self.flip(0.5):
            interface_types["MX"] = {"derived_from": "M", **more}
            node_types["NX"] = {"derived_from": "N", "interfaces": {"m": {"type": "MX"}}}
        else:
            node_types["NX"] = {"derived_from": "N", "interfaces": {"m": more}}
        return ["NX"]

    def templates(self, kinds):
        templates = {}
        number = self.random.randint(1, 3)
        names = [f"t{n}" for n in range(number)]
        ring = self.flip(0.1)
        for place, name in enumerate(names):
            template = {"type": self.random.choice(kinds)}
            if self.copies > 1:
                template["count"] = self.copies
            elif self.flip(0.2):
                template["count"] = 2
            templates[name] = template
        for place, name in enumerate(names):
            requirements = []
            for other in range(number):
                if other == place or not ring and other < place:
                    continue
                if self.flip(0.6):
                    requirements.append({"q": self.target(names[other], templates, name)})
                    if self.flip(0.15):
                        requirements.append({"q": self.target(names[other], templates, name)})
            if requirements:
                templates[name]["requirements"] = requirements
        return templates

    def target(self, other, templates, name):
        count = templates[other].get("count", 1)
        if self.copies > 1:
            return {"node": [other, "$node_index"]}
        if count > 1 and self.flip(0.5):
            return {"node": other, "count": count}
        return {"node": [other, self.random.randrange(count)]}

    def goal(self, template, names):
        service = template["service_template"]
        templates = service["node_templates"]
        everything = ["NODE", "ALL", "INTERFACE", "m"]
        if self.workflow == "idle":
            service["events"] = {"go": {}}
            return "go"
        if self.workflow == "intent":
            return self.intend(template)
        if self.workflow == "tasks":
            return self.plan(service, templates)
        triggers = []
        first = "o0"
        asked = template["interface_types"]["M"]["triggers"]
        ruled = any(rule["event"] == first for rule in asked)
        for name in templates:
            if self.flip(0.1 if ruled else 0.8):
                triggers.append({"event": ["NODE", name, "ALL", "INTERFACE", "m", first]})
            if self.flip(0.07):
                triggers.append({"event": ["NODE", name, "ALL", "INTERFACE", "m", self.random.choice(names)]})
        if not triggers and not ruled or self.flip(0.05):
            triggers = [{"event": everything + [first]}]
        service["events"] = {"go": {self.pick("on_entry", "on_success"): {"triggers": triggers}}}
        if self.reports:
            service["events"]["told"] = {}
            operations = template["interface_types"]["M"]["operations"]
            self.send(operations[self.random.choice(names)], ["SERVICE", "told"])
        return "go"

    def intend(self, template):
        """A desired state: rules lead there."""
        machine = template["interface_types"]["M"]
        values = VALUES[: self.length + 1]
        text = machine["attributes"]["s"]["validation"]["$valid_values"][1]
        machine["attributes"]["state"] = machine["attributes"].pop("s")
        machine["attributes"]["desired_state"] = self.cell(values)
        machine["metadata"] = {"intent.deploy": values[-1], "intent.undeploy": values[0]}
        rename(template, "s", "state")
        wish = {"$equal": [{"$get_state": ["desired_state"]}, values[-1]]}
        asked = {rule["event"] for rule in machine["triggers"] if isinstance(rule["event"], str)}
        for rule in machine["triggers"]:
            if self.flip(0.7):
                rule["condition"] = {"$and": [wish, rule["condition"]]} if "condition" in rule else wish
        if "o0" not in asked:
            machine["triggers"].append({"event": "o0", "condition": wish})
        return "deploy"

    def plan(self, service, templates):
        steps = {}
        names = list(templates)
        for number in range(self.random.randint(1, 3)):
            activities = [{"call_operation": f"m.o{n}"} for n in range(self.random.randint(1, self.length))]
            steps[f"a{number}"] = {"target": self.random.choice(names), "activities": activities}
        for number in range(1, len(steps)):
            if self.flip(0.8):
                before = steps[f"a{self.random.randrange(number)}"]
                before.setdefault("on_success", []).append(f"a{number}")
        service["workflows"] = {"go": {"steps": steps}}
        return "go"

    def record(self, template):
        """Values that cells may have on day two, by template, interface and cell."""
        machine = template["interface_types"]["M"]
        cells = {}
        for name, definition in template["service_template"]["node_templates"].items():
            for cell, attribute in machine["attributes"].items():
                if cell == "desired_state" or attribute["type"] == "boolean":
                    continue
                values = attribute["validation"]["$valid_values"][1]
                values = [v for v in values if v not in ("busy",)]
                for index in range(definition.get("count", 1)):
                    cells[f"{name}[{index}]", "m", cell] = self.random.choice(values)
        return cells


def rename(what, old, new):
    """Renames a cell wherever it is read or written."""
    if isinstance(what, dict):
        for key, value in list(what.items()):
            if key == "set" and old in value:
                what[key] = {new if k == old else k: v for k, v in value.items()}
            elif key in ("$get_state", "$get_attribute") and value[-1] == old:
                value[-1] = new
            else:
                rename(value, old, new)
    elif isinstance(what, list):
        for value in what:
            rename(value, old, new)


def generate(seed, copies=1):
    return Generator(seed, copies).make()
