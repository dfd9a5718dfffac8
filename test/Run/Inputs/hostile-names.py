"""hostile-names.py FOLDER: writes a plan and a template whose names would change what a
terminal shows. hostile-names.py FILE: fails if such characters stand in the file."""

import hashlib
import json
import os
import sys
import unicodedata

path = sys.argv[1]
if not os.path.isdir(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    raw = {c for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf")}
    sys.exit(f"raw: {raw}" if raw else 0)

node, kind = "a\x1b[31m", "A\u202e"
script = "printf 'said \\033[2J\\342\\200\\256\\n'; exit 1\n"
plan = {
    "plan": 1, "service": kind, "workflow": {"name": kind}, "state": None,
    "entities": [{"id": 0, "name": node + "[0]", "kind": "node", "template": node, "index": 0,
                  "type": kind}],
    "artifacts": [{"id": 0, "type": "sh", "file": "run.sh",
                   "sha256": hashlib.sha256(script.encode()).hexdigest()}],
    "steps": [{"id": 0, "name": node + "[0].i.o", "kind": "call", "entity": 0,
               "interface": "i", "operation": "o", "deps": [],
               "handlers": [{"artifact": 0}]}],
}  # fmt: skip
with open(path + "/run.sh", "w") as file:
    file.write(script)
with open(path + "/plan.json", "w", encoding="utf-8") as file:
    parts = []
    for key, value in plan.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list):
            text = "[\n" + ",\n".join(json.dumps(v, ensure_ascii=False) for v in value) + "\n]"
        parts.append(f"{json.dumps(key)}: {text}")
    file.write("{\n" + ",\n".join(parts) + "\n}\n")
with open(path + "/names.yaml", "w", encoding="utf-8") as file:
    file.write(
        "tosca_definitions_version: tosca_2_0\n"
        'service_template: { node_templates: { "a\\e\\u202e": { type: "B\\e\\u202e" } } }\n'
    )
