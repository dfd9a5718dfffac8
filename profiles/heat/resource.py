"""Creates, updates or deletes one resource of a Heat stack.

What that means is up to the program that the variable HEAT_PROVIDER names. It is
called with the operation (create, update or delete) as its argument and gets a JSON
object on its standard input:

    name           the resource's path in the stack, `web/server`
    resource_type  `OS::Nova::Server`
    resource_id    for update and delete: what create gave; none if it failed
    properties     with functions evaluated; those that only a cloud can
                   evaluate stand as they were written
    metadata

For create and update it prints a JSON object with `resource_id` and `attributes`,
which other resources refer to with get_resource and get_attr. A deletion policy
other than Delete leaves the resource where it is.
"""

import json
import os
import shlex
import subprocess
import sys


def main():
    with open(os.environ["TOSCA_CONTEXT"], encoding="utf-8") as file:
        context = json.load(file)
    operation = context["operation"]
    inputs = dict(context["inputs"])
    policy = inputs.pop("deletion_policy", "Delete")
    if operation == "delete" and policy.lower() != "delete":
        print(f"kept, as its deletion policy is {policy}")
        return 0
    provider = os.environ.get("HEAT_PROVIDER")
    if not provider:
        print("HEAT_PROVIDER names no program that knows resources", file=sys.stderr)
        return 1
    request = {"name": context["entity"]["name"].rsplit("[", 1)[0], **inputs}
    created = context["entity"].get("attributes", {})
    if operation == "delete" and "resource_id" in created:
        request["resource_id"] = created["resource_id"]
    run = subprocess.run(
        [*shlex.split(provider), operation],
        input=json.dumps(request),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if run.returncode != 0 or operation == "delete":
        sys.stdout.write(run.stdout)
        return run.returncode
    answer = json.loads(run.stdout or "{}")
    outputs = {"attributes": answer.get("attributes", {})}
    if operation == "create":
        outputs["resource_id"] = str(answer.get("resource_id", request["name"]))
    with open(os.environ["TOSCA_OUTPUTS"], "w", encoding="utf-8") as file:
        json.dump(outputs, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
