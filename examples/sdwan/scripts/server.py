"""server.py NAME CITY ROUTER: a small service on a free port of loopback. The VPN, the
routers and the sites are all of this kind: it says hello, a site with the word of its
router, keeps a list of members, and asks each of them whether it is there. Its first
and only line of output is the port."""

import json
import os
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

name, city, router = sys.argv[1:]
members = {}


class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/members":
            self.answer({each: ask(url) for each, url in sorted(members.items())})
        elif self.path == "/alive":
            self.answer({})
        else:
            here = f"{name} in {city}" if city else name
            self.answer({"hello": f"{here} through {ask(router)}" if router else here})

    def do_PUT(self):
        size = int(self.headers["Content-Length"])
        members[self.path[1:]] = self.rfile.read(size).decode()
        self.answer({})

    def do_DELETE(self):
        members.pop(self.path[1:], None)
        self.answer({})

    def answer(self, content):
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def ask(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)["hello"]


server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
print(server.server_port, flush=True)
os.chdir("/")
server.serve_forever()
