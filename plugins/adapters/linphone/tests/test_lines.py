"""The accounts of a real linphone-daemon are lines: sipp is their registrars, and the broker is the
program CALLBROKER, or .build/debug/callbroker of this repository."""
import shutil
import tempfile
import unittest

import lab
from callbroker import Controller, ProviderFailed

LINDA = "org.example.linda"


class LineTests(unittest.TestCase):
    """`linda` has an account that is registered and one that is refused."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.daemon = lab.Daemon(self, self.folder)
        self.user = Controller("user", socket=self.daemon.socket)
        self.user.__enter__()
        self.addCleanup(self.user.__exit__)
        registrars = [lab.Registrar(self, self.folder, name, status) for name, status in
                      (("work", "200 OK"), ("shop", "403 Forbidden"))]
        self.work, self.shop = (f"sip:{each.name}@127.0.0.1:{each.sip}" for each in registrars)
        sound = lab.Sound(self, self.folder)
        self.linda = lab.Linphone(self, self.folder, "linda", sound, accounts="".join(
            lab.LINPHONE_ACCOUNT.format(number=number, port=each.sip, identity=(
                f'"{each.name.title()}" <sip:{each.name}@127.0.0.1:{each.sip}>'))
            for number, each in enumerate(registrars)) + "[sip]\ndefault_proxy=0\n")
        self.addCleanup(self.linda.process.kill)    # it would wait to be unregistered
        self.program = lab.provider(self, self.folder, self.linda, self.daemon.socket, LINDA)
        self.program.wait_for("registered")

    def lines(self):
        """The lines of linda, by id."""
        providers = self.user.list_providers().result(lab.CEILING)["providers"]
        return {line["line"]: line for provider in providers
                if provider["provider"] == LINDA for line in provider.get("lines", [])}

    def wait_for_line(self, line, **members):
        lab.wait_until(lambda: f"{line} is not {members}: {self.lines()}", lambda: {
            **self.lines().get(line, {}), **members} == self.lines().get(line))

    def test_accounts_are_seen_with_their_states(self):
        self.wait_for_line(self.shop, state="failed", label="Shop", default=False,
                           reason="403 Forbidden")
        self.wait_for_line(self.work, state="registered", label="Work", default=False)
        self.assertEqual(list(self.lines()), [self.work, self.shop])

    def test_a_start_goes_out_from_the_default_of_linphone_and_names_no_line(self):
        self.wait_for_line(self.work, state="registered")
        callee = lab.Baresip(self, self.folder, "ann")
        remote = {"type": "generic", "value": f"sip:ann@localhost:{callee.sip}"}
        with self.assertRaises(ProviderFailed) as raised:
            self.user.start(remote, provider=LINDA, line=self.work,
                            wait="completed").result(lab.CEILING)
        self.assertEqual(raised.exception.data["provider_error"]["reason"], "line_not_selectable")
        started = self.user.start(remote, provider=LINDA, wait="completed").result(lab.CEILING)
        call = self.user.get_call(call=started["actions"][-1]["call"]).result(lab.CEILING)
        self.assertNotIn("line", call)
        lab.wait_until(lambda: f"no call of the default: {callee.said()}",
                       lambda: "sip:work@" in callee.said())
        self.user.end(call["call"], wait="completed").result(lab.CEILING)


if __name__ == "__main__":
    unittest.main()
