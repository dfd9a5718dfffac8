"""Writes a file of random expressions for tosca-eval --verify-partial.

Half of them are well typed, so that evaluation gets far; the rest draw their
arguments from anywhere, so that errors are exercised as well.
"""

import json
import random
import sys

SCALARS = {
    "boolean": [True, False],
    "integer": [0, 1, -1, 2, 7, 9223372036854775807],
    "float": [0.5, -1.5, 2.0, 1e300],
    "string": ["", "a", "ab", "äb", "$x", "b:a"],
}
LISTS = [[], [1], [1, 2, 2], [2, 1], [3, 7]]
MAPS = [{}, {"a": 1}, {"a": 1, "b": 2}]
INPUTS = {
    "yes": True, "no": False, "one": 1, "two": 2, "half": 0.5, "big": 1e300,
    "text": "ab", "word": "$x", "list": [1, 2], "empty": [], "map": {"a": 1},
}

# Function -> result kind, kinds of arguments; "*" repeats the last.
SIGNATURES = [
    ("and", "boolean", ["boolean", "boolean", "*"]),
    ("or", "boolean", ["boolean", "boolean", "*"]),
    ("not", "boolean", ["boolean"]),
    ("xor", "boolean", ["boolean", "boolean"]),
    ("equal", "boolean", ["integer", "integer"]),
    ("equal", "boolean", ["string", "string"]),
    ("equal", "boolean", ["list", "list"]),
    ("less_than", "boolean", ["integer", "float"]),
    ("greater_or_equal", "boolean", ["integer", "integer"]),
    ("valid_values", "boolean", ["integer", "list"]),
    ("matches", "boolean", ["string", "string"]),
    ("has_prefix", "boolean", ["string", "string"]),
    ("contains", "boolean", ["list", "list"]),
    ("has_entry", "boolean", ["list", "integer"]),
    ("has_all_entries", "boolean", ["list", "list"]),
    ("has_any_key", "boolean", ["map", "strings"]),
    ("length", "integer", ["list"]),
    ("length", "integer", ["string"]),
    ("sum", "integer", ["integer", "integer", "*"]),
    ("difference", "integer", ["integer", "integer"]),
    ("product", "float", ["float", "integer", "*"]),
    ("quotient", "float", ["integer", "integer"]),
    ("remainder", "integer", ["integer", "integer"]),
    ("round", "integer", ["float"]),
    ("concat", "string", ["string", "string", "*"]),
    ("concat", "list", ["list", "list"]),
    ("join", "string", ["strings", "string"]),
    ("token", "string", ["string", "string", "integer"]),
    ("union", "list", ["list", "list", "*"]),
    ("intersection", "list", ["list", "list"]),
]


def kind_of(value):
    return {bool: "boolean", int: "integer", float: "float", str: "string",
            list: "list", dict: "map"}[type(value)]


def escape(value):
    if isinstance(value, str) and value.startswith("$"):
        return "$" + value
    return value


def literal(rng, kind):
    if kind == "strings":
        return [escape(rng.choice(SCALARS["string"])) for _ in range(2)]
    if kind == "list":
        return rng.choice(LISTS)
    if kind == "map":
        return rng.choice(MAPS)
    return escape(rng.choice(SCALARS[kind]))


def query(rng, kind):
    names = [name for name, value in INPUTS.items() if kind_of(value) == kind]
    return {"$get_input": [rng.choice(names)]} if names else literal(rng, kind)


def call(rng, kind, depth, strict):
    rows = [row for row in SIGNATURES if row[1] == kind]
    if not rows:
        return query(rng, kind)
    name, _, kinds = rng.choice(rows)
    if kinds[-1] == "*":
        kinds = kinds[:-1] + [kinds[-2]] * rng.randrange(2)
    return {"$" + name: [expression(rng, k, depth - 1, strict) for k in kinds]}


def expression(rng, kind, depth, strict):
    if not strict and rng.random() < 0.1:
        kind = rng.choice(["boolean", "integer", "float", "string", "list"])
    choice = rng.random()
    if depth == 0 or choice < 0.15:
        return literal(rng, kind)
    if choice < 0.45:
        return query(rng, kind)
    if kind == "list" and choice < 0.6:
        return [expression(rng, "integer", depth - 1, strict) for _ in range(2)]
    if kind == "strings":
        return [expression(rng, "string", depth - 1, strict) for _ in range(2)]
    if kind == "map" and choice < 0.7:
        return {"a": expression(rng, "integer", depth - 1, strict)}
    return call(rng, kind, depth, strict)


def main():
    rng = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2])
    # JSON is YAML, but 1e+300 keeps its sign only as a float with a point.
    dump = lambda value: json.dumps(value, ensure_ascii=False)
    inputs = {name: escape(value) for name, value in INPUTS.items()}
    print("inputs:", dump(inputs))
    print("evaluate:")
    for i in range(count):
        kind = rng.choice(["boolean", "boolean", "integer", "string", "list"])
        print("-", dump(expression(rng, kind, rng.randrange(2, 6), i % 2 == 0)))


main()
