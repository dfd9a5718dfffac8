"""Configuration of the lit suite: which files are tests, and what they see."""

import glob
import importlib.util
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "toscac"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".yaml", ".yml", ".test", ".tir", ".json", ".txt"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.build_dir, "test")

# The tools under test come first, then FileCheck, not and split-file.
config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.build_dir, "bin"),
        config.llvm_tools_dir,
        os.environ.get("PATH", "/usr/bin:/bin"),
    ]
)

# Tests with processes and clocks may lose a race once on a machine that is shared; lit
# calls what passes the second time flaky.
if "CI" in os.environ:
    config.test_retry_attempts = 1

# Nothing of the person who runs the tests shows in them.
home = os.path.join(config.test_exec_root, "home")
os.makedirs(home, exist_ok=True)
config.environment["HOME"] = home
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["TZ"] = "UTC"

# Every graph that a test makes is printed, read, printed and planned again. The build
# with sanitizers leaves it out: it would take twice as long to see the same code.
if not config.asan:
    config.environment["TOSCAC_VERIFY_ROUNDTRIP"] = "true"

# scripts/run-lit looks at every plan that a test makes.
if "TOSCAC_KEEP_PLANS" in os.environ:
    config.environment["TOSCAC_KEEP_PLANS"] = os.environ["TOSCAC_KEEP_PLANS"]

# A report of a sanitizer must not look like an error of the input (1..3). LLVM's
# own library is not built with it: arenas that both sides use would look poisoned.
config.environment["ASAN_OPTIONS"] = (
    "allow_user_poisoning=0:abort_on_error=1:detect_leaks=1:strict_string_checks=1:"
    "check_initialization_order=1:detect_stack_use_after_return=1"
)
config.environment["LSAN_OPTIONS"] = (
    f"suppressions={config.test_source_root}/Inputs/leaks-of-libraries:print_suppressions=0"
)
config.environment["UBSAN_OPTIONS"] = (
    "halt_on_error=1:abort_on_error=1:print_stacktrace=1"
)

shared = os.environ.get("TOSCAC_SHARED") or os.path.join(
    os.path.dirname(config.source_dir), "shared"
)
config.substitutions += [
    ("%python", sys.executable),
    ("%ask", f"{sys.executable} {config.test_source_root}/Edit/Inputs/ask.py"),
    ("%shared", os.path.abspath(shared)),
    ("%root", config.source_dir),
    ("%build", config.build_dir),
    ("%cxx", config.cxx),
    ("%cc", config.cc),
    ("%{path}", config.environment["PATH"]),
]

if importlib.util.find_spec("jsonschema") and importlib.util.find_spec("yaml"):
    config.available_features.add("jsonschema")
daemons = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
if all(shutil.which(name, path=daemons) for name in ("sbatch", "slurmctld", "munged")):
    config.available_features.add("slurm")
if glob.glob("/usr/lib/postgresql/*/bin/initdb") or shutil.which("initdb"):
    config.available_features.add("postgresql")
if shutil.which("sshd", path=daemons) and shutil.which("ssh"):
    config.available_features.add("sshd")
if shutil.which("ansible-playbook"):
    config.available_features.add("ansible")
if shutil.which("ruby"):
    config.available_features.add("ruby")
if shutil.which("chromium"):
    config.available_features.add("chromium")
if shutil.which("nvim"):
    config.available_features.add("neovim")
eglot = ["emacs", "--batch", "-q", "-f", "package-initialize", "-l", "eglot"]
if shutil.which("emacs") and subprocess.run(eglot, capture_output=True).returncode == 0:
    config.available_features.add("emacs")
if os.path.isdir(shared):
    config.available_features.add("shared")
if os.path.exists(os.path.join(config.build_dir, "lib/libtoscac.so")):
    config.available_features.add("c-library")
if config.asan:
    config.available_features.add("asan")
