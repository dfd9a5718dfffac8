"""Watches a run of the SD-WAN in a browser while it goes on, up to a failure, which the
test decides when to let happen: live.py PLAN [--axe FILE] [--shots FOLDER]."""

import argparse
import json
import os
import signal
import subprocess
import sys

import browser

GATED = "vpe[1].standard.start"
GATE = f"""
if [ "$TOSCA_STEP" = '{GATED}' ]; then
  until [ -e "$GATE/go" ]; do sleep 0.1; done
  echo 'asking for a machine'; echo 'no room </script><b>here</b>'
  exit 9
fi
exec python3 "$1"
"""


def until(condition):
    return f"new Promise((done) => {{ const look = () => ({condition}) ? done(true) : setTimeout(look, 50); look(); }})"


def check(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: {got!r}, not {expected!r}")


def watch(tab, process, folder):
    url = next(line for line in process.stdout if line.startswith("page: ")).split()[1]
    tab.open_url(url)
    bar = f"document.querySelector('.gantt .bar.running[aria-label^={json.dumps(GATED)}]')"
    tab.run(until(bar))
    print("seen while it runs:", GATED)
    check("status", tab.run("document.querySelector('.tiles dd').textContent"), "running")
    check("tab", tab.run("document.querySelector('[role=tabpanel]:not([hidden])').id"), "view-run")
    check("live", tab.run("document.querySelector('.live').textContent"), "live")
    tab.run(f"{bar}.click()")
    before = tab.run("document.querySelectorAll('.gantt .bar.done').length")
    with open(os.path.join(folder, "go"), "w", encoding="utf-8"):
        pass
    tab.run(until("document.querySelector('.gantt .bar.failed') && document.querySelector('.tiles dd').textContent === 'failed'"))
    print("seen without a reload: the failure")
    check("text of the log", tab.run("document.querySelector('.failure pre').textContent"), "asking for a machine\nno room </script><b>here</b>")
    check("what was chosen stays", tab.run("document.querySelector('#view-run .panel h2').textContent"), GATED)
    check("nothing is lost", tab.run("document.querySelectorAll('.gantt .bar.done').length") >= before, True)
    tab.run(until("document.querySelector('.live').textContent.startsWith('over')"))
    print("the page says that it is over")
    own = url.split("/run?")[0]
    for request in tab.requests:
        if not request.startswith(own + "/") and request != "about:blank":
            sys.exit(f"the page asks for {request}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plan")
    parser.add_argument("--shots")
    options = parser.parse_args()
    folder = os.path.dirname(os.path.abspath(options.plan))
    with open(os.path.join(folder, "gate.sh"), "w", encoding="utf-8") as gate:
        gate.write(GATE)
    process = subprocess.Popen(
        ["tosca-run", "--plain", "-j0", "--serve", "--report", os.path.join(folder, "run.html"),
         "--runner", f"Python=sh {folder}/gate.sh {{file}}", options.plan],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "GATE": folder},
    )  # fmt: skip
    try:
        with browser.Browser() as started:
            tab = browser.Tab(started)
            watch(tab, process, folder)
            check("console", tab.problems, [])
            if options.shots:
                os.makedirs(options.shots, exist_ok=True)
                for theme in ("light", "dark"):
                    tab.use_theme(theme)
                    tab.shoot(os.path.join(options.shots, f"live-{theme}.png"))
        process.stdout.read()
        check("exit code", process.wait(), 1)
    finally:
        if process.poll() is None:
            process.kill()
        end_services(folder)


def end_services(folder):
    """What the plan has started stays when a run fails."""
    state = subprocess.run(["tosca-run", "state", "export", "--state", os.path.join(folder, "toscac.db")], capture_output=True, text=True, check=False)
    if state.returncode:
        return
    for deployment in json.loads(state.stdout)["deployments"].values():
        for entity in deployment["entities"]:
            if pid := (entity.get("attributes") or {}).get("pid"):
                try:
                    os.kill(pid, signal.SIGTERM)
                except ProcessLookupError:
                    pass


main()
