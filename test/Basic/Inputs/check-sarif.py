"""Checks the SARIF 2.1.0 log FILE against the parts of the standard that toscac
uses: the properties of each object, which of them are mandatory, their types, and
what refers to what. Anything else in the log is a failure."""

import json
import re
import sys

TEXT, COUNT, LINE, FLAG, ANY = "text", "count", "line", "flag", "any"
LEVELS = {"none", "note", "warning", "error"}

# Object -> property -> (kind, is mandatory). A list of one kind is an array.
OBJECTS = {
    "sarifLog": {"$schema": ("uri", False), "version": ({"2.1.0"}, True), "runs": (["run"], True)},
    "run": {
        "tool": ("tool", True),
        "invocations": (["invocation"], False),
        "columnKind": ({"utf16CodeUnits", "unicodeCodePoints"}, False),
        "results": (["result"], False),
    },
    "tool": {"driver": ("toolComponent", True)},
    "toolComponent": {
        "name": (TEXT, True),
        "version": (TEXT, False),
        "informationUri": ("uri", False),
        "rules": (["reportingDescriptor"], False),
    },
    "reportingDescriptor": {
        "id": (TEXT, True),
        "shortDescription": ("message", False),
        "help": ("message", False),
        "defaultConfiguration": ("reportingConfiguration", False),
        "properties": (ANY, False),
    },
    "reportingConfiguration": {"enabled": (FLAG, False), "level": (LEVELS, False)},
    "invocation": {
        "executionSuccessful": (FLAG, True),
        "toolExecutionNotifications": (["notification"], False),
    },
    "notification": {"level": (LEVELS, False), "message": ("message", True)},
    "result": {
        "ruleId": (TEXT, False),
        "ruleIndex": (COUNT, False),
        "level": (LEVELS, False),
        "message": ("message", True),
        "locations": (["location"], False),
        "relatedLocations": (["location"], False),
        "partialFingerprints": (ANY, False),
        "fixes": (["fix"], False),
    },
    "message": {"text": (TEXT, True)},
    "location": {
        "id": (COUNT, False),
        "physicalLocation": ("physicalLocation", False),
        "message": ("message", False),
    },
    "physicalLocation": {"artifactLocation": ("artifactLocation", True), "region": ("region", False)},
    "artifactLocation": {"uri": ("uri", True)},
    "region": {
        "startLine": (LINE, True),
        "startColumn": (LINE, False),
        "endLine": (LINE, False),
        "endColumn": (LINE, False),
    },
    "fix": {"artifactChanges": (["artifactChange"], True)},
    "artifactChange": {"artifactLocation": ("artifactLocation", True), "replacements": (["replacement"], True)},
    "replacement": {"deletedRegion": ("region", True), "insertedContent": ("message", False)},
}  # fmt: skip

# Arrays that must not be empty.
FILLED = {"artifactChanges", "replacements"}
# Arrays whose items must differ.
UNIQUE = {"artifactChanges", "fixes", "relatedLocations", "rules"}
URI = re.compile(r"(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-F]{2})+")


def fail(path, text):
    sys.exit(f"{path}: {text}")


def check(kind, value, path):
    if isinstance(kind, list):
        if not isinstance(value, list):
            fail(path, "not an array")
        if not value and path.rpartition(".")[2] in FILLED:
            fail(path, "empty")
        if path.rpartition(".")[2] in UNIQUE and len({json.dumps(i) for i in value}) != len(value):
            fail(path, "the same item twice")
        for number, item in enumerate(value):
            check(kind[0], item, f"{path}[{number}]")
    elif isinstance(kind, set):
        if value not in kind:
            fail(path, f"{value!r} is none of {sorted(kind)}")
    elif kind in OBJECTS:
        check_object(kind, value, path)
    elif kind in (COUNT, LINE):
        if type(value) is not int or value < (1 if kind == LINE else 0):
            fail(path, f"{value!r} is no {kind}")
    elif kind == FLAG:
        if type(value) is not bool:
            fail(path, "not a Boolean")
    elif kind == "uri":
        if not isinstance(value, str) or not URI.fullmatch(value):
            fail(path, f"{value!r} is no URI")
    elif kind == TEXT and (not isinstance(value, str) or not value):
        fail(path, "no text")


def check_object(kind, value, path):
    properties = OBJECTS[kind]
    if not isinstance(value, dict):
        fail(path, f"not a {kind}")
    for name, item in value.items():
        if name not in properties:
            fail(path, f"a {kind} has no {name}")
        check(properties[name][0], item, f"{path}.{name}")
    for name, (_, mandatory) in properties.items():
        if mandatory and name not in value:
            fail(path, f"{name} is missing")


def check_references(run):
    rules = run["tool"]["driver"]["rules"]
    ids = [rule["id"] for rule in rules]
    if len(set(ids)) < len(ids):
        fail("rules", "an id is used twice")
    for number, result in enumerate(run["results"]):
        if ids[result["ruleIndex"]] != result["ruleId"]:
            fail(f"results[{number}]", "ruleIndex and ruleId differ")
        related = [place["id"] for place in result.get("relatedLocations", [])]
        if len(set(related)) < len(related):
            fail(f"results[{number}]", "an id is used twice")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        log = json.load(file)
    check("sarifLog", log, "log")
    for run in log["runs"]:
        check_references(run)


main()
