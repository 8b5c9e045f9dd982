"""`make install` and `make uninstall`, on a host with a real systemd."""
import os
import tempfile
import unittest

from machine import PAGE, PROGRAM, ROOT, SCREENS, SERVICE, SOCKET, STATE, MachineTests, needs_root, output, wait_until

# What systemd-analyze says of the unit, in tenths.
EXPOSURE_MAX = 20
EXPOSURE_OF_PAGE_MAX = 62


@needs_root
class InstallTests(MachineTests):
    def uninstall(self, prefix):
        output(os.path.join(ROOT, "Scripts/uninstall"), self.machine.root, prefix)

    def test_a_phone_of_the_whole_host(self):
        self.install_and_call("/usr/local", units="/usr/local/lib/systemd/user")

    def test_a_phone_of_one_user(self):
        os.makedirs(self.machine.path("/home/ada/.local/bin"))
        self.machine.run("chown", "-R", "ada:", "/home/ada/.local")
        self.install_and_call("/home/ada/.local", units="/home/ada/.local/share/systemd/user")

    def install_and_call(self, prefix, units):
        before = self.machine.files()
        self.install(prefix)
        self.machine.boot()
        self.machine.systemctl("enable", "--now", SOCKET)
        self.assertEqual(self.machine.show("FragmentPath", SOCKET), f"{units}/{SOCKET}")
        phone = self.machine.start_phone(f"{prefix}/share/callbroker/plugins/python")
        self.assertIn("active (running)", self.machine.systemctl("status", SERVICE))
        self.machine.execute("systemd-analyze", "--user", "security", f"--threshold={EXPOSURE_MAX}", SERVICE)
        self.restart_in_a_call(phone, phone.answer())
        phone.end()
        page, shown = self.machine.start_screens()
        self.assertIn("<title>", page)
        self.assertRegex(shown, "Calls.* 0\n$")
        self.machine.execute("systemd-analyze", "--user", "security", f"--threshold={EXPOSURE_OF_PAGE_MAX}", PAGE)
        self.machine.systemctl("disable", "--now", SOCKET, SERVICE, PAGE)
        self.assertIn("inactive (dead)", self.machine.systemctl("status", SERVICE, status=3))
        self.uninstall(prefix)
        self.machine.systemctl("daemon-reload")
        self.machine.systemctl("cat", SOCKET, status=1)
        self.assertEqual(self.machine.left(before), STATE)

    def restart_in_a_call(self, phone, call):
        self.machine.systemctl("restart", SERVICE)
        self.assertEqual(phone.only_call(), call)
        killed = self.machine.show("MainPID", SERVICE)
        self.machine.systemctl("kill", "--signal=KILL", "--kill-whom=main", SERVICE)
        wait_until("another broker", lambda: self.machine.show("MainPID", SERVICE) not in (killed, "0"))
        self.assertEqual(phone.only_call(), call)


class UninstallTests(unittest.TestCase):
    """On any host, below DESTDIR."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.destination = folder.name

    def path(self, name):
        return os.path.join(self.destination, "opt/phone", name)

    def run_script(self, name, *arguments, status=0):
        return output(os.path.join(ROOT, "Scripts", name), *arguments, status=status,
                      env={**os.environ, "SCREENS": SCREENS})

    def install(self):
        self.run_script("install", PROGRAM, self.destination, "/opt/phone")

    def uninstall(self):
        self.run_script("uninstall", self.destination, "/opt/phone")

    def files(self):
        return sorted(os.path.join(folder, name) for folder, folders, names in os.walk(self.destination)
                      for name in folders + names)

    def test_what_is_of_others_stays(self):
        os.makedirs(self.path("bin"))
        os.makedirs(self.path("share/man/man1"))
        before = self.files()
        self.install()
        own = self.path("share/callbroker/plugins/own/org.example.own.plugin.json")
        os.makedirs(os.path.dirname(own))
        with open(own, "wb"):
            pass
        output("python3", "-m", "compileall", "-q", self.path("share/callbroker/plugins/python"))
        self.uninstall()
        left = {"share", "share/callbroker", "share/callbroker/plugins", "share/callbroker/plugins/own", own}
        self.assertEqual(set(self.files()), {*before, *map(self.path, left)})

    def test_a_later_release_removes_what_it_lacks(self):
        self.install()
        for name in ("share/callbroker/old", "bin/callbroker-old"):
            with open(self.path(name), "wb"):
                pass
            with open(self.path("share/callbroker/installed"), "a", encoding="utf-8") as file:
                file.write(f"./{name}\n")
        self.install()
        self.assertFalse(os.path.exists(self.path("share/callbroker/old")))
        self.assertEqual(os.listdir(self.path("bin")), ["callbroker"])
        self.uninstall()
        self.assertEqual(self.files(), [f"{self.destination}/opt", f"{self.destination}/opt/phone"])

    def test_plugins_in_python_are_compiled_once(self):
        """Where they are used: below DESTDIR a package is made, which compiles them on its host."""
        self.install()
        self.assertEqual([each for each in self.files() if each.endswith(".pyc")], [])
        self.uninstall()
        prefix = f"{self.destination}/opt/phone"
        self.run_script("install", PROGRAM, "", prefix)
        compiled = {os.path.basename(each).split(".")[0] for each in self.files() if each.endswith(".pyc")}
        self.assertLessEqual({"callbroker", "bus", "notifier", "keys"}, compiled)
        self.run_script("uninstall", "", prefix)
        self.assertEqual(self.files(), [f"{self.destination}/opt", prefix])

    def test_where_nothing_is_installed(self):
        said = self.run_script("uninstall", self.destination, "/opt/phone", status=1)
        self.assertEqual(said, f"uninstall: nothing is installed in {self.destination}/opt/phone: it has no "
                               "share/callbroker/installed; choose another PREFIX\n")

    def test_a_prefix_that_no_unit_can_name(self):
        said = self.run_script("install", PROGRAM, self.destination, "/opt/my phone", status=2)
        self.assertIn("PREFIX /opt/my phone has characters", said)
        self.assertEqual(self.files(), [])

    def test_a_tilde_that_the_shell_leaves(self):
        said = output("make", "-C", ROOT, "--dry-run", "uninstall", "PREFIX=~/.local", env={
            **os.environ, "HOME": "/home/ada"})
        self.assertIn('Scripts/uninstall "" "/home/ada/.local"', said)


if __name__ == "__main__":
    unittest.main()
