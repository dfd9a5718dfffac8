"""make-doubling.py N FOLDER: chains of N templates, each of which hands a parameter on to
the next and doubles it: text0.yaml, list0.yaml, nest0.yaml."""

import pathlib
import sys

KINDS = {
    "text": ("string", "x", "{ list_join: [ '', [ P, P ] ] }"),
    "list": ("comma_delimited_list", "'a,b'", "{ list_concat: [ P, P ] }"),
    "nest": ("json", "[ a ]", "[ P, P ]"),
}

count, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
for kind, (parameter, first, doubled) in KINDS.items():
    value = doubled.replace("P", "{ get_param: p }")
    for i in range(count + 1):
        resource = f"{{ type: {kind}{i + 1}.yaml, properties: {{ p: {value} }} }}"
        if i == count:
            resource = "{ type: OS::Heat::Value, properties: { p: { get_param: p } } }"
        text = f"""heat_template_version: 2018-08-31
parameters: {{ p: {{ type: {parameter}, default: {first} }} }}
resources:
  n: {resource}
"""
        (folder / f"{kind}{i}.yaml").write_text(text, encoding="utf-8")
