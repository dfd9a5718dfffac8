"""A server of pages, and how tests talk to it."""

import http.client
import os
import signal
import subprocess
import urllib.parse


class Served:
    """`tosca-run ui` on a free port, ended with the block."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(["tosca-run", "ui", *arguments], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.url)
        self.host, self.port = parts.hostname, parts.port
        self.path = parts.path
        self.query = dict(urllib.parse.parse_qsl(parts.query))
        self.token = self.query["token"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self.process.pid, signal.SIGTERM)
        self.process.wait()

    def address(self, path, **parameters):
        return f"{path}?{urllib.parse.urlencode({**parameters, 'token': self.token})}"

    def ask(self, target, method="GET", headers=None, host=None):
        """Status, headers and text of the answer."""
        connection = http.client.HTTPConnection(self.host, self.port)
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", host if host is not None else f"{self.host}:{self.port}")
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer.headers, text

    def stream(self, target):
        """Messages of a stream of events: pairs of a name and a text."""
        connection = http.client.HTTPConnection(self.host, self.port)
        connection.request("GET", target)
        answer = connection.getresponse()
        name, lines = None, []
        try:
            while line := answer.readline().decode():
                line = line.rstrip("\n")
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    lines.append(line[6:])
                elif not line and name:
                    yield name, "\n".join(lines)
                    name, lines = None, []
        finally:
            connection.close()
