# The lit suite of Inlay.
#
# Tests find LLVM's tools of the version that Inlay was built for, and Inlay's
# own, on PATH. Beyond that there are these substitutions:
#
#   %clang, %clangxx    clang of that version
#   %inlay_plugin       Inlay.so
#   %clang_inlay        clang with the plugin loaded, in the way that all
#   %clangxx_inlay      supported versions take; options follow as -mllvm -inlay-...
#   %opt_inlay          opt with the plugin loaded
#   %python             Python 3
#   %cmake              the CMake that configured this build
#   %inlay_src          the source tree
#   %inlay_build        the build tree
#
# and these features:
#
#   llvm-22, llvm-19, ...  the major version
#   perf                   `perf record -e cpu-clock:u` works here
#   valgrind               valgrind is installed
#   profstore              llvm-profstore was built
#   postgresql             a PostgreSQL server can be started here
#   debuginfod             LLVM's client of debuginfod servers is there
#   mount                  file systems can be mounted, unseen by others
#   zstd                   Inlay was built with libzstd
#   asan                   Inlay was built with a sanitizer (INLAY_SANITIZE)

import os
import shutil
import subprocess
import tempfile

import lit.formats

config.name = "Inlay"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".c", ".cpp", ".ll", ".s"]
config.excludes = ["CMakeLists.txt", "Inputs", "Tools"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.inlay_build_dir, "test")

config.environment["PATH"] = os.pathsep.join(
    [config.inlay_tools_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
# Messages of the system are matched in English.
config.environment["LC_ALL"] = "C"
# A profile that the user set for builds is no business of the tests.
config.environment.pop("INLAY_PROFILE", None)

clang = os.path.join(config.llvm_tools_dir, "clang")
load_plugin = "-fplugin=%s -fpass-plugin=%s" % ((config.inlay_plugin,) * 2)
opt = os.path.join(config.llvm_tools_dir, "opt")
clang_plugin, opt_plugin = clang, opt


def address_sanitizer():
    """The runtime that a sanitized plugin needs and the compiler lacks: it must
    be loaded before all else. Only g++ links it as a shared library."""
    if "address" not in config.sanitize:
        return None
    command = [config.cxx, "-print-file-name=libasan.so"]
    path = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return os.path.realpath(path) if os.path.isabs(path) else None


if config.sanitize:
    runtime = address_sanitizer()
    if runtime:
        # What the compiler itself leaks is not ours to find.
        preload = "env LD_PRELOAD=%s ASAN_OPTIONS=detect_leaks=0 " % runtime
        clang_plugin, opt_plugin = preload + clang, preload + opt
    elif "address" in config.sanitize:
        config.excludes += ["Plugin"]
    # These call the compiler in ways of their own: through CMake, a linker,
    # another clang.
    config.excludes += ["Install", "loading.c", "loading-pass-plugin-only.c"]
    config.excludes += ["lto.c", "wrong-compiler.c"]

# The first match wins: longer names stand first.
config.substitutions += [
    ("%clangxx_inlay", clang_plugin + "++ " + load_plugin),
    ("%clang_inlay", clang_plugin + " " + load_plugin),
    ("%opt_inlay", opt_plugin + " -load-pass-plugin=" + config.inlay_plugin),
    ("%clangxx", clang + "++"),
    ("%clang", clang),
    ("%inlay_plugin", config.inlay_plugin),
    ("%inlay_src", config.inlay_source_dir),
    ("%inlay_build", config.inlay_build_dir),
    ("%python", config.python),
    ("%cmake", config.cmake),
]

config.available_features.add("llvm-%d" % config.llvm_version_major)
if config.sanitize:
    config.available_features.add("asan")
if config.zstd:
    config.available_features.add("zstd")


def perf_works():
    """perf may be missing, not allowed, or of another kernel."""
    if not shutil.which("perf"):
        return False
    with tempfile.TemporaryDirectory() as directory:
        command = ["perf", "record", "-e", "cpu-clock:u", "-o"]
        command += [os.path.join(directory, "perf.data"), "true"]
        return subprocess.run(command, capture_output=True).returncode == 0


if perf_works():
    config.available_features.add("perf")
if os.path.exists(os.path.join(config.inlay_tools_dir, "llvm-profstore")):
    config.available_features.add("profstore")
    postgres = os.path.join(config.test_source_root, "Profstore", "Inputs", "postgres.py")
    if subprocess.run([config.python, postgres, "--check"]).returncode == 0:
        config.available_features.add("postgresql")
if os.path.exists(os.path.join(config.llvm_tools_dir, "llvm-debuginfod-find")):
    config.available_features.add("debuginfod")
if shutil.which("unshare"):
    command = ["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    if subprocess.run(command, capture_output=True).returncode == 0:
        config.available_features.add("mount")
if shutil.which("valgrind"):
    config.available_features.add("valgrind")
