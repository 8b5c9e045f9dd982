"""The accounts of the telephone are lines: sipp is their registrars."""
import shutil
import tempfile
import unittest

import lab


class LineTests(unittest.TestCase):
    """`linda` has an account that is registered, and one that is refused."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        registrars = [lab.Registrar(self, self.folder, name, status) for name, status in
                      (("work", "200 OK"), ("shop", "403 Forbidden"))]
        self.work, self.shop = (f"sip:{each.name}@127.0.0.1:{each.sip}" for each in registrars)
        config = "".join(lab.LINPHONE_ACCOUNT.format(number=number, port=each.sip, identity=(
            f'"{each.name.title()}" <sip:{each.name}@127.0.0.1:{each.sip}>'))
            for number, each in enumerate(registrars)) + "[sip]\ndefault_proxy=0\n"
        self.linda = lab.Side(self, self.folder, "linda", "--sound", "none", config=config)

    def lines(self):
        providers = self.linda.user.list_providers().result(lab.CEILING)["providers"]
        return {line["line"]: line for provider in providers for line in provider.get("lines", [])}

    def wait_for_line(self, line, **members):
        lab.wait_until(lambda: f"{line} is not {members}: {self.lines()}", lambda: {
            **self.lines().get(line, {}), **members} == self.lines().get(line))

    def test_accounts_are_seen_with_their_states_and_the_answers_of_their_registrars(self):
        self.wait_for_line(self.shop, state="failed", reason="403 Forbidden", label="Shop",
                           default=False)
        self.wait_for_line(self.work, state="registered", label="Work", default=True)
        self.assertEqual(list(self.lines()), [self.work, self.shop])

    def test_a_start_goes_out_from_the_line_that_is_named_and_else_from_the_default(self):
        self.wait_for_line(self.work, state="registered")
        for line, options in ((self.shop, {"line": self.shop}), (self.work, {})):
            callee = lab.Callee(self, self.folder, "callee", scenario="answering_callee.xml")
            capture = lab.Capture(self, self.folder, [self.linda.phone])
            call = self.linda.dial(f"sip:ann@localhost:{callee.sip}", **options)
            self.linda.has(call, state="active", line=line)
            self.linda.do("end", call)
            invite = next(each for each in lab.read_messages(capture) if each.what == "INVITE")
            self.assertIn(line.rpartition(":")[0], invite.headers["from"])

    def test_an_incoming_call_has_the_line_that_was_called(self):
        self.wait_for_line(self.work, state="registered")
        for called, line in ((self.work, self.work), (self.shop, self.shop),
                             (self.linda.address, None)):
            lab.caller_with(self, self.folder, self.linda.phone, "carol", to=called)
            call = self.linda.call("ringing")
            self.assertEqual(self.linda.user.calls[call].get("line"), line)
            self.linda.do("end", call)

    def test_an_account_may_register_over_tcp(self):
        port = lab.free_ports(1)
        lab.Program(self, self.folder, "home", [
            "sipp", "-sf", lab.with_status(self.folder, "home", "registrar.xml", "200 OK"), "-i",
            "127.0.0.1", "-p", str(port), "-t", "t1", "-nostdin", "-aa"])
        lab.wait_until("home does not listen", lab.has_listener, port)
        config = lab.LINPHONE_ACCOUNT.format(
            number=0, port=port, identity="<sip:home@127.0.0.1>").replace("=udp", "=tcp")
        self.linda = lab.Side(self, self.folder, "dan", "--sound", "none", config=config)
        self.wait_for_line("sip:home@127.0.0.1", state="registered")


if __name__ == "__main__":
    unittest.main()
