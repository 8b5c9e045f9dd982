"""A baresip with an account, at a real registrar. The broker is the program CALLBROKER, or
.build/debug/callbroker of this repository."""
import os
import signal
import socket
import subprocess
import sys
import unittest
from types import SimpleNamespace

import lab
from callbroker import BrokerError
from test_hold_and_answer import World

PASSWORD = "Xyzzy;, <plugh>'s"


class AccountWorld(World):
    """A broker, and programs that start a baresip each."""

    def setUp(self):
        super().setUp()
        self.daemon = lab.Daemon(self, self.folder)
        self.asker = self.user(self.daemon)
        self.addCleanup(self.end_them)

    def registrar(self, **options):
        return lab.Kamailio(self, self.folder, passwords={"ann": PASSWORD, "bob": "other"},
                            **options)

    def file(self, text=PASSWORD, mode=0o600, name="password"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        os.chmod(path, mode)
        return "file:" + path

    def own(self, name):
        return os.path.join(self.folder, "own-" + name)

    def start(self, *options, name="ann", **environment):
        return lab.Program(self, self.folder, name, [
            sys.executable, os.path.join(lab.PLUGIN, "baresip_provider.py"),
            "--identity", "org.example." + name, "--socket", self.daemon.socket,
            "--memory", os.path.join(self.folder, name + ".json"), "--sound", "tone",
            "--folder", self.own(name), "--verbose", *options],
            environment={**os.environ, **environment})

    def account(self, registrar, *options, user="ann", port=None, password=None, **more):
        return self.start("--account", f"sip:{user}@127.0.0.1:{port or registrar.sip}",
                          "--password", password or self.file(), *options, **more)

    def end_them(self):
        for folder in os.listdir(self.folder):
            lab.kill_all(lab.processes("baresip", os.path.join(self.folder, folder)))

    def line(self, name="ann"):
        for provider in self.asker.list_providers().result(lab.CEILING)["providers"]:
            if provider["provider"] == "org.example." + name:
                return next(iter(provider.get("lines", [])), {})
        return {}

    def wait_for_line(self, name="ann", **members):
        lab.wait_until(lambda: f"the line of {name} is not {members}: {self.line(name)}",
                       lambda: {**self.line(name), **members} == self.line(name) != {})

    def call_through(self, port, user="ann", name="carol"):
        """Somebody calls a user at a port; the call goes through it."""
        caller = lab.Caller(self, self.folder, name, SimpleNamespace(user=user, sip=port))
        call = self.until(self.asker, lambda call: call.get("display_name") == name)
        self.asker.answer(call, wait="completed").result(lab.CEILING)
        self.asker.end(call, wait="completed").result(lab.CEILING)
        self.over(caller)

    def assert_is_nowhere(self, *programs):
        """The password is on no command line, in no log and in no file of theirs."""
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/cmdline", "rb") as file:
                    self.assertNotIn(PASSWORD.encode(), file.read())
            except (FileNotFoundError, ProcessLookupError):
                pass
        for program in programs:
            self.assertNotIn(PASSWORD, program.said())
        for folder, _, names in os.walk(self.own("ann")):
            self.assertEqual(os.stat(folder).st_mode & 0o077, 0)
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(PASSWORD.encode(), file.read(), name)


class RegistrationTests(AccountWorld):
    def test_it_is_registered_and_called_over_each_transport(self):
        registrar = self.registrar()
        for transport in ("udp", "tcp", "tls"):
            with self.subTest(transport=transport):
                port = registrar.tls if transport == "tls" else registrar.sip
                program = self.account(registrar, "--transport", transport, port=port)
                self.wait_for_line(state="registered", line=f"sip:ann@127.0.0.1:{port}")
                self.assertIn(("ann", transport, port, None), registrar.asked())
                self.assertEqual(len(registrar.contacts("ann")), 1)
                self.call_through(registrar.sip, name=transport)
                self.assert_is_nowhere(program)
                program.kill(signal.SIGTERM)
                lab.wait_until("it stays registered", lambda: not registrar.contacts("ann"))

    def test_what_the_registrar_refuses_is_seen_with_its_words(self):
        registrar = self.registrar(refusals={"bob": "403 Account Blocked"})
        self.account(registrar, password=self.file("wrong"))
        self.account(registrar, user="bob", name="bob", password=self.file("other", name="other"))
        self.wait_for_line("ann", state="failed", reason="401 Unauthorized")
        self.wait_for_line("bob", state="failed", reason="403 Account Blocked")
        asked = len(registrar.asked(user="ann"))
        self.assertLess(asked, 40, "it asks in a loop")
        for verb in ("providers", "line"):
            said, status = self.daemon.tool(verb)
            self.assertEqual(status, 0)
            for user, answer in (("ann", "401 Unauthorized"), ("bob", "403 Account Blocked")):
                self.assertRegex(said, rf"{user}@127\.0\.0\.1:{registrar.sip} .*failed: {answer}")
        said, _ = self.daemon.tool("doctor")
        self.assertIn(f"line: sip:bob@127.0.0.1:{registrar.sip} of org.example.bob: failed: 403 "
                      "Account Blocked", said)

    def test_a_registrar_that_cannot_be_reached_is_seen(self):
        nowhere = SimpleNamespace(sip=lab.free_ports(1))
        self.account(nowhere, "--transport", "tcp")
        self.wait_for_line(state="failed", reason="Connection refused")

    def test_a_registration_is_renewed_before_it_expires_and_expires_without_it(self):
        registrar = self.registrar(expires=3)
        program = self.account(registrar)
        self.wait_for_line(state="registered")
        registrar.forget("ann")                 # and the registrar has lost its memory
        lab.wait_until("it is not renewed", lambda: registrar.contacts("ann"))
        lab.wait_until("it is not renewed again",
                       lambda: registrar.answered("ann").count("200") >= 4)
        program.kill()
        for process in lab.processes("baresip", self.own("ann")):
            os.kill(process, signal.SIGKILL)    # and cannot say goodbye
        lab.wait_until("it does not expire", lambda: not registrar.contacts("ann"))

    def test_a_registration_goes_to_the_registrar_or_through_the_proxy(self):
        registrar = self.registrar(domains=["example.test"])
        for option, port in (("--registrar", registrar.sip), ("--outbound-proxy", registrar.proxy)):
            with self.subTest(option=option):
                program = self.start("--account", "ann@example.test", "--password", self.file(),
                                     option, f"sip:127.0.0.1:{port}")
                self.wait_for_line(state="registered", line="sip:ann@example.test")
                user, transport, at, route = registrar.asked()[-1]
                self.assertEqual((user, transport, at), ("ann", "udp", port))
                self.assertIn(f"127.0.0.1:{port}", route)
                program.kill(signal.SIGTERM)

    def test_an_account_that_baresip_has_is_not_made_again(self):
        registrar = self.registrar()
        program = self.account(registrar)
        self.wait_for_line(state="registered")
        caller = lab.Caller(self, self.folder, "carol",
                            SimpleNamespace(user="ann", sip=registrar.sip))
        call = self.until(self.asker, lambda call: call.get("display_name") == "carol")
        self.asker.answer(call, wait="completed").result(lab.CEILING)
        first = lab.processes("baresip", self.own("ann"))
        program.kill()                          # baresip goes on, on the ports that it has
        self.account(registrar).wait_for("attached, 1 calls")
        self.assertEqual(lab.processes("baresip", self.own("ann")), first)
        self.asker.end(call, wait="completed").result(lab.CEILING)
        self.over(caller)
        self.assertEqual(len(registrar.contacts("ann")), 1)
        self.assertEqual(registrar.answered("ann").count("200"), 1)

    def test_calls_have_the_address_that_stun_reports(self):
        stun = lab.StunServer(self)
        registrar = self.registrar()
        self.account(registrar, "--stun", f"127.0.0.1:{stun.port}")
        self.wait_for_line(state="registered")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as callee:
            callee.bind(("127.0.0.1", 0))
            callee.settimeout(lab.CEILING)
            self.asker.start({"type": "generic", "value": "sip:x@127.0.0.1:%d" %
                              callee.getsockname()[1]}, provider="org.example.ann")
            invite = callee.recv(65_536).decode()
        self.assertRegex(invite, r"(?m)^c=IN IP4 192\.0\.2\.7\r$")
        self.assertGreater(stun.asked, 0)

    def test_numbers_go_to_the_gateway_and_nowhere_without_one(self):
        registrar = self.registrar()
        gateway = lab.Callee(self, self.folder, "gateway", "486 Busy Here")
        self.account(registrar)
        self.account(registrar, "--gateway", f"sip:127.0.0.1:{gateway.sip}", user="bob",
                     name="bob", password=self.file("other", name="other"))
        for name in ("ann", "bob"):
            self.wait_for_line(name, state="registered")
        schemes = {each["provider"]: (each["url_schemes"], each["handle_types"])
                   for each in self.asker.list_providers().result(lab.CEILING)["providers"]}
        self.assertEqual(schemes, {
            "org.example.ann": (["sip", "sips"], ["generic"]),
            "org.example.bob": (["sip", "sips", "tel"], ["generic", "phone"])})
        self.asker.dial("tel:+1-555-0100", wait="accepted").result(lab.CEILING)
        self.assertEqual(gateway.wait(), 0, gateway.said())
        lab.wait_until("it does not end", lambda: not self.asker.calls)
        ended, = self.asker.request("history.list", {}).result(lab.CEILING)["entries"]
        self.assertEqual((ended["provider"], ended["remote"]["value"]),
                         ("org.example.bob", "+15550100"))
        with self.assertRaises(BrokerError) as caught:
            self.asker.start({"type": "phone", "value": "+15550100"}, provider="org.example.ann",
                             wait="completed").result(lab.CEILING)
        self.assertIn("--gateway", str(caught.exception.data))


class PasswordTests(AccountWorld):
    """Where the password comes from."""

    def test_it_comes_from_a_credential_of_systemd(self):
        registrar = self.registrar()
        self.file(name="sip", mode=0o440)
        program = self.account(registrar, password="credential:sip",
                               CREDENTIALS_DIRECTORY=self.folder)
        self.wait_for_line(state="registered")
        self.assert_is_nowhere(program)

    def test_it_comes_from_the_keyring(self):
        registrar, keyring = self.registrar(), self.keyring()

        def is_stored():
            return subprocess.run(
                ["secret-tool", "store", "--label=SIP", "service", "sip", "user", "ann"],
                input=PASSWORD, text=True, check=False, timeout=lab.CEILING,
                env={**os.environ, **keyring}).returncode == 0
        lab.wait_until("the keyring takes no password", is_stored)
        program = self.account(registrar, password="keyring:service=sip,user=ann", **keyring)
        self.wait_for_line(state="registered")
        self.assert_is_nowhere(program)
        other = self.account(registrar, password="keyring:service=sip,user=bob", name="bob",
                             **keyring)
        self.assertEqual(other.wait(), 1)
        self.assertIn("secret-tool store --label=SIP service sip user bob", other.said())

    def keyring(self):
        """A bus with an unlocked keyring of its own; what programs need to find it."""
        home = os.path.join(self.folder, "home")
        os.makedirs(home, mode=0o700)
        address = "unix:path=" + os.path.join(self.folder, "bus")
        environment = {"DBUS_SESSION_BUS_ADDRESS": address, "HOME": home,
                       "XDG_RUNTIME_DIR": home, "XDG_DATA_HOME": home}
        lab.Program(self, self.folder, "dbus", ["dbus-daemon", "--session", "--nofork",
                                                "--address", address],
                    environment={**os.environ, **environment})
        lab.wait_until("there is no bus", lab.is_listening, os.path.join(self.folder, "bus"))
        read, write = os.pipe()
        os.write(write, b"\n")                  # an empty password, and nobody to ask for it
        os.close(write)
        with open(os.path.join(self.folder, "keyring.log"), "wb") as log:
            process = subprocess.Popen(
                ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
                stdin=read, stdout=log, stderr=log, env={**os.environ, **environment})
        os.close(read)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        lab.wait_until("there is no keyring", lab.has_name, {**os.environ, **environment},
                       "org.freedesktop.secrets")
        return environment

    def test_what_cannot_be_used_is_refused_without_a_word_of_it(self):
        for password, said in (
                (self.file(mode=0o644, name="public"), "others may read"),
                (self.file(mode=0o640, name="group"), "others may read"),
                ("file:/nowhere/x", "cannot be read"),
                ("credential:sip", "LoadCredential=sip:PATH"),
                (PASSWORD, "expected file:PATH"),
                (self.file('a"b', name="quoted"), "a quotation mark"),
                (self.file("", name="empty"), "is empty")):
            with self.subTest(said=said):
                program = self.start("--account", "sip:ann@127.0.0.1", "--password", password)
                self.assertEqual(program.wait(), 1)
                self.assertIn(said, program.said())
                self.assertNotIn(PASSWORD, program.said())


class PortTests(AccountWorld):
    def test_four_telephones_start_at_once_without_a_word_about_ports(self):
        names = ("one", "two", "three", "four")
        programs = [self.start("--start", "--user", name, name=name) for name in names]
        for program in programs:
            program.wait_for("attached")
        lines = [self.wait_for_line(name, state="registered") or self.line(name) for name in names]
        ports = [int(line["line"].rpartition(":")[2]) for line in lines]
        self.assertEqual(len(set(ports)), 4, ports)
        for name, port in zip(names, ports):
            self.call_through(port, user=name, name="caller-" + name)

    def test_only_this_host_calls_it_unless_its_user_chooses_otherwise(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.99", 9))    # nothing is sent
            here = probe.getsockname()[0]
        self.assertFalse(here.startswith("127."), "this host has no address but loopback")
        for name, options, answers in (("near", (), False),
                                       ("far", ("--address", "0.0.0.0"), True)):
            with self.subTest(name=name):
                program = self.start("--start", *options, name=name)
                program.wait_for("attached")
                port = int(program.said().split("for calls at ")[-1].split("\n")[0].split(":")[1])
                self.assertEqual(self.is_answered(here, port), answers)

    @staticmethod
    def is_answered(host, port):
        """Whether a telephone answers there."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
            asker.bind((host, 0))
            asker.settimeout(lab.CEILING)
            asker.connect((host, port))
            via = f"{host}:{asker.getsockname()[1]}"
            asker.send((f"OPTIONS sip:x@{host}:{port} SIP/2.0\r\n"
                        f"Via: SIP/2.0/UDP {via};branch=z9hG4bK1\r\n"
                        f"From: <sip:a@{host}>;tag=1\r\nTo: <sip:x@{host}>\r\nCall-ID: 1\r\n"
                        "CSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n").encode())
            try:
                return asker.recv(4_096).startswith(b"SIP/2.0 ")
            except ConnectionRefusedError:
                return False


if __name__ == "__main__":
    unittest.main()
