"""Asks the service of a node whether it is there: what does not answer has failed."""

import json
import os
import urllib.request

with open(os.environ["TOSCA_CONTEXT"]) as file:
    url = json.load(file)["inputs"]["url"]
try:
    urllib.request.urlopen(f"{url}/alive", timeout=10).close()
    failed = False
except OSError:
    failed = True
with open(os.environ["TOSCA_OUTPUTS"], "w") as file:
    json.dump({"failed": failed}, file)
print(f"{os.environ['TOSCA_ENTITY']} {'does not answer' if failed else 'answers'}")
