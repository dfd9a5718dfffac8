"""What a page holds: read(FILE) gives its data, after a check that it is made as pages
are: nothing from elsewhere, a policy that knows its script and its style."""

import base64
import hashlib
import json
import re


def policy_hash(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def read(file):
    with open(file, encoding="utf-8", newline="") as page:
        return check(page.read())


def check(text, isServed=False):
    """The data of the page `text`."""
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", text, re.S)
    assert [attributes for attributes, _ in scripts] == [
        ' type="application/json" id="data"',
        ' type="module"',
    ], "a page has its data and one script"
    styles = re.findall(r"<style>(.*?)</style>", text, re.S)
    assert len(styles) == 1
    policies = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    assert policies == [
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src {policy_hash(scripts[1][1])}; style-src {policy_hash(styles[0])}"
        + ("; connect-src 'self'" if isServed else "")
    ], policies
    summary = re.search(r"<noscript><pre>(.*?)</pre></noscript>", text, re.S)[1]
    assert "<" not in summary
    shell = text.replace(scripts[0][1], "").replace(summary, "").replace("http://www.w3.org/2000/svg", "")
    for outside in ("http:", "https:", "//cdn", " src=", " href=", "url(h", "@import", "<link"):
        assert outside not in shell, outside
    return json.loads(scripts[0][1])
