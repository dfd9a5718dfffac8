"""Makes a service smaller as long as it still shows what it shows."""

import copy

from generate import Case

# Without these a template means something else, or nothing.
KEPT = {
    "tosca_definitions_version",
    "service_template",
    "type",
    "default",
    "validation",
    "$valid_values",
    "valid_source_node_types",
    "valid_target_node_types",
    "valid_relationship_types",
    "count_range",
    "capability",
    "relationship",
    "event",
    "node",
}


def places(what, path=()):
    """Paths to all parts that may be left out, large ones first."""
    found = []
    if isinstance(what, dict):
        for key, value in what.items():
            if key not in KEPT:
                found.append(path + (key,))
            if key not in ("validation", "event", "$get_attribute", "$get_state"):
                found += places(value, path + (key,))
    elif isinstance(what, list):
        for index, value in enumerate(what):
            if isinstance(value, (dict, list)):
                found.append(path + (index,))
            found += places(value, path + (index,))
    return sorted(found, key=len)


def without(case, path):
    template = copy.deepcopy(case.template)
    at = template
    for step in path[:-1]:
        at = at[step]
    del at[path[-1]]
    return Case(template, case.workflow, case.cells, case.inputs)


def simpler(case):
    """Services that are a little smaller."""
    if case.cells:
        yield Case(case.template, case.workflow, None, case.inputs)
        for key in case.cells:
            cells = {k: v for k, v in case.cells.items() if k != key}
            yield Case(case.template, case.workflow, cells, case.inputs)
    for path in places(case.template):
        yield without(case, path)
    for path in junctions(case.template):
        template = copy.deepcopy(case.template)
        at = template
        for step in path[:-1]:
            at = at[step]
        (parts,) = at[path[-1]].values()
        if isinstance(parts, list) and len(parts) == 1:
            at[path[-1]] = parts[0]
            yield Case(template, case.workflow, case.cells, case.inputs)


def junctions(what, path=()):
    """Paths to $and and $or."""
    if isinstance(what, dict):
        if list(what) in (["$and"], ["$or"]):
            yield path
        for key, value in what.items():
            yield from junctions(value, path + (key,))
    elif isinstance(what, list):
        for index, value in enumerate(what):
            yield from junctions(value, path + (index,))


def shrink(case, shows, rounds=40):
    """The smallest service found from which nothing can be left out."""
    if not shows(case):
        return case
    for _ in range(rounds):
        smaller = sweep(case, shows)
        if smaller is case:
            break
        case = smaller
    return case


def sweep(case, shows):
    """Leaves out whatever can be, going through the places once."""
    done = False
    failed = set()
    while not done:
        done = True
        for candidate in simpler(case):
            text = repr(candidate.template) + repr(candidate.cells)
            if text in failed:
                continue
            if shows(candidate):
                case, done = candidate, False
                break
            failed.add(text)
    return case


def text(case):
    import yaml

    class Plain(yaml.SafeDumper):
        def ignore_aliases(self, data):
            return True

    cells = (case.cells or {}).items()
    options = {"sort_keys": False, "default_flow_style": None, "width": 110}
    return "".join(f"# {'.'.join(key)} is {value}\n" for key, value in cells) + yaml.dump(
        case.template, Dumper=Plain, **options
    )
