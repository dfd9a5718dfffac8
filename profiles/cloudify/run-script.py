"""Runs a script of a Cloudify blueprint: run-script.py CONTEXT COMMAND...

As there, inputs of the operation are variables under their own names, a string as it is and
all else as JSON, and `ctx` is a command. For tosca-run, which has names of its own for them:

    tosca-run --runner 'Bash=python3 profiles/cloudify/run-script.py {context} bash {file}'
"""

import json
import os
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        inputs = json.load(file)["inputs"]
    for name, value in inputs.items():
        os.environ[name] = value if isinstance(value, str) else json.dumps(value)
    here = os.path.dirname(os.path.abspath(__file__))
    os.environ["PATH"] = os.path.join(here, "bin") + os.pathsep + os.environ["PATH"]
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
