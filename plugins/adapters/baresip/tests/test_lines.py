"""The accounts of a real baresip are lines: sipp is their registrars and callers, and the broker is
the program CALLBROKER, or .build/debug/callbroker of this repository."""
import unittest
from types import SimpleNamespace

import lab
from test_hold_and_answer import World

ANN, BOB = "org.example.ann", "org.example.bob"


class LineTests(World):
    """`ann` has three accounts: her own, one that is registered, and one that is refused. The
    registrars answer when the program is attached: baresip reports each answer once."""

    def setUp(self):
        super().setUp()
        self.daemon = lab.Daemon(self, self.folder)
        self.asker = self.user(self.daemon)
        registrars = [("work", "200 OK", lab.free_ports(1)),
                      ("shop", "403 Forbidden", lab.free_ports(1))]
        accounts = [f'"{name.title()}" <sip:{name}@127.0.0.1:{port};transport=udp>'
                    ";regint=600;answermode=manual;audio_codecs=PCMU/8000/1\n"
                    for name, _, port in registrars]
        self.ann = lab.Baresip(self, self.folder, "ann", modules=("mwi",),
                               accounts=lab.ACCOUNT + "".join(accounts))
        self.own = f"sip:ann@127.0.0.1:{self.ann.sip}"
        self.work, self.shop = (f"sip:{name}@127.0.0.1:{port}" for name, _, port in registrars)
        self.addCleanup(self.ann.process.kill)  # it would wait for the end of its subscription
        self.program = self.attached(self.ann, ANN)
        for registrar in registrars:
            lab.Registrar(self, self.folder, *registrar)

    def attached(self, phone, identity):
        program = lab.provider(self, self.folder, phone, self.daemon.socket, identity)
        program.wait_for("attached")
        return program

    def lines(self):
        """The lines of ann, by id."""
        providers = self.asker.list_providers().result(lab.CEILING)["providers"]
        return {line["line"]: line for provider in providers
                if provider["provider"] == ANN for line in provider.get("lines", [])}

    def wait_for_line(self, line, **members):
        lab.wait_until(lambda: f"{line} is not {members}: {self.lines()}", lambda: {
            **self.lines().get(line, {}), **members} == self.lines().get(line))

    def incoming(self, user, name):
        """Somebody calls an account of ann; the call's id and the caller."""
        caller = lab.Caller(self, self.folder, name, SimpleNamespace(user=user, sip=self.ann.sip))
        return self.until(self.asker, lambda call: call.get("display_name") == name), caller

    def done(self, reply):
        self.assertEqual(reply.result(lab.CEILING)["state"], "completed")

    def test_accounts_are_seen_with_the_words_of_their_registrars(self):
        self.wait_for_line(self.shop, state="failed", reason="403 Forbidden", default=False)
        self.wait_for_line(self.work, state="registered", label="Work", default=False)
        self.wait_for_line(self.own, state="registered", label=self.own, default=True)
        self.assertEqual(list(self.lines()), [self.own, self.work, self.shop])

    def test_who_attaches_after_a_refusal_sees_its_code_alone(self):
        self.wait_for_line(self.shop, state="failed", reason="403 Forbidden")
        self.program.kill()
        self.program = self.attached(self.ann, ANN)
        self.wait_for_line(self.shop, state="failed", reason="403")

    def test_waiting_messages_are_seen(self):
        self.wait_for_line(self.work, messages_waiting=3, voicemail={
            "type": "generic", "value": "sip:voicemail@127.0.0.1"})
        self.assertNotIn("messages_waiting", self.lines()[self.own])

    def test_calls_of_two_accounts_have_their_lines_and_are_controlled(self):
        first, carol = self.incoming("work", "carol")
        self.done(self.asker.answer(first, wait="completed"))
        second, dave = self.incoming("ann", "dave")
        self.assertEqual([self.asker.calls[call]["line"] for call in (first, second)],
                         [self.work, self.own])
        self.done(self.asker.answer(second, "hold_and_answer", wait="completed"))
        self.assertEqual(self.asker.calls[first]["state"], "held")
        self.program.kill()                     # who comes after finds the calls of both accounts
        self.program = self.attached(self.ann, ANN)
        self.done(self.asker.end(second, wait="completed"))
        self.done(self.asker.set_held(first, False, wait="completed"))
        self.done(self.asker.end(first, wait="completed"))
        self.over(carol, dave)

    def test_a_start_goes_out_from_its_line_or_from_the_default(self):
        bob = lab.Baresip(self, self.folder, "bob")
        self.attached(bob, BOB)
        remote = {"type": "generic", "value": f"sip:bob@127.0.0.1:{bob.sip}"}
        for line, address in ((self.work, self.work), (None, self.own), (self.work, self.work)):
            self.done(self.asker.start(remote, provider=ANN, line=line, wait="completed"))
            call = self.until(self.asker, lambda call: call["provider"] == BOB
                              and call["state"] == "waiting")
            self.assertEqual(self.asker.calls[call]["remote"]["value"], address)
            [own] = [each for each in self.asker.calls.values() if each["provider"] == ANN]
            self.assertEqual((own["line"], own["supports_grouping"]), (address, False))
            self.done(self.asker.end(own["call"], wait="completed"))
            lab.wait_until("bob rings on", lambda: not self.asker.calls)


if __name__ == "__main__":
    unittest.main()
