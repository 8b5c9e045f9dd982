"""What an INVITE says besides its caller's address. sipp calls; the broker is a real one."""
import shutil
import tempfile
import unittest

import lab
from callbroker import Provider, new_id, phone

PASSED = "TN-Validation-Passed"


class CallerTests(unittest.TestCase):
    """`linda` has an account, and nobody but its registrar reaches her address."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        work = lab.Registrar(self, self.folder, "work", "200 OK")
        self.account = f"sip:linda@127.0.0.1:{work.sip}"
        self.config = lab.LINPHONE_ACCOUNT.format(
            number=0, port=work.sip, identity=f"<{self.account}>")
        self.callers = 0

    def phone(self, *options):
        self.linda = lab.Side(self, self.folder, "linda", "--sound", "none", *options,
                              config=self.config)

    def caller(self, *headers, to="", sender=""):
        self.callers += 1
        return lab.caller_with(self, self.folder, self.linda.phone, f"c{self.callers}", *headers,
                               to=to or self.account, sender=sender)

    def called(self, *headers, **options):
        """What is known of a call, which is over then."""
        caller = self.caller(*headers, **options)
        call = self.linda.call("ringing")
        known = dict(self.linda.user.calls[call])
        self.linda.do("end", call)
        self.assertEqual(caller.wait(), 1)      # it was declined
        return known

    def test_the_verdict_of_the_registrar_about_the_number_is_known(self):
        self.phone("--verification", "registrar")
        for verstat, verdict in (
                (PASSED, "passed"), (PASSED + "-A", "passed"), ("tn-validation-failed", "failed"),
                ("No-TN-Validation", None), (PASSED + "-C", None), ("", None)):
            with self.subTest(verstat=verstat):
                known = self.called(sender=f"<sip:+15550100;verstat={verstat}")
                self.assertEqual((known["line"], known.get("verification")),
                                 (self.account, verdict))
                self.assertRegex(known["remote"]["value"], r"^sip:\+15550100@127.0.0.1:\d+$")
        for asserted in ("sip:+15550100;verstat={}@127.0.0.1;user=phone", "tel:+15550100;verstat={}"):
            known = self.called(f"P-Asserted-Identity: <{asserted.format(PASSED)}>",
                                sender="<sip:+15550100;verstat=No-TN-Validation")
            self.assertEqual(known["verification"], "passed")
            known = self.called(f"P-Asserted-Identity: <{asserted.format('No-TN-Validation')}>",
                                sender=f"<sip:+15550100;verstat={PASSED}")
            self.assertNotIn("verification", known)

    def test_nobody_verifies_a_number_but_the_registrar(self):
        self.phone("--verification", "registrar")
        asserted = f"P-Asserted-Identity: <tel:+15550100;verstat={PASSED}>"
        for headers, options in (
                ((asserted,), {"to": self.linda.address}),          # it calls directly
                ((), {"sender": f'";verstat={PASSED}" <sip:c'}),
                ((), {"sender": f'"<;verstat={PASSED}@" <sip:c'}),
                ((), {"sender": f'"\\" <;verstat={PASSED}@" <sip:c'}),
                ((f'P-Asserted-Identity: <sip:a@b>;x="<;verstat={PASSED}@"',), {}),
                ((f"P-Asserted-Identity: <sip:+15550100@127.0.0.1;verstat={PASSED}>",), {}),
                ((f"P-Asserted-Identity: <tel:+15550100>;verstat={PASSED}",), {})):
            with self.subTest(headers=headers, **options):
                self.assertNotIn("verification", self.called(*headers, **options))

    def test_verdicts_do_not_count_where_others_reach_the_address(self):
        self.phone()
        known = self.called(sender=f"<sip:+15550100;verstat={PASSED}")
        self.assertNotIn("verification", known)
        self.assertRegex(known["remote"]["value"], r"^sip:\+15550100@127.0.0.1:\d+$")

    def test_a_call_that_was_forwarded_names_who_did(self):
        self.phone()
        boss = {"type": "generic", "value": "sip:boss@example.org"}
        for headers, forwarder in (
                (("Diversion: \"The boss\" <sip:boss@example.org;user=phone>;reason=no-answer",), boss),
                (("Diversion: <sip:boss@example.org>;reason=unconditional;privacy=off",
                  "Diversion: <sip:owner@example.org>;reason=unconditional"), boss),
                (("Diversion: <sip:boss@example.org>;privacy=full",), None),
                (("Diversion: nobody",), None), ((), None)):
            with self.subTest(headers=headers):
                self.assertEqual(self.called(*headers).get("forwarded_from"), forwarder)

    def test_who_calls_urgently_waits_first_if_the_user_lets_the_telephone_say_so(self):
        self.phone()
        self.assertEqual(self.called("Priority: urgent")["priority"], "normal")
        admin = lab.User("admin", socket=self.linda.daemon.socket)
        admin.roles = ("controller", "observer", "admin")
        admin.__enter__()
        self.addCleanup(admin.__exit__)
        admin.set_policy(priority_claims=[self.linda.identity]).result(lab.CEILING)
        for said, priority in (("urgent", "priority_caller"), ("Emergency", "priority_caller"),
                               ("normal", "normal"), ("psap-callback", "normal")):
            with self.subTest(said=said):
                self.assertEqual(self.called(f"Priority: {said}")["priority"], priority)

    def test_a_call_that_is_not_urgent_is_busy_while_another_app_has_one(self):
        self.phone()
        self.assertEqual(self.called("Priority: non-urgent")["priority"], "background")
        app = Provider("org.example.app", "app", handle_types=["phone"],
                       socket=self.linda.daemon.socket)
        for kind in ("answer", "end"):
            app.on_action(kind)(lambda action: None)
        app.__enter__()
        self.addCleanup(app.__exit__)
        live = new_id()
        app.report_incoming(live, phone("+15550100")).result(lab.CEILING)
        self.linda.do("answer", live)
        refused = self.caller("Priority: non-urgent")
        self.assertEqual(refused.wait(), 1)
        self.assertIn("486", refused.said())
        self.assertEqual(list(self.linda.user.calls), [live])
        self.linda.do("end", live)
        self.assertEqual(self.called("Priority: non-urgent")["priority"], "background")


if __name__ == "__main__":
    unittest.main()
