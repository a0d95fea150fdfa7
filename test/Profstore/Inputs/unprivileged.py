"""Runs a command as a user who may write nothing here, and prints its exit
code."""

import os
import shutil
import subprocess
import sys

os.chmod("p.db", 0o444)


def drop():
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


# Directories on the way may be closed to others: where it is must not matter.
command = [shutil.which(sys.argv[1]), *sys.argv[2:]]
done = subprocess.run(command, preexec_fn=drop)
print("exit code", done.returncode)
