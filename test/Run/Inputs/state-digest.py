"""state-digest.py STORE: the digest of the deployment `default`, computed from what
`tosca-run state export` prints."""

import hashlib
import subprocess
import sys

command = ["tosca-run", "state", "export", "--deployment", "default", "--state"]
text = subprocess.check_output(command + [sys.argv[1]], text=True)
start = text.index('"default": ') + len('"default": ')
end = text.rindex("\n}\n}")
print("sha256:" + hashlib.sha256(text[start:end].encode()).hexdigest())
