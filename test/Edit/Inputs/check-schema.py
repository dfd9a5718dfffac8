#!/usr/bin/env python3
"""check-schema.py SCHEMA PATTERN...: all files in TOSCA 2.0 have to fit."""

import glob
import json
import sys

import jsonschema
import yaml

with open(sys.argv[1], encoding="utf-8") as file:
    validator = jsonschema.Draft7Validator(json.load(file))
bad = {"tosca_definitions_version": "tosca_2_0", "node_typs": {}}
print("unknown keyname", "refused" if list(validator.iter_errors(bad)) else "accepted")
count = 0
for pattern in sys.argv[2:]:
    for path in sorted(glob.glob(pattern)):
        with open(path, encoding="utf-8") as file:
            content = yaml.safe_load(file)
        if not isinstance(content, dict) or content.get("tosca_definitions_version") != "tosca_2_0":
            continue
        for error in validator.iter_errors(content):
            sys.exit(f"{path}: {error.message[:300]} at {list(error.absolute_path)}")
        count += 1
print(f"{count} files accepted")
