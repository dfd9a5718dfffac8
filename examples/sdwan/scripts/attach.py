"""Makes a site a member of a VPN, or no more: at the VPN, as it keeps the list. A site
that never was a member can leave, too."""

import json
import os
import urllib.request

with open(os.environ["TOSCA_CONTEXT"]) as file:
    inputs = json.load(file)["inputs"]
site, vpn = os.environ["TOSCA_SOURCE"], os.environ["TOSCA_TARGET"]
attach = os.environ["TOSCA_OPERATION"] == "add_source"
request = urllib.request.Request(
    f"{inputs['vpn']}/{site}",
    data=inputs["site"].encode() if attach else None,
    method="PUT" if attach else "DELETE",
)
urllib.request.urlopen(request, timeout=10).close()
print(f"{site} {'joins' if attach else 'leaves'} {vpn}")
