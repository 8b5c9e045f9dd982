"""What `make dist` packs, unpacked where nothing else is."""
import glob
import os
import re
import shutil
import tarfile
import tempfile
import unittest

from machine import PROGRAM, ROOT, Host, make_root, needs_root, output, run_in

SCENARIO = "examples/scenarios/hold-on-second-call.scenario"
TEAM = os.path.join(ROOT, "examples/team-ci")


@needs_root
class DistTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        output(os.path.join(ROOT, "Scripts/dist"), PROGRAM, cls.folder)
        cls.archive, = glob.glob(f"{cls.folder}/callbroker-*-linux-*.tar.gz")
        cls.image, = glob.glob(f"{cls.folder}/callbroker-*-image.tar")

    def setUp(self):
        self.place = tempfile.mkdtemp(dir=self.folder)

    def unpack(self, archive, folder):
        os.makedirs(folder, exist_ok=True)
        with tarfile.open(archive) as tar:
            tar.extractall(folder)
        return folder

    def copy_team(self, root):
        shutil.copytree(TEAM, f"{root}/team", ignore=shutil.ignore_patterns(".venv", "__pycache__"))

    def test_the_program_needs_nothing_but_glibc(self):
        """Where there is nothing else: no shell, and no library of others."""
        self.unpack(self.archive, self.place)
        for library in re.findall(r"(/lib\S+/(?:libc|libm|ld-linux-x86-64)\.so\.\d)", output("ldd", PROGRAM)):
            os.makedirs(self.place + os.path.dirname(library), exist_ok=True)
            shutil.copy(library, self.place + library)
        shutil.copy(os.path.join(ROOT, SCENARIO), self.place)
        os.mkdir(f"{self.place}/proc")
        output("mount", "-t", "proc", "proc", f"{self.place}/proc")     # tells a program its own place
        self.addCleanup(output, "umount", f"{self.place}/proc")
        program, = glob.glob("callbroker-*/bin/callbroker", root_dir=self.place)
        said = output("chroot", self.place, f"/{program}", "scenario", "run", "/" + os.path.basename(SCENARIO))
        self.assertIn("3 passed, 0 failed", said)

    def test_a_team_tests_with_the_archive(self):
        host = Host(make_root("python3-fastjsonschema", "python3-pytest", "python3-venv"))
        self.addCleanup(host.close)
        self.copy_team(host.root)
        folder, = glob.glob("callbroker-*", root_dir=self.unpack(self.archive, host.path("/opt")))
        host.run("python3", "-m", "venv", "--system-site-packages", "/venv")
        wheel, = glob.glob("*.whl", root_dir=host.path(f"/opt/{folder}"))
        host.run("/venv/bin/pip", "install", "--quiet", "--no-index", f"/opt/{folder}/{wheel}")
        self.assertIn("4 passed", host.run(
            "/venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "/team/tests",
            CALLBROKER=f"/opt/{folder}/bin/callbroker", PYTHONPATH=f"/opt/{folder}/share/callbroker/plugins/python"))

    def test_a_team_tests_with_the_image(self):
        layout = self.unpack(self.image, f"{self.place}/layout")
        version = output(PROGRAM, "--version").strip()
        output("umoci", "unpack", "--image", f"{layout}:callbroker:{version}", f"{self.place}/bundle")
        root = f"{self.place}/bundle/rootfs"
        self.assertEqual(run_in(root, "callbroker", "--version"), version + "\n")
        self.copy_team(root)
        self.assertIn("4 passed", run_in(
            root, "python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "/team/tests"))


if __name__ == "__main__":
    unittest.main()
