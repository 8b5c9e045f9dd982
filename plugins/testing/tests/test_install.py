"""A crash of `callbroker plugin update` or `remove` leaves the old plugin, the new one, or none; never
a part of one. The tool is killed at every system call by which it changes the plugin folder."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

from checking import TOOL

CHANGES = ("mkdir", "sendfile", "fsync", "renameat2", "unlink", "rmdir", "symlink")
FILES = {"manifest": "org.example.bell.plugin.json", "program": "run.sh", "data": "sounds/ring"}


def write(folder, version):
    """A plugin whose files all have its version."""
    os.makedirs(os.path.join(folder, "sounds"), exist_ok=True)
    texts = {"manifest": json.dumps({"manifest": 1, "identity": "org.example.bell", "version": version,
                                     "roles": ["provider"], "exec": ["./run.sh"]}),
             "program": f"#!/bin/sh\n# {version}\n", "data": version}
    for name, text in texts.items():
        with open(os.path.join(folder, FILES[name]), "w", encoding="utf-8") as file:
            file.write(text)
    os.chmod(os.path.join(folder, FILES["program"]), 0o755)


class CrashTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.source = os.path.join(self.folder, "bell")
        self.plugins = os.path.join(self.folder, "config", "callbroker", "plugins")

    def run_tool(self, *arguments, killed_at=None):
        wrapper = [] if killed_at is None else [
            "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + killed_at[0],
            "-e", "inject={}:signal=KILL:when={}".format(*killed_at)]
        return subprocess.run(
            [*wrapper, TOOL, "plugin", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, check=False, timeout=120,
            env={**os.environ, "XDG_CONFIG_HOME": os.path.join(self.folder, "config")})

    def versions(self):
        """The versions of the files of the plugin that a broker would find; empty without one."""
        place = os.path.join(self.plugins, "bell")
        if not os.path.exists(place):
            return set()
        found = set()
        for name in FILES.values():
            with open(os.path.join(place, name), encoding="utf-8") as file:
                text = file.read()
            found.add("new" if "new" in text else "old" if "old" in text else text)
        return found

    def kill_everywhere(self, *arguments, before, allowed):
        """Returns the system calls at which it was killed. All but the first runs begin with what the
        crash before has left."""
        killed = set()
        for call in CHANGES:
            for count in range(1, 100):
                before()
                done = self.run_tool(*arguments, killed_at=(call, count))
                self.assertIn(self.versions(), allowed, f"killed at {call} {count}")
                if done.returncode == 0:
                    break
                killed.add(call)
            else:
                self.fail("it never ends")
        return killed

    def test_update(self):
        def install():
            write(self.source, "old")
            if not self.versions():
                self.assertEqual(self.run_tool("install", self.source).stderr, "")
            self.assertEqual(self.run_tool("update", self.source).stderr, "")
            write(self.source, "new")
        killed = self.kill_everywhere(
            "update", self.source, before=install, allowed=[{"old"}, {"new"}])
        self.assertEqual(killed, {"mkdir", "sendfile", "fsync", "renameat2", "unlink", "rmdir"})
        self.assertEqual(self.versions(), {"new"})
        self.assertEqual(sorted(os.listdir(self.plugins)), [".lock", "bell"])

    def test_install(self):
        def remove():
            write(self.source, "new")
            if self.versions():
                self.assertEqual(self.run_tool("remove", "bell").stderr, "")
        killed = self.kill_everywhere(
            "install", self.source, before=remove, allowed=[set(), {"new"}])
        self.assertEqual(killed, {"mkdir", "sendfile", "fsync", "renameat2"})

    def test_remove(self):
        def install():
            write(self.source, "old")
            if not self.versions():
                self.assertEqual(self.run_tool("install", self.source).stderr, "")
        killed = self.kill_everywhere("remove", "bell", before=install, allowed=[{"old"}, set()])
        self.assertEqual(killed, {"fsync", "renameat2", "unlink", "rmdir"})
        self.assertEqual(os.listdir(self.plugins), [".lock"])


if __name__ == "__main__":
    unittest.main()
