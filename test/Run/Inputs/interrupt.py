"""interrupt.py FOLDER: what the first and the second interrupt do, what is in
flight after a kill, and that --resume goes on."""

import os
import signal
import subprocess
import sys
import time

folder = sys.argv[1]
plan = os.path.join(folder, "plan.json")


def begin(store, *options):
    """Starts the plan and waits until its first step runs."""
    marks = os.path.join(folder, "running")
    if os.path.exists(marks):
        os.remove(marks)
    command = ["tosca-run", "--state", os.path.join(folder, store), *options, plan]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    while not os.path.exists(marks):
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.01)
    return process


def release():
    open(os.path.join(folder, "release"), "w").close()


def block():
    path = os.path.join(folder, "release")
    if os.path.exists(path):
        os.remove(path)


def end(title, process):
    print(f"== {title}")
    print(process.communicate()[0], end="")
    print("exit", process.returncode, flush=True)


def run(title, store, *options):
    command = ["tosca-run", "--state", os.path.join(folder, store), *options, plan]
    print(f"== {title}", flush=True)
    code = subprocess.run(command, stderr=subprocess.STDOUT).returncode
    print("exit", code, flush=True)


process = begin("once.db")
process.send_signal(signal.SIGINT)
while "finished" not in process.stdout.readline() and process.poll() is None:
    pass
release()
end("once", process)
run("not resumed", "once.db")
run("resumed", "once.db", "--resume")

block()
process = begin("twice.db", "--grace", "0.2")
process.send_signal(signal.SIGINT)
while "finished" not in process.stdout.readline() and process.poll() is None:
    pass
process.send_signal(signal.SIGINT)
end("twice", process)
release()
run("resumed", "twice.db", "--resume")

block()
process = begin("killed.db")
process.kill()
process.wait()
process.stdout.close()
release_after = subprocess.Popen(
    [sys.executable, "-c",
     f"import time; time.sleep(0.5); open({os.path.join(folder, 'release')!r}, 'w')"]
)  # fmt: skip
run("killed, resumed", "killed.db", "--resume", "--grace", "0.2")
release_after.wait()
