"""An account of a telephone that is started, at a real registrar: what the user sees of it, and where its
password is seen."""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import phonelab
from callbroker import Controller, ProviderFailed
from wire import Capture

sys.path.insert(0, os.path.join(phonelab.ROOT, "Tests", "System", "Phones"))

from registrar import Kamailio, StunServer  # noqa: E402

PASSWORD = "geheim-4711"


class AccountTests(unittest.TestCase):
    """A subclass starts its telephone with options, and says which identity it has."""

    IDENTITY = None

    def begin(self, *options, environment=None):
        """Starts the telephone; its program."""
        raise NotImplementedError

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.daemon = phonelab.Daemon(self, self.folder)
        self.user = Controller("user", socket=self.daemon.socket)
        self.user.__enter__()
        self.addCleanup(self.user.__exit__)
        self.file = self.password_file(PASSWORD)

    def registrar(self, **members):
        self.kamailio = Kamailio(self, self.folder, **{"passwords": {"ada": PASSWORD}, **members})
        self.server = f"127.0.0.1:{self.kamailio.sip}"
        return self.kamailio

    def password_file(self, password, name="password", mode=0o600):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as output:
            output.write(password + "\n")
        os.chmod(path, mode)
        return path

    def account(self, *options, source=None, environment=None):
        """Starts the telephone with an account at the registrar."""
        self.program = self.begin(
            "--account", "sip:ada@127.0.0.1", "--registrar", self.server,
            "--password", source or "file:" + self.file, *options, environment=environment)
        return self.program

    def line(self):
        found = [line for provider in self.user.list_providers().result(phonelab.CEILING)["providers"]
                 if provider["provider"] == self.IDENTITY for line in provider.get("lines", [])]
        return found[0] if found else {}

    def wait_for_line(self, **members):
        with contextlib.suppress(AssertionError):
            return phonelab.wait_until("", lambda: {**self.line(), **members} == self.line())
        raise AssertionError(f"the line is not {members}: {self.line()}\n{self.program.said()}")

    def registered(self):
        self.wait_for_line(line="sip:ada@127.0.0.1", state="registered")
        self.assertEqual(len(self.kamailio.contacts("ada")), 1)

    def assert_secret(self):
        """The password is on no command line, in no log, and in no file that others may read."""
        for number in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{number}/cmdline", "rb") as file:
                self.assertNotIn(PASSWORD.encode(), file.read())
        self.assertNotIn(PASSWORD, self.program.said())
        for above, _, names in os.walk(self.folder):
            for path in (os.path.join(above, name) for name in names):
                if "registrar" in path or not os.path.isfile(path) or os.path.islink(path):
                    continue
                # One that is being written may have got its name by now.
                with contextlib.suppress(FileNotFoundError), open(path, "rb") as file:
                    has_password = PASSWORD.encode() in file.read()
                    self.assertFalse(has_password and os.fstat(file.fileno()).st_mode & 0o077, path)
                    self.assertFalse(has_password and "log" in os.path.basename(path), path)

    def test_it_is_registered_and_called_there(self):
        self.registrar()
        self.account()
        self.registered()
        self.assert_secret()
        caller = phonelab.Baresip(self, self.folder, "zoe")
        caller.command("dial", f"sip:ada@{self.server}")
        call = phonelab.wait_until("it does not ring", lambda: next(iter(
            self.user.list_calls().result(phonelab.CEILING)["calls"]), None))
        self.assertEqual(call["state"], "ringing")
        self.user.end(call["call"], wait="completed").result(phonelab.CEILING)

    def test_over_tcp_and_through_an_outbound_proxy(self):
        self.registrar()
        self.account("--transport", "tcp", "--outbound-proxy", f"127.0.0.1:{self.kamailio.proxy}")
        self.registered()
        asked = self.kamailio.asked(user="ada")[-1]
        self.assertEqual(asked[1].lower(), "tcp")

    def test_over_tls_a_registrar_without_a_known_certificate_gets_nothing(self):
        self.registrar()
        self.server = f"127.0.0.1:{self.kamailio.tls}"
        self.account("--transport", "tls")
        self.wait_for_line(state="failed")
        self.assertEqual(self.kamailio.asked(user="ada"), [])

    def test_a_server_of_stun_is_asked_before_a_call(self):
        self.registrar()
        server = StunServer(self)
        self.account("--stun", f"127.0.0.1:{server.port}", "--address", "0.0.0.0")
        self.registered()
        capture = Capture(self, self.folder, [self.kamailio])
        with self.assertRaises(ProviderFailed):     # nobody has that name
            self.user.start({"type": "generic", "value": f"sip:kim@{self.server}"},
                            provider=self.IDENTITY, wait="completed").result(phonelab.CEILING)
        capture.finish()
        with open(capture.file, "rb") as file:
            said = file.read()
        self.assertNotIn(b"c=IN IP4 0.0.0.0", said)
        self.assertIn(b"a=candidate:", said)
        self.assertGreater(server.asked, 0)

    def test_another_name_for_the_password(self):
        self.registrar()
        self.account("--auth-user", "ada")
        self.registered()

    def test_a_wrong_password_is_seen_and_not_tried_for_ever(self):
        self.registrar()
        self.account(source="file:" + self.password_file("falsch", "wrong"))
        self.wait_for_line(state="failed", **self.reason("401 Unauthorized"))
        tried = len(self.kamailio.asked(user="ada"))
        self.assertLess(tried, 6)

    def test_one_that_is_forbidden_is_seen_with_the_words_of_the_registrar(self):
        self.registrar(refusals={"ada": "403 Forbidden"})
        self.account()
        self.wait_for_line(state="failed", **self.reason("403 Forbidden"))

    def test_one_that_cannot_be_reached_is_seen(self):
        self.server = f"127.0.0.1:{phonelab.free_ports(1)}"
        self.account("--transport", "tcp")
        self.wait_for_line(state="failed")

    def test_a_registration_that_expires_is_renewed(self):
        self.registrar(expires=4)
        self.account()
        self.registered()
        before = self.kamailio.answered("ada").count("200")
        phonelab.wait_until("it is not renewed", lambda: self.kamailio.answered(
            "ada").count("200") > before)
        self.assertEqual(len(self.kamailio.contacts("ada")), 1)
        self.wait_for_line(state="registered")

    def test_the_password_of_systemd(self):
        self.registrar()
        self.account(source="credential:password", environment={"CREDENTIALS_DIRECTORY": self.folder})
        self.registered()

    def test_the_password_of_a_keyring(self):
        self.registrar()
        self.account(source="keyring:service=sip,user=ada", environment=self.keyring())
        self.registered()
        self.assert_secret()

    def keyring(self):
        """A session with a keyring of its own that has the password; its environment."""
        home = os.path.join(self.folder, "keyring")
        os.mkdir(home, 0o700)
        environment = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "XDG_DATA_HOME": home,
                       "XDG_CONFIG_HOME": home}
        bus = phonelab.Program(self, self.folder, "bus", [
            "dbus-daemon", "--session", "--nofork", "--print-address",
            f"--address=unix:path={home}/bus"], environment)
        phonelab.wait_until("there is no bus", phonelab.is_listening, home + "/bus")
        environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={home}/bus"
        keyring = subprocess.Popen(["gnome-keyring-daemon", "--foreground", "--unlock",
                                    "--components=secrets"], env=environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        keyring.stdin.write(b"unlocked")
        keyring.stdin.close()
        self.addCleanup(keyring.wait)
        self.addCleanup(keyring.terminate)
        self.assertIsNotNone(bus)
        # A secret that is stored before would start another keyring, which is locked.
        phonelab.wait_until("there is no keyring", phonelab.has_name, environment,
                            "org.freedesktop.secrets")

        def is_stored():
            return subprocess.run(["secret-tool", "store", "--label=SIP", "service", "sip", "user",
                                   "ada"], env=environment, input=PASSWORD.encode(), check=False,
                                  capture_output=True, timeout=phonelab.CEILING).returncode == 0
        phonelab.wait_until("the keyring takes no password", is_stored)
        return environment

    def test_what_is_wrong_with_a_password_is_said(self):
        self.server = "127.0.0.1:9"
        open_to_all = self.password_file("x", "open", 0o644)
        for source, said in (
                ("geheim-x", "expected file:PATH, keyring:"), ("file:/nowhere", "cannot be read"),
                ("file:" + open_to_all, "others may read"),
                ("credential:x", "there is no CREDENTIALS_DIRECTORY"),
                ("file:" + self.password_file("", "empty"), "is empty"),
                ("keyring:service", "expected file:PATH, keyring:")):
            with self.subTest(source=source):
                program = self.account(source=source, environment={"CREDENTIALS_DIRECTORY": ""})
                self.assertNotEqual(program.wait(), 0)
                self.assertIn(said, program.said())
                self.assertNotIn("geheim-x", program.said())

    def test_numbers_go_to_the_gateway_and_only_with_one(self):
        callee = phonelab.Callee(self, self.folder, "gate", "486 Busy Here")
        self.program = self.begin("--gateway", f"sip:127.0.0.1:{callee.sip}")
        remote = {"type": "phone", "value": "+1 (555) 0101"}
        provider = self.provider()
        self.assertEqual((provider["handle_types"], provider["url_schemes"]),
                         (["generic", "phone"], ["sip", "sips", "tel"]))
        with self.assertRaises(ProviderFailed):
            self.user.start(remote, provider=self.IDENTITY, wait="completed").result(phonelab.CEILING)
        self.assertEqual(callee.wait(), 0)

    def provider(self):
        return phonelab.wait_until("it does not register", lambda: next(
            (each for each in self.user.list_providers().result(phonelab.CEILING)["providers"]
             if each["provider"] == self.IDENTITY), None))

    def test_without_a_gateway_it_takes_no_numbers(self):
        self.program = self.begin()
        provider = self.provider()
        self.assertEqual((provider["handle_types"], provider["url_schemes"]),
                         (["generic"], ["sip", "sips"]))

    def test_two_telephones_have_ports_of_their_own(self):
        self.registrar(passwords={"ada": PASSWORD})
        self.account()
        self.registered()
        first = self.program
        second = self.begin(identity=self.IDENTITY + "2")
        phonelab.wait_until("the second does not register", lambda: len(
            self.user.list_providers().result(phonelab.CEILING)["providers"]) == 2)
        self.assertNotEqual(self.port(first), self.port(second))

    def test_telephones_that_start_in_the_same_moment_have_ports_of_their_own(self):
        programs = [self.begin(identity=f"{self.IDENTITY}{number}") for number in range(8)]
        addresses = [self.port(program) for program in programs]
        self.assertEqual(sorted(set(addresses)), sorted(addresses))
        self.assertEqual([phonelab.udp_sockets(int(each.rpartition(":")[2]))
                          for each in addresses], [1] * len(addresses))

    @staticmethod
    def port(program):
        """Where the telephone takes calls, as its program reports."""
        return phonelab.wait_until(f"no port: {program.said()}", lambda: [
            line for line in program.said().splitlines() if "takes calls at" in line])[0].split()[-1]

    def plugin_options(self):
        """What the manifest lets the user set."""
        with open(os.path.join(self.PLUGIN, self.MANIFEST), encoding="utf-8") as file:
            return {each["option"] for each in json.load(file)["options"]}

    def test_the_options_of_the_account_can_be_set_for_the_plugin(self):
        self.assertLessEqual({"account", "password", "auth_user", "registrar", "transport",
                              "outbound_proxy", "stun", "gateway"}, self.plugin_options())
