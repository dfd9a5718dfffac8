"""Makes the source of a relationship a member of its target, or no more."""

import json
import os
import urllib.request

with open(os.environ["TOSCA_CONTEXT"]) as file:
    context = json.load(file)
site, vpn = context["source"], context["target"]
attach = os.environ["TOSCA_OPERATION"] == "attach"
request = urllib.request.Request(
    f"{vpn['attributes']['url']}/{site['name']}",
    data=site["attributes"]["url"].encode() if attach else None,
    method="PUT" if attach else "DELETE",
)
urllib.request.urlopen(request, timeout=10).close()
print(f"{site['name']} {'joins' if attach else 'leaves'} {vpn['name']}")
