"""Paths over instances, and conditions as Python functions of the cells: what DESIGN,
section 3.2, says of them."""

NOWHERE = object()
# The interface that a service has its events in.
SERVICE = "events"


class NotUnderstood(Exception):
    """The template says something that is not in the subset."""


class Paths:
    """The part of a reader that follows paths; `nodes` are instances by template,
    `system` has the numbers of cells and operations."""

    def walk(self, start, path):
        """The entities that a path leads to, whether it says ALL, and the words that
        are left: those that name an interface, operation or cell."""
        at, several, words = [start], False, list(path)
        while words:
            word = words[0]
            if word == "SELF":
                words.pop(0)
            elif word in ("SOURCE", "TARGET"):
                words.pop(0)
                at = [e.source if word == "SOURCE" else e.target for e in at]
                if None in at:
                    raise NotUnderstood("path")
            elif word in ("RELATIONSHIP", "CAPABILITY"):
                name = words[1]
                del words[:2]
                if word == "CAPABILITY" and words[:1] == ["RELATIONSHIP"]:
                    words.pop(0)
                index = "ALL" if name == "ALL" else 0
                if words and (words[0] == "ALL" or isinstance(words[0], int)):
                    index = words.pop(0)
                several |= index == "ALL"
                at = [r for e in at for r in self.links(e, word, name, index)]
            elif word == "NODE":
                name = words[1]
                del words[:2]
                index = "ALL" if name == "ALL" else 0
                if words and (words[0] == "ALL" or isinstance(words[0], int)):
                    index = words.pop(0)
                several |= index == "ALL"
                if name == "ALL":
                    at = [node for nodes in self.nodes.values() for node in nodes]
                else:
                    at = self.nodes[name]
                if index != "ALL":
                    at = at[index : index + 1]
            else:
                break
        return at, several, words

    @staticmethod
    def links(entity, word, name, index):
        if word == "RELATIONSHIP":
            found = [r for r in entity.outgoing if name in ("ALL", r.requirement)]
        else:
            found = [r for r in entity.incoming if name in ("ALL", r.capability)]
        return found if index == "ALL" else found[index : index + 1]

    def cells_at(self, start, path):
        """A cell's number, a list of them where the path says ALL, or NOWHERE."""
        at, several, words = self.walk(start, path)
        if words[:1] == ["INTERFACE"]:
            interface, words = words[1], words[2:]
        else:
            interface = None
        if len(words) != 1:
            raise NotUnderstood(f"path {path}")
        numbers = []
        for entity in at:
            of = [
                name
                for name, machine in entity.machines.items()
                if words[0] in machine.cells and interface in (None, name)
            ]
            if len(of) != 1:
                raise NotUnderstood(f"path {path}")
            numbers.append(self.system.cell_numbers[entity.name, of[0], words[0]])
        if several:
            return numbers
        return numbers[0] if numbers else NOWHERE

    def operations_at(self, start, interface, path):
        if isinstance(path, str):
            path = ["SELF", "INTERFACE", interface, path]
        if path[0] == "SERVICE":
            return [self.system.operation_numbers[self.service, SERVICE, path[-1]]]
        at, _, words = self.walk(start, path)
        named = None
        if words[:1] == ["INTERFACE"]:
            named, words = words[1], words[2:]
        words = [word for word in words if word != "OPERATION"]
        if len(words) != 1:
            raise NotUnderstood(f"path {path}")
        numbers = []
        for entity in at:
            of = [
                name
                for name, machine in entity.machines.items()
                if words[0] in machine.operations and named in (None, name)
            ]
            if len(of) != 1:
                raise NotUnderstood(f"path {path}")
            numbers.append(self.system.operation_numbers[entity.name, of[0], words[0]])
        return numbers

    # Conditions, as Python text over the list `c` of cells.

    def operand(self, what, scope):
        """The text of a value, and whether it leads nowhere."""
        if isinstance(what, dict) and len(what) == 1:
            (function, arguments), = what.items()
            if function in ("$get_state", "$get_attribute", "get_attribute"):
                if isinstance(arguments, str):
                    arguments = [arguments]
                start, path = scope["SELF"], list(arguments)
                if function == "$get_state":
                    path = ["INTERFACE", scope["interface"]] + path
                elif path[0] in scope and path[0] != "interface":
                    start, path = scope[path[0]], path[1:]
                cells = self.cells_at(start, path)
                if cells is NOWHERE:
                    return None
                scope["reads"].update(cells if isinstance(cells, list) else [cells])
                if isinstance(cells, list):
                    return "(" + "".join(f"c[{n}]," for n in cells) + ")"
                return f"c[{cells}]"
            if function == "$get_input":
                return repr(self.value(what))
            if function == "$count":
                return f"sum(({''.join(part + ',' for part in self.each(arguments, scope))}))"
            raise NotUnderstood(function)
        if isinstance(what, list):
            parts = [self.operand(part, scope) for part in what]
            return "(" + "".join(f"{part}," for part in parts if part) + ")"
        return repr(what)

    def each(self, loop, scope):
        """The body of a loop for each element of its path."""
        variable, path, body = loop
        at, _, words = self.walk(scope["SELF"], path)
        if words:
            raise NotUnderstood(f"path {path}")
        return [self.text(body, {**scope, variable.lstrip("@"): entity}) for entity in at]

    def text(self, condition, scope):
        if isinstance(condition, bool):
            return repr(condition)
        if not isinstance(condition, dict) or len(condition) != 1:
            raise NotUnderstood(f"condition {condition}")
        (function, arguments), = condition.items()
        if function in ("$and", "$or"):
            word = f" {function[1:]} "
            parts = [self.text(part, scope) for part in arguments]
            return "(" + word.join(parts) + ")" if parts else repr(function == "$and")
        if function == "$not":
            inner = arguments[0] if isinstance(arguments, list) else arguments
            return f"(not {self.text(inner, scope)})"
        if function == "$for_each":
            parts = self.each(arguments, scope)
            return "(" + " and ".join(parts) + ")" if parts else "True"
        operands = [self.operand(part, scope) for part in arguments]
        if None in operands:
            return "False"
        one, other = operands
        if function == "$equal":
            return f"({one} == {other})"
        if function == "$valid_values":
            return f"({one} in {other})"
        if function == "$has_entry":
            return f"({other} in {one})"
        if function == "$has_any_entry":
            return f"any(x in {one} for x in {other})"
        if function == "$has_all_entries":
            return f"all(x in {one} for x in {other})"
        signs = {"$greater_than": ">", "$less_than": "<", "$greater_or_equal": ">="}
        if function in signs:
            return f"({one} {signs[function]} {other})"
        raise NotUnderstood(function)

    def compile(self, conditions, entity, interface):
        scope = {"SELF": entity, "interface": interface, "reads": set()}
        parts = [self.text(condition, scope) for condition in conditions]
        text = " and ".join(parts) or "True"
        return eval(f"lambda c: {text}"), frozenset(scope["reads"]), text
