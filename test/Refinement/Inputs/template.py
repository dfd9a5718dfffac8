"""Reads a template of the subset of TOSCA that the generator writes and makes a system
of it: cells, operations and rules of all instances, with every path followed and every
condition turned into a Python function. It is written from DESIGN, sections 3.2, 3.3 and
5, and knows nothing of how the compiler does it."""

from dataclasses import dataclass, field

from paths import SERVICE, NotUnderstood, Paths

WHEN = ("entry", "success", "failure")


@dataclass
class Entity:
    name: str
    kind: str
    template: str = ""
    index: int = 0
    layers: list = field(default_factory=list)
    source: "Entity" = None
    target: "Entity" = None
    requirement: str = ""
    capability: str = ""
    outgoing: list = field(default_factory=list)
    incoming: list = field(default_factory=list)
    machines: dict = field(default_factory=dict)


@dataclass
class Machine:
    """An interface with all layers of its definition taken together."""

    cells: dict = field(default_factory=dict)
    domains: dict = field(default_factory=dict)
    operations: dict = field(default_factory=dict)
    rules: list = field(default_factory=list)
    metadata: dict = field(default_factory=dict)


@dataclass
class Operation:
    """What all layers say of one operation, as written."""

    preconditions: list = field(default_factory=list)
    sets: dict = field(default_factory=lambda: {when: {} for when in WHEN})
    sends: dict = field(default_factory=lambda: {when: [] for when in WHEN})
    handlers: list = field(default_factory=list)


@dataclass
class GroundOperation:
    """An operation of one entity. `sends` are (condition or None, numbers of
    operations); `outputs` are cells that only the run gives a value."""

    key: tuple
    holds: object = None
    reads: frozenset = frozenset()
    text: str = "True"
    sets: dict = field(default_factory=dict)
    sends: dict = field(default_factory=dict)
    outputs: list = field(default_factory=list)
    calls: bool = False

    @property
    def name(self):
        return ".".join(self.key)


@dataclass
class Rule:
    condition: object
    reads: frozenset
    operation: int
    conditional: bool


class System:
    """All that happens: cells with their first values, operations, rules, and the
    workflow as a list of tasks (`starts`) or as the number of a service event."""

    def __init__(self):
        self.cells, self.initial, self.domains = [], [], []
        self.operations, self.rules = [], []
        self.cell_numbers, self.operation_numbers = {}, {}
        self.event = None
        self.tasks = []
        self.desired = []
        self.entities = []
        self.recorded = False


def chain(types, name):
    """A type's definitions, from the most general one on."""
    layers = []
    while name is not None:
        if name not in types:
            raise NotUnderstood(f"type {name}")
        layers.append(types[name] or {})
        name = layers[-1].get("derived_from")
    return layers[::-1]


def pairs(value):
    """What `set` says: a map or a [name, value] pair."""
    if isinstance(value, list):
        if len(value) != 2:
            raise NotUnderstood("set")
        return {value[0]: value[1]}
    return dict(value or {})


def reaction(definition):
    """Sets and triggers of on_entry, on_success or on_failure, in either spelling."""
    sets, sends = {}, []
    for part in definition if isinstance(definition, list) else [definition or {}]:
        for key, value in part.items():
            if key == "set":
                sets.update(pairs(value))
            elif key in ("trigger", "triggers"):
                sends += value if isinstance(value, list) else [value]
            elif key in ("event", "condition", "inputs"):
                sends.append(part)
                break
            else:
                raise NotUnderstood(key)
    return sets, sends


class Reader(Paths):
    def __init__(self, template, inputs=None, service="service"):
        self.template = template
        self.inputs = {
            name: definition.get("default")
            for name, definition in self.body().get("inputs", {}).items()
        }
        self.inputs.update(inputs or {})
        self.service = service
        self.entities = []
        self.nodes = {}
        self.system = System()

    def body(self):
        return self.template["service_template"]

    # Instances and relationships.

    def value(self, what, entity=None):
        """A value that is known before the run."""
        if what == "$node_index":
            return entity.index
        if isinstance(what, dict) and list(what) == ["$get_input"]:
            name = what["$get_input"]
            return self.inputs[name[0] if isinstance(name, list) else name]
        return what

    def expand(self):
        templates = self.body().get("node_templates", {})
        node_types = self.template.get("node_types", {})
        for name, definition in templates.items():
            layers = chain(node_types, definition["type"])
            self.nodes[name] = []
            for index in range(self.value(definition.get("count", 1))):
                node = Entity(f"{name}[{index}]", "node", name, index)
                node.layers = layers + [definition]
                self.nodes[name].append(node)
        relationships = []
        for name, definition in templates.items():
            for node in self.nodes[name]:
                for entry in definition.get("requirements", []):
                    for requirement, what in entry.items():
                        relationships += self.relate(node, requirement, what)
        nodes = [node for nodes in self.nodes.values() for node in nodes]
        self.entities = nodes + relationships
        for entity in self.entities:
            self.build_machines(entity)

    def relate(self, node, requirement, what):
        if not isinstance(what, dict):
            what = {"node": what}
        target = what.get("node")
        if isinstance(target, list):
            targets = [self.nodes[target[0]][self.value(target[1], node)]]
        elif target in self.nodes:
            count = self.value(what.get("count", 1))
            taken = [r.target for r in node.outgoing if r.requirement == requirement]
            free = sorted(self.nodes[target], key=lambda to: to in taken)
            targets = free[:count]
            if len(targets) != count:
                raise NotUnderstood("a requirement that cannot be fulfilled")
        else:
            raise NotUnderstood(f"target {target}")
        made = []
        for to in targets:
            definition = self.requirement(node, requirement)
            index = sum(r.requirement == requirement for r in node.outgoing)
            link = Entity(f"{node.name}.{requirement}[{index}]", "relationship")
            link.index = index
            link.source, link.target, link.requirement = node, to, requirement
            kind = definition.get("relationship")
            kind = kind["type"] if isinstance(kind, dict) else kind
            link.layers = chain(self.template.get("relationship_types", {}), kind)
            link.capability = self.capability(to, definition["capability"])
            node.outgoing.append(link)
            to.incoming.append(link)
            made.append(link)
        return made

    @staticmethod
    def requirement(node, name):
        for layer in reversed(node.layers[:-1]):
            for entry in layer.get("requirements", []):
                if name in entry:
                    return entry[name]
        raise NotUnderstood(f"requirement {name}")

    def capability(self, node, wanted):
        """The first capability of the wanted name or type."""
        for layer in node.layers[:-1]:
            for name, definition in layer.get("capabilities", {}).items():
                kind = definition["type"] if isinstance(definition, dict) else definition
                if wanted in (name, kind):
                    return name
        raise NotUnderstood(f"capability {wanted}")

    # Machines.

    def build_machines(self, entity):
        """Takes the layers of each interface together: those of its interface type, the
        narrowest that any layer names, then those of the entity's types and template."""
        names = {}
        for layer in entity.layers:
            for name, definition in (layer.get("interfaces") or {}).items():
                names.setdefault(name, []).append(definition or {})
        for name, definitions in names.items():
            kind = [d["type"] for d in definitions if "type" in d][-1]
            layers = chain(self.template["interface_types"], kind)
            entity.machines[name] = self.merge(layers + definitions)

    def merge(self, layers):
        machine = Machine()
        for layer in layers:
            machine.metadata.update(layer.get("metadata", {}))
            for name, cell in layer.get("attributes", {}).items():
                domain = self.domain(cell)
                if domain:
                    machine.domains[name] = domain
                if "default" in cell or name not in machine.cells:
                    machine.cells[name] = cell.get("default", (domain or [None])[0])
            for word in ("operations", "events", "notifications"):
                for name, definition in (layer.get(word) or {}).items():
                    into = machine.operations.setdefault(name, Operation())
                    self.refine(into, definition or {})
            machine.rules += layer.get("triggers", [])
        return machine

    def domain(self, cell):
        if cell.get("type") == "boolean":
            return [False, True]
        validation = cell.get("validation") or cell.get("constraints")
        if validation is None:
            return None
        return validation["$valid_values"][1]

    @staticmethod
    def refine(into, definition):
        if not isinstance(definition, dict):
            into.handlers = [{"execute": definition}]
            return
        for key, value in definition.items():
            if key in ("precondition", "preconditions"):
                into.preconditions.append(value)
            elif key == "set_state":
                into.sets["entry"].update(pairs(value))
            elif key in ("on_entry", "on_success", "on_failure"):
                sets, sends = reaction(value)
                into.sets[key[3:]].update(sets)
                into.sends[key[3:]] += sends
            elif key == "handlers":
                into.handlers = value
            elif key == "implementation":
                into.handlers = [{"execute": value}]
            elif key == "outputs":
                into.handlers = into.handlers or [{}]
                into.handlers[-1] = {**into.handlers[-1], "outputs": value}
            elif key not in ("description", "inputs", "metadata"):
                raise NotUnderstood(key)

    # The system.

    def build(self, workflow):
        self.expand()
        service = Entity(self.service, "service")
        events = {
            name: definition or {}
            for name, definition in self.body().get("events", {}).items()
        }
        machine = self.merge([{"operations": events}])
        service.machines[SERVICE] = machine
        self.entities.append(service)
        for entity in self.entities:
            self.number(entity)
        for entity in self.entities:
            for interface, machine in entity.machines.items():
                self.ground(entity, interface, machine)
        self.goals(workflow, events)
        self.system.entities = self.entities
        return self.system

    def number(self, entity):
        system = self.system
        for interface, machine in entity.machines.items():
            for cell, value in machine.cells.items():
                key = (entity.name, interface, cell)
                system.cell_numbers[key] = len(system.cells)
                system.cells.append(key)
                system.initial.append(value)
                system.domains.append(machine.domains.get(cell))
            for operation in machine.operations:
                key = (entity.name, interface, operation)
                system.operation_numbers[key] = len(system.operations)
                system.operations.append(GroundOperation(key))

    def ground(self, entity, interface, machine):
        system = self.system
        for name, operation in machine.operations.items():
            key = (entity.name, interface, name)
            result = system.operations[system.operation_numbers[key]]
            result.holds, result.reads, result.text = self.compile(
                operation.preconditions, entity, interface
            )
            result.calls = bool(operation.handlers)
            for when in WHEN:
                result.sets[when] = [
                    (system.cell_numbers[entity.name, interface, cell], value)
                    for cell, value in operation.sets[when].items()
                ]
                result.sends[when] = [
                    self.send(entity, interface, trigger)
                    for trigger in operation.sends[when]
                ]
            for handler in operation.handlers:
                for path in (handler.get("outputs") or {}).values():
                    if "INTERFACE" in path:
                        result.outputs.append(self.cells_at(entity, path))
        for rule in machine.rules:
            conditions = [rule["condition"]] if "condition" in rule else []
            holds, reads, _ = self.compile(conditions, entity, interface)
            for number in self.operations_at(entity, interface, rule["event"]):
                system.rules.append(Rule(holds, reads, number, bool(conditions)))

    def send(self, entity, interface, trigger):
        """(condition, its reads, the operations)."""
        if not isinstance(trigger, dict):
            raise NotUnderstood("trigger")
        condition, reads = None, frozenset()
        if "condition" in trigger:
            conditions = [trigger["condition"]]
            condition, reads, _ = self.compile(conditions, entity, interface)
        return condition, reads, self.operations_at(entity, interface, trigger["event"])

    def goals(self, workflow, events):
        system = self.system
        known = False
        if workflow in events:
            system.event = system.operation_numbers[self.service, SERVICE, workflow]
            known = True
        if workflow in self.body().get("workflows", {}):
            self.lay_out(self.body()["workflows"][workflow])
            known = True
        else:
            for entity in self.entities:
                for interface, machine in entity.machines.items():
                    value = machine.metadata.get(f"intent.{workflow}")
                    if value is None or known and workflow in events:
                        continue
                    known = True
                    wish = system.cell_numbers[entity.name, interface, "desired_state"]
                    state = system.cell_numbers[entity.name, interface, "state"]
                    system.initial[wish] = value
                    system.desired.append((state, value))
        if not known:
            raise NotUnderstood(f"workflow {workflow}")

    def lay_out(self, workflow):
        """The tasks of an imperative workflow: for each step and instance of its
        target the operations to call, and the tasks that have to be done before."""
        steps, numbers = workflow["steps"], {}
        if set(workflow) - {"steps"}:
            raise NotUnderstood("workflow")
        for name, step in steps.items():
            if set(step) - {"target", "activities", "on_success"}:
                raise NotUnderstood("workflow step")
            numbers[name] = []
            for node in self.nodes[step["target"]]:
                calls = []
                for activity in step["activities"]:
                    interface, operation = activity["call_operation"].split(".")
                    key = (node.name, interface, operation)
                    calls.append(self.system.operation_numbers[key])
                numbers[name].append(len(self.system.tasks))
                self.system.tasks.append((calls, set()))
        for name, step in steps.items():
            after = step.get("on_success", [])
            for later in [after] if isinstance(after, str) else after:
                for number in numbers[later]:
                    self.system.tasks[number][1].update(numbers[name])


def read(template, workflow, inputs=None, service="service", cells=None):
    """The system of a template. `cells` are recorded values of cells, by key."""
    system = Reader(template, inputs, service).build(workflow)
    system.recorded = cells is not None
    for key, value in (cells or {}).items():
        number = system.cell_numbers[key]
        if not (system.desired and key[2] == "desired_state"):
            system.initial[number] = value
    return system
