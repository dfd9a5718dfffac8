"""make-versions.py FOLDER: a template for each version that uses all functions there ever
were, with the warnings that are to be expected."""

import pathlib
import sys

VERSIONS = ["2013-05-23", "2014-10-16", "2015-04-30", "2015-10-15", "2016-04-08", "2016-10-14",
            "2017-02-24", "2017-09-01", "2018-03-02", "2018-08-31", "2021-04-16"]  # fmt: skip
NAMES = {"newton": 5, "ocata": 6, "pike": 7, "queens": 8, "rocky": 9, "wallaby": 10}
# The first and the last version that has the function, and an argument.
FUNCTIONS = {
    "get_param": (0, 10, "p"),
    "get_resource": (0, 10, "net"),
    "get_attr": (0, 10, "[ net, name ]"),
    "get_file": (0, 10, "file.txt"),
    "resource_facade": (0, 10, "metadata"),
    "list_join": (0, 10, "[ ',', [ a, b ] ]"),
    "str_replace": (0, 10, "{ template: x, params: { x: y } }"),
    "Ref": (0, 0, "p"),
    "'Fn::GetAZs'": (0, 0, "''"),
    "'Fn::Join'": (0, 0, "[ ',', [ a, b ] ]"),
    "'Fn::Split'": (0, 0, "[ ',', 'a,b' ]"),
    "'Fn::Replace'": (0, 0, "[ { x: y }, x ]"),
    "'Fn::Base64'": (0, 0, "x"),
    "'Fn::MemberListToMap'": (0, 0, "[ Name, Value, [ '.member.0.Name=k', '.member.0.Value=v' ] ]"),
    "'Fn::ResourceFacade'": (0, 0, "Metadata"),
    "'Fn::Select'": (0, 2, "[ 0, [ a ] ]"),
    "repeat": (2, 10, "{ template: x, for_each: { x: [ a ] } }"),
    "digest": (2, 10, "[ md5, x ]"),
    "str_split": (3, 10, "[ ',', 'a,b' ]"),
    "map_merge": (4, 10, "[ { a: b } ]"),
    "map_replace": (5, 10, "[ { a: b }, { keys: { a: c } } ]"),
    "yaql": (5, 10, "{ expression: $.data, data: x }"),
    "equals": (5, 10, "[ a, b ]"),
    "if": (5, 10, "[ true, a, b ]"),
    "not": (5, 10, "true"),
    "and": (5, 10, "[ true, false ]"),
    "or": (5, 10, "[ true, false ]"),
    "filter": (6, 10, "[ [ a ], [ a, b ] ]"),
    "str_replace_strict": (6, 10, "{ template: x, params: { x: y } }"),
    "make_url": (7, 10, "{ scheme: http, host: example.org }"),
    "list_concat": (7, 10, "[ [ a ], [ b ] ]"),
    "list_concat_unique": (7, 10, "[ [ a ], [ b ] ]"),
    "contains": (7, 10, "[ a, [ a ] ]"),
    "str_replace_vstrict": (7, 10, "{ template: x, params: { x: y } }"),
}

folder = pathlib.Path(sys.argv[1])
(folder / "file.txt").write_text("text", encoding="utf-8")
for name, version in [(v, i) for i, v in enumerate(VERSIONS)] + list(NAMES.items()):
    lines = [f"heat_template_version: {name}", "parameters: { p: { type: string, default: x } }",
             "resources:", "  net: { type: OS::Neutron::Net }", "  v:", "    type: OS::Heat::Value",
             "    properties:"]  # fmt: skip
    for number, (function, (first, last, argument)) in enumerate(FUNCTIONS.items()):
        line = f"      p{number}: {{ {function}: {argument} }}"
        if not first <= version <= last:
            bare = function.strip("'")
            line += f" # expected-warning {{{{'{bare}' is a function}}}}"
        lines.append(line)
    (folder / f"{name}.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
