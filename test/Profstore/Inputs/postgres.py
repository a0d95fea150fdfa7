#!/usr/bin/env python3
"""postgres.py COMMAND [ARGUMENT...]

Runs COMMAND with a PostgreSQL server of its own: started for it in a temporary
directory, reachable by a socket there and by no network, and stopped with it.
The command finds it by PGHOST, PGPORT and PGUSER, so that postgresql:///profiles
is an empty database that the user `postgres' owns.

The user `guarded', if the command makes it, needs a password; others need none.

The server refuses to run as root. Root runs it as the user `postgres' that
Debian's package makes; others run it as themselves.

  --check            succeeds if a server can be started here
  --restart MODE     restarts the server that the environment tells of; MODE as
                     pg_ctl has it: fast throws everybody out, immediate is a
                     crash
  --keep-alive FILE  write the environment to FILE and wait for SIGTERM instead
                     of running a command
"""

import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

PORT = "54329"


def server_directory():
    """Where initdb and postgres are: on PATH, or in Debian's place."""
    on_path = shutil.which("initdb")
    if on_path:
        return os.path.dirname(os.path.realpath(on_path))

    def version(path):
        return [int(n) for n in re.findall(r"\d+", path)]

    places = glob.glob("/usr/lib/postgresql/*/bin") + glob.glob("/usr/pgsql-*/bin")
    return max(places, key=version) if places else None


def as_server_user(command):
    if os.getuid() == 0:
        return ["runuser", "-u", "postgres", "--"] + command
    return command


class Server:
    def __init__(self):
        self.binaries = server_directory()
        if not self.binaries:
            sys.exit("postgres.py: no PostgreSQL server is installed")
        # Names of sockets are short.
        self.directory = tempfile.mkdtemp(prefix="inlay-pg-", dir="/tmp")
        if os.getuid() == 0:
            shutil.chown(self.directory, "postgres")
        os.chmod(self.directory, 0o755)
        self.data = os.path.join(self.directory, "data")
        self.log = os.path.join(self.directory, "log")
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "postgres",
                 "-E", "UTF8", "--no-locale", "--no-sync")

        with open(os.path.join(self.data, "pg_hba.conf"), "w") as rules:
            rules.write("local all guarded scram-sha-256\nlocal all all trust\n")

    def run(self, program, *arguments):
        command = [os.path.join(self.binaries, program), *arguments]
        done = subprocess.run(as_server_user(command), capture_output=True,
                              text=True, cwd="/", stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            log = open(self.log).read() if os.path.exists(self.log) else ""
            sys.exit(f"postgres.py: {program} failed: {done.stderr}{log}")

    def start(self):
        options = (f"-c listen_addresses= -c unix_socket_directories={self.directory}"
                   f" -c port={PORT} -c unix_socket_permissions=0777"
                   " -c max_connections=200")
        # Output goes to a file: a pipe would stay open as long as the server.
        self.run("pg_ctl", "start", "-w", "-D", self.data, "-l", self.log,
                 "-o", options)

    def stop(self, mode="fast"):
        command = [os.path.join(self.binaries, "pg_ctl"), "stop", "-m", mode,
                   "-w", "-D", self.data]
        subprocess.run(as_server_user(command), capture_output=True, cwd="/")

    def remove(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def environment(self):
        return {"PGHOST": self.directory, "PGPORT": PORT, "PGUSER": "postgres",
                "PG_BIN": self.binaries, "PG_LOG": self.log}


def main():
    if sys.argv[1:2] in ([], ["-h"], ["--help"]):
        print(__doc__)
        return 0
    if sys.argv[1] == "--check":
        if not server_directory():
            return 1
        done = subprocess.run(as_server_user(["true"]), capture_output=True)
        return done.returncode

    if sys.argv[1] == "--restart":
        # It starts with the options it had.
        command = [os.path.join(os.environ["PG_BIN"], "pg_ctl"), "restart", "-w",
                   "-m", sys.argv[2], "-D", os.path.join(os.environ["PGHOST"], "data"),
                   "-l", os.environ["PG_LOG"]]
        return subprocess.run(as_server_user(command), capture_output=True, cwd="/",
                              stdin=subprocess.DEVNULL).returncode

    server = Server()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(143))
    try:
        server.start()
        environment = server.environment()
        server.run("createdb", "-h", server.directory, "-p", PORT, "-U", "postgres",
                   "profiles")
        if sys.argv[1] == "--keep-alive":
            with open(sys.argv[2] + ".new", "w") as file:
                for name, value in environment.items():
                    file.write(f"export {name}={value}\n")
            os.rename(sys.argv[2] + ".new", sys.argv[2])
            signal.pause()
            return 0
        return subprocess.run(sys.argv[1:], env={**os.environ, **environment}).returncode
    finally:
        server.stop()
        server.remove()


if __name__ == "__main__":
    sys.exit(main())
