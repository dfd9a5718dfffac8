"""postgresql.py COMMAND...: runs COMMAND while a PostgreSQL of its own listens on a socket;
URL in its words becomes that of an empty database. The server ends with the command."""

import glob
import os
import pwd
import shutil
import subprocess
import sys
import tempfile

found = sorted(glob.glob("/usr/lib/postgresql/*/bin")) + [
    os.path.dirname(shutil.which("initdb") or "")
]
tools = next(path for path in found if os.path.exists(path + "/initdb"))
base = tempfile.mkdtemp(prefix="pg-", dir="/tmp")
as_other = {}
if os.geteuid() == 0:
    # It refuses to run as root.
    names = [user.pw_name for user in pwd.getpwall()]
    user = "postgres" if "postgres" in names else "nobody"
    as_other = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    shutil.chown(base, user)
os.chmod(base, 0o755)
data = base + "/data"
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def run(*words):
    subprocess.run(words, check=True, cwd="/", **quiet, **as_other)


try:
    run(tools + "/initdb", "--no-sync", "-A", "trust", "-U", "tosca", "-E", "UTF8", "-D", data)
    settings = (
        f"-c listen_addresses= -c unix_socket_directories={base} -c fsync=off "
        "-c shared_buffers=16MB -c max_connections=40 -c unix_socket_permissions=0777"
    )
    run(tools + "/pg_ctl", "-w", "-D", data, "-l", base + "/log", "-o", settings, "start")
    url = f"postgresql:///postgres?host={base}&user=tosca"
    words = [word.replace("URL", url) for word in sys.argv[1:]]
    code = subprocess.run(words).returncode
finally:
    subprocess.run(
        [tools + "/pg_ctl", "-m", "immediate", "-D", data, "stop"], cwd="/", **quiet, **as_other
    )
    shutil.rmtree(base, ignore_errors=True)
sys.exit(code)
