"""with-slurm.py FOLDER COMMAND...: runs the command with a private Slurm of two nodes,
which allows arrays of four."""

import os
import subprocess
import sys

import private_slurm

folder = os.path.abspath(sys.argv[1])
try:
    private_slurm.start(folder, 2, "MaxArraySize=4\n")
    code = subprocess.run(sys.argv[2:]).returncode
finally:
    private_slurm.stop(folder)
sys.exit(code)
