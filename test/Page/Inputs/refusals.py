"""Who is let in, and who is not: refusals.py STORE."""

import sys

import served

store = sys.argv[1]


def read():
    with open(store, "rb") as file:
        return file.read()


before = read()
with served.Served("--state", store) as server:
    good = server.address("/")
    port = server.port

    def tell(what, *arguments, **more):
        status, headers, text = server.ask(*arguments, **more)
        print(f"{what}: {status}", text.strip() if status != 200 else headers["Cache-Control"])

    print("on", server.host)
    print("long token:", len(server.token) >= 32)
    tell("with the token", good)
    tell("by localhost", good, host=f"localhost:{port}")
    tell("without a token", "/")
    tell("with another token", "/?token=" + "0" * len(server.token))
    tell("with part of it", "/?token=" + server.token[:-1])
    tell("events without a token", "/events")
    tell("by another name", good, host=f"attacker.example:{port}")
    tell("by another port", good, host=f"{server.host}:{port + 1}")
    tell("without a name", good, host="")
    tell("from another origin", good, headers={"Origin": "http://attacker.example"})
    tell("from no origin", good, headers={"Origin": "null"})
    tell("from another port", good, headers={"Origin": f"http://{server.host}:{port + 1}"})
    tell("from here", good, headers={"Origin": f"http://{server.host}:{port}"})
    tell("for a page elsewhere", good, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        tell(method, good, method=method)
    tell("no page", server.address("/etc/passwd"))
    tell("no file", server.address("/../../../../etc/passwd"))
    tell("no run", server.address("/run", deployment="default", id=99))
    tell("no number", server.address("/run", deployment="default", id="x"))
    _, headers, _ = server.ask(good)
    for name in ("X-Frame-Options", "Referrer-Policy", "X-Content-Type-Options", "Cross-Origin-Resource-Policy"):
        print(f"{name}: {headers[name]}")
print("the store is as it was:", read() == before)
