"""Event systems as TOSCA: each entity is a node with a type of its own. What its
operations say is spread over an interface type, one derived from it, and the node
type; entities reach each other through relationships."""

import json

from event_system import cells_of, expression


def parts_of(condition):
    if condition is True:
        return []
    return list(condition[1]) if condition[0] == "and" else [condition]


def spread(rng, items):
    """The items in order, in three portions."""
    cuts = sorted(rng.randint(0, len(items)) for _ in range(2))
    return [items[: cuts[0]], items[cuts[0] : cuts[1]], items[cuts[1] :]]


class Tosca:
    def __init__(self, system, rng):
        self.system = system
        self.rng = rng

    def text(self):
        interface_types, node_types, templates = {}, {}, {}
        for entity in self.system.entities():
            base, derived, node = self.layers(entity)
            base["attributes"] = {
                cell: {"type": "integer", "default": value}
                for (owner, cell), value in self.system.cells.items()
                if owner == entity
            }
            interface_types[f"B_{entity}"] = base
            interface_types[f"D_{entity}"] = {"derived_from": f"B_{entity}", **derived}
            others = self.others(entity)
            node_types[f"N_{entity}"] = {
                "capabilities": {"c": "C"},
                "requirements": [
                    {
                        f"to_{other}": {
                            "capability": "C",
                            "node": f"N_{other}",
                            "relationship": "R",
                        }
                    }
                    for other in others
                ],
                "interfaces": {"i": {"type": f"D_{entity}", **node}},
            }
            templates[entity] = {
                "type": f"N_{entity}",
                "requirements": [{f"to_{other}": other} for other in others],
            }
        start = [
            {"event": ["SELF", "NODE", entity, "INTERFACE", "i", operation]}
            for entity, operation in self.system.start
        ]
        document = {
            "tosca_definitions_version": "tosca_2_0",
            "capability_types": {"C": {}},
            "relationship_types": {"R": {}},
            "interface_types": interface_types,
            "node_types": node_types,
            "service_template": {
                "events": {"go": {"on_entry": {"triggers": start}} if start else None},
                "node_templates": templates,
            },
        }
        return json.dumps(document, indent=1)

    def others(self, entity):
        """Those that it reads or sends to."""
        found = set()
        for (owner, _), operation in self.system.operations.items():
            if owner == entity:
                found |= cells_of(operation.pre)
                for condition, event in [*operation.sends, *operation.entry_sends]:
                    found |= cells_of(condition) | {event}
        for owner, condition, event in self.system.rules:
            if owner == entity:
                found |= cells_of(condition) | {event}
        return sorted({other for other, _ in found} - {entity})

    def condition(self, owner, condition):
        def read(entity, cell):
            if entity == owner:
                return {"$get_state": [cell]}
            path = ["SELF", "RELATIONSHIP", f"to_{entity}", "TARGET"]
            return {"$get_attribute": [*path, "INTERFACE", "i", cell]}

        return expression(condition, read)

    def trigger(self, owner, condition, event):
        entity, operation = event
        path = ["SELF"] if entity == owner else ["SELF", "RELATIONSHIP", f"to_{entity}", "TARGET"]
        result = {"event": [*path, "INTERFACE", "i", operation]}
        if condition is not True:
            result["condition"] = self.condition(owner, condition)
        return result

    def reactions(self, owner, sets, sends):
        """A reaction for each layer."""
        layers = []
        portions = zip(spread(self.rng, list(sets.items())), spread(self.rng, sends))
        for written, sent in portions:
            reaction = {}
            if written:
                reaction["set"] = dict(written)
            if sent:
                reaction["triggers"] = [self.trigger(owner, *send) for send in sent]
            layers.append(reaction)
        return layers

    def layers(self, entity):
        layers = [{"operations": {}}, {"operations": {}}, {"operations": {}}]
        for (owner, name), operation in self.system.operations.items():
            if owner != entity:
                continue
            conditions = spread(self.rng, parts_of(operation.pre))
            entries = self.reactions(entity, operation.entry, operation.entry_sends)
            successes = self.reactions(entity, operation.success, operation.sends)
            for number, layer in enumerate(layers):
                definition = {}
                if conditions[number]:
                    definition["precondition"] = self.condition(
                        entity, ("and", conditions[number])
                    )
                if entries[number]:
                    definition["on_entry"] = entries[number]
                if successes[number]:
                    definition["on_success"] = successes[number]
                if definition or number == 0:
                    layer["operations"][name] = definition
        rules = [(c, e) for owner, c, e in self.system.rules if owner == entity]
        for layer, portion in zip(layers, spread(self.rng, rules)):
            if portion:
                layer["triggers"] = [self.trigger(entity, *rule) for rule in portion]
            if not layer["operations"]:
                del layer["operations"]
        return layers
