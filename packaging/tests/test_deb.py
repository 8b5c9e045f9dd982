"""The Debian packages, from building to purging, on a Debian with a real systemd."""
import glob
import os
import re
import shutil
import tempfile
import unittest

from machine import PAGE, ROOT, SERVICE, SOCKET, STATE, MachineTests, needs_root, output
from packages import LATER, build_packages, later_release

NAMES = ["callbroker", "callbroker-plugins", "callbroker-screens", "libcallbroker-dev", "libcallbroker0",
         "node-callbroker", "python3-callbroker"]
BYTES_MAX = 25_000_000
# Its user has enabled it, and may disable it.
ENABLED = ("home/ada/.config/systemd/user/sockets.target.wants/callbroker.socket l "
           "/usr/lib/systemd/user/callbroker.socket")


@needs_root
class DebTests(MachineTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        built = build_packages(cls.folder)
        # The machine has no network, and not the hundred libraries of a telephone with video.
        cls.telephone, = [package for package in built if "/callbroker-liblinphone_" in package]
        cls.packages = [package for package in built if package != cls.telephone]

    def apt(self, *words):
        return self.machine.execute("apt-get", "-qq", "-y", *words, user="root", DEBIAN_FRONTEND="noninteractive")

    def install_packages(self, packages):
        for package in packages:
            shutil.copy(package, self.machine.path("/var/tmp"))
        self.apt("install", "--no-install-recommends", *(
            f"/var/tmp/{os.path.basename(package)}" for package in packages))

    def test_lintian_finds_nothing(self):
        changes, = glob.glob(f"{self.folder}/*.changes")
        self.assertEqual(output("lintian", "--allow-root", "--info", "--pedantic", changes), "")

    def test_the_program_is_small(self):
        package, = glob.glob(f"{self.folder}/callbroker_*.deb")
        size, = re.findall(r"(\d+) \S+ \S+ \./usr/bin/callbroker\n", output("dpkg-deb", "--contents", package))
        self.assertLess(int(size), BYTES_MAX)

    def test_from_installing_to_purging_with_a_call_in_between(self):
        before = self.machine.files()
        self.machine.boot()
        self.install_packages(self.packages)
        self.machine.systemctl("enable", "--now", SOCKET)
        phone = self.machine.start_phone()
        call = phone.answer()
        self.upgrade(phone, call)
        phone.end()
        self.machine.systemctl("is-active", SERVICE)
        self.apt("purge", *NAMES)
        self.assertEqual(self.machine.systemctl("is-active", SERVICE, SOCKET, status=3), "inactive\ninactive\n")
        self.assertEqual({name for name in self.machine.left(before) if not name.startswith("var/tmp/")},
                         {*STATE, ENABLED})

    def upgrade(self, phone, call):
        """Does not touch the running broker; its user's restart does not touch the call."""
        running = self.machine.show("MainPID", SERVICE)
        self.install_packages(later_release(self.packages, self.folder))
        self.assertIn(LATER, self.machine.execute("dpkg-query", "-W", "callbroker"))
        self.assertEqual((self.machine.show("MainPID", SERVICE), phone.only_call()), (running, call))
        self.machine.systemctl("daemon-reload")
        self.machine.systemctl("restart", SERVICE)
        self.assertNotEqual(self.machine.show("MainPID", SERVICE), running)
        self.assertEqual(phone.only_call(), call)

    def test_the_sdks_and_plugins_are_found(self):
        self.machine.boot()
        self.install_packages(self.packages)
        plugins = "/usr/share/callbroker/plugins"
        for program in (f"{plugins}/baresip/baresip_provider.py", "/usr/lib/callbroker/linphone_provider"):
            self.assertIn("--socket", self.machine.execute(program, "--help"))
        self.assertIn("created bell", self.machine.execute(
            "env", "--chdir=/home/ada", "callbroker", "plugin", "new", "node", "bell"))
        self.machine.execute("test", "-x", "/home/ada/bell/bell.js")
        self.machine.execute("node", "-e", "require('callbroker').newId()")
        self.assertIn("lost, trying again", self.run_telephone(BROKER_SOCKET="/nobody"))

    def test_both_screens_start(self):
        self.machine.boot()
        self.install_packages(self.packages)
        self.machine.systemctl("enable", "--now", SOCKET)
        page, shown = self.machine.start_screens()
        self.assertIn("<title>", page)
        self.assertRegex(shown, "Calls.* 0\n$")
        self.apt("purge", "callbroker-screens")
        self.assertEqual(self.machine.systemctl("is-active", PAGE, status=3), "inactive\n")
        self.assertIn("install the package callbroker-screens", self.machine.execute("callbroker", "phone", status=2))

    def test_the_telephone_over_liblinphone_is_a_package_of_its_own(self):
        needs = output("dpkg-deb", "--field", self.telephone, "Depends")
        self.assertIn("liblinphone", needs)
        self.assertIn("callbroker", needs.replace("libcallbroker", ""))
        with tempfile.TemporaryDirectory() as parts:
            output("dpkg-deb", "--extract", self.telephone, parts)
            self.assertIn("--socket", output(f"{parts}/usr/lib/callbroker/liblinphone_provider", "--help"))
            self.assertIn("org.callbroker.liblinphone.plugin.json",
                          os.listdir(f"{parts}/usr/share/callbroker/plugins/liblinphone"))

    def run_telephone(self, **environment):
        """The example in C, built with the header and the library of the package."""
        library, = glob.glob(self.machine.path("/usr/lib/*/libcallbroker.so"))
        output("cc", os.path.join(ROOT, "plugins/sdk/c/examples/telephone.c"), "-o",
               self.machine.path("/home/ada/telephone"), "-I", self.machine.path("/usr/include"),
               "-L", os.path.dirname(library), "-lcallbroker", "-ljansson")
        return self.machine.execute("/home/ada/telephone", **environment)


if __name__ == "__main__":
    unittest.main()
