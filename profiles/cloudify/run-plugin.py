"""Runs one task of a Cloudify plugin.

What that means is up to the program that the variable CLOUDIFY_PROVIDER names. It is
called with the name of the plugin and the task (`openstack`, `nova_plugin.server.create`)
as its arguments and gets a JSON object on its standard input:

    name        the instance, `vm[0]`, or the relationship, `app[0].db[1]`
    interface   `lifecycle`, `validation`, `monitoring`, or `source` and `target` for the
                two sides of a relationship
    operation   `create`
    properties  of the instance or relationship
    inputs      of the operation

Where it ends with 0, the task has been done.
"""

import json
import os
import shlex
import subprocess
import sys


def main():
    with open(os.environ["TOSCA_CONTEXT"], encoding="utf-8") as file:
        context = json.load(file)
    inputs = context["inputs"]
    provider = os.environ.get("CLOUDIFY_PROVIDER")
    if not provider:
        print(
            f"{inputs['task']} is a task of plugin {inputs['plugin']}, and "
            "CLOUDIFY_PROVIDER names no program that knows it",
            file=sys.stderr,
        )
        return 1
    request = {
        "name": context["entity"]["name"],
        "interface": context["interface"],
        "operation": context["operation"],
        "properties": context["entity"].get("properties", {}),
        "inputs": inputs["inputs"],
    }
    run = subprocess.run(
        [*shlex.split(provider), inputs["plugin"], inputs["task"]],
        input=json.dumps(request),
        text=True,
        check=False,
    )
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
